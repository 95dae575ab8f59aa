import { createHash } from 'node:crypto';
import { amount, type Lots, type Ticks } from '../packages/domain/src/index.ts';
import type { AccountNumber } from '../packages/simulator/src/exchange.ts';
import { MatchingEngine } from '../packages/simulator/src/matching/engine.ts';
import { type EngineOrder, FIRST_COUNTERS } from '../packages/simulator/src/matching/engine-order.ts';
import { NaiveEngine } from '../packages/simulator/src/matching/naive-engine.ts';
import { ContractRig } from '../packages/simulator/src/perps/contract-rig.fixture.ts';
import { type Bench, type Contender, compared, type Figure, interleave, type Reporter } from './harness.ts';

const ORDERS = 4_000;
const ROUNDS = 3;
const MEMBERS = 20;
const SYMBOL = 'BTCUSDT';
const MARK = 600_000;
const LOT_VALUE_DIVISOR = 10_000n;
const LEVERAGE = 20n;
const FUNDS = '100000000';
const ENGINE_TICKS_MAX = 10_000_000;

/** Limit orders of many members around one price; the same ones for everybody. */
function orders(): readonly EngineOrder[] {
  let state = 7;
  const roll = (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * sides);
  };
  return Array.from({ length: ORDERS }, () => ({
    account: 1 + roll(MEMBERS),
    side: roll(2) === 0 ? ('BUY' as const) : ('SELL' as const),
    kind: 'LIMIT' as const,
    timeInForce: roll(4) === 0 ? ('GTC' as const) : ('IOC' as const),
    price: (MARK - 20 + roll(41)) as Ticks,
    quantity: (1 + roll(50)) as Lots,
    budget: 0,
    selfTradePrevention: 'NONE' as const,
  }));
}

const STREAM = orders();
const hashes = new Map<string, string>();

/** One round of a contender: orders a second, and the hash of its trades. */
async function timed(
  name: string,
  run: (trade: (price: number, quantity: number) => void) => Promise<void>,
): Promise<number> {
  const hash = createHash('sha256');
  const begun = performance.now();
  await run((price, quantity) => hash.update(`${price} ${quantity};`));
  const rate = (ORDERS * 1_000) / (performance.now() - begun);
  const digest = hash.digest('hex');
  for (const [other, known] of hashes)
    if (known !== digest) throw new Error(`${name} and ${other} did not make the same trades`);
  hashes.set(name, digest);
  return rate;
}

/** The core as a venue runs it: checks, margin, positions, money, journal records, events. */
async function core(): Promise<number> {
  const rig = await ContractRig.open('binance', { coins: ['BTC'] });
  const members: AccountNumber[] = [];
  for (let at = 0; at < MEMBERS; at += 1) members.push(await rig.member(`member ${at}`, FUNDS));
  try {
    return await timed('core', async (trade) => {
      rig.perps.subscribe({ onTrade: ({ price, quantity }) => trade(price, quantity) });
      for (const { budget: _, account, ...order } of STREAM) {
        const asked = rig.order(members[account - 1] ?? (0 as AccountNumber), SYMBOL, order as never);
        const placed = await rig.perps.placePerp(asked);
        if (!placed.ok) throw new Error(placed.code);
        rig.reported.length = 0;
      }
    });
  } finally {
    await rig.exchange.close();
  }
}

