import type { Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { NaiveTriggers } from './naive-triggers.ts';
import { firingPrice, isReached, type Trigger } from './trigger.ts';
import { type IndexedOrder, TriggerIndex } from './trigger-index.ts';

const ORDERS_PER_ACCOUNT_MAX = 6;
const ACCOUNTS = 3;
const ticks = fc.integer({ min: 900, max: 1_100 }).map((value) => value as Ticks);
/** A quarter of a tick is exact in binary, so that both witnesses count alike. */
const seenTicks = fc.integer({ min: 3_600, max: 4_400 }).map((quarters) => quarters / 4);
const by = fc.constantFrom('LAST' as const, 'MARK' as const, 'INDEX' as const);
const direction = fc.constantFrom('RISE' as const, 'FALL' as const);
const back = fc.oneof(
  fc.constantFrom(625, 1_250, 2_500).map((bips) => ({ bips })),
  fc.integer({ min: 1, max: 60 }).map((distance) => ({ ticks: distance as Ticks })),
);
const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  fc.record({ at: fc.constant('PRICE' as const), by, direction, price: ticks }),
  fc.record(
    { at: fc.constant('TRAIL' as const), by, direction, back, activation: ticks },
    { requiredKeys: ['at', 'by', 'direction', 'back'] },
  ),
);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      account: fc.integer({ min: 1, max: ACCOUNTS }),
      /** One alone, or so many of which one fires. */
      triggers: fc.array(trigger, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('amend' as const), pick: fc.nat(30), trigger }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('see' as const),
      seen: fc.uniqueArray(fc.record({ by, price: seenTicks }), {
        minLength: 1,
        maxLength: 3,
        selector: (one) => one.by,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Drives the index as its keeper does, and the witness beside it. */
class TriggerTraffic {
  readonly seenKinds = new Set<string>();
  readonly #naive = new NaiveTriggers();
  #index = new TriggerIndex<IndexedOrder>(ORDERS_PER_ACCOUNT_MAX);
  #placed = 0;
  /** Groups that fired, and where each trailing one fired last. */
  readonly #firedGroups = new Set<number>();
  readonly #lastDue = new Map<number, number>();

  run(asked: Operation): void {
    if (asked.do === 'place') this.#place(asked);
    else if (asked.do === 'see') this.#see(asked);
    else if (asked.do === 'restore') this.#restore();
    else this.#change(asked);
    expect(this.#index.all().map(({ algoId }) => algoId)).toEqual(this.#naive.waiting);
    for (const order of this.#index.all()) {
      const due = firingPrice(order.trigger);
      expect(due, `order ${order.algoId}`).toBe(this.#naive.due(order.algoId));
      this.#neverBack(order, due);
    }
  }

  #place({ account, triggers }: Extract<Operation, { do: 'place' }>): void {
    const full = this.#index.all().filter(({ sends }) => sends.account === account).length;
    const room = this.#index.hasRoom(account, triggers.length);
    expect(room).toBe(full + triggers.length <= ORDERS_PER_ACCOUNT_MAX);
    if (!room) this.seenKinds.add('full');
    const first = this.#placed + 1;
    for (const one of room ? triggers : []) {
      this.#placed += 1;
      const group = triggers.length > 1 ? { group: first } : {};
      const order: IndexedOrder = { algoId: this.#placed, trigger: one, sends: { account }, ...group };
      this.#index.put(order);
      this.#naive.place(order);
    }
  }

  #change(asked: Extract<Operation, { do: 'cancel' | 'amend' }>): void {
    const waiting = this.#index.all();
    const order = waiting[asked.pick % Math.max(1, waiting.length)];
    if (order === undefined) return;
    if (asked.do === 'cancel') {
      this.#index.remove(order.algoId);
      this.#naive.cancel(order.algoId);
      return;
    }
    const changed = { ...order, trigger: asked.trigger };
    this.#lastDue.delete(order.algoId);
    this.#index.put(changed);
    this.#naive.place(changed);
  }

  #see({ seen }: Extract<Operation, { do: 'see' }>): void {
    const prices = new Map(seen.map(({ by: kind, price }) => [kind, price]));
    const { moved, due } = this.#index.effectOf(seen);
    for (const order of moved) this.#index.put(order);
    for (const { order, price, siblings } of due) {
      expect(isReached(order.trigger, price), `${order.algoId} fires early`).toBe(true);
      expect(price).toBe(prices.get(order.trigger.by));
      for (const { algoId } of [order, ...siblings]) this.#index.remove(algoId);
      if (order.group === undefined) continue;
      expect(this.#firedGroups.has(order.group), `group ${order.group} fires twice`).toBe(false);
      this.#firedGroups.add(order.group);
      this.seenKinds.add('group');
    }
    expect(due.map(({ order }) => order.algoId)).toEqual(this.#naive.see(seen));
    for (const order of this.#index.all()) {
      const price = prices.get(order.trigger.by);
      if (price !== undefined)
        expect(isReached(order.trigger, price), `${order.algoId} is missed`).toBe(false);
    }
    if (due.length > 2) this.seenKinds.add('jump');
    if (due.some(({ order }) => order.trigger.at === 'TRAIL')) this.seenKinds.add('trail');
    if (moved.length > 0) this.seenKinds.add('moved');
  }

  /** Another index made of what the first one holds answers the same from here on. */
  #restore(): void {
    const again = new TriggerIndex<IndexedOrder>(ORDERS_PER_ACCOUNT_MAX);
    for (const order of this.#index.all().toReversed()) again.put(order);
    expect(again.all()).toEqual(this.#index.all());
    this.#index = again;
  }

  #neverBack({ algoId, trigger: { at, direction: way } }: IndexedOrder, due: number | undefined): void {
    if (at === 'PRICE' || due === undefined) return;
    const before = this.#lastDue.get(algoId) ?? due;
    if (way === 'FALL') expect(due).toBeGreaterThanOrEqual(before);
    else expect(due).toBeLessThanOrEqual(before);
    this.#lastDue.set(algoId, due);
  }
}

test('whatever is placed and seen, it fires when its price came and never else, once a group, as the naive list says', () => {
  const seenKinds = new Set<string>();
  fc.assert(
    fc.property(fc.array(operation, { minLength: 5, maxLength: 60 }), (operations) => {
      const traffic = new TriggerTraffic();
      for (const one of operations) traffic.run(one);
      for (const kind of traffic.seenKinds) seenKinds.add(kind);
    }),
    { numRuns: runs(1_000), seed: 20261123 },
  );
  expect([...seenKinds].sort()).toEqual(['full', 'group', 'jump', 'moved', 'trail']);
});
