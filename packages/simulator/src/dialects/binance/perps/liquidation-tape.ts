import type { PerpLiquidation } from '../../../perp-exchange.ts';

/** A liquidation, and its place among all. */
export interface TapedLiquidation {
  readonly sequence: number;
  readonly liquidation: PerpLiquidation;
}

/** The newest liquidation of each contract: the public hears of one a second at most. */
export class LiquidationTape {
  readonly #bySymbol = new Map<string, TapedLiquidation>();
  #sequence = 0;

  /** The place of the newest one. */
  get sequence(): number {
    return this.#sequence;
  }

  note(liquidation: PerpLiquidation): void {
    this.#sequence += 1;
    this.#bySymbol.set(liquidation.symbol, { sequence: this.#sequence, liquidation });
  }

  /** Those after a place, in their order; of one contract where one is named. */
  after(sequence: number, symbol?: string): readonly PerpLiquidation[] {
    return [...this.#bySymbol.values()]
      .filter((one) => one.sequence > sequence && (symbol === undefined || one.liquidation.symbol === symbol))
      .toSorted((left, right) => left.sequence - right.sequence)
      .map(({ liquidation }) => liquidation);
  }
}
