import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { CallInput, CallName, CallResponse, Envelope } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { solveChallenge } from 'altcha-lib/v1';
import type { PasswordCost } from '../accounts/factors/passwords.ts';
import { readConfig } from '../config.ts';
import type { RequestDeadlines } from '../http/server.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { createHub, type Hub } from './hub.ts';
import { listen } from './outside/listen.ts';
import { steadyClock } from './outside/outside.ts';
import { type Secrets, secretsOf } from './secrets.ts';

/** A hub on a fresh database of the test run, over real HTTP, with a clock the test moves. */
export interface TestHub {
  readonly url: string;
  readonly hub: Hub;
  readonly database: TestDatabase;
  /** What the program wrote to its log. */
  readonly logged: readonly { readonly event: string; readonly facts: object }[];
  now(): Millis;
  /** Moves time on; nothing else does. */
  advance(millis: number): void;
  /** Sets the time of day, as an operator or NTP may; time goes on as before. */
  setClock(millis: number): void;
  /** A browser that has not logged in. */
  visitor(): TestBrowser;
  /** Signs up a member and answers the logged-in browser. */
  member(email?: string, fields?: Readonly<Record<string, string>>): Promise<TestBrowser>;
  close(): Promise<void>;
}

/** Password of members made by `TestHub.member`. */
export const TEST_PASSWORD = 'Correct-horse-7';

/** Members by the hundred: what a hash costs is the claim of passwords.test.ts and of the real processes. */
const CHEAP_PASSWORDS = { memoryKib: 64, passes: 1, lanes: 1 } as const;

/** What a test may set. */
export interface TestHubOptions {
  /** Keys of an installation; new ones by default. */
  readonly secrets?: Secrets;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the market data of platform 1 would be. */
  readonly venueBase?: string;
  readonly webRoot?: string;
  readonly deadlines?: RequestDeadlines;
  /** One that was opened elsewhere; the hub closes it. */
  readonly database?: TestDatabase;
  /** What a hash costs; next to nothing where it is left out. */
  readonly passwordCost?: PasswordCost;
}

/** What a test may send as a body. */
export type FormBody = string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>;

/** A raw answer: status, headers and the parsed envelope. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly envelope: Envelope<unknown>;
}

/** A browser as far as the own service sees one: it keeps the cookie and the stoken. */
export class TestBrowser {
  readonly url: string;
  cookie: string | undefined;
  /** The cookie that names the browser. */
  device: string | undefined;
  stoken: string | undefined;
  tid: number | undefined;
  /** Headers of every request. */
  readonly headers: Record<string, string> = {};
  #prefix = '';

  constructor(url: string) {
    this.url = url;
  }

  #keep(setCookie: string): void {
    const [, prefix = '', name, value = ''] = /^(__Host-)?(sid|did)=([^;]*)/.exec(setCookie) ?? [];
    this.#prefix = prefix;
    if (name === 'sid') this.cookie = value === '' ? undefined : value;
    if (name === 'did') this.device = value;
  }

  #cookies(): string {
    const kept = [
      ['sid', this.cookie],
      ['did', this.device],
    ];
    const sent = kept.filter(([, value]) => value !== undefined);
    return sent.map(([name, value]) => `${this.#prefix}${name}=${value}`).join('; ');
  }

  /** Sends any body to any path and keeps the cookie that comes back. */
  async send(
    path: string,
    body: FormBody | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawAnswer> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      headers: {
        ...this.headers,
        ...(this.#cookies() === '' ? {} : { cookie: this.#cookies() }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const envelope = (await response.json()) as Envelope<unknown>;
    return { status: response.status, headers: response.headers, envelope };
  }

  /** Posts fields as a form, exactly as given. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<RawAnswer> {
    return this.send(path, new URLSearchParams(fields));
  }

  /** A call as the web makes it: with `sosflag` and `stoken`. What is refused has no data of the call, only an exchange's code. */
  async call<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<Envelope<CallResponse<Name>>> {
    const fields: Record<string, string> = { sosflag: '3' };
    for (const [field, value] of Object.entries(input)) fields[field] = String(value);
    if (this.stoken !== undefined) fields.stoken = this.stoken;
    const { envelope } = await this.form(`/api/${name}`, fields);
    return { ...(envelope as Envelope<CallResponse<Name>>), ...(envelope.code === 1 ? {} : { data: null }) };
  }

  /** Solves a fresh captcha, for a log-in with the work that its account asks for. */
  async captcha(account?: string): Promise<string> {
    const { data } = await this.call('pub/getcaptcha', account === undefined ? {} : { account });
    if (data === null) throw new Error('no captcha was given');
    const solved = await solveChallenge(data.challenge, data.salt, data.algorithm, data.maxnumber).promise;
    const { algorithm, challenge, salt, signature } = data;
    return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: solved?.number }));
  }

  /** Newest code mailed to an address. */
  async codeOf(email: string): Promise<string> {
    const { headers } = this;
    const response = await fetch(`${this.url}/dev/outbox.json?to=${encodeURIComponent(email)}`, { headers });
    const mails = (await response.json()) as readonly { readonly body: string }[];
    return /\b([0-9]{4}|[0-9]{12})\b/.exec(mails[0]?.body ?? '')?.[1] ?? '';
  }

  /** Has a code sent and verifies it; answers the flow token. */
  async flowFor(email: string): Promise<string> {
    await this.call('sms/sms', { target: email, purpose: 'register', captcha: await this.captcha() });
    const code = await this.codeOf(email);
    const checked = await this.call('user/checkcode', { target: email, purpose: 'register', code });
    if (checked.data === null) throw new Error(checked.msg);
    return checked.data.flow;
  }

  /** Logs in and keeps the token. */
  async logIn(email: string, password: string = TEST_PASSWORD): Promise<Envelope<unknown>> {
    const answer = await this.call('user/login', {
      account: email,
      password,
      captcha: await this.captcha(email),
    });
    if (answer.data !== null && 'token' in answer.data) {
      this.stoken = answer.data.token;
      this.tid = answer.data.tid;
    }
    return answer;
  }
}

