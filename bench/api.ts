import { tmpdir } from 'node:os';
import { type FastifyInstance, fastify } from 'fastify';
import { ARGON2_COST, passwords } from '../apps/server/src/accounts/factors/passwords.ts';
import { sha256Hex } from '../apps/server/src/accounts/keyed-hash.ts';
import {
  startTestHub,
  TEST_PASSWORD,
  type TestBrowser,
  type TestHub,
} from '../apps/server/src/main/testing.ts';
import { type Database, openDatabase } from '../apps/server/src/storage/postgres/database.ts';
import { openTestDatabase, startTestServer } from '../apps/server/src/storage/testing.ts';
import { type Asked, askAll } from './api-load.ts';
import { type Bench, type Contender, compared, type Figure, interleave, quantile } from './harness.ts';

const CALLERS = 64;
const ROUNDS = 5;
/** Requests of one round: a log-in costs a password hash of 19 MiB. */
const LOG_INS = 128;
const READS = 2_000;
/** As many connections as the hub has in this run. */
const CONNECTIONS = 5;

interface Member {
  readonly email: string;
  readonly browser: TestBrowser;
  /** The code that was mailed for a new password. */
  readonly code: string;
}

const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

function cookieOf({ cookie, device }: TestBrowser): string {
  return [cookie === undefined ? [] : `sid=${cookie}`, device === undefined ? [] : `did=${device}`]
    .flat()
    .join('; ');
}

/** Members who are logged in and have asked for a code. */
async function membersOf(hub: TestHub): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let at = 0; at < CALLERS; at += 1) {
    const email = `bench${at}@example.org`;
    const browser = await hub.member(email);
    await browser.call('sms/sms', { target: email, purpose: 'recover', captcha: await browser.captcha() });
    members.push({ email, browser, code: await browser.codeOf(email) });
  }
  return members;
}

/** What a round asks of a hub, by name of the job. */
const JOBS = {
  'log-in': async (members: readonly Member[]): Promise<readonly Asked[]> => {
    const asked: Asked[] = [];
    for (let at = 0; at < LOG_INS; at += 1) {
      const { email, browser } = members[at % CALLERS] as Member;
      const captcha = await browser.captcha(email);
      const body = form({ account: email, password: TEST_PASSWORD, captcha, sosflag: '3' });
      asked.push({ path: '/api/user/login', body, cookie: '' });
    }
    return asked;
  },
  userinfo: async (members: readonly Member[]): Promise<readonly Asked[]> =>
    Array.from({ length: READS }, (_, at) => {
      const { browser } = members[at % CALLERS] as Member;
      const body = form({ sosflag: '3', stoken: browser.stoken ?? '' });
      return { path: '/api/security/userinfo', body, cookie: cookieOf(browser) };
    }),
  'code check': async (members: readonly Member[]): Promise<readonly Asked[]> =>
    Array.from({ length: READS }, (_, at) => {
      const { email, browser, code } = members[at % CALLERS] as Member;
      const body = form({ target: email, purpose: 'recover', code, sosflag: '3' });
      return { path: '/api/user/checkcode', body, cookie: cookieOf(browser) };
    }),
};

type Job = keyof typeof JOBS;

/**
 * The least that could answer the same: a form is parsed, the row read (and, of a log-in, a password hashed at the same cost and a
 * session written; of a code, a try taken), and a JSON answered. No budgets, no captcha, no audit, no checks of origin or fields.
 */
