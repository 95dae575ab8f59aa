import type { FillRow, FundingRow, OrderRow, PastOrderRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  divDown,
  formatAmount,
  formatAmountFixed,
  type Instrument,
  mulDown,
  notionalDown,
  parseAmount,
  parseSignedAmount,
} from '@crossbook/domain';
import { baseStep, countsContracts } from '../contracts/contract-size.ts';
import { moneyOf, moneyText } from '../signed-text.ts';
import { groupThousands } from '../step-text.ts';

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

/** A price at its instrument's tick; `–` where there is none. */
export function priceShown(price: string | null, instrument?: Instrument): string {
  return shown(price, instrument === undefined ? 0 : decimalsOf(instrument.tickSize));
}

/** What a venue counts, in base coins without a sign; as it is counted where the instrument is not known. */
export function coinsOf(counted: string, instrument?: Instrument): string {
  const value = parseSignedAmount(counted);
  if (value === undefined) return counted;
  const size = (value < 0n ? -value : value) as Amount;
  return formatAmount(mulDown(size, instrument?.contractValue ?? (AMOUNT_ONE as Amount)));
}

/** The same for reading, at the step of the venue: `0.0500` of 5 contracts. */
export function sizeShown(counted: string | null, instrument?: Instrument): string {
  if (counted === null) return '–';
  return shown(coinsOf(counted, instrument), instrument === undefined ? 0 : decimalsOf(baseStep(instrument)));
}

/** What the venue counts, where that is contracts of more or less than a coin: `5 cont`. */
export function contractsShown(counted: string | null, instrument?: Instrument): string | undefined {
  if (counted === null || instrument === undefined || !countsContracts(instrument)) return undefined;
  return `${shown(counted)} cont`;
}

/** A size in base coins as its venue counts it; `undefined` where that is no whole number of its steps. */
export function countedOf(coins: string, instrument: Instrument): string | undefined {
  const value = parseAmount(coins);
  if (value === undefined || value % baseStep(instrument) !== 0n) return undefined;
  return formatAmount(divDown(value, instrument.contractValue));
}

/** The average with every digit that it has; `undefined` before the first fill. */
export function averageOf(row: OrderRow, instrument?: Instrument): string | undefined {
  const counted = parseAmount(row.cumQuantity);
  const quote = parseAmount(row.cumQuote);
  if (counted === undefined || quote === undefined || counted === 0n) return undefined;
  const quantity = mulDown(counted, instrument?.contractValue ?? (AMOUNT_ONE as Amount));
  return quantity === 0n ? undefined : formatAmount(divDown(quote, quantity));
}

/** Average price of what was filled at its tick; `–` before the first fill. Cut, not rounded. */
export function averagePrice(row: OrderRow, instrument?: Instrument): string {
  const average = parseAmount(averageOf(row, instrument) ?? '');
  if (average === undefined) return '–';
  const decimals =
    instrument === undefined
      ? Math.min(AVERAGE_DECIMALS_MAX, Math.max(2, decimalsOfText(row.price ?? '')))
      : decimalsOf(instrument.tickSize);
  return groupThousands(formatAmountFixed(average, decimals));
}

/** What an order is worth at its own price; `undefined` for a market order by size. */
export function orderedAmount(row: OrderRow, instrument?: Instrument): Amount | undefined {
  if (row.quoteQuantity !== null) return parseAmount(row.quoteQuantity);
  const price = parseAmount(row.price ?? '');
  const quantity = parseAmount(row.quantity ?? '');
  if (price === undefined || quantity === undefined) return undefined;
  return notionalDown(price, quantity, instrument?.contractValue);
}

/** What an order is worth at its own price, as money is read; what a market order was to spend. */
export function orderedValue(row: OrderRow, instrument?: Instrument): string {
  const value = orderedAmount(row, instrument);
  return value === undefined ? '–' : moneyText(value);
}

function decimalsOfText(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

/** What was asked for: base coins, or the quote amount of a market buy. */
export function askedFor(row: OrderRow, instrument?: Instrument): string {
  return row.quantity === null ? `≈ ${shown(row.quoteQuantity)}` : sizeShown(row.quantity, instrument);
}

/** Share of an order that is filled, whole percent, cut. */
export function filledPercent(row: OrderRow): number {
  const wanted = parseAmount(row.quantity ?? row.quoteQuantity ?? '0');
  const done = parseAmount(row.quantity === null ? row.cumQuote : row.cumQuantity);
  if (wanted === undefined || done === undefined || wanted === 0n) return 0;
  return Number((done * 100n) / wanted);
}

/** A fee as it is read: two decimals where it is dollars, every digit where it is a coin. */
export function feeShown({ fee, feeAsset }: Pick<FillRow, 'fee' | 'feeAsset'>): string {
  return feeAsset === 'USDT' ? moneyOf(fee) : shown(fee);
}

type Fees = PastOrderRow['fees'];

/** What the fills of an order cost together: `0.12 USDT`, `0.0001 BTC + 0.002 BNB`; `–` where there are none, or too many. */
export function feesShown(fees: Fees): string {
  const parts = (fees ?? []).map(
    ({ asset, amount }) => `${feeShown({ fee: amount, feeAsset: asset })} ${asset}`,
  );
  return parts.join(' + ') || '–';
}

/** The same with all digits; `undefined` where there are too many fills to add up. */
export function feesTip(fees: Fees): string | undefined {
  return fees?.map(({ asset, amount }) => `${amount} ${asset}`).join(' + ');
}

/** What orders are compared by in a column of fees. */
export function feesOrder(fees: Fees): number {
  return Number(fees?.[0]?.amount ?? 0);
}

/** Names a fill uniquely. */
export function fillKey(row: FillRow): string {
  return `${row.exchange}:${row.symbolType}:${row.symbol}:${row.tradeId}`;
}

/** What payments of funding come to together; above 0 received. */
export function fundingSum(rows: readonly Pick<FundingRow, 'amount'>[]): Amount {
  return rows.reduce((sum, row) => sum + (parseSignedAmount(row.amount) ?? 0n), 0n) as Amount;
}

/** Which side a payment was for, 1 long: of a net position its quantity says it. */
export function fundedSide({ effect, quantity }: FundingRow): 1 | 2 | undefined {
  if (effect !== 0) return effect;
  if (quantity === null || Number(quantity) === 0) return undefined;
  return quantity.startsWith('-') ? 2 : 1;
}
