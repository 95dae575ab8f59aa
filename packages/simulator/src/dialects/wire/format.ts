import { type Amount, formatAmount, formatAmountFixed, stepScale, stepsToAmount } from '@crossbook/domain';

/** Drops the zeros at the end of a decimal text, and the point where nothing follows it. */
export function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Makes the writer of whole steps (ticks, lots). It needs no bigint, for it runs per book level and tick.
 * @param decimals how many to write always, no fewer than the step has; absent: as few as the figure needs.
 */
export function stepWriter(step: Amount, decimals?: number): (steps: number) => string {
  const scale = stepScale(step);
  const divisor = 10 ** scale.decimals;
  const tail = '0'.repeat(decimals === undefined ? 0 : decimals - scale.decimals);
  return (steps) => {
    const units = steps * scale.unitsPerStep;
    if (!Number.isSafeInteger(units)) {
      const exact = stepsToAmount(steps, step);
      return decimals === undefined ? formatAmount(exact) : formatAmountFixed(exact, decimals);
    }
    if (scale.decimals === 0) return tail === '' ? String(units) : `${units}.${tail}`;
    const whole = Math.floor(units / divisor);
    const fraction = String(units - whole * divisor).padStart(scale.decimals, '0');
    return decimals === undefined ? trimmed(`${whole}.${fraction}`) : `${whole}.${fraction}${tail}`;
  };
}

/** The writers of every market, made once each: steps never change while a market is listed. */
export class FormatBook<Market, Stats> {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #make: (market: Market) => Stats;
  readonly #format = new Map<string, Stats>();

  constructor(markets: ReadonlyMap<string, Market>, make: (market: Market) => Stats) {
    this.#markets = markets;
    this.#make = make;
  }

  /** @throws Error for a symbol that is not listed: callers have checked it. */
  of(symbol: string): Stats {
    const known = this.#format.get(symbol);
    if (known !== undefined) return known;
    const market = this.#markets.get(symbol);
    if (market === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
    const made = this.#make(market);
    this.#format.set(symbol, made);
    return made;
  }
}
