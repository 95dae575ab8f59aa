import {
  type Amount,
  amount,
  isFinal,
  lesser,
  type Millis,
  minus,
  notionalUp,
  ORDER_STATUS,
  type OrderId,
  plus,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type UserId,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import type { LedgerUnit } from '@crossbook/ledger';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { algoHoldId, isEnded, type StoredAlgo } from '../algo.ts';
import { sliceOrder } from '../algos/icebergs.ts';
import { recordAlgo } from '../algos/record-algo.ts';
import type { StoredOrder } from '../order.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import { holdOf } from '../stored-algo.ts';
import { openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import { commitWithRows } from './booked-rows.ts';

/**
 * Many orders that are paid out of one hold, one after another, whatever is heard of them and however often, and whenever
 * the process that books them dies. The exchange of this test is the naive model: it adds its own fills up.
 */

const SIZE = amount('2');
const LIMIT = amount('100');
const MONEY = { USDT: amount('1000'), BTC: amount('3'), BNB: amount('1') } as const;
type Asset = keyof typeof MONEY;

/** What happens at the exchange, and what the hub hears of it: `again` hears once more what was said long ago. */
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('slice' as const), lots: fc.integer({ min: 1, max: 900 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant('fill' as const), lots: fc.integer({ min: 1, max: 900 }) },
      /** Tenths better than the limit; a market may give more than was asked. */
      ...{ better: fc.nat(30), feeAsset: fc.constantFrom<Asset>('BTC', 'USDT', 'BNB'), heard: fc.boolean() },
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), heard: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), which: fc.nat(50) }) },
);
const life = fc.record({
  side: fc.constantFrom<Side>(SIDE.BUY, SIDE.SELL),
  steps: fc.array(step, { minLength: 4, maxLength: 25 }),
  /** Commits that are lost: before they are written, or after, so that the same comes again. */
  lost: fc.array(fc.record({ at: fc.nat(30), written: fc.boolean() }), { maxLength: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Slice {
  readonly order: StoredOrder;
  readonly fills: VenueFill[];
  status: VenueOrderState['status'];
}

/** One iceberg at the exchange: what rests, what it executed, and all that it ever said. */
class Exchange {
  readonly slices: Slice[] = [];
  readonly said: {
    readonly slice: Slice;
    readonly state: VenueOrderState;
    readonly fills: readonly VenueFill[];
  }[] = [];
  readonly #algo: StoredAlgo;
  #count = 0;

  constructor(algo: StoredAlgo) {
    this.#algo = algo;
  }

  get fills(): readonly VenueFill[] {
    return this.slices.flatMap(({ fills }) => fills);
  }

  get executed(): Amount {
    return this.fills.reduce((sum, { quantity }) => plus(sum, quantity), ZERO);
  }

  get #resting(): Slice | undefined {
    return this.slices.find(({ status }) => !isFinal(status));
  }

  stateOf({ order, fills, status }: Slice): VenueOrderState {
    const sum = (name: 'quantity' | 'quoteQuantity') =>
      fills.reduce((all, fill) => plus(all, fill[name]), ZERO);
    const executed = sum('quantity');
    const { PARTIALLY_FILLED, FILLED } = ORDER_STATUS;
    const alive = executed === order.quantity ? FILLED : executed > ZERO ? PARTIALLY_FILLED : status;
    return {
      ...{
        clientId: '' as VenueClientId,
        venueOrderId: order.venueOrderId as VenueOrderId,
        symbol: 'BTCUSDT',
      },
      ...{ status: isFinal(status) ? status : alive, cumulativeQuantity: executed },
      ...{ cumulativeQuote: sum('quoteQuantity'), time: this.#count as Millis },
    };
  }

  #say(slice: Slice, fills: readonly VenueFill[]): void {
    this.said.push({ slice, state: this.stateOf(slice), fills });
  }

  /** Another slice, where none rests and something is left: never more than that. */
  slice(lots: number): Slice | undefined {
    const left = minus(SIZE, this.executed);
    if (this.#resting !== undefined || left <= ZERO) return undefined;
    this.#count += 1;
    const state: VenueOrderState = {
      ...{ clientId: '' as VenueClientId, venueOrderId: `${this.#algo.id} ${this.#count}` as VenueOrderId },
      ...{ symbol: 'BTCUSDT', status: ORDER_STATUS.OPEN, cumulativeQuantity: ZERO, cumulativeQuote: ZERO },
      time: this.#count as Millis,
    };
    const quantity = lesser((BigInt(lots) * 10n ** 15n) as Amount, left);
    const order = sliceOrder(this.#algo, { state, price: LIMIT, quantity });
    if (order === undefined) throw new Error('a slice has its terms');
    const slice = { order, fills: [], status: ORDER_STATUS.OPEN };
    this.slices.push(slice);
    return slice;
  }

  fill({ lots, better, feeAsset }: Extract<Step, { do: 'fill' }>): void {
    const slice = this.#resting;
    if (slice === undefined) return;
    const rest = minus(slice.order.quantity ?? ZERO, this.stateOf(slice).cumulativeQuantity);
    const quantity = lesser((BigInt(lots) * 10n ** 15n) as Amount, rest);
    const tenths = BigInt(1_000 + (this.#algo.side === SIDE.BUY ? -better : better));
    const quoteQuantity = ((quantity * tenths) / 10n) as Amount;
    this.#count += 1;
    const fill: VenueFill = {
      ...{ tradeId: `${this.#algo.id} t${this.#count}` as VenueTradeId, quantity, quoteQuantity },
      ...{ venueOrderId: slice.order.venueOrderId as VenueOrderId, price: (tenths * 10n ** 17n) as Amount },
      fee: ((feeAsset === 'USDT' ? quoteQuantity : quantity) / 1_000n) as Amount,
      ...{ feeAsset, maker: true, time: this.#count as Millis },
    };
    slice.fills.push(fill);
    slice.status = this.stateOf(slice).status;
    this.#say(slice, [fill]);
  }

  /** What rests is taken back. */
  end(): void {
    const slice = this.#resting;
    if (slice === undefined) return;
    slice.status = ORDER_STATUS.CANCELLED;
    this.#say(slice, []);
  }

  /** What the member owns by these books. */
  owned(): Record<Asset, bigint> {
    const owns: Record<Asset, bigint> = { ...MONEY };
    const sign = this.#algo.side === SIDE.BUY ? 1n : -1n;
    for (const { quantity, quoteQuantity, fee, feeAsset } of this.fills) {
      owns.BTC += sign * quantity;
      owns.USDT -= sign * quoteQuantity;
      owns[feeAsset as Asset] -= fee;
    }
    return owns;
  }
}

const world = openedOnce(openTradingWorld);

let members = 2_000;

async function opened(side: Side): Promise<StoredAlgo> {
  members += 1;
  const user = members as UserId;
  for (const [asset, money] of Object.entries(MONEY))
    await world.fund(asset, String(money / 10n ** 18n), user);
  const id = crypto.randomUUID() as OrderId;
  const buys = side === SIDE.BUY;
  const algo: StoredAlgo = {
    ...{ id, user, platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', side },
    plan: { kind: 'iceberg', iceberg: { limit: LIMIT, visible: amount('0.5'), ratio: amount('0.001') } },
    ...{ quantity: SIZE, timeInForce: TIME_IN_FORCE.GTC, payloadHash: 'x', attempt: 0, executed: ZERO },
    ...{ holdId: algoHoldId({ id, attempt: 0 }), holdAsset: buys ? 'USDT' : 'BTC' },
    ...{ holdAmount: buys ? notionalUp(LIMIT, SIZE) : SIZE, state: 'waiting', unknown: false },
    ...{ cancelPending: false, venueAlgoId: id as string as VenueOrderId, lookups: 0 },
    ...{ createdAt: world.time.clock(), updatedAt: world.time.clock() },
  };
  const done = await world.ledger.commit({ commands: holdOf(algo), writes: [world.deps.algos.insert(algo)] });
  expect(done).toMatchObject({ ok: true });
  return algo;
}

/** The ledger, some of whose commits are lost before or after they are written, and who ended a hold how often. */
function losing(
  lost: readonly { readonly at: number; readonly written: boolean }[],
  hold: StoredAlgo['holdId'],
) {
  const counted = { commits: 0, releases: 0 };
  const commit = async (unit: LedgerUnit) => {
    const fate = lost.find(({ at }) => at === counted.commits);
    counted.commits += 1;
    if (fate?.written === false) return { ok: false, code: 'unavailable' } as const;
    const before = await world.ledger.holdState(hold);
    const done = await world.ledger.commit(unit);
    const after = await world.ledger.holdState(hold);
    if (before?.released === false && after?.released === true) counted.releases += 1;
    return fate === undefined ? done : ({ ok: false, code: 'outcome-unknown' } as const);
  };
  const ledger = Object.assign(Object.create(world.ledger), { commit }) as TradingWorld['deps']['ledger'];
  return { counted, deps: { ...world.deps, ledger } };
}

/** Does it until nothing is lost on the way: what breaks comes again, as it does from the exchange. */
async function untilDone<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried > 8) throw error;
    }
  }
}

async function play({
  side,
  steps,
  lost,
}: typeof life extends fc.Arbitrary<infer Value> ? Value : never): Promise<void> {
  const algo = await opened(side);
  const exchange = new Exchange(algo);
  const { counted, deps } = losing(lost, algo.holdId);
  const { user } = algo;
  const hear = ({ slice, state, fills }: Exchange['said'][number], barrier = false) =>
    untilDone(() => onVenueEvent(deps, slice.order.id, { state, fills, barrier }));
  const playOne = async (one: Step): Promise<void> => {
    if (one.do === 'again') {
      const said = exchange.said[one.which % Math.max(1, exchange.said.length)];
      if (said !== undefined) await hear(said);
      return;
    }
    const before = exchange.said.length;
    if (one.do === 'slice') {
      const slice = exchange.slice(one.lots);
      if (slice === undefined) return;
      const { orders } = deps;
      const writes = [orders.insert(slice.order), orders.progress(slice.order)];
      // A lost commit may have been written: then the row is found instead.
      await untilDone(async () => {
        if ((await orders.byId(slice.order.id)) === undefined)
          await commitWithRows(deps, { commands: [], writes });
        if ((await orders.byId(slice.order.id)) === undefined) throw new Error('not written');
      });
    } else if (one.do === 'fill') exchange.fill(one);
    else exchange.end();
    const [said] = exchange.said.slice(before);
    if (said !== undefined && one.do !== 'slice' && one.heard) await hear(said);
  };
  for (const one of steps) {
    await playOne(one);
    // The hold stays while the iceberg does, and pays no more than it has.
    const hold = await world.ledger.holdState(algo.holdId);
    expect(hold).toMatchObject({ amount: algo.holdAmount, released: false });
    expect(hold?.paid).toBeLessThanOrEqual(algo.holdAmount);
    const held = await world.ledger.balanceOf({ class: 'TRADING', user, platform: 1, asset: algo.holdAsset });
    expect(held.held).toBe(minus(algo.holdAmount, hold?.paid ?? ZERO));
  }
  // It is cancelled, and each of its orders looked up: all of that is booked once.
  exchange.end();
  for (const slice of exchange.slices) {
    for (let twice = 0; twice < 2; twice += 1)
      await hear({ slice, state: exchange.stateOf(slice), fills: slice.fills }, true);
    expect(await deps.orders.byId(slice.order.id)).toMatchObject({ settled: true, sharesHold: true });
  }
  expect((await world.ledger.holdState(algo.holdId))?.released).toBe(false);
  await untilDone(() => end(deps, algo, exchange));
  await end(deps, algo, exchange);
  await claims(algo, exchange);
  expect(counted.releases).toBe(1);
}

/** Done as the hub does it: what has ended is left alone. */
async function end(
  deps: TradingWorld['deps'],
  { id }: StoredAlgo,
  { slices, executed }: Exchange,
): Promise<void> {
  const algo = await deps.algos.byId(id);
  if (algo === undefined || isEnded(algo)) return;
  const last = slices.at(-1)?.order.id;
  const filled = executed === SIZE && last !== undefined;
  const over = filled ? ({ state: 'fired', childId: last } as const) : ({ state: 'cancelled' } as const);
  await recordAlgo(deps, algo, { ...over, executed });
}

async function claims(algo: StoredAlgo, exchange: Exchange): Promise<void> {
  const { user, side } = algo;
  const spent = exchange.fills.reduce(
    (sum, fill) => plus(sum, side === SIDE.BUY ? fill.quoteQuantity : fill.quantity),
    ZERO,
  );
  expect(await world.ledger.holdState(algo.holdId)).toMatchObject({ paid: spent, released: true });
  const booked = await Promise.all(exchange.slices.map(({ order }) => world.order(order.id)));
  expect(booked.reduce((sum, { cumQuantity }) => plus(sum, cumQuantity), ZERO)).toBe(exchange.executed);
  const wallet = await world.ledger.tradingBalances(user, 1);
  for (const [asset, owned] of Object.entries(exchange.owned())) {
    const row = wallet.find((one) => one.asset === asset);
    expect([asset, row?.total ?? 0n, row?.held ?? 0n]).toEqual([asset, owned, 0n]);
  }
}

/** All of it fills: tried in every run. */
const WHOLE = {
  ...{ side: SIDE.BUY, lost: [] },
  steps: [700, 700, 600].flatMap((lots): Step[] => [
    { do: 'slice', lots },
    { do: 'fill', lots, better: 3, feeAsset: 'BTC', heard: lots === 600 },
  ]),
};

test('orders that share a hold take what they cost out of it, once, and it ends once, after all of them', async () => {
  await fc.assert(fc.asyncProperty(life, play), { numRuns: runs(40, 6), examples: [[WHOLE]] });
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  expect(world.incidents).toEqual([]);
});
