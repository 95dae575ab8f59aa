import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

/** Steps of flows in every order, with any of them left out: a step is done where those that it needs were done before, and only there. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start({ NEW_DEVICE_CODE: '1' });
});
afterAll(() => world.hub.close());

const OTHER_PASSWORD = 'Other-camel-8';

/** What a walk has come to know; before a step brought it, it is something well-formed that nobody was given. */
class Walk {
  readonly browser: TestBrowser;
  readonly email: string;
  readonly mobile: string;
  flow = '018f0000-0000-7000-8000-000000000000.nothing';
  grant = 'nothing';
  ticket = '018f0000-0000-7000-8000-000000000000.nothing';
  setupId = '018f0000-0000-7000-8000-000000000000';
  secret = 'A'.repeat(32);

  constructor(browser: TestBrowser, n: number) {
    this.browser = browser;
    this.email = `walk${n}@example.org`;
    this.mobile = `+8190${String(10_000_000 + n)}`;
  }

  /** Keeps whatever an answer brings, and says whether it was one. */
  keep({ code, data }: { readonly code: number; readonly data: object | null }): boolean {
    const { token, ...brought } = (data ?? {}) as { readonly token?: string };
    if (token !== undefined) this.browser.stoken = token;
    Object.assign(this, brought);
    return code === SUCCESS;
  }

  async mailed(to: string): Promise<string> {
    return (await this.browser.codeOf(to)) || '0000';
  }
}

interface Step {
  readonly name: string;
  /** Which steps of the flow must have been done. */
  readonly needs: readonly number[];
  readonly take: (walk: Walk) => Promise<boolean>;
}

const send = (purpose: 'register' | 'recover'): Step => ({
  ...{ name: 'a code is sent', needs: [] },
  take: async (walk) =>
    walk.keep(
      await walk.browser.call('sms/sms', {
        target: walk.email,
        purpose,
        captcha: await walk.browser.captcha(),
      }),
    ),
});

const check = (purpose: 'register' | 'recover' | 'bind', of: 'email' | 'mobile'): Step => ({
  ...{ name: 'it is verified', needs: [0] },
  take: async (walk) => {
    const code = await walk.mailed(walk[of]);
    return walk.keep(await walk.browser.call('user/checkcode', { target: walk[of], purpose, code }));
  },
});

const STEP_UP: Step = {
  ...{ name: 'a grant is given', needs: [] },
  take: async (walk) =>
    walk.keep(
      await walk.browser.call('x/account/StepUp', { purpose: 'credentials', password: TEST_PASSWORD }),
    ),
};

interface Flow {
  /** Whether the account is there already, and logged in where the walk goes on. */
  readonly who: 'nobody' | 'visitor' | 'member';
  readonly steps: readonly Step[];
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'signing up': {
    who: 'nobody',
    steps: [
      send('register'),
      check('register', 'email'),
      {
        ...{ name: 'the form is sent', needs: [1] },
        take: async (walk) => {
          const { email, flow } = walk;
          const form = { email, flow, password: TEST_PASSWORD, agree: 'true' } as const;
          return walk.keep(await walk.browser.call('user/usernew', form));
        },
      },
    ],
  },
  'recovering a password': {
    who: 'visitor',
    steps: [
      send('recover'),
      check('recover', 'email'),
      {
        ...{ name: 'a new password is set', needs: [1] },
        take: async (walk) => {
          const { email: account, flow } = walk;
          const form = { account, flow, password: OTHER_PASSWORD };
          return walk.keep(await walk.browser.call('user/forgetpwd', form));
        },
      },
    ],
  },
  'logging in at a new browser': {
    who: 'visitor',
    steps: [
      {
        ...{ name: 'the password is given', needs: [] },
        take: async (walk) => {
          const captcha = await walk.browser.captcha(walk.email);
          const form = { account: walk.email, password: TEST_PASSWORD, captcha };
          return walk.keep(await walk.browser.call('user/login', form));
        },
      },
      {
        ...{ name: 'the code is given', needs: [0] },
        take: async (walk) => {
          const code = await walk.mailed(walk.email);
          return walk.keep(await walk.browser.call('user/loginstep2', { ticket: walk.ticket, code }));
        },
      },
      {
        ...{ name: 'the member is shown', needs: [1] },
        take: async (walk) => walk.keep(await walk.browser.call('security/userinfo', {})),
      },
    ],
  },
  'turning on an authenticator': {
    who: 'member',
    steps: [
      STEP_UP,
      {
        ...{ name: 'a secret is shown', needs: [0] },
        take: async (walk) =>
          walk.keep(await walk.browser.call('security/usergooglesecret', { grant: walk.grant })),
      },
      {
        ...{ name: 'its code is given', needs: [1] },
        take: async (walk) => {
          const { setupId, secret } = walk;
          const form = { setupId, totp: world.shows(secret) };
          return walk.keep(await walk.browser.call('security/bindgoogle', form));
        },
      },
    ],
  },
  'binding a number': {
    who: 'member',
    steps: [
      {
        ...{ name: 'a code is sent', needs: [] },
        take: async (walk) => {
          const form = { purpose: 'bind', channel: 'mobile', target: walk.mobile } as const;
          return walk.keep(await walk.browser.call('usersms/usersms', form));
        },
      },
      check('bind', 'mobile'),
      STEP_UP,
      {
        ...{ name: 'it is bound', needs: [1, 2] },
        take: async (walk) => {
          const { mobile, flow, grant } = walk;
          return walk.keep(await walk.browser.call('security/bindphone', { mobile, flow, grant }));
        },
      },
    ],
  },
  'changing a password': {
    who: 'member',
    steps: [
      STEP_UP,
      {
        ...{ name: 'it is changed', needs: [0] },
        take: async (walk) => {
          const form = { oldPassword: TEST_PASSWORD, password: OTHER_PASSWORD, grant: walk.grant };
          return walk.keep(await walk.browser.call('security/resetpwd', form));
        },
      },
    ],
  },
};

/** All orders of all choices of the numbers below `count`. */
function ordersOf(count: number, taken: readonly number[] = []): readonly (readonly number[])[] {
  const left = Array.from({ length: count }, (_, n) => n).filter((n) => !taken.includes(n));
  return left.flatMap((n) => [[...taken, n], ...ordersOf(count, [...taken, n])]);
}

let walks = 0;
async function begun(who: Flow['who']): Promise<Walk> {
  walks += 1;
  const walk = new Walk(world.hub.visitor(), walks);
  if (who !== 'nobody') {
    const member = await world.hub.member(walk.email);
    if (who === 'member') Object.assign(walk, { browser: member });
  }
  await walk.browser.captcha();
  return walk;
}

test.each(Object.entries(FLOWS))(
  '%s: its steps in every order, and with any left out',
  async (_name, { who, steps }) => {
    const orders = ordersOf(steps.length);
    expect(orders.length).toBeGreaterThan(steps.length);
    for (const order of orders) {
      const walk = await begun(who);
      const done = new Set<number>();
      for (const n of order) {
        const { name, needs, take } = steps[n] as Step;
        const may = needs.every((need) => done.has(need));
        const inOrder = order.map((at) => steps[at]?.name).join(', ');
        expect(await take(walk), `${name}, of: ${inOrder}`).toBe(may);
        if (may) done.add(n);
      }
    }
  },
);
