import { createHash } from 'node:crypto';

/** An answer of the own service. */
export interface Answer {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly salt: string;
  readonly signature: string;
  readonly maxnumber: number;
}

/** The own service from outside a browser, by its written convention: prepares members and looks behind the screens. */
export class HubClient {
  readonly url: string;
  cookie = '';
  token = '';
  tid = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** One call; keeps the cookie that comes back. */
  async call(name: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/api/${name}`, {
      method: 'POST',
      headers: this.cookie === '' ? {} : { cookie: `sid=${this.cookie}` },
      body: new URLSearchParams({
        ...fields,
        ...(this.token === '' ? {} : { stoken: this.token }),
        sosflag: '3',
      }),
    });
    const set = /^sid=([^;]*)/.exec(response.headers.get('set-cookie') ?? '');
    if (set !== null) this.cookie = set[1] ?? '';
    return (await response.json()) as Answer;
  }

  /** A call whose refusal is the end of the test. */
  async must<Data>(name: string, fields: Readonly<Record<string, string>> = {}): Promise<Data> {
    const answer = await this.call(name, fields);
    if (answer.code !== 1) throw new Error(`${name}: ${answer.code} ${answer.msg}`);
    return answer.data as Data;
  }

  async #captcha(): Promise<string> {
    const given = await this.must<Challenge>('pub/getcaptcha');
    const { algorithm, challenge, salt, signature } = given;
    for (let number = 0; number <= given.maxnumber; number += 1) {
      const digest = createHash('sha256').update(`${salt}${number}`).digest('hex');
      if (digest === challenge) {
        return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number }));
      }
    }
    throw new Error('the captcha has no solution');
  }

  #keep(session: { readonly token: string; readonly tid: number }): void {
    this.token = session.token;
    this.tid = session.tid;
  }

  /** Signs up with the code from the outbox. */
  async signUp(email: string, password: string): Promise<void> {
    await this.must('sms/sms', { target: email, purpose: 'register', captcha: await this.#captcha() });
    const mails = await fetch(`${this.url}/dev/outbox.json?to=${encodeURIComponent(email)}`);
    const [newest] = (await mails.json()) as readonly { readonly body: string }[];
    const code = /\b[0-9]{4}\b/.exec(newest?.body ?? '')?.[0] ?? '';
    const checked = await this.must<{ readonly flow: string }>('user/checkcode', {
      target: email,
      purpose: 'register',
      code,
    });
    this.#keep(await this.must('user/usernew', { email, flow: checked.flow, password, agree: 'true' }));
  }

  /** Begins one more session of a member with a second factor, by a recovery code; this client goes on with the one it has. */
  async logInAgain(
    { email, password }: { readonly email: string; readonly password: string },
    recovery: string,
  ): Promise<void> {
    const other = new HubClient(this.url);
    const captcha = await other.#captcha();
    const { ticket } = await other.must<{ readonly ticket: string }>('user/login', {
      ...{ account: email, password, captcha },
    });
    await other.must('user/loginstep2', { ticket, recovery });
  }

  /** Test funds, so much of them on platform 1. */
  async fund(tradingAmount: string): Promise<void> {
    await this.must('x/paper/TestFunds', { platformType: '43', tradingAmount });
  }

  /** Balances of the trading wallet on platform 1: total by asset, without the zeros. */
  async tradingBalances(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.must<readonly { readonly asset: string; readonly total: string }[]>(
      'connexfunding/tradingbalance',
      { platformType: '43' },
    );
    return new Map(rows.filter((row) => row.total !== '0').map((row) => [row.asset, row.total]));
  }
}