function bareLoop(database: Database): FastifyInstance {
  const web = fastify({ logger: false });
  const hashes = passwords((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  web.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  web.post<{ Body: URLSearchParams }>('/api/user/login', async ({ body }) => {
    const rows = await database.query<{ id: number; password_hash: string }>(
      'select id, password_hash from members where email = $1',
      [body.get('account')],
    );
    const verdict = await hashes.verify(body.get('password') ?? '', rows[0]?.password_hash);
    if (!verdict.ok || !verdict.value.matches) return { code: 0 };
    await database.query('insert into bench_sessions (hash, member) values ($1, $2)', [
      sha256Hex(crypto.randomUUID()),
      rows[0]?.id ?? 0,
    ]);
    return { code: 1 };
  });
  web.post('/api/security/userinfo', async ({ headers }) => {
    const hash = sha256Hex(/sid=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '');
    const rows = await database.query(
      'select m.* from sessions s join members m on m.id = s.member where s.hash = $1 and s.ended_at is null',
      [hash],
    );
    return { code: rows.length, data: rows[0] };
  });
  web.post<{ Body: URLSearchParams }>('/api/user/checkcode', async ({ body }) => {
    const rows = await database.query<{ hash: string }>(
      `update verification_codes set tries_left = tries_left - 1
       where target = $1 and purpose = $2 and tries_left > 0 returning hash`,
      [body.get('target'), body.get('purpose')],
    );
    sha256Hex(`${rows[0]?.hash}${body.get('code')}`);
    return { code: rows.length };
  });
  return web;
}

/** Requests a second, and how long each took, of one way to answer a job. */
function contender(
  name: string,
  url: string,
  parts: { readonly prepare: () => Promise<readonly Asked[]>; readonly waits: Map<string, Float64Array> },
): Contender {
  return {
    ...{ name, unit: 'requests/s' },
    round: async () => {
      const asked = await parts.prepare();
      const { millis, tookMillis, codes } = await askAll({ url, callers: CALLERS, asked });
      if (codes[1] !== asked.length) throw new Error(`${name}: answers by code: ${JSON.stringify(codes)}`);
      parts.waits.set(name, Float64Array.of(...(parts.waits.get(name) ?? []), ...millis));
      return (asked.length * 1_000) / tookMillis;
    },
  };
}

/** Log-in, userinfo and code check beside the least that could answer them. */
export const bench: Bench = {
  about: `api: log-in, userinfo and code check under ${CALLERS} callers, a whole hub against a bare Fastify with pg on the same PostgreSQL; everything on this machine`,
  run: async (report) => {
    const server = await startTestServer(undefined, tmpdir(), true);
    const database = await openTestDatabase(server.target);
    const hub = await startTestHub({
      environment: { ADDRESS_LIMIT_FACTOR: '10000' },
      database,
      passwordCost: ARGON2_COST,
    });
    const members = await membersOf(hub);
    await database.owner.query('create table bench_sessions (hash text primary key, member int not null)');
    const floor = openDatabase({ address: database.ownerAddress, connectionsMax: CONNECTIONS });
    const bare = bareLoop(floor);
    const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });
    const waits = new Map<string, Float64Array>();
    const figures: Figure[] = [];
    for (const job of Object.keys(JOBS) as Job[]) {
      const prepare = async (): Promise<readonly Asked[]> => {
        // Budgets and tries are not what is measured.
        await database.owner.query('update verification_codes set tries_left = 30000');
        await database.owner.query('delete from budgets');
        return JOBS[job](members);
      };
      const names = [job, `${job}, bare`] as const;
      const sides = [
        contender(names[0], hub.url, { prepare, waits }),
        contender(names[1], bareUrl, { prepare, waits }),
      ];
      const rates = await interleave(sides, ROUNDS, report);
      const least = rates.get(names[1]) ?? Number.NaN;
      for (const name of names) {
        const figure = { figure: name, value: rates.get(name) ?? Number.NaN, unit: 'requests/s' };
        figures.push(name === job ? compared(figure, names[1], least) : figure);
        for (const [label, q] of [
          ['p50', 0.5],
          ['p99', 0.99],
        ] as const) {
          const value = quantile(waits.get(name) ?? new Float64Array(), q);
          figures.push({ figure: `${name}: ${label}`, value, unit: 'ms' });
        }
      }
    }
    await bare.close();
    await floor.close();
    await hub.close();
    await server.stop();
    return figures;
  },
};
