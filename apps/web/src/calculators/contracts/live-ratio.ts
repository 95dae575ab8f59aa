import type { MarginRow, PositionRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  feeToClose,
  type Instrument,
  type MarginTerms,
  mulDown,
  parseAmount,
  SIDE,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';
import { positionStats, signedDecimal } from './position-stats.ts';

/** A position with the newest mark of its contract; absent: the one that came with the row. */
export interface MarkedPosition {
  readonly row: PositionRow;
  readonly instrument: Instrument & { readonly takerFee: Amount };
  readonly mark: Amount | undefined;
}

/** What a position needs to stay, and what it has won since its entry, at its mark; in quote. */
function atMark({ row, instrument, mark }: MarkedPosition, terms: MarginTerms) {
  const { takerFee } = instrument;
  const stats = positionStats(row, instrument, mark);
  const hundredths = BigInt(Math.max(1, row.leverage)) * 100n;
  const entryValue = mulDown(stats.size, stats.entry);
  // The fee of closing is reckoned from the entry; only the rest of what is needed goes with the mark.
  const leg = { long: stats.side === SIDE.BUY, hundredths };
  const fixed = feeToClose(entryValue, leg, { terms, takerFee });
  const stated = signedDecimal(row.maintenanceMargin);
  const then = parseAmount(row.markPrice) ?? ZERO;
  const moving = stated > fixed ? stated - fixed : 0n;
  const needed = then === ZERO ? stated : stated - moving + (moving * stats.mark) / then;
  const closing = terms.closingFeeAtLiquidation ? (stats.value * takerFee) / AMOUNT_ONE : 0n;
  return { needed: needed + closing, pnl: stats.pnl };
}

/** What is needed of what there is; 1 = liquidation. */
function share(needed: bigint, equity: bigint): number {
  if (equity <= needed) return 1;
  return toNumberForDisplay(needed as Amount) / toNumberForDisplay(equity as Amount);
}

/**
 * How near liquidation an isolated position is at the newest mark: 1 = liquidation; `undefined` while its margin is not
 * known. Estimates: they say that it comes near before the exchange does, the exchange's own ratio is what is shown.
 */
export function isolatedRatioAt(position: MarkedPosition, terms: MarginTerms): number | undefined {
  const { isolatedMargin } = position.row;
  if (isolatedMargin === null) return undefined;
  const { needed, pnl } = atMark(position, terms);
  return share(needed, signedDecimal(isolatedMargin) + pnl);
}

/**
 * The same of all cross positions of a platform together; `undefined` without one. What the step of a leverage table takes
 * off is scaled with the mark, which errs by less than a hundredth where the mark moves by a tenth within the first steps.
 * @param positions all of the platform, isolated ones too: their margin stands behind nothing else.
 * @param heldBack what open orders keep from standing behind positions, where the exchange counts that.
 */
export function crossRatioAt(
  margin: MarginRow,
  positions: readonly MarkedPosition[],
  { terms, heldBack }: { readonly terms: MarginTerms; readonly heldBack: Amount },
): number | undefined {
  let needed = 0n;
  let equity = signedDecimal(margin.wallet) - heldBack;
  let crossed = false;
  for (const position of positions) {
    if (position.row.marginMode === 'isolated') equity -= signedDecimal(position.row.isolatedMargin);
    else {
      const own = atMark(position, terms);
      needed += own.needed;
      equity += own.pnl;
      crossed = true;
    }
  }
  return crossed ? share(needed, equity) : undefined;
}
