import { type Amount, POSITION_SIDE, type PositionSide, type VenueFill, ZERO } from '@crossbook/domain';
import { asCounter, type WireObject } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount } from '../../../wire/numbers.ts';
import type { OrderShape } from '../../account/order-shapes.ts';

/**
 * What orders and executions of linear contracts say beyond those of pairs.
 * Source: bybit-exchange/docs v5, order/execution, websocket/private/execution (2026-07-24).
 */

const SIDES = [POSITION_SIDE.NET, POSITION_SIDE.LONG, POSITION_SIDE.SHORT] as const;

/** `positionIdx`: 0 is the position of one-way mode, 1 the long and 2 the short leg of hedge mode. */
export function positionSideOf(index: unknown): PositionSide | undefined {
  return SIDES[asCounter(index) ?? -1];
}

type Cause = NonNullable<VenueFill['contract']>['cause'];

/**
 * Kinds of execution that change a position by a trade; funding is none. By the last two a contract that is delisted is closed (enum,
 * "execType"): "Delivery" is said of those in stable coins, "Settle" of inverse ones.
 */
const CAUSES: ReadonlyMap<unknown, Cause> = new Map<string, Cause>([
  ['Trade', 'trade'],
  ['BustTrade', 'liquidation'],
  ['AdlTrade', 'deleveraging'],
  ['Delivery', 'trade'],
  ['Settle', 'trade'],
]);

/** Who made the order says it where the execution is a plain trade: positions are also sold step by step (enum, "createType"). */
const FORCED: ReadonlyMap<unknown, Cause> = new Map<string, Cause>([
  ['CreateByLiq', 'liquidation'],
  ['CreateByTakeOver_PassThrough', 'liquidation'],
  ['CreateByAdl_PassThrough', 'deleveraging'],
]);

/** Orders on linear contracts. The fee is above 0 when it was paid, and below 0 a rebate; it is always in USDT. */
export const LINEAR_SHAPE: OrderShape = {
  category: 'linear',
  isFill: (row) => CAUSES.has(row.execType),
  fee: (row) => asSignedAmount(row.execFee),
  feeAsset: () => 'USDT',
  further(row) {
    const realisedPnl = pnlOf(row);
    const cause = FORCED.get(row.createType) ?? CAUSES.get(row.execType);
    if (realisedPnl === undefined || cause === undefined) return undefined;
    const side = positionSideOf(row.positionIdx);
    const buying = row.side === 'Buy' || row.side === 'Sell' ? { buys: row.side === 'Buy' } : {};
    return { contract: { realisedPnl, cause, ...buying, ...(side === undefined ? {} : { side }) } };
  },
};

/** What closing realised. Older messages leave it out: then only an execution that closed nothing says it. */
export function pnlOf(row: WireObject): Amount | undefined {
  if (row.execPnl !== undefined && row.execPnl !== '') return asSignedAmount(row.execPnl);
  return row.closedSize === '' || asAmount(row.closedSize) === ZERO ? ZERO : undefined;
}
