import type { Lots, Millis, Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { SimOrderId } from '../exchange.ts';
import { MatchingEngine } from './engine.ts';
import { type EngineOrder, FIRST_COUNTERS, type Placement } from './engine-order.ts';
import { NaiveEngine, type NaiveStep } from './naive-engine.ts';
import { generationOfOrderId } from './order-pool.ts';

type Operation =
  | { readonly do: 'place'; readonly order: EngineOrder }
  | { readonly do: 'cancel'; readonly pick: number }
  | { readonly do: 'park' }
  | { readonly do: 'replace'; readonly pick: number; readonly order: EngineOrder }
  | { readonly do: 'reduce'; readonly pick: number; readonly remaining: number };

// A narrow band makes orders meet; the far prices cross pages of the ladder and its groups of pages.
const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1015, max: 1035 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 31, 32, 1023, 1024, 32_768, 1_048_575, 1_048_576, 99_999_999) },
);
const order: fc.Arbitrary<EngineOrder> = fc
  .record({
    account: fc.integer({ min: 0, max: 3 }),
    side: fc.constantFrom('BUY', 'SELL'),
    kind: fc.constantFrom('LIMIT', 'LIMIT', 'LIMIT', 'LIMIT_MAKER', 'MARKET'),
    timeInForce: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK'),
    price,
    quantity: fc.integer({ min: 1, max: 40 }),
    budget: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })),
    selfTradePrevention: fc.constantFrom('NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'),
    visible: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  } as const)
  .map(({ visible, ...drawn }) => {
    const budget = drawn.kind === 'MARKET' ? drawn.budget : 0;
    return {
      ...drawn,
      ...(visible === undefined || drawn.kind === 'MARKET' ? {} : { visible: visible as Lots }),
      budget,
      price: (drawn.kind === 'MARKET' ? 0 : drawn.price) as Ticks,
      quantity: (budget > 0 ? 0 : drawn.quantity) as Lots,
    };
  });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: order.map((drawn) => ({ do: 'place', order: drawn }) as const) },
  { weight: 2, arbitrary: fc.nat(200).map((pick) => ({ do: 'cancel', pick }) as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'park' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('replace' as const), pick: fc.nat(200), order }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reduce' as const), pick: fc.nat(200), remaining: fc.nat(40) }),
  },
);

class Pair {
  readonly fast = new MatchingEngine('BTCUSDT', 100_000_000, FIRST_COUNTERS);
  readonly naive = new NaiveEngine();
  readonly ids: SimOrderId[] = [];
  readonly shown = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  #updateId = 0;
  #lastTradeId = 0;

  step(operation: Operation): void {
    if (operation.do === 'place') {
      this.#place(operation.order);
      return;
    }
    if (operation.do === 'park') {
      this.ids.push(this.fast.park());
      this.naive.park();
      return;
    }
    // Picks reach orders that are gone as well: a stale id must find nothing.
    const at = this.ids.length === 0 ? 0 : operation.pick % this.ids.length;
    const id = this.ids[at] ?? (7 as SimOrderId);
    const ordinal = at + 1;
    if (operation.do === 'replace') {
      const { side = operation.order.side } = this.naive.orders.find((one) => one.ordinal === ordinal) ?? {};
      const order = { ...operation.order, side };
      const placed = this.fast.replace(id, order);
      const step = this.naive.replace(ordinal, order);
      expect(placed?.end).toBe(step?.end);
      if (placed === undefined || step === undefined) return;
      expect(placed.orderId).toBe(id);
      this.#compareStep(placed, step);
      return;
    }
    if (operation.do === 'cancel') expect(this.fast.cancel(id)).toBe(this.naive.cancel(ordinal));
    else {
      const { remaining } = operation;
      expect(this.fast.reduce(id, remaining as Lots)).toBe(this.naive.reduce(ordinal, remaining));
    }
  }

