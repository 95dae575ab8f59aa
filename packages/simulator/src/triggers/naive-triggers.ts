import type { IndexedOrder, SeenPrice } from './trigger-index.ts';

/**
 * The second witness of triggers: a list of orders, and all prices since each was placed, gone through anew whenever it
 * is asked. Nothing but tests uses it; it shares no code with the index, only the meaning of an order.
 */
export class NaiveTriggers {
  #waiting: { readonly order: IndexedOrder; readonly since: number }[] = [];
  readonly #prices: SeenPrice[] = [];

  /** An order is placed; under a known id, it is changed and begins anew. */
  place(order: IndexedOrder): void {
    this.cancel(order.algoId);
    this.#waiting.push({ order, since: this.#prices.length });
  }

  cancel(algoId: number): void {
    this.#waiting = this.#waiting.filter(({ order }) => order.algoId !== algoId);
  }

  /** The ids that wait, ascending. */
  get waiting(): number[] {
    return this.#waiting.map(({ order }) => order.algoId).sort((a, b) => a - b);
  }

  /** Ids that fire at these prices, first placed first; they and their groups are gone then. */
  see(seen: readonly SeenPrice[]): number[] {
    const before = this.#prices.length;
    this.#prices.push(...seen);
    const fires = this.#waiting
      .filter(({ order, since }) =>
        this.#prices.slice(before).some(({ by, price }) => {
          if (by !== order.trigger.by) return false;
          const due = this.#dueAfter(order, since, before);
          if (due === undefined) return false;
          return order.trigger.direction === 'RISE' ? price >= due : price <= due;
        }),
      )
      .map(({ order }) => order)
      .sort((a, b) => a.algoId - b.algoId);
    const fired: number[] = [];
    for (const { algoId, group } of fires) {
      if (!this.#waiting.some(({ order }) => order.algoId === algoId)) continue;
      fired.push(algoId);
      this.#waiting = this.#waiting.filter(
        ({ order }) => order.algoId !== algoId && (group === undefined || order.group !== group),
      );
    }
    return fired;
  }

  /** Where an order fires by now. */
  due(algoId: number): number | undefined {
    const found = this.#waiting.find(({ order }) => order.algoId === algoId);
    return found === undefined ? undefined : this.#dueAfter(found.order, found.since, this.#prices.length);
  }

  #dueAfter({ trigger }: IndexedOrder, since: number, until: number): number | undefined {
    if (trigger.at === 'PRICE') return trigger.price;
    const own = this.#prices.slice(since, until).filter(({ by }) => by === trigger.by);
    const prices = own.map(({ price }) => price);
    const sells = trigger.direction === 'FALL';
    const { activation, back } = trigger;
    const start =
      activation === undefined
        ? 0
        : prices.findIndex((price) => (sells ? price >= activation : price <= activation));
    const followed = start < 0 ? [] : prices.slice(start);
    if (followed.length === 0) return undefined;
    const best = sells ? Math.max(...followed) : Math.min(...followed);
    const gap = 'bips' in back ? (best * back.bips) / 10_000 : back.ticks;
    return sells ? Math.floor(best - gap) : Math.ceil(best + gap);
  }
}
