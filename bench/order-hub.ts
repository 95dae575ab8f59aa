import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { type FastifyInstance, fastify } from 'fastify';
import { rememberSessions } from '../apps/server/src/accounts/sessions/remembered-sessions.ts';
import { sessionEvents } from '../apps/server/src/accounts/sessions/session-events.ts';
import { sessions } from '../apps/server/src/accounts/sessions/sessions.ts';
import { createAdmission } from '../apps/server/src/http/admission.ts';
import { parseForm } from '../apps/server/src/http/body/form.ts';
import { readBody } from '../apps/server/src/http/body/request-body.ts';
import { addCallRoutes } from '../apps/server/src/http/call-routes.ts';
import { readCookie } from '../apps/server/src/http/cookies.ts';
import { httpMetrics } from '../apps/server/src/http/metrics.ts';
import { requestLimits } from '../apps/server/src/http/request-limits.ts';
import { securityLog } from '../apps/server/src/http/security-log.ts';
import { timers } from '../apps/server/src/main/outside/outside.ts';
import { secretsOf } from '../apps/server/src/main/secrets.ts';
import { openDatabase } from '../apps/server/src/storage/postgres/database.ts';
import { sessionStore } from '../apps/server/src/storage/stores/members/session-store.ts';
import { createSeal } from '../apps/server/src/storage/stores/seal.ts';
import { createAlgoStore } from '../apps/server/src/storage/stores/trading/algo-store.ts';
import { createContractStore } from '../apps/server/src/storage/stores/trading/contract-store.ts';
import { createCountdownStore } from '../apps/server/src/storage/stores/trading/countdown-store.ts';
import { createOperatorStore } from '../apps/server/src/storage/stores/trading/operator-store.ts';
import { createOrderStore, TRADING_WRITES } from '../apps/server/src/storage/stores/trading/trading-store.ts';
import { createVenueAccountStore } from '../apps/server/src/storage/stores/venue-account-store.ts';
import { openTestDatabase, startTestServer, type TestDatabase } from '../apps/server/src/storage/testing.ts';
import { createBalanceUpdates } from '../apps/server/src/trading/accounts/balance-updates.ts';
import { rememberVenueAccounts } from '../apps/server/src/trading/accounts/remembered-accounts.ts';
import { createTradingDesk } from '../apps/server/src/trading/desk.ts';
import { countOpenOrders } from '../apps/server/src/trading/orders/open-orders.ts';
import { ScriptedVenue } from '../apps/server/src/trading/scripted-venue.fixture.ts';
import { BTCUSDT, stateOf } from '../apps/server/src/trading/trading-world.fixture.ts';
import type { CallHandlers } from '../packages/contract/src/index.ts';
import {
  amount,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  TIME_IN_FORCE,
  type UserId,
  ZERO,
} from '../packages/domain/src/index.ts';
import { transferId } from '../packages/ledger/src/index.ts';
import { type SimulatorProcess, startSimulatorProcess } from '../tests/system/hub-process.ts';

/** What a caller of the order path needs to be a member. */
export interface MemberKeys {
  readonly user: number;
  readonly cookie: string;
  readonly stoken: string;
}

/** The way of an order through a hub, and the bare pieces of it. */
export interface OrderHub {
  /**
   * `POST /api/connextrade/PlaceOrder`; `POST /echo`, which reads the same request and knows who asks; and `POST /bare`,
   * which makes a reservation and asks the simulator besides, one after the other, as an order must.
   */
  readonly url: string;
  readonly members: readonly MemberKeys[];
  /**
   * One conditional update and one insert in one statement, flushed to the disk: the least that can be durable before an
   * order is sent. What its answer leads to must be written as well, but nobody has to wait for that.
   */
  reservation(): Promise<void>;
  /** One question to the simulator process and its answer. */
  simulatorAnswer(): Promise<void>;
  /**
   * Begins to count the processor time of this thread and of PostgreSQL: says what is work and what is waiting, also on a
   * busy machine. The answer ends it: milliseconds; those of PostgreSQL only where there is a /proc.
   */
  processorTime(): Promise<() => Promise<number>>;
  stop(): Promise<void>;
}

