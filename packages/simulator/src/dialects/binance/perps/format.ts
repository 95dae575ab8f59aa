import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type Lots,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type { PerpFacts } from '../../../venue.ts';
import { type FormatBook, stepWriter, trimmed } from '../../wire/format.ts';

/** Decimals beyond which nothing is written, but for exact prices. */
const DECIMALS_MAX = 8;
const EXACT_PRICE_DECIMALS_MAX = 11;

/** Futures write a figure with the decimals of its step, where spot pads everything to 8. */
export interface ContractFormat {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly valueDecimals: number;
  price(ticks: Ticks): string;
  /** Contracts; one is one base coin at Binance. */
  size(lots: Lots): string;
  /** Price times size, cut. */
  value(ticks: Ticks, lots: Lots): string;
  levels(side: readonly (readonly [Ticks, Lots])[]): [string, string][];
  /** Floats of charts and tickers; what is not a finite number (no trade yet) is zero. */
  shownPrice(price: number): string;
  shownSize(size: number): string;
  shownValue(value: number): string;
}

/** A float with so many decimals; what is not finite is zero. */
export function shown(value: number, decimals: number): string {
  return (Number.isFinite(value) ? value : 0).toFixed(decimals);
}

/** Mark and index prices have 8 decimals whatever the tick. */
export function shownMark(price: number): string {
  return shown(price, DECIMALS_MAX);
}

/** Rates of funding have 8 decimals. */
export function shownRate(rate: number): string {
  return shown(rate, DECIMALS_MAX);
}

/** Money of an account, 8 decimals. */
export function money(value: Amount): string {
  return formatAmountFixed(value, DECIMALS_MAX);
}

/** A price that need not lie on a tick: of an entry, to break even, of a liquidation; `0.0` for none. */
export function exactPrice(value: Amount): string {
  const text = trimmed(formatAmountFixed(value, EXACT_PRICE_DECIMALS_MAX));
  return text === '0' ? '0.0' : text;
}

/** Contracts of a position, below 0 for short. */
export function signedSize(format: ContractFormat, lots: number): string {
  const size = format.size(Math.abs(lots) as Lots);
  return lots < 0 ? `-${size}` : size;
}

/** Makes the writers of one contract. */
export function contractFormat(contract: PerpFacts): ContractFormat {
  const priceDecimals = decimalsOf(contract.tickSize);
  const sizeDecimals = decimalsOf(contract.lotSize);
  const price = stepWriter(contract.tickSize, priceDecimals);
  const size = stepWriter(contract.lotSize, sizeDecimals);
  const valueDecimals = Math.min(DECIMALS_MAX, priceDecimals + sizeDecimals);
  return {
    priceDecimals,
    sizeDecimals,
    valueDecimals,
    price,
    size,
    value: (ticks, lots) => {
      const exact = stepsToAmount(ticks, contract.tickSize) * stepsToAmount(lots, contract.lotSize);
      return formatAmountFixed((exact / 10n ** 18n) as Amount, valueDecimals);
    },
    levels: (side) => side.map(([ticks, lots]) => [price(ticks), size(lots)]),
    shownPrice: (value) => shown(value, priceDecimals),
    shownSize: (value) => shown(value, sizeDecimals),
    shownValue: (value) => shown(value, valueDecimals),
  };
}

/** The writers of every contract. */
export type ContractFormatBook = FormatBook<PerpFacts, ContractFormat>;