/** A declared proxy that the test plays: each request says where it comes from. */
export interface PlayedProxy {
  /** What the hub is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the proxy would send requests. */
  readonly url: string;
  /** A browser in a network of its own. */
  visitor(address: string): TestBrowser;
}

/** Makes the settings of a hub behind a proxy, on a port that is free now. */
export async function playedProxy(): Promise<PlayedProxy> {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    environment: {
      ...{ PORT: String(port), TRUST_PROXY: '1', PUBLIC_URL: `https://127.0.0.1:${port}`, OUTBOX: '1' },
      ADDRESS_LIMIT_FACTOR: '1',
    },
    url,
    visitor(address) {
      const browser = new TestBrowser(url);
      browser.headers['x-forwarded-for'] = address;
      return browser;
    },
  };
}

/** Starts a hub for a test. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const database = options.database ?? (await openTestDatabase());
  let now = 1_760_000_000_000 as Millis;
  let advanced = 0;
  const logged: { event: string; facts: object }[] = [];
  const config = readConfig({
    PORT: '0',
    SIMULATOR_URL: options.venueBase ?? 'http://127.0.0.1:9',
    CAPTCHA_WORK_MAX: '100',
    ADDRESS_LIMIT_FACTOR: '1000',
    // Most tests log in for what comes after; those of the code ask for it.
    NEW_DEVICE_CODE: '0',
    ...options.environment,
  });
  const hub = await createHub({
    config,
    version: 'test',
    database: database.database,
    secrets: options.secrets ?? secretsOf(randomBytes(32)),
    clock: () => now,
    // Real, so that what waits for a timer meets its time; and on by what the test adds.
    steady: () => (steadyClock() + advanced) as Millis,
    random: randomBytes,
    passwordCost: options.passwordCost ?? CHEAP_PASSWORDS,
    chance: Math.random,
    log: {
      warn: (facts, event) => logged.push({ event, facts }),
      error: (facts, event) => logged.push({ event, facts }),
    },
    webRoot: options.webRoot,
    ...(options.deadlines === undefined ? {} : { deadlines: options.deadlines }),
    processMetrics: false,
  });
  const url = await listen(hub.server, config);
  let members = 0;
  return {
    url,
    hub,
    database,
    logged,
    now: () => now,
    advance: (millis) => {
      now = (now + millis) as Millis;
      advanced += millis;
    },
    setClock: (millis) => {
      now = millis as Millis;
    },
    visitor: () => new TestBrowser(url),
    async member(email, fields = {}) {
      members += 1;
      const browser = new TestBrowser(url);
      const address = email ?? `member${members}@example.org`;
      const answer = await browser.call('user/usernew', {
        email: address,
        flow: await browser.flowFor(address),
        password: TEST_PASSWORD,
        agree: 'true',
        ...fields,
      });
      if (answer.data === null) throw new Error(answer.msg);
      browser.stoken = answer.data.token;
      browser.tid = answer.data.tid;
      return browser;
    },
    async close() {
      await hub.stop();
      await database.close();
    },
  };
}