/** So many that none of them ever has too many orders open. */
const MEMBERS = 256;
/** As many as the hub's own pool has: their commits share a flush. */
const FLOOR_CONNECTIONS = 10;
const clock = (): Millis => Date.now() as Millis;

function asker(simulator: SimulatorProcess): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return () =>
    new Promise((resolve, reject) => {
      const asked = request(`${simulator.url}/api/v3/time`, { agent }, (answer) => {
        answer.resume();
        answer.once('end', resolve);
      });
      asked.once('error', reject);
      asked.end();
    });
}

/** Takes every order after one round trip to the simulator process. It rests, or ends unfilled where it may not. */
function venue(ask: () => Promise<void>): ScriptedVenue {
  const scripted = new ScriptedVenue();
  scripted.answers = {
    place: async (_credentials, { clientId, timeInForce }) => {
      await ask();
      const status = timeInForce === TIME_IN_FORCE.GTC ? ORDER_STATUS.OPEN : ORDER_STATUS.CANCELLED;
      const state = stateOf({ id: clientId as string as OrderId, symbol: BTCUSDT.symbol }, status, '0');
      return { outcome: 'accepted', state: { ...state, clientId }, fills: [] };
    },
  };
  return scripted;
}

async function membersOf(database: TestDatabase, rules: ReturnType<typeof sessions>): Promise<MemberKeys[]> {
  const store = sessionStore(database.database);
  const caller = { address: '127.0.0.1', userAgent: '', origin: '', language: 'en', now: clock() } as const;
  const keys: MemberKeys[] = [];
  for (let at = 0; at < MEMBERS; at += 1) {
    const [row] = await database.owner.query<{ id: number }>(
      `insert into members (email, password_hash, nickname, referral_code, created_at)
       values ($1, '', $2, $2, $3) returning id`,
      [`bench${at}@example.org`, `bench${at}`, clock()],
    );
    const user = Number(row?.id);
    const { cookie, stoken, record } = rules.issue(caller);
    await store.open(user as UserId, record, undefined);
    if ('set' in cookie) keys.push({ user, cookie: cookie.set, stoken });
  }
  return keys;
}

const MARKET = {
  instrument: () => BTCUSDT,
  instruments: () => [BTCUSDT],
  best: async () => undefined,
  mark: async () => undefined,
};

/** Tables with nothing in them that a reservation could do without. */
async function openFloor({ owner, ownerAddress }: TestDatabase) {
  await owner.query('create table bench_wallets (id int primary key, free int not null)');
  await owner.query('create table bench_orders (id uuid primary key, wallet int not null)');
  await owner.query('insert into bench_wallets select generate_series(1, $1), 1000000000', [MEMBERS]);
  const floor = openDatabase({ address: ownerAddress, connectionsMax: FLOOR_CONNECTIONS });
  let turn = 0;
  return {
    async reservation(): Promise<void> {
      turn += 1;
      await floor.query(
        {
          name: 'bench-reservation',
          text: `with held as (update bench_wallets set free = free - 1 where id = $1 and free > 0 returning id)
            insert into bench_orders select gen_random_uuid(), id from held`,
        },
        [1 + (turn % MEMBERS)],
      );
    },
    close: () => floor.close(),
  };
}

/** Reads a request, knows its member by cookie and stoken, does the work, and answers. */
function addBare(
  web: FastifyInstance,
  rules: ReturnType<typeof sessions>,
  [path, work]: readonly [string, () => Promise<void>],
): void {
  web.post(path, async ({ raw, headers }) => {
    const body = await readBody(raw);
    const form = body.kind === 'read' ? await parseForm(body.bytes, headers['content-type']) : undefined;
    const stoken = form?.ok === true ? form.value.stoken : undefined;
    const session = await rules.authenticate(readCookie(headers.cookie, 'sid', false), stoken, clock());
    await work();
    return { code: session === undefined ? 0 : 1 };
  });
}

/** Nanoseconds that each session of a database has run: one has only one thread. */
async function sessionTimes({ owner, ownerAddress }: TestDatabase): Promise<ReadonlyMap<number, number>> {
  const found = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [ownerAddress.database ?? ''],
  );
  return new Map(
    found.map(({ pid }) => {
      const file = `/proc/${pid}/schedstat`;
      return [pid, existsSync(file) ? Number(readFileSync(file, 'latin1').split(' ')[0]) : 0];
    }),
  );
}

