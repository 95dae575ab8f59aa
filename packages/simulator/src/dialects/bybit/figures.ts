import {
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  type Lots,
  stepScale,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';

/** Bybit's two kinds of market here. */
export type BybitCategory = 'spot' | 'linear';

/** Finest decimals of a spot amount that is told to a client. */
const AMOUNT_DECIMALS = 8;

/** Drops trailing zeros of a decimal text. */
export function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** A float of a ticker or chart with at most `decimals` places; what is not a finite number (no trade yet) is zero. */
export function plain(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '0';
  const text = trimmed(value.toFixed(decimals));
  return text === '-0' ? '0' : text;
}

/** An exact amount cut to eight places, without trailing zeros. */
export function cutAmount(value: Amount): string {
  return trimmed(formatAmountFixed(value, AMOUNT_DECIMALS));
}

/** Writes whole steps without bigint: this runs per book level. Spot is trimmed; perpetuals keep the step's decimals. */
function stepWriter(step: Amount, trim: boolean): (steps: number) => string {
  const { decimals, unitsPerStep } = stepScale(step);
  const divisor = 10 ** decimals;
  return (steps) => {
    if (steps === 0) return '0';
    const units = steps * unitsPerStep;
    if (!Number.isSafeInteger(units)) {
      const exact = stepsToAmount(steps, step);
      return trim ? formatAmount(exact) : formatAmountFixed(exact, decimals);
    }
    const whole = Math.floor(units / divisor);
    if (decimals === 0) return String(whole);
    const fraction = String(units - whole * divisor).padStart(decimals, '0');
    return trim ? trimmed(`${whole}.${fraction}`) : `${whole}.${fraction}`;
  };
}

/** How one market's figures are written. */
export interface MarketFigures {
  price(ticks: Ticks): string;
  size(lots: Lots): string;
  levels(side: readonly (readonly [Ticks, Lots])[]): [string, string][];
  /** Prices and sizes that are floats, for tickers and charts. */
  shownPrice(value: number): string;
  shownSize(value: number): string;
  shownTurnover(value: number): string;
  /** Prices of bars, which are trimmed in both categories. */
  barPrice(value: number): string;
}

/** Makes the writers of one market; steps never change while a market is listed. */
export function marketFigures(market: MarketFacts, category: BybitCategory): MarketFigures {
  const spot = category === 'spot';
  const price = stepWriter(market.tickSize, spot);
  const size = stepWriter(market.lotSize, spot);
  const priceDecimals = decimalsOf(market.tickSize);
  const sizeDecimals = decimalsOf(market.lotSize);
  return {
    price,
    size,
    levels: (side) => side.map(([ticks, lots]) => [price(ticks), size(lots)]),
    shownPrice: (value) =>
      spot || !Number.isFinite(value) ? plain(value, priceDecimals) : value.toFixed(priceDecimals),
    shownSize: (value) =>
      spot || !Number.isFinite(value) ? plain(value, sizeDecimals) : value.toFixed(sizeDecimals),
    shownTurnover: (value) => plain(value, Math.min(priceDecimals + sizeDecimals, AMOUNT_DECIMALS)),
    barPrice: (value) => plain(value, priceDecimals),
  };
}

/** The writers of every market of a category, made once each. */
export class FigureBook {
  readonly #markets: ReadonlyMap<string, MarketFacts>;
  readonly #category: BybitCategory;
  readonly #figures = new Map<string, MarketFigures>();

  constructor(markets: ReadonlyMap<string, MarketFacts>, category: BybitCategory) {
    this.#markets = markets;
    this.#category = category;
  }

  /** @throws Error for a symbol that is not listed: callers have checked it. */
  of(symbol: string): MarketFigures {
    const known = this.#figures.get(symbol);
    if (known !== undefined) return known;
    const market = this.#markets.get(symbol);
    if (market === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
    const made = marketFigures(market, this.#category);
    this.#figures.set(symbol, made);
    return made;
  }
}
