import { startTestHub, TEST_PASSWORD, type TestBrowser } from '../main/testing.ts';
import { HubWorld } from './hub-world.fixture.ts';

/** Code of success. */
export const SUCCESS = 1;

/** A mail as the outbox shows it. */
export interface ShownMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** A hub, and what members of it do with their accounts. */
export class SecurityWorld extends HubWorld {
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<SecurityWorld> {
    return new SecurityWorld(await startTestHub({ environment }));
  }

  async mails(to: string): Promise<readonly ShownMail[]> {
    const response = await fetch(`${this.hub.url}/dev/outbox.json?to=${encodeURIComponent(to)}`);
    return (await response.json()) as ShownMail[];
  }

  /** A grant for an act on credentials, by the password or, once it is set, the authenticator. */
  async grant(browser: TestBrowser, secret?: string): Promise<string> {
    const proof = secret === undefined ? { password: TEST_PASSWORD } : { totp: this.shows(secret) };
    const answer = await browser.call('x/account/StepUp', { purpose: 'credentials', ...proof });
    if (answer.data === null) throw new Error(answer.msg);
    browser.stoken = answer.data.token;
    return answer.data.grant;
  }

  /** Turns an authenticator on; answers its secret and the recovery codes. */
  async authenticator(
    browser: TestBrowser,
  ): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
    const begun = await browser.call('security/usergooglesecret', { grant: await this.grant(browser) });
    if (begun.data === null) throw new Error(begun.msg);
    const { setupId, secret } = begun.data;
    const bound = await browser.call('security/bindgoogle', { setupId, totp: this.shows(secret) });
    if (bound.data === null) throw new Error(bound.msg);
    browser.stoken = bound.data.token;
    // The code that proved it is used up.
    this.hub.advance(30_000);
    return { secret, codes: bound.data.recoveryCodes };
  }

  /** The ticket of a log-in that asks for more than the password. */
  async ticket(
    browser: TestBrowser,
    email: string,
  ): Promise<{ readonly ticket: string; readonly next: string }> {
    const { data, msg } = await browser.call('user/login', {
      ...{ account: email, password: TEST_PASSWORD },
      captcha: await browser.captcha(email),
    });
    if (data === null || !('next' in data)) throw new Error(`no further step: ${msg}`);
    return data;
  }

  /** Has a code sent to who cannot log in, and verifies it. */
  async flow(browser: TestBrowser, target: string, purpose: 'recover' | 'unfreeze'): Promise<string> {
    await browser.call('sms/sms', { target, purpose, captcha: await browser.captcha() });
    return this.checked(browser, target, purpose);
  }

  /** Verifies the newest code that was mailed. */
  async checked(
    browser: TestBrowser,
    target: string,
    purpose: 'recover' | 'unfreeze' | 'bind' | 'modify-new' | 'modify-old',
  ): Promise<string> {
    const code = await browser.codeOf(target);
    const { data, msg } = await browser.call('user/checkcode', { target, purpose, code });
    if (data === null) throw new Error(msg);
    return data.flow;
  }

  /** Binds a mobile number to a member. */
  async bindMobile(browser: TestBrowser, mobile: string, secret?: string): Promise<void> {
    await browser.call('usersms/usersms', { purpose: 'bind', channel: 'mobile', target: mobile });
    const flow = await this.checked(browser, mobile, 'bind');
    const grant = await this.grant(browser, secret);
    const bound = await browser.call('security/bindphone', { mobile, flow, grant });
    if (bound.data === null) throw new Error(bound.msg);
    browser.stoken = bound.data.token;
  }

  async isLoggedIn(browser: TestBrowser): Promise<boolean> {
    return (await browser.call('security/userinfo', {})).code === SUCCESS;
  }

  /** Lets all members have had their second factors for a day. */
  async ageFactors(): Promise<void> {
    await this.hub.database.owner.query(`update first_factors set at = at - interval '24 hours'`);
  }

  /** Lets a unit of money have come to a member, from somebody who is not there. */
  async fund(browser: TestBrowser): Promise<void> {
    const { owner } = this.hub.database;
    const keys = [`FUNDING/${browser.tid}/USDT`, `FUNDING/${(browser.tid ?? 0) + 1_000_000}/USDT`];
    for (const key of keys) {
      await owner.query(
        `insert into ledger_accounts (key, class, owner, asset) values ($1, 'FUNDING', split_part($1, '/', 2)::int, 'USDT')`,
        [key],
      );
    }
    await owner.query(
      `insert into ledger_transfers (id, unit, from_account, to_account, asset, amount, kind)
       select gen_random_uuid(), 0, a.id, b.id, 'USDT', 1, 'test-funds' from ledger_accounts a, ledger_accounts b
       where a.key = $2 and b.key = $1`,
      keys,
    );
  }

  /** Stops the database's own clock at a moment of SQL. */
  async stopDatabaseClock(moment: string): Promise<void> {
    await this.hub.database.owner.query(
      `create or replace function db_clock() returns timestamptz language sql as 'select timestamptz ''${moment}'''`,
    );
  }

  /** Moves the database's own clock. */
  async moveDatabaseClock(interval: string): Promise<void> {
    await this.hub.database.owner.query(
      `create or replace function db_clock() returns timestamptz language sql as 'select clock_timestamp() + interval ''${interval}'''`,
    );
  }

  /** The freeze link's token in the newest mail that has one. */
  async freezeToken(email: string): Promise<string> {
    const mails = await this.mails(email);
    const token = mails
      .map(({ body }) => /\/freeze#([A-Za-z0-9_-]{22})(?:\s|$)/.exec(body)?.[1])
      .find(Boolean);
    if (token === undefined) throw new Error('no mail has a freeze link');
    return token;
  }
}