async function processorTime(database: TestDatabase): Promise<() => Promise<number>> {
  const before = await sessionTimes(database);
  const begun = process.threadCpuUsage();
  return async () => {
    const { user, system } = process.threadCpuUsage(begun);
    const sessionsRan = [...(await sessionTimes(database))].map(([pid, ran]) => ran - (before.get(pid) ?? 0));
    return (user + system) / 1e3 + sessionsRan.reduce((sum, ran) => sum + ran, 0) / 1e6;
  };
}

/** Starts PostgreSQL, the simulator process, and the order path of a hub in this process. */
export async function startOrderHub(): Promise<OrderHub> {
  process.env.SIM_LIMITS = 'off';
  const [server, simulator] = await Promise.all([
    startTestServer(undefined, tmpdir(), true),
    startSimulatorProcess(),
  ]);
  const database = await openTestDatabase(server.target);
  const ledger = database.openLedger();
  ledger.register(TRADING_WRITES);
  const sealed = createVenueAccountStore(database.database, createSeal(new Uint8Array(32)));
  const accounts = rememberVenueAccounts(sealed, clock);
  const ask = asker(simulator);
  const trading = venue(ask);
  const publish = (): void => undefined;
  const note = (): void => undefined;
  const desk = createTradingDesk({
    ...{ accounts, clock, random: randomBytes, timers, publish, orderAgeMillisMax: 2_000 },
    ...countOpenOrders({ orders: createOrderStore(database.database), ledger }),
    contracts: createContractStore(database.database),
    algos: createAlgoStore(database.database),
    countdowns: createCountdownStore(database.database),
    equity: async () => ZERO,
    balances: createBalanceUpdates({ ledger, publish, heard: () => false, note }),
    market: MARKET,
    transferMoving: async () => false,
    venue: (platform) => ({
      ...{ platform, name: 'bench', state: 'live', trading, master: { apiKey: 'm', secret: 'm' } },
    }),
    crash: () => undefined,
    log: { note, incident: () => undefined },
    incidents: { open: () => undefined, ended: () => undefined },
    operator: { store: createOperatorStore(database.database), realMoney: false },
    moneyGate: () => undefined,
    mayOpenContracts: async () => true,
    openingAllowed: async () => undefined,
  });
  const store = rememberSessions(sessionStore(database.database), sessionEvents());
  const rules = sessions(store, secretsOf(randomBytes(32)).stokenKey, randomBytes);
  const members = await membersOf(database, rules);
  for (const { user } of members) {
    await accounts.begin(user as UserId, 1);
    const credentials = { apiKey: `key-${user}`, secret: 's' };
    await accounts.complete(user as UserId, 1, { accountId: `sub-${user}`, credentials });
    const to = { class: 'TRADING', user: user as UserId, platform: 1, asset: 'USDT' } as const;
    const from = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' } as const;
    const id = transferId('bench', user);
    await ledger.commit({
      commands: [{ do: 'post', id, from, to, amount: amount('1000000'), kind: 'test-funds' }],
    });
  }
  const floor = await openFloor(database);
  const web = fastify({ logger: false });
  web.removeAllContentTypeParsers();
  web.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  addBare(web, rules, ['/echo', async () => undefined]);
  addBare(web, rules, ['/bare', () => floor.reservation().then(ask)]);
  addCallRoutes(web, {
    ...{ handlers: desk.handlers as CallHandlers, sessions: rules, tenant: 'crossbook', clock },
    ...{ face: { proxy: undefined }, limits: requestLimits(1_000, clock), admission: createAdmission(clock) },
    ...{ metrics: httpMetrics({ processMetrics: false }), isOutcomeUnknown: () => false },
    log: { warn: note, error: (facts) => console.error(facts) },
    security: securityLog({ warn: note }, clock),
  });
  const url = await web.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...{ url, members, reservation: floor.reservation, simulatorAnswer: ask },
    processorTime: () => processorTime(database),
    async stop() {
      await web.close();
      await desk.stop();
      await floor.close();
      await database.close();
      await server.stop();
      await simulator.stop();
    },
  };
}
