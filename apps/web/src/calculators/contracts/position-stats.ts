import type { PositionRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  type Instrument,
  mulDown,
  parseAmount,
  parseSignedAmount,
  SIDE,
  type Side,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';

/** What a position is worth at a mark price. Liquidation price, margin and ratio are the exchange's and not among it. */
export interface PositionStats {
  /** Of what the position is: long is bought, short sold. */
  readonly side: Side;
  /** What the venue counts, and base coins; at least 0. */
  readonly quantity: Amount;
  readonly size: Amount;
  readonly entry: Amount;
  readonly mark: Amount;
  /** Size at the mark, in quote. */
  readonly value: Amount;
  /** Signed, in quote; fees not counted. */
  readonly pnl: Amount;
  /** Percent of the margin that the entry took at the position's leverage. */
  readonly roe: number;
  /** Percent from the mark to the liquidation price, at least 0; `undefined` where nothing in range liquidates. */
  readonly distance: number | undefined;
}

/** Which way a position stands: the sign in one-way mode, the leg in hedge mode. */
export function positionSide({ effect, quantity }: Pick<PositionRow, 'effect' | 'quantity'>): Side {
  if (effect !== 0) return effect === 1 ? SIDE.BUY : SIDE.SELL;
  return quantity.startsWith('-') ? SIDE.SELL : SIDE.BUY;
}

/** The quantity without its sign, in what the venue counts. */
export function positionQuantity({ quantity }: Pick<PositionRow, 'quantity'>): Amount {
  return parseAmount(quantity.replace('-', '')) ?? ZERO;
}

/** Profit of a size between two prices, in quote; rounded toward zero at 1e-18. */
export function profitBetween(side: Side, size: Amount, from: Amount, to: Amount): Amount {
  const gain = (size * (to - from)) / AMOUNT_ONE;
  return (side === SIDE.BUY ? gain : -gain) as Amount;
}

/** Percent that `part` is of `whole`; 0 of nothing. */
export function percentOf(part: Amount, whole: Amount): number {
  return whole === ZERO ? 0 : (toNumberForDisplay(part) / toNumberForDisplay(whole)) * 100;
}

/** Percent between the mark and the liquidation price; `undefined` where there is none. */
export function liquidationDistance(mark: Amount, liquidation: Amount | undefined): number | undefined {
  if (liquidation === undefined || mark === ZERO) return undefined;
  const gap = liquidation > mark ? liquidation - mark : mark - liquidation;
  return percentOf(gap as Amount, mark);
}

/**
 * The figures of a position.
 * @param mark the newest mark price; absent = the one that came with the row.
 */
export function positionStats(
  row: PositionRow,
  { contractValue }: Pick<Instrument, 'contractValue'>,
  mark: Amount = parseAmount(row.markPrice) ?? ZERO,
): PositionStats {
  const side = positionSide(row);
  const quantity = positionQuantity(row);
  const size = mulDown(quantity, contractValue);
  const entry = parseAmount(row.entryPrice) ?? ZERO;
  const pnl = profitBetween(side, size, entry, mark);
  const taken = (mulDown(size, entry) / BigInt(Math.max(1, row.leverage))) as Amount;
  const liquidation = row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice);
  return {
    ...{ side, quantity, size, entry, mark, pnl },
    value: mulDown(size, mark),
    roe: percentOf(pnl, taken),
    distance: liquidationDistance(mark, liquidation),
  };
}

/** How near a liquidation is: below 10 % it is worth a look, below 5 % a hand. */
export function distanceTone(distance: number | undefined): 'plain' | 'near' | 'danger' {
  if (distance === undefined || distance >= 10) return 'plain';
  return distance < 5 ? 'danger' : 'near';
}

/** What closing a part would bring at a price after the fee, in quote: "if closed now". */
export function closingProfit(
  stats: Pick<PositionStats, 'side' | 'entry'>,
  size: Amount,
  price: Amount,
  feeRate: Amount,
): { readonly gross: Amount; readonly fee: Amount; readonly net: Amount } {
  const gross = profitBetween(stats.side, size, stats.entry, price);
  const fee = mulDown(mulDown(size, price), feeRate);
  return { gross, fee, net: (gross - fee) as Amount };
}

/** A share of a position on the lot, cut; all of it at 100. */
export function shareOf(quantity: Amount, percent: number, lotSize: Amount): Amount {
  if (percent >= 100) return quantity;
  const part = (quantity * BigInt(Math.max(0, Math.round(percent)))) / 100n;
  return (part - (part % lotSize)) as Amount;
}

/** A margin row's unrealised profit is signed; figures that are no decimals count as nothing. */
export function signedDecimal(decimal: string | null): Amount {
  return decimal === null ? ZERO : (parseSignedAmount(decimal) ?? ZERO);
}
