import type { Lots, Ticks } from '@crossbook/domain';
import type { SimOrderId } from '../exchange.ts';
import type { OrderPool } from './order-pool.ts';

const FIELDS = 5;
const FILLS_AT_START = 256;

/** The fills of one step in matching order, kept in one flat array that is reused: read them before the next step. */
export class StepFills {
  #values = new Float64Array(FILLS_AT_START * FIELDS);
  /** Fills in this step. */
  count = 0;

  /** Adds a fill of the order in `slot`, which has not been reduced by it yet. */
  add(pool: OrderPool, slot: number, quantity: number): void {
    let at = this.count * FIELDS;
    if (at === this.#values.length) {
      const larger = new Float64Array(at * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    const values = this.#values;
    values[at++] = pool.id[slot] as number;
    values[at++] = pool.account[slot] as number;
    values[at++] = pool.price[slot] as number;
    values[at++] = quantity;
    values[at] = pool.left(slot) - quantity;
    this.count += 1;
  }

  makerOrderId(fill: number): SimOrderId {
    return this.#values[fill * FIELDS] as SimOrderId;
  }

  makerAccount(fill: number): number {
    return this.#values[fill * FIELDS + 1] as number;
  }

  price(fill: number): Ticks {
    return this.#values[fill * FIELDS + 2] as Ticks;
  }

  quantity(fill: number): Lots {
    return this.#values[fill * FIELDS + 3] as Lots;
  }

  /** Lots that the maker has left after the fill; 0 when it left the book. */
  makerRemaining(fill: number): Lots {
    return this.#values[fill * FIELDS + 4] as Lots;
  }
}
