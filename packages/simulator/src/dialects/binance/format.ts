import { type Amount, formatAmountFixed, type Lots, stepsToAmount, type Ticks } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { type FormatBook, stepWriter } from '../wire/format.ts';
import { ASSET_DECIMALS } from './params.ts';

/** Digits of a float that mean something; the rest is what binary fractions leave behind. */
const SIGNIFICANT_DIGITS = 15;

/** "0.00000000" */
export const ZERO_TEXT = '0.00000000';

/** Binance writes every price, quantity and balance with 8 decimals. */
export function formatDecimal(value: Amount): string {
  return formatAmountFixed(value, ASSET_DECIMALS);
}

/** A float of a chart or ticker, 8 decimals; what is not a finite number (no trade yet) is zero. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return ZERO_TEXT;
  const whole = Math.abs(value) < 1 ? 0 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const decimals = Math.max(0, Math.min(ASSET_DECIMALS, SIGNIFICANT_DIGITS - whole));
  const text = value.toFixed(decimals);
  return `${text}${decimals === 0 ? '.' : ''}${'0'.repeat(ASSET_DECIMALS - decimals)}`;
}

/** The same for prices, sizes and values alike. */
export const CHART_STATS = {
  shownPrice: formatFloat,
  shownSize: formatFloat,
  shownValue: formatFloat,
};

/** How one market's ticks and lots are written. */
export interface MarketFormat {
  price(ticks: Ticks): string;
  size(lots: Lots): string;
  /** Price times quantity, cut at 8 decimals. */
  value(ticks: Ticks, lots: Lots): string;
  levels(side: readonly (readonly [Ticks, Lots])[]): [string, string][];
}

/** Makes the writers of one market; steps never change while a market is listed. */
export function marketFormat(market: MarketFacts): MarketFormat {
  const price = stepWriter(market.tickSize, ASSET_DECIMALS);
  const size = stepWriter(market.lotSize, ASSET_DECIMALS);
  return {
    price,
    size,
    value: (ticks, lots) => {
      const exact = stepsToAmount(ticks, market.tickSize) * stepsToAmount(lots, market.lotSize);
      return formatDecimal((exact / 10n ** 18n) as Amount);
    },
    levels: (side) => side.map(([ticks, lots]) => [price(ticks), size(lots)]),
  };
}

/** The writers of every market. */
export type MarketFormatBook = FormatBook<MarketFacts, MarketFormat>;
