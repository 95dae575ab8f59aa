import type { Millis } from '@crossbook/domain';

/** Which times are meant, both inclusive. */
export interface TimeRange {
  readonly startTime?: Millis | undefined;
  readonly endTime?: Millis | undefined;
}

/**
 * Things in the order of their times, of one moment in the order in which they came: what belongs to some times is found
 * without looking at all the rest.
 */
export class Timeline<Item extends { readonly time: Millis }> {
  readonly #items: Item[];

  /** @param items ascending by time; they become its own. */
  constructor(items: Item[] = []) {
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    const last = this.#items.at(-1);
    if (last === undefined || last.time <= item.time) this.#items.push(item);
    // A downtime is worked out after it passed.
    else this.#items.splice(this.#after(item.time), 0, item);
  }

  /** Forgets so many of the oldest. */
  forget(count: number): void {
    this.#items.splice(0, count);
  }

  /** Oldest first. */
  within({ startTime, endTime }: TimeRange): readonly Item[] {
    const from = startTime === undefined ? 0 : this.#after((startTime - 1) as Millis);
    const to = endTime === undefined ? this.#items.length : this.#after(endTime);
    return this.#items.slice(from, Math.max(from, to));
  }

  /** How many are not later than a time. */
  #after(time: Millis): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && item.time <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
