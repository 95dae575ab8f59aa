import { type Amount, decimalsOf, formatAmountFixed, type Lots, type Ticks } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { type FormatBook, stepWriter, trimmed } from '../wire/format.ts';

/** Bybit's two kinds of market here. */
export type BybitCategory = 'spot' | 'linear';

/** Finest decimals of a spot amount that is told to a client. */
const AMOUNT_DECIMALS = 8;

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

/** Spot figures are as short as they are; perpetuals keep the step's decimals, all but zero, which empties a level. */
function writerOf(step: Amount, category: BybitCategory): (steps: number) => string {
  if (category === 'spot') return stepWriter(step);
  const write = stepWriter(step, decimalsOf(step));
  return (steps) => (steps === 0 ? '0' : write(steps));
}

/** How one market's figures are written. */
export interface MarketFormat {
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
export function marketFormat(market: MarketFacts, category: BybitCategory): MarketFormat {
  const spot = category === 'spot';
  const price = writerOf(market.tickSize, category);
  const size = writerOf(market.lotSize, category);
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

/** The writers of every market of a category. */
export type MarketFormatBook = FormatBook<MarketFacts, MarketFormat>;
