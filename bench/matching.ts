import { createHash } from 'node:crypto';
import { amount, type Lots, type Ticks, ZERO } from '../packages/domain/src/index.ts';
import type { AccountNumber } from '../packages/simulator/src/exchange.ts';
import { MatchingEngine } from '../packages/simulator/src/matching/engine.ts';
import { type EngineOrder, FIRST_COUNTERS } from '../packages/simulator/src/matching/engine-order.ts';
import { ContractRig, RIG_START } from '../packages/simulator/src/perps/contract-rig.fixture.ts';
import { type Bench, type Contender, compared, type Figure, interleave, type Reporter } from './harness.ts';
import { type Ending, NaiveVenue } from './naive-venue.ts';

const ORDERS = 4_000;
const ROUNDS = 5;
const WARM_ROUNDS = 3;
const MEMBERS = 20;
const SYMBOL = 'BTCUSDT';
const MARK = 600_000;
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

const NAMES = { core: 'core with margin and balances', twin: 'naive twin' } as const;
/** How accounts ended and how much was told, by who did it. */
const endings = new Map<string, string>();

/** The twin's work is the core's only where both come to the same end. */
function ended(name: string, accounts: readonly Ending[], events: number): void {
  const text = accounts.map(({ wallet, lots, entryPrice }) => `${wallet} ${lots} ${entryPrice}`);
  const ending = `${text.join(';')} ${events}`;
  for (const [other, known] of endings)
    if (known !== ending) throw new Error(`${name} and ${other} did not come to the same end`);
  endings.set(name, ending);
}

/** The core as a venue runs it: checks, margin, positions, money, journal records, events. */
async function core(): Promise<number> {
  const rig = await ContractRig.open('binance', { coins: ['BTC'] });
  const members: AccountNumber[] = [];
  for (let at = 0; at < MEMBERS; at += 1) members.push(await rig.member(`member ${at}`, FUNDS));
  let events = 0;
  await rig.quiet();
  rig.reported.length = 0;
  try {
    const rate = await timed(NAMES.core, async (trade) => {
      rig.perps.subscribe({ onTrade: ({ price, quantity }) => trade(price, quantity) });
      for (const { budget: _, account, ...order } of STREAM) {
        const asked = rig.order(members[account - 1] ?? (0 as AccountNumber), SYMBOL, order as never);
        const placed = await rig.perps.placePerp(asked);
        if (!placed.ok) throw new Error(placed.code);
        events += rig.reported.length;
        rig.reported.length = 0;
      }
    });
    const accounts = members.map((member): Ending => {
      const [held] = rig.perps.positions(member);
      const { quantity: lots = 0, entryPrice = ZERO } = held ?? {};
      return { wallet: rig.perps.pool(member).wallet, lots, entryPrice };
    });
    ended(NAMES.core, accounts, events);
    return rate;
  } finally {
    await rig.exchange.close();
  }
}

/** The same work, as plainly as it can be written. */
async function naive(): Promise<number> {
  const venue = new NaiveVenue(amount(`${MARK / 10}`), RIG_START);
  const members = Array.from({ length: MEMBERS }, (_, at) => at + 1);
  for (const member of members) venue.fund(member, FUNDS);
  let events = 0;
  const rate = await timed(NAMES.twin, async (trade) => {
    for (const order of STREAM) {
      for (const [price, quantity] of venue.place(order).trades) trade(price, quantity);
      events += venue.events.length;
      venue.events.length = 0;
    }
  });
  ended(
    NAMES.twin,
    members.map((member) => venue.ending(member)),
    events,
  );
  return rate;
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
  { name: NAMES.core, unit: 'orders/s', round: core },
  { name: NAMES.twin, unit: 'orders/s', round: naive },
  { name: 'matching alone', unit: 'orders/s', round: engineAlone },
  { name: PEER, unit: 'orders/s', round: peer },
];

/** Like with like: margin and balances with the twin's, matching with the peer's. */
const AGAINST: Readonly<Record<string, string>> = {
  [NAMES.core]: NAMES.twin,
  'matching alone': PEER,
};

async function run(report: Reporter): Promise<readonly Figure[]> {
  // A venue runs for days: what the first orders cost is the compiler's.
  for (let round = 0; round < WARM_ROUNDS; round += 1) for (const { round: warm } of CONTENDERS) await warm();
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
  about: `${ORDERS} limit orders of ${MEMBERS} members on one contract; every contender must make the same trades, core and twin come to the same accounts.`,
  run,
};
