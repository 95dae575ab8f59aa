import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacks } from '../../../../../tests/attack-sizes.ts';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

/** A search for ways to somebody's money: whoever holds some of his things does whatever he can with an account, in any order, within a day. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start({ NEW_DEVICE_CODE: '1' });
});
afterAll(() => world.hub.close());

type Thing = 'password' | 'mailbox' | 'phone' | 'session';

/** The account, and what the attacker has got hold of or made his own. */
class Attack {
  readonly email: string;
  readonly mobile: string;
  readonly user: number;
  readonly holds: ReadonlySet<Thing>;
  readonly browser: TestBrowser;
  password: string | undefined;
  /** Of an authenticator that he turned on. */
  secret: string | undefined;
  ticket = '';
  grants: string[] = [];
  readonly mine = { email: '', mobile: '' };

  constructor(
    victim: { email: string; mobile: string; user: number },
    browser: TestBrowser,
    holds: ReadonlySet<Thing>,
  ) {
    this.email = victim.email;
    this.mobile = victim.mobile;
    this.user = victim.user;
    this.browser = browser;
    this.holds = holds;
    this.password = holds.has('password') ? TEST_PASSWORD : undefined;
    this.mine.email = `mine-${victim.email}`;
    this.mine.mobile = victim.mobile.replace('+8190', '+8170');
  }

  /** Reads a code, where it went to something of his. */
  async codeTo(to: string): Promise<string> {
    const held =
      to === this.mine.email ||
      to === this.mine.mobile ||
      (to === this.email && this.holds.has('mailbox')) ||
      (to === this.mobile && this.holds.has('phone'));
    return held ? (await this.browser.codeOf(to)) || '0000' : '0000';
  }

  async flowTo(
    target: string,
    purpose: 'recover' | 'unfreeze' | 'bind' | 'modify-new' | 'modify-old',
  ): Promise<string> {
    const { browser } = this;
    if (purpose === 'recover' || purpose === 'unfreeze')
      await browser.call('sms/sms', { target, purpose, captcha: await browser.captcha() });
    else {
      const channel = target.startsWith('+') ? ('mobile' as const) : ('email' as const);
      await browser.call('usersms/usersms', {
        purpose,
        channel,
        ...(purpose === 'modify-old' ? {} : { target }),
      });
    }
    const checked = await browser.call('user/checkcode', {
      target,
      purpose,
      code: await this.codeTo(target),
    });
    return checked.data?.flow ?? 'none';
  }

  keep({ data }: { readonly data: object | null }): void {
    const { token, ticket, grant } = (data ?? {}) as { token?: string; ticket?: string; grant?: string };
    if (token !== undefined) this.browser.stoken = token;
    if (ticket !== undefined) this.ticket = ticket;
    if (grant !== undefined) this.grants.push(grant);
  }

  shown(): string {
    return this.secret === undefined ? '123456' : world.shows(this.secret);
  }

  grant(): string {
    return this.grants.pop() ?? 'none';
  }
}

const NEW_PASSWORD = 'Stolen-horse-7';

/** Everything that changes who may do what; each as far as what the attacker holds carries it. */
const ACTS: Readonly<Record<string, (attack: Attack) => Promise<void>>> = {
  async 'log in'(attack) {
    const { browser, email: account, password = 'Guess-horse-7' } = attack;
    attack.keep(
      await browser.call('user/login', { account, password, captcha: await browser.captcha(account) }),
    );
  },
  async 'prove the mailbox to log in'(attack) {
    const code = await attack.codeTo(attack.email);
    attack.keep(await attack.browser.call('user/loginstep2', { ticket: attack.ticket || 'none', code }));
  },
  async 'prove the authenticator to log in'(attack) {
    const totp = attack.shown();
    attack.keep(await attack.browser.call('user/loginstep2', { ticket: attack.ticket || 'none', totp }));
  },
  async 'recover the password by mail'(attack) {
    const { email: account } = attack;
    const flow = await attack.flowTo(account, 'recover');
    const { code } = await attack.browser.call('user/forgetpwd', { account, flow, password: NEW_PASSWORD });
    if (code === SUCCESS) attack.password = NEW_PASSWORD;
  },
  async 'recover the password by phone'(attack) {
    const { mobile: account } = attack;
    const flow = await attack.flowTo(account, 'recover');
    const { code } = await attack.browser.call('user/forgetpwd', { account, flow, password: NEW_PASSWORD });
    if (code === SUCCESS) attack.password = NEW_PASSWORD;
  },
  async 'get a grant by the password'(attack) {
    const { password = 'Guess-horse-7' } = attack;
    attack.keep(await attack.browser.call('x/account/StepUp', { purpose: 'credentials', password }));
  },
  async 'get a grant by an authenticator'(attack) {
    attack.keep(
      await attack.browser.call('x/account/StepUp', { purpose: 'credentials', totp: attack.shown() }),
    );
  },
  async 'turn on an authenticator of his own'(attack) {
    const { data } = await attack.browser.call('security/usergooglesecret', { grant: attack.grant() });
    if (data === null) return;
    const totp = world.shows(data.secret);
    const bound = await attack.browser.call('security/bindgoogle', { setupId: data.setupId, totp });
    attack.keep(bound);
    if (bound.code === SUCCESS) attack.secret = data.secret;
    world.hub.advance(30_000);
  },
  async 'bind a number of his own'(attack) {
    const { mobile } = attack.mine;
    const flow = await attack.flowTo(mobile, 'bind');
    attack.keep(await attack.browser.call('security/bindphone', { mobile, flow, grant: attack.grant() }));
  },
  async 'change the number'(attack) {
    const { mobile } = attack.mine;
    const flow = await attack.flowTo(mobile, 'modify-new');
    const oldFlow = await attack.flowTo(attack.mobile, 'modify-old');
    attack.keep(
      await attack.browser.call('security/modifyphone', { mobile, flow, oldFlow, grant: attack.grant() }),
    );
  },
  async 'change the address'(attack) {
    const { email } = attack.mine;
    const flow = await attack.flowTo(email, 'modify-new');
    const oldFlow = await attack.flowTo(attack.email, 'modify-old');
    attack.keep(
      await attack.browser.call('security/modifyemail', { email, flow, oldFlow, grant: attack.grant() }),
    );
  },
  async 'change the password'(attack) {
    const { password: oldPassword = 'Guess-horse-7' } = attack;
    const change = { oldPassword, password: NEW_PASSWORD, grant: attack.grant() };
    const answer = await attack.browser.call('security/resetpwd', change);
    attack.keep(answer);
    if (answer.code === SUCCESS) attack.password = NEW_PASSWORD;
  },
  async 'have the authenticator reset'(attack) {
    const { browser } = attack;
    const ticket = attack.ticket || 'none';
    await browser.call('x/account/OtpResetBegin', { ticket });
    const [emailCode, mobileCode] = [await attack.codeTo(attack.email), await attack.codeTo(attack.mobile)];
    await browser.call('x/account/OtpResetFinish', { ticket, emailCode, mobileCode });
  },
  async 'make recovery codes'(attack) {
    attack.keep(await attack.browser.call('x/account/RecoveryCodes', { grant: attack.grant() }));
  },
  async 'freeze it and open it again'(attack) {
    const { browser, email: account } = attack;
    if (!attack.holds.has('mailbox')) return;
    const token = await world.freezeToken(account).catch(() => 'A'.repeat(22));
    await browser.call('x/account/Freeze', { token, captcha: await browser.captcha() });
    const flow = await attack.flowTo(account, 'unfreeze');
    const { code } = await browser.call('x/account/Unfreeze', { account, flow, password: NEW_PASSWORD });
    if (code === SUCCESS) attack.password = NEW_PASSWORD;
  },
  async 'wait for six hours'() {
    world.hub.advance(6 * 3_600_000);
  },
};