  #place(order: EngineOrder): void {
    const preview = this.fast.preview(order);
    const placed = this.fast.place(order);
    const step = this.naive.place(order);
    expect(placed.end).toBe(step.end);
    const executed = this.#compareStep(placed, step);
    if (placed.end === 'WOULD_TAKE') return;
    this.ids.push(placed.orderId);
    expect(generationOfOrderId(placed.orderId)).toBe(this.ids.length);
    if (order.timeInForce === 'FOK' && order.kind === 'LIMIT' && executed === 0) return;
    if (order.kind === 'LIMIT_MAKER') return;
    const notional = step.fills.reduce((sum, fill) => sum + BigInt(fill.price * fill.quantity), 0n);
    expect({ executed: preview.executed, notional: preview.notional }).toEqual({ executed, notional });
  }

  /** @returns the lots executed. */
  #compareStep(placed: Placement, step: NaiveStep): number {
    const { fills } = this.fast;
    const made = Array.from({ length: fills.count }, (_, at) => ({
      maker: generationOfOrderId(fills.makerOrderId(at)),
      price: fills.price(at),
      quantity: fills.quantity(at),
    }));
    expect(made).toEqual(step.fills);
    expect(this.fast.expiredMakers.map(generationOfOrderId)).toEqual(step.expiredMakers);
    const executed = step.fills.reduce((sum, fill) => sum + fill.quantity, 0);
    expect(placed.executed).toBe(executed);
    expect(this.fast.lastTradeId).toBe(this.#lastTradeId + step.fills.length);
    this.#lastTradeId = this.fast.lastTradeId;
    return executed;
  }

  /** Applies the drained change to a copy of the book, as a client does, and compares all three. */
  compare(): void {
    const change = this.fast.drainChanges(0 as Millis);
    expect(change?.firstUpdateId ?? this.#updateId + 1).toBe(this.#updateId + 1);
    this.#updateId = change?.lastUpdateId ?? this.#updateId;
    const depth = this.fast.depth(1_000);
    expect(depth.lastUpdateId).toBe(this.#updateId);
    for (const [side, key] of [
      ['BUY', 'bids'],
      ['SELL', 'asks'],
    ] as const) {
      const shown = this.shown[key];
      for (const [level, size] of change?.[key] ?? []) {
        if (size === 0) shown.delete(level);
        else shown.set(level, size);
      }
      expect(depth[key]).toEqual(this.naive.levels(side));
      expect([...shown].sort(([a], [b]) => (side === 'BUY' ? b - a : a - b))).toEqual(depth[key]);
    }
    const resting = this.fast.restingOrders().map((one) => ({
      ordinal: generationOfOrderId(one.orderId),
      account: one.account,
      side: one.side,
      price: one.price,
      remaining: one.remaining,
    }));
    expect(resting.sort((a, b) => a.ordinal - b.ordinal)).toEqual(
      this.naive.orders
        .map(({ ordinal, account, side, price, remaining, hidden }) => ({
          ...{ ordinal, account, side, price },
          remaining: remaining + hidden,
        }))
        .sort((a, b) => a.ordinal - b.ordinal),
    );
  }
}

function all({ visible: _, ...order }: EngineOrder): EngineOrder {
  return order;
}

test('the fast and the naive engine agree on trades, ends, resting orders and levels', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 20, maxLength: 150, size: 'max' }),
      fc.nat(10),
      (operations, gap) => {
        const pair = new Pair();
        operations.forEach((one, at) => {
          pair.step(one);
          if (at % (gap + 1) === 0) pair.compare();
        });
        pair.compare();
      },
    ),
    { numRuns: runs(400, 3), seed: 7 },
  );
}, 1_200_000);

test('a book restored from its resting orders goes on as if nothing had happened', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 20, maxLength: 80, size: 'max' }),
      fc.array(order, { minLength: 5, maxLength: 20 }),
      (before, after) => {
        const pair = new Pair();
        // After a restart what an iceberg shows begins anew, and the oldest come first whatever they lost their place by.
        for (const one of before.filter((each) => each.do !== 'replace'))
          pair.step('order' in one ? { ...one, order: all(one.order) } : one);
        const again = new MatchingEngine('BTCUSDT', 100_000_000, pair.fast.counters);
        const oldestFirst = (a: { orderId: number }, b: { orderId: number }) =>
          generationOfOrderId(a.orderId as SimOrderId) - generationOfOrderId(b.orderId as SimOrderId);
        again.restore(pair.fast.restingOrders().sort(oldestFirst));
        expect(again.depth(1_000)).toEqual(pair.fast.depth(1_000));
        for (const one of after) {
          const expected = pair.fast.place(one);
          const placed = again.place(one);
          expect({ end: placed.end, executed: placed.executed }).toEqual({
            end: expected.end,
            executed: expected.executed,
          });
          expect(generationOfOrderId(placed.orderId)).toBe(generationOfOrderId(expected.orderId));
          const made = [again, pair.fast].map(({ fills }) =>
            Array.from({ length: fills.count }, (_, at) => [
              generationOfOrderId(fills.makerOrderId(at)),
              fills.price(at),
              fills.quantity(at),
              fills.makerRemaining(at),
            ]),
          );
          expect(made[0]).toEqual(made[1]);
        }
      },
    ),
    { numRuns: runs(150), seed: 11 },
  );
}, 1_200_000);
