import type { PerpLiquidation } from '../../../perp-exchange.ts';

/** Liquidations that the public may look back at; the oldest go first, and all go with the process. */
const KEPT_MAX = 2_000;

/** A liquidation, and its place among all. */
export interface TapedLiquidation {
  readonly sequence: number;
  readonly liquidation: PerpLiquidation;
}

/** What was liquidated, as everybody may know it. */
export class LiquidationTape {
  #all: TapedLiquidation[] = [];
  #sequence = 0;

  /** The place of the newest one. */
  get sequence(): number {
    return this.#sequence;
  }

  note(liquidation: PerpLiquidation): void {
    this.#sequence += 1;
    this.#all.push({ sequence: this.#sequence, liquidation });
    if (this.#all.length > KEPT_MAX * 1.25) this.#all = this.#all.slice(-KEPT_MAX);
  }

  /** Those after a place, oldest first. */
  after(sequence: number): readonly PerpLiquidation[] {
    return this.#all.filter((one) => one.sequence > sequence).map(({ liquidation }) => liquidation);
  }
}
