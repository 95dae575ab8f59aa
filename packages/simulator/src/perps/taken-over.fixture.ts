import type { AccountNumber } from '../exchange.ts';
import type { PerpFill } from '../perp-exchange.ts';

/**
 * For tests only: what is taken over lies with the venue, and ADL takes it off at the same price from those who hold against
 * it: as much as there is of them, and no more than was taken over.
 */
export class TakenOver {
  readonly #lotsOf: (account: AccountNumber) => ReadonlyMap<string, number>;
  readonly #members: readonly AccountNumber[];
  /** The last position that was taken over, and what of it nobody has taken off. */
  #last: { readonly fill: PerpFill; left: number } | undefined;

  /** @param lotsOf what an account holds, by symbol, side and margin mode. */
  constructor(
    lotsOf: (account: AccountNumber) => ReadonlyMap<string, number>,
    members: readonly AccountNumber[],
  ) {
    this.#lotsOf = lotsOf;
    this.#members = members;
  }

  /** Takes the next fill in. @returns what does not hold. */
  hear(fill: PerpFill): string[] {
    const last = this.#last;
    if (fill.origin !== 'ADL') {
      this.#last = fill.origin === 'TAKEOVER' ? { fill, left: fill.quantity } : undefined;
      return this.#uncovered(last, fill);
    }
    const fits = last?.fill.symbol === fill.symbol && last.fill.exactPrice === fill.exactPrice;
    if (last === undefined || !fits || last.fill.side === fill.side || last.left < fill.quantity)
      return [`${fill.quantity} lots of ${fill.symbol} are deleveraged for nothing`];
    last.left -= fill.quantity;
    return [];
  }

  /** Where anybody was deleveraged, all of it found another side, or nobody was left on that side before the next fill. */
  #uncovered(last: { readonly fill: PerpFill; readonly left: number } | undefined, next: PerpFill): string[] {
    if (last === undefined || last.left === 0 || last.left === last.fill.quantity) return [];
    const { symbol, side } = last.fill;
    // The next fill may have opened a position there.
    if (next.symbol === symbol) return [];
    const held = this.#members.flatMap((account) => [...this.#lotsOf(account)]);
    // Who was long was sold out: those against it are short.
    const against = held.some(
      ([key, lots]) => key.startsWith(`${symbol} `) && lots < 0 === (side === 'SELL'),
    );
    return against ? [`${last.left} lots of ${symbol} that were taken over found no other side`] : [];
  }
}
