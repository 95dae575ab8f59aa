import { randomBytes } from 'node:crypto';
import { timers } from '../apps/server/src/main/outside/outside.ts';
import { createSeal } from '../apps/server/src/storage/stores/seal.ts';
import { createAlgoStore } from '../apps/server/src/storage/stores/trading/algo-store.ts';
import { createContractStore } from '../apps/server/src/storage/stores/trading/contract-store.ts';
import { createCountdownStore } from '../apps/server/src/storage/stores/trading/countdown-store.ts';
import { createOperatorStore } from '../apps/server/src/storage/stores/trading/operator-store.ts';
import { createOrderStore, TRADING_WRITES } from '../apps/server/src/storage/stores/trading/trading-store.ts';
import { createVenueAccountStore } from '../apps/server/src/storage/stores/venue-account-store.ts';
import { openTestDatabase, startTestServer } from '../apps/server/src/storage/testing.ts';
import { createBalanceUpdates } from '../apps/server/src/trading/accounts/balance-updates.ts';
import { createTradingDesk, type TradingDesk } from '../apps/server/src/trading/desk.ts';
import type { StoredOrder } from '../apps/server/src/trading/order.ts';
import { countOpenOrders } from '../apps/server/src/trading/orders/open-orders.ts';
import { ScriptedVenue } from '../apps/server/src/trading/scripted-venue.fixture.ts';
import { BTCUSDT, stateOf } from '../apps/server/src/trading/trading-world.fixture.ts';
import type { MemberCaller } from '../packages/contract/src/index.ts';
import {
  amount,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  type UserId,
  ZERO,
} from '../packages/domain/src/index.ts';
import { transferId } from '../packages/ledger/src/index.ts';
import { type Bench, type Figure, quantile } from './harness.ts';

const RATES = [1, 40, 400] as const;
const SECONDS = 8;
const MEMBERS = 50;
const clock = (): Millis => Date.now() as Millis;

const callerOf = (user: number): MemberCaller => ({
  ...{ user: user as UserId, sessionId: 'x', address: '127.0.0.1', userAgent: '', origin: '' },
  ...{ language: 'en', now: clock() },
});

/** A venue that takes and cancels at once: what is measured is the hub's way from the venue's word to free money. */
function venue(): ScriptedVenue {
  const scripted = new ScriptedVenue();
  const says = (clientId: string, status: StoredOrder['status']) => ({
    ...stateOf({ id: '' as OrderId, symbol: BTCUSDT.symbol }, status, '0', `v${clientId}`),
    clientId: clientId as never,
  });
  scripted.answers = {
    place: async (_credentials, { clientId }) => ({
      ...{ outcome: 'accepted', state: says(clientId, ORDER_STATUS.OPEN), fills: [] },
    }),
    cancel: async (_credentials, _instrument, clientId) => ({
      ...{ outcome: 'cancelled', state: says(clientId, ORDER_STATUS.CANCELLED) },
    }),
  };
  return scripted;
}

async function placed(desk: TradingDesk, count: number): Promise<{ id: string; caller: MemberCaller }[]> {
  const orders: { id: string; caller: MemberCaller }[] = [];
  const place = async (at: number): Promise<void> => {
    const caller = callerOf(1 + (at % MEMBERS));
    const answer = await desk.handlers['connextrade/PlaceOrder'](caller, {
      ...{ platformType: 43, tinstType: 1, symbol: BTCUSDT.symbol, side: 1, orderType: 1, timeInForce: 1 },
      ...{ price: amount('10'), quantity: amount('0.5') },
    });
    if (!answer.ok) throw new Error(answer.code.error);
    orders.push({ id: answer.value.orderId, caller });
  };
  await Promise.all(Array.from({ length: count }, (_, at) => place(at)));
  return orders;
}

/** From the request to cancel to the money being free, at a steady rate. */
async function measured(desk: TradingDesk, rate: number): Promise<{ waits: Float64Array; open: number }> {
  const waits: number[] = [];
  let open = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    const orders = await placed(desk, rate);
    const begin = performance.now();
    const cancels = orders.map(async ({ id, caller }, at) => {
      const due = begin + (at * 1_000) / rate;
      await new Promise((next) => setTimeout(next, Math.max(0, due - performance.now())));
      const answer = await desk.handlers['connextrade/CancelOrder'](caller, {
        ...{ platformType: 43, orderId: id as OrderId },
      });
      if (answer.ok && answer.value.settled) waits.push(performance.now() - due);
      else open += 1;
    });
    await Promise.all(cancels);
  }
  return { waits: Float64Array.from(waits), open };
}

/** How long a cancelled order's money stays held. */
export const bench: Bench = {
  about: `cancel-release: from the request to cancel to free money, ${SECONDS} s at each rate, real PostgreSQL (fsync off), a venue in this process`,
  run: async (report) => {
    const server = await startTestServer();
    const database = await openTestDatabase(server.target);
    const ledger = database.openLedger();
    ledger.register(TRADING_WRITES);
    const accounts = createVenueAccountStore(database.database, createSeal(new Uint8Array(32)));
    const trading = venue();
    const publish = (): void => undefined;
    const note = (): void => undefined;
    const desk = createTradingDesk({
      ...{ accounts, clock, random: randomBytes, timers, publish, orderAgeMillisMax: 60_000 },
      ...countOpenOrders({ orders: createOrderStore(database.database), ledger }),
      contracts: createContractStore(database.database),
      algos: createAlgoStore(database.database),
      countdowns: createCountdownStore(database.database),
      equity: async () => ZERO,
      balances: createBalanceUpdates({ ledger, publish, heard: () => false, note }),
      market: {
        instrument: () => BTCUSDT,
        instruments: () => [BTCUSDT],
        best: async () => undefined,
        mark: async () => undefined,
      },
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
    for (let user = 1; user <= MEMBERS; user += 1) {
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
    const figures: Figure[] = [];
    for (const rate of RATES) {
      const { waits, open } = await measured(desk, rate);
      report(`${rate}/s: ${waits.length} free at once, ${open} waiting, ${desk.stats().waiting} lookups`);
      for (const [name, q] of [['p50', 0.5] as const, ['p99', 0.99] as const])
        figures.push({ figure: `${rate} cancels/s: ${name}`, value: quantile(waits, q), unit: 'ms' });
      figures.push({ figure: `${rate} cancels/s: still held at the answer`, value: open, unit: 'orders' });
    }
    await desk.stop();
    await database.close();
    await server.stop();
    return figures;
  },
};
