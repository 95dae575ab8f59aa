import type { PositionRow } from '@crossbook/contract';
import {
  type Amount,
  type ContractOrderRequest,
  contractOrderCost,
  liquidationAfterOrder,
  SIDE,
} from '@crossbook/domain';
import type { BookWalk } from '../ticket/book-walk.ts';
import { contractScene, type SceneFacts } from './contract-scene.ts';
import { closingProfit, type PositionStats } from './position-stats.ts';

/** What turning a position around at market brings and costs, by the book; all estimates. */
export interface ReverseEstimate {
  /** Average that the book gives for the part that closes, and for all of it; the mark where there is no book. */
  readonly closePrice: Amount;
  readonly price: Amount;
  /** Profit of the part that closes after its fee, signed. */
  readonly profit: Amount;
  /** What must be available, in quote. */
  readonly cost: Amount;
  /** Of the new side. */
  readonly liquidation: Amount | undefined;
  /** Whether it could be reckoned: with it, no price means that none in range liquidates. */
  readonly liquidationKnown: boolean;
}

/**
 * The figures of a reverse. In one-way mode it is one order of twice the size; in hedge mode the leg is closed, then the
 * other one opened, so that its own margin is free again.
 * @param walk what the book gives for a size on the closing side; `undefined` while it is not known.
 */
export function reverseEstimate(
  row: PositionRow,
  stats: PositionStats,
  context: {
    readonly facts: Omit<SceneFacts, 'setting' | 'mark'>;
    readonly walk: (coins: Amount) => BookWalk | undefined;
  },
): ReverseEstimate {
  const { facts, walk } = context;
  const { mark, quantity, size, side } = stats;
  const long = side === SIDE.BUY;
  const closePrice = walk(size)?.average ?? mark;
  const price = walk((size * 2n) as Amount)?.average ?? mark;
  const hedge = row.effect !== 0;
  const scene = contractScene({
    ...facts,
    ...{ mark, bestBid: price, bestAsk: price },
    setting: { marginMode: row.marginMode, leverageLong: row.leverage, leverageShort: row.leverage },
    positions: hedge ? facts.positions.filter((other) => other !== row) : facts.positions,
  });
  const order: ContractOrderRequest = {
    ...{ buys: !long, reduceOnly: false },
    ...(hedge ? { side: long ? 2 : 1, quantity } : { side: 0, quantity: (quantity * 2n) as Amount }),
  };
  return {
    ...{ closePrice, price },
    profit: closingProfit(stats, size, closePrice, facts.takerFee).net,
    cost: contractOrderCost(order, scene),
    liquidation: liquidationAfterOrder({ ...order, price }, scene),
    liquidationKnown: facts.tiers.length > 0 && (row.marginMode === 'isolated' || facts.margin !== undefined),
  };
}
