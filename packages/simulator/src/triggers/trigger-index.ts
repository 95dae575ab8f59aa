import { assert } from '@crossbook/domain';
import { KeyedHeap } from './keyed-heap.ts';
import { firingPrice, followed, type PriceKind, type Trigger } from './trigger.ts';

/** What the index must know of a conditional order. */
export interface IndexedOrder {
  readonly algoId: number;
  readonly trigger: Trigger;
  readonly group?: number;
  readonly sends: { readonly account: number };
}

/** A price that was seen, in ticks; marks and indices lie between ticks too. */
export interface SeenPrice {
  readonly by: PriceKind;
  readonly price: number;
}

/** One that fires, and those of its group that it ends. */
export interface DueOrder<Order extends IndexedOrder> {
  readonly order: Order;
  /** What was seen that let it fire. */
  readonly price: number;
  readonly siblings: readonly Order[];
}

/** What prices of one moment do. */
export interface PriceEffect<Order extends IndexedOrder> {
  /** Trailing ones whose trigger follows the price, as they are then, by `algoId`. */
  readonly moved: readonly Order[];
  /** First placed first. Of a group at most one. */
  readonly due: readonly DueOrder<Order>[];
}

/** Where a trigger is looked for: what comes first as the price rises has the smallest number, likewise as it falls. */
interface Watch {
  readonly rises: KeyedHeap;
  readonly falls: KeyedHeap;
  /** Best prices of those that follow upwards, or downwards. */
  readonly climbers: KeyedHeap;
  readonly sinkers: KeyedHeap;
  /** Activation prices of those that do not follow yet. */
  readonly risingStarts: KeyedHeap;
  readonly fallingStarts: KeyedHeap;
}

function emptyWatch(): Watch {
  const heap = (): KeyedHeap => new KeyedHeap();
  return {
    ...{ rises: heap(), falls: heap(), climbers: heap(), sinkers: heap() },
    ...{ risingStarts: heap(), fallingStarts: heap() },
  };
}

/**
 * The waiting conditional orders of one market. It answers what a price does and changes nothing by that: whoever keeps
 * the orders puts and removes them, while running and while recovering alike. A change costs O(log n), an answer
 * O(1 + what it names) besides sorting what it names.
 */
export class TriggerIndex<Order extends IndexedOrder> {
  readonly #ordersPerAccountMax: number;
  readonly #orders = new Map<number, Order>();
  readonly #counts = new Map<number, number>();
  readonly #groups = new Map<number, Set<number>>();
  readonly #watches: Readonly<Record<PriceKind, Watch>> = {
    LAST: emptyWatch(),
    MARK: emptyWatch(),
    INDEX: emptyWatch(),
  };

  /** @param ordersPerAccountMax how many of one account may wait here; beyond it `hasRoom` says no. */
  constructor(ordersPerAccountMax: number) {
    this.#ordersPerAccountMax = ordersPerAccountMax;
  }

  get size(): number {
    return this.#orders.size;
  }

  /** First placed first. */
  all(): Order[] {
    return this.#sorted(this.#orders.keys());
  }

  /** @param more how many are to be put at once: an OCO brings two. */
  hasRoom(account: number, more = 1): boolean {
    return (this.#counts.get(account) ?? 0) + more <= this.#ordersPerAccountMax;
  }

  /** Takes an order in, or its new state: it keeps its place among those of the same price. */
  put(order: Order): void {
    this.remove(order.algoId);
    const { algoId, group } = order;
    const { account } = order.sends;
    this.#orders.set(algoId, order);
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1);
    if (group !== undefined) {
      const members = this.#groups.get(group) ?? new Set();
      this.#groups.set(group, members.add(algoId));
    }
    for (const { heap, key } of this.#places(order.trigger)) heap.add(algoId, key);
  }

  /** Takes an order out that no longer waits; nothing happens when it is not there. */
  remove(algoId: number): void {
    const order = this.#orders.get(algoId);
    if (order === undefined) return;
    const { account } = order.sends;
    this.#orders.delete(algoId);
    const left = (this.#counts.get(account) ?? 0) - 1;
    if (left === 0) this.#counts.delete(account);
    else this.#counts.set(account, left);
    if (order.group !== undefined) this.#leave(order.group, algoId);
    for (const { heap } of this.#places(order.trigger)) heap.remove(algoId);
  }

  /** What prices do that were seen at one moment: one of each kind at most. */
  effectOf(seen: readonly SeenPrice[]): PriceEffect<Order> {
    return {
      moved: seen.flatMap((one) => this.#movedBy(one)).sort((a, b) => a.algoId - b.algoId),
      due: this.#due(seen),
    };
  }

  #movedBy({ by, price }: SeenPrice): Order[] {
    const { climbers, sinkers, risingStarts, fallingStarts } = this.#watches[by];
    const ids = [
      ...climbers.upTo(price, 'BELOW'),
      ...sinkers.upTo(-price, 'BELOW'),
      ...risingStarts.upTo(price, 'INCLUDED'),
      ...fallingStarts.upTo(-price, 'INCLUDED'),
    ];
    return ids.map((algoId) => {
      const order = this.#known(algoId);
      return { ...order, trigger: followed(order.trigger, price) };
    });
  }

  #due(seen: readonly SeenPrice[]): DueOrder<Order>[] {
    const prices = new Map<number, number>();
    for (const { by, price } of seen) {
      const { rises, falls } = this.#watches[by];
      for (const algoId of rises.upTo(price, 'INCLUDED')) prices.set(algoId, price);
      for (const algoId of falls.upTo(-price, 'INCLUDED')) prices.set(algoId, price);
    }
    const groups = new Set<number>();
    return this.#sorted(prices.keys()).flatMap((order) => {
      const { algoId, group } = order;
      if (group !== undefined && groups.has(group)) return [];
      if (group !== undefined) groups.add(group);
      return [{ order, price: prices.get(algoId) ?? 0, siblings: this.siblings(order) }];
    });
  }

  /** The others of its group that wait here, first placed first. */
  siblings({ algoId, group }: Pick<IndexedOrder, 'algoId' | 'group'>): Order[] {
    const members = group === undefined ? [] : [...(this.#groups.get(group) ?? [])];
    return this.#sorted(members.filter((one) => one !== algoId));
  }

  #places(trigger: Trigger): { readonly heap: KeyedHeap; readonly key: number }[] {
    const watch = this.#watches[trigger.by];
    const rises = trigger.direction === 'RISE';
    const due = firingPrice(trigger);
    const places =
      due === undefined ? [] : [rises ? { heap: watch.rises, key: due } : { heap: watch.falls, key: -due }];
    if (trigger.at === 'PRICE') return places;
    const { best, activation } = trigger;
    const start = activation ?? (rises ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
    // One that sells follows upwards, so it moves when the price rises.
    if (best !== undefined)
      places.push(rises ? { heap: watch.sinkers, key: -best } : { heap: watch.climbers, key: best });
    else
      places.push(
        rises ? { heap: watch.fallingStarts, key: -start } : { heap: watch.risingStarts, key: start },
      );
    return places;
  }

  #leave(group: number, algoId: number): void {
    const members = this.#groups.get(group);
    members?.delete(algoId);
    if (members?.size === 0) this.#groups.delete(group);
  }

  #sorted(ids: Iterable<number>): Order[] {
    return [...ids].sort((a, b) => a - b).map((algoId) => this.#known(algoId));
  }

  #known(algoId: number): Order {
    const order = this.#orders.get(algoId);
    assert(order !== undefined, 'a heap has only orders that wait');
    return order;
  }
}
