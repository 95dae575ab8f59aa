import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { fastify } from 'fastify';
import { rememberSessions } from '../apps/server/src/accounts/remembered-sessions.ts';
import { sessionEvents } from '../apps/server/src/accounts/session-events.ts';
import { sessions } from '../apps/server/src/accounts/sessions.ts';
import { createAdmission } from '../apps/server/src/http/admission.ts';
import { addCallRoutes } from '../apps/server/src/http/call-routes.ts';
import { httpMetrics } from '../apps/server/src/http/metrics.ts';
import { requestLimits } from '../apps/server/src/http/request-limits.ts';
import { timers } from '../apps/server/src/main/outside.ts';
import { secretsOf } from '../apps/server/src/main/secrets.ts';
import { accountsStore } from '../apps/server/src/storage/stores/accounts-store.ts';
import { createContractStore } from '../apps/server/src/storage/stores/contract-store.ts';
import { createOperatorStore } from '../apps/server/src/storage/stores/operator-store.ts';
import { createSeal } from '../apps/server/src/storage/stores/seal.ts';
import { createOrderStore, TRADING_WRITES } from '../apps/server/src/storage/stores/trading-store.ts';
import { createVenueAccountStore } from '../apps/server/src/storage/stores/venue-account-store.ts';
import { openTestDatabase, startTestServer, type TestDatabase } from '../apps/server/src/storage/testing.ts';
import { createBalanceUpdates } from '../apps/server/src/trading/accounts/balance-updates.ts';
import { rememberVenueAccounts } from '../apps/server/src/trading/accounts/remembered-accounts.ts';
import { createTradingDesk } from '../apps/server/src/trading/desk.ts';
import { countOpenOrders } from '../apps/server/src/trading/orders/open-orders.ts';
import { BTCUSDT, ScriptedVenue, stateOf } from '../apps/server/src/trading/trading-world.fixture.ts';
import type { CallHandlers } from '../packages/contract/src/index.ts';
import {
  amount,
  type Millis,
  ORDER_STATUS,
  type OrderId,
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
  /** `POST /api/connextrade/PlaceOrder` and `POST /echo`. */
  readonly url: string;
  readonly members: readonly MemberKeys[];
  /** One conditional update and one insert in one statement: the least a durable reservation can be. */
  reservation(): Promise<void>;
  /** One question to the simulator process and its answer. */
  simulatorAnswer(): Promise<void>;
  stop(): Promise<void>;
}

const MEMBERS = 64;
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

/** Takes every order after one round trip to the simulator process and cancels it unfilled, so that none piles up. */
function venue(ask: () => Promise<void>): ScriptedVenue {
  const scripted = new ScriptedVenue();
  scripted.answers = {
    place: async (_credentials, { clientId }) => {
      await ask();
      const state = stateOf({ id: '' as OrderId, symbol: BTCUSDT.symbol }, ORDER_STATUS.CANCELLED, '0');
      return { outcome: 'accepted', state: { ...state, clientId }, fills: [] };
    },
  };
  return scripted;
}

async function membersOf(database: TestDatabase, rules: ReturnType<typeof sessions>): Promise<MemberKeys[]> {
  const store = accountsStore(database.database).sessions;
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

/** Starts PostgreSQL, the simulator process, and the order path of a hub in this process. */
export async function startOrderHub(): Promise<OrderHub> {
  process.env.SIM_LIMITS = 'off';
  const [server, simulator] = await Promise.all([startTestServer(), startSimulatorProcess()]);
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
  });
  const store = rememberSessions(accountsStore(database.database).sessions, sessionEvents());
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
  await database.owner.query('create table bench_wallets (id int primary key, free int not null)');
  await database.owner.query('create table bench_orders (id uuid primary key, wallet int not null)');
  await database.owner.query('insert into bench_wallets select generate_series(1, 64), 1000000000');
  const web = fastify({ logger: false });
  web.removeAllContentTypeParsers();
  web.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  web.post('/echo', async () => ({ code: 1 }));
  addCallRoutes(web, {
    ...{ handlers: desk.handlers as CallHandlers, sessions: rules, tenant: 'crossbook', clock },
    ...{ face: { proxy: undefined }, limits: requestLimits(1_000, clock), admission: createAdmission(clock) },
    ...{ metrics: httpMetrics({ processMetrics: false }), isOutcomeUnknown: () => false },
    log: { warn: note, error: (facts) => console.error(facts) },
  });
  const url = await web.listen({ port: 0, host: '127.0.0.1' });
  let turn = 0;
  return {
    ...{ url, members, simulatorAnswer: ask },
    async reservation() {
      turn += 1;
      await database.owner.query(
        {
          name: 'bench-reservation',
          text: `with held as (update bench_wallets set free = free - 1 where id = $1 and free > 0 returning id)
            insert into bench_orders select gen_random_uuid(), id from held`,
        },
        [1 + (turn % 64)],
      );
    },
    async stop() {
      await web.close();
      await desk.stop();
      await database.close();
      await server.stop();
      await simulator.stop();
    },
  };
}
