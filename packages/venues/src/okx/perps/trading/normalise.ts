import {
  type MarginMode,
  minus,
  POSITION_SIDE,
  type PositionSide,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import type { WireObject } from '../../../wire/guards.ts';
import { asSignedAmount } from '../../../wire/numbers.ts';
import type { OrderShape } from '../../account/order-shapes.ts';

/**
 * What orders and fills of swaps say beyond those of pairs. Source: OKX v5 guide, "Order channel", "Transaction details",
 * "Bills details" (2026).
 */

const SIDES: ReadonlyMap<unknown, PositionSide> = new Map<string, PositionSide>([
  ['net', POSITION_SIDE.NET],
  ['long', POSITION_SIDE.LONG],
  ['short', POSITION_SIDE.SHORT],
]);

/** `net`, `long` or `short`. */
export function positionSideOf(name: unknown): PositionSide | undefined {
  return SIDES.get(name);
}

/** How the venue calls a side of a position. */
export const SIDE_NAMES = {
  [POSITION_SIDE.NET]: 'net',
  [POSITION_SIDE.LONG]: 'long',
  [POSITION_SIDE.SHORT]: 'short',
} as const;

/** `cross` or `isolated`. */
export function marginModeOf(name: unknown): MarginMode | undefined {
  return name === 'cross' || name === 'isolated' ? name : undefined;
}

/** Orders on swaps. A fee with a plus is a rebate: below 0 here. */
export const SWAP_SHAPE: OrderShape = {
  instType: 'SWAP',
  further(row) {
    const contract = contractOf(row);
    return contract && { contract };
  },
  feeOf: (charged) => minus(ZERO, charged),
};

/** Only the channel says the margin mode; rows of the venue's own hand carry the profit of the whole order. */
function contractOf(row: WireObject): VenueFill['contract'] | undefined {
  const side = positionSideOf(row.posSide);
  const only = row.fillPnl === undefined && CATEGORIES.has(row.category) && row.accFillSz === row.fillSz;
  const realisedPnl = asSignedAmount(only ? row.pnl : row.fillPnl);
  const marginMode = marginModeOf(row.tdMode);
  if (side === undefined || realisedPnl === undefined) return undefined;
  const cause = CATEGORIES.get(row.category) ?? causeOfSubType(row.subType);
  const buying = row.side === 'buy' || row.side === 'sell' ? { buys: row.side === 'buy' } : {};
  return { realisedPnl, side, ...buying, ...(marginMode === undefined ? {} : { marginMode }), cause };
}

type Cause = NonNullable<VenueFill['contract']>['cause'];

const CATEGORIES: ReadonlyMap<unknown, Cause> = new Map<string, Cause>([
  ['full_liquidation', 'liquidation'],
  ['partial_liquidation', 'liquidation'],
  ['adl', 'deleveraging'],
]);

/** Sub-types of a bill, which a listed fill has in place of a category: 100 to 107 liquidation, 125 to 128 ADL. */
function causeOfSubType(subType: unknown): Cause {
  const code = typeof subType === 'string' ? Number(subType) : 0;
  if (code >= 100 && code <= 107) return 'liquidation';
  return code >= 125 && code <= 128 ? 'deleveraging' : 'trade';
}