let victims = 0;

/** A new member, and an attack on it. @param guarded its owner has turned on an authenticator. */
async function begun(holds: readonly Thing[], guarded: boolean): Promise<Attack> {
  victims += 1;
  const email = `victim${victims}@example.org`;
  const mobile = `+8190${10_000_000 + victims}`;
  const owner = await world.hub.member(email);
  await world.bindMobile(owner, mobile);
  if (guarded) await world.authenticator(owner);
  await world.fund(owner);
  await world.hub.database.owner.query(
    `update credential_changes set at = at - interval '3 days' where member = $1`,
    [owner.tid ?? 0],
  );
  await world.hub.database.owner.query(
    `update first_factors set at = at - interval '3 days' where member = $1`,
    [owner.tid ?? 0],
  );
  const thief = world.hub.visitor();
  await thief.captcha();
  if (holds.includes('session')) Object.assign(thief, { cookie: owner.cookie, stoken: owner.stoken });
  return new Attack({ email, mobile, user: owner.tid ?? 0 }, thief, new Set(holds));
}

/** Whether money could leave now: a proof for it, and nothing that stops it. */
async function moneyCanLeave(attack: Attack): Promise<boolean> {
  const proofs = [{ totp: attack.shown() }, { password: attack.password ?? 'Guess-horse-7' }];
  for (const proof of proofs) {
    const answer = await attack.browser.call('x/account/StepUp', { purpose: 'money', ...proof });
    attack.keep({ data: answer.data === null ? null : { token: answer.data.token } });
    if (answer.code !== SUCCESS) continue;
    if ((await world.hub.hub.accounts.moneyOutAllowed(attack.user as never)) === undefined) return true;
    world.hub.advance(30_000);
  }
  return false;
}

const sequences = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 3, maxLength: 10 });

/** What leads nowhere within a day where the owner has an authenticator, and where he has none. */
const HELD: readonly (readonly [boolean, readonly Thing[]])[] = [
  ...([true, false] as const).flatMap((guarded) =>
    (
      [
        ['password'],
        ['mailbox'],
        ['phone'],
        ['session'],
        ['password', 'mailbox'],
        ['session', 'password'],
      ] as const
    ).map((holds) => [guarded, holds] as const),
  ),
  [false, ['password', 'mailbox', 'phone', 'session']],
  [true, ['password', 'mailbox', 'phone']],
];

describe('within a day', () => {
  test.each(HELD)(
    'with an authenticator (%s), who holds %j gets no money out, whatever he does in whatever order',
    async (guarded, holds) => {
      await fc.assert(
        fc.asyncProperty(sequences, async (names) => {
          const attack = await begun(holds, guarded);
          for (const name of names) {
            await ACTS[name]?.(attack);
            expect(await moneyCanLeave(attack), name).toBe(false);
          }
        }),
        { numRuns: attacks(3, 100) },
      );
    },
  );

  test('the search is not blind: the owner himself gets it out', async () => {
    const attack = await begun(['password', 'mailbox'], false);
    for (const name of [
      'log in',
      'prove the mailbox to log in',
      'get a grant by the password',
      'turn on an authenticator of his own',
    ])
      await ACTS[name]?.(attack);
    expect(await moneyCanLeave(attack)).toBe(false);
    await world.moveDatabaseClock('25 hours');
    expect(await moneyCanLeave(attack)).toBe(true);
    await world.moveDatabaseClock('0');
  });
});
