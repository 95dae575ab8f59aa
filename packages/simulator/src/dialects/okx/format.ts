import { type Amount, decimalsOf, formatAmount, type Lots, type Ticks } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { stepWriter, trimmed } from '../wire/format.ts';

/** Decimals of figures that no step bounds: volumes, averages, indices. */
const DISPLAY_DECIMALS = 8;

/** Digits of a float that mean something; the rest is what binary fractions leave behind. */
const SIGNIFICANT_DIGITS = 15;

/** OKX writes figures as short as they are: no exponent, no zeros at the end. */
export function formatFloat(value: number, decimals = DISPLAY_DECIMALS): string {
  // Beyond 1e21 toFixed would write an exponent; no figure of a market comes near.
  if (!Number.isFinite(value) || Math.abs(value) >= 1e20) return '';
  const whole = Math.max(1, Math.ceil(Math.log10(Math.abs(value) + 1)));
  const fixed = value.toFixed(Math.max(0, Math.min(decimals, SIGNIFICANT_DIGITS - whole)));
  const cut = trimmed(fixed);
  return cut === '-0' ? '0' : cut;
}

/** How one market's ticks and lots are written. */
export interface MarketFormat {
  price(ticks: Ticks): string;
  quantity(lots: Lots): string;
  /** A price that is a float and may lie between two ticks: bars, mark, index. */
  displayPrice(value: number): string;
}

/** Makes the writers of one market; steps never change while a market is listed. */
export function marketFormat(market: MarketFacts): MarketFormat {
  const priceDecimals = decimalsOf(market.tickSize);
  return {
    price: stepWriter(market.tickSize),
    quantity: stepWriter(market.lotSize),
    displayPrice: (value) => formatFloat(value, priceDecimals),
  };
}

/** A fee as OKX tells it: what is charged is negative. */
export function formatCharge(fee: Amount): string {
  return fee === 0n ? '0' : `-${formatAmount(fee)}`;
}