/** The twin: one flat list of orders, and margin worked out anew from all of an account's orders for each of them. */
function naive(): Promise<number> {
  return timed('naive twin', async (trade) => {
    const engine = new NaiveEngine();
    const owners = new Map<number, number>();
    const accounts = new Map<number, { cash: bigint; lots: bigint; fees: bigint }>();
    const book = (account: number) => {
      const known = accounts.get(account) ?? { cash: amount(FUNDS) as bigint, lots: 0n, fees: 0n };
      accounts.set(account, known);
      return known;
    };
    const value = (price: number, lots: number): bigint =>
      (BigInt(price) * BigInt(lots) * 10n ** 18n) / LOT_VALUE_DIVISOR;
    const settle = (account: number, buys: boolean, paid: bigint, lots: number): void => {
      const held = book(account);
      held.cash += buys ? -paid : paid;
      held.lots += BigInt(buys ? lots : -lots);
      held.fees += (paid * 5n) / 10_000n;
    };
    let ordinal = 0;
    for (const order of STREAM) {
      const held = book(order.account);
      const open = engine.orders
        .filter((one) => one.account === order.account)
        .reduce((sum, one) => sum + value(one.price, one.remaining), 0n);
      const worth = held.cash + (held.lots * BigInt(MARK) * 10n ** 18n) / LOT_VALUE_DIVISOR - held.fees;
      const size = held.lots < 0n ? -held.lots : held.lots;
      const used = (size * BigInt(MARK) * 10n ** 18n) / LOT_VALUE_DIVISOR;
      const need = (open + used + value(order.price, order.quantity)) / LEVERAGE;
      if (need > worth) throw new Error('the twin refused what the core took');
      const step = engine.place(order);
      ordinal += 1;
      owners.set(ordinal, order.account);
      for (const fill of step.fills) {
        const paid = value(fill.price, fill.quantity);
        settle(order.account, order.side === 'BUY', paid, fill.quantity);
        settle(owners.get(fill.maker) ?? 0, order.side === 'SELL', paid, fill.quantity);
        trade(fill.price, fill.quantity);
      }
    }
  });
}

/** What of the peer is used; it is installed beside this file when a bench asks for it. */
interface PeerModule {
  readonly OrderBook: new () => { limit(order: object): PeerAnswer };
}

/** Orders that ended by one command, the taker's own last, and the maker that was filled in part. */
interface PeerAnswer {
  readonly done: readonly { readonly id: string; readonly price: number; readonly size: number }[];
  readonly partial: { readonly id: string; readonly price: number } | null;
  readonly partialQuantityProcessed: number;
  readonly err: Error | null;
}

const PEER: string = 'nodejs-order-book';

/** The peer's matching, without accounts. */
async function peer(): Promise<number> {
  const { OrderBook }: PeerModule = await import(PEER);
  return await timed(PEER, async (trade) => {
    const book = new OrderBook();
    for (const [at, { side, price, quantity, timeInForce }] of STREAM.entries()) {
      const id = `${at}`;
      const order = { id, side: side === 'BUY' ? 'buy' : 'sell', size: quantity, price, timeInForce };
      const { done, partial, partialQuantityProcessed, err } = book.limit(order);
      if (err !== null) throw err;
      for (const maker of done) if (maker.id !== id) trade(maker.price, maker.size);
      if (partial !== null && partial.id !== id) trade(partial.price, partialQuantityProcessed);
    }
  });
}

/** Matching alone, without accounts. */
function engineAlone(): Promise<number> {
  return timed('matching alone', async (trade) => {
    const engine = new MatchingEngine(SYMBOL, ENGINE_TICKS_MAX, FIRST_COUNTERS);
    for (const order of STREAM) {
      engine.place(order);
      const { fills } = engine;
      for (let at = 0; at < fills.count; at += 1) trade(fills.price(at), fills.quantity(at));
    }
  });
}

const CONTENDERS: readonly Contender[] = [
  { name: 'core with margin and balances', unit: 'orders/s', round: core },
  { name: 'naive twin', unit: 'orders/s', round: naive },
  { name: 'matching alone', unit: 'orders/s', round: engineAlone },
  { name: PEER, unit: 'orders/s', round: peer },
];

/** Like with like: margin and balances with the twin's, matching with the peer's. */
const AGAINST: Readonly<Record<string, string>> = {
  'core with margin and balances': 'naive twin',
  'matching alone': PEER,
};

async function run(report: Reporter): Promise<readonly Figure[]> {
  const rates = await interleave(CONTENDERS, ROUNDS, report);
  const rate = (name: string): number => rates.get(name) ?? Number.NaN;
  report('all made the same trades');
  return CONTENDERS.map(({ name, unit }) => {
    const figure = { figure: name, value: rate(name), unit };
    const against = AGAINST[name];
    return against === undefined ? figure : compared(figure, against, rate(against));
  });
}

/** Orders on a contract a second: the venue's core, and what it costs beyond matching. */
export const bench: Bench = {
  about: `${ORDERS} limit orders of ${MEMBERS} members on one contract; every contender must make the same trades.`,
  run,
};
