import type { Lots, Ticks } from '@crossbook/domain';
import type { SimOrderId } from '../exchange.ts';

const FIELDS = 5;
const FILLS_AT_START = 256;

/** The fills of one step in matching order, kept in one flat array that is reused: read them before the next step. */
export class StepFills {
  #values = new Float64Array(FILLS_AT_START * FIELDS);
  /** Fills in this step. */
  count = 0;

  /** Adds a fill. @param remaining lots that the maker has left after it. */
  add(maker: number, account: number, price: number, quantity: number, remaining: number): void {
    let at = this.count * FIELDS;
    if (at === this.#values.length) {
      const larger = new Float64Array(at * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    const values = this.#values;
    values[at++] = maker;
    values[at++] = account;
    values[at++] = price;
    values[at++] = quantity;
    values[at] = remaining;
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
