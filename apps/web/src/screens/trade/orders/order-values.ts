import type { FillRow, OrderRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  divDown,
  formatAmountFixed,
  type Instrument,
  mulDown,
  notionalDown,
  parseAmount,
} from '@crossbook/domain';
import { groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent } from '../../../i18n/format.ts';

/** Digits after the point of an average price beyond those the venue used. */
const AVERAGE_DECIMALS_MAX = 8;

/**
 * A decimal string for reading, with `digits` after the point so that columns align; `–` where there is none.
 * A figure that needs more digits keeps them: nothing is hidden.
 */
export function shown(decimal: string | null, digits = 0): string {
  if (decimal === null) return '–';
  const dot = decimal.indexOf('.');
  const fraction = dot < 0 ? '' : decimal.slice(dot + 1);
  const padded = fraction.padEnd(digits, '0');
  return groupThousands(`${dot < 0 ? decimal : decimal.slice(0, dot)}${padded === '' ? '' : `.${padded}`}`);
}

/** Average price of what was filled; `–` before the first fill. Cut, not rounded. */
export function averagePrice(row: OrderRow, instrument?: Instrument): string {
  const counted = parseAmount(row.cumQuantity);
  const quote = parseAmount(row.cumQuote);
  if (counted === undefined || quote === undefined || counted === 0n) return '–';
  const quantity = mulDown(counted, instrument?.contractValue ?? (AMOUNT_ONE as Amount));
  if (quantity === 0n) return '–';
  const digits =
    instrument === undefined ? decimalsOfText(row.price ?? '0.00') : decimalsOf(instrument.tickSize);
  const decimals = Math.min(AVERAGE_DECIMALS_MAX, Math.max(2, digits));
  return groupThousands(formatAmountFixed(divDown(quote, quantity), decimals));
}

/** What an order is worth at its own price, 2 decimals; what a market order was to spend. */
export function orderedValue(row: OrderRow, instrument?: Instrument): string {
  if (row.quoteQuantity !== null) return shown(row.quoteQuantity, 2);
  const price = parseAmount(row.price ?? '');
  const quantity = parseAmount(row.quantity ?? '');
  if (price === undefined || quantity === undefined) return '–';
  const value = notionalDown(price, quantity, instrument?.contractValue);
  return groupThousands(formatAmountFixed(value, 2));
}

/** How far a price is from the last one: `−1.10%`; `–` while one of them is not known. */
export function fromMarket(price: string | null, last: string | undefined): string {
  const [at, now] = [Number(price ?? Number.NaN), Number(last ?? Number.NaN)];
  return Number.isFinite(at) && now > 0 ? formatPercent((at / now - 1) * 100) : '–';
}

function decimalsOfText(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

/** What was asked for: base, or the quote amount of a market buy. */
export function askedFor(row: OrderRow, digits = 0): string {
  return row.quantity === null ? `≈ ${shown(row.quoteQuantity)}` : shown(row.quantity, digits);
}

/** Share of an order that is filled, whole percent, cut. */
export function filledPercent(row: OrderRow): number {
  const wanted = parseAmount(row.quantity ?? row.quoteQuantity ?? '0');
  const done = parseAmount(row.quantity === null ? row.cumQuote : row.cumQuantity);
  if (wanted === undefined || done === undefined || wanted === 0n) return 0;
  return Number((done * 100n) / wanted);
}

/** Names a fill uniquely. */
export function fillKey(row: FillRow): string {
  return `${row.symbol}:${row.tradeId}`;
}
