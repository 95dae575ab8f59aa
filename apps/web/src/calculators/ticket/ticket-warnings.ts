import {
  type Amount,
  ORDER_TYPE,
  type OrderType,
  SIDE,
  type Side,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { BookWalk } from './book-walk.ts';

/** A remark about an order that may be sent all the same. */
export interface TicketWarning {
  readonly name: TicketWarningName;
  /** Asks once more before sending, even where confirmations are switched off. */
  readonly grave: boolean;
  /** What fills the sentence. */
  readonly values: Readonly<Record<string, string>>;
}

/** Names of the remarks, gravest use first. */
export type TicketWarningName =
  | 'through-book'
  | 'slippage'
  | 'flips'
  | 'reduces'
  | 'grows-otherwise'
  | 'cross-pool'
  | 'isolated-loss'
  | 'near-liquidation'
  | 'liquidation-first'
  | 'trigger-by-last'
  | 'funding-soon';

/** Percent from which a limit beyond the other side's best is worth a word, and a second question. */
const THROUGH_PERCENT = { warn: 1, ask: 5 } as const;

/**
 * Percent that a limit which would take at once is from the mark, of a pair from the best price of the other side; 0 where it
 * would wait.
 */
export function percentThrough(order: {
  readonly side: Side;
  readonly price: Amount | undefined;
  readonly bestBid: Amount | undefined;
  readonly bestAsk: Amount | undefined;
  readonly mark?: Amount | undefined;
}): number {
  const buying = order.side === SIDE.BUY;
  const best = buying ? order.bestAsk : order.bestBid;
  const { price, mark: from = best } = order;
  if (price === undefined || best === undefined || from === undefined || from === 0n) return 0;
  if (buying ? price <= best : price >= best) return 0;
  const gap = buying ? price - from : from - price;
  return gap <= 0n ? 0 : (toNumberForDisplay(gap as Amount) / toNumberForDisplay(from)) * 100;
}

/** Whether a limit order would take far through the book. */
export function throughBookWarning(order: Parameters<typeof percentThrough>[0]): readonly TicketWarning[] {
  const percent = percentThrough(order);
  if (percent <= THROUGH_PERCENT.warn) return [];
  const values = { percent: percent.toFixed(1) };
  return [{ name: 'through-book', grave: percent > THROUGH_PERCENT.ask, values }];
}

/** Percent of slippage from which a market order is worth a word, and a second question. */
const SLIPPAGE_PERCENT = { warn: 0.5, ask: 2 } as const;

/** Whether a market order would move the price. @param walk what it would get from the book; absent: nobody knows. */
export function slippageWarning(type: OrderType, walk: BookWalk | undefined): readonly TicketWarning[] {
  const percent = (walk?.slippageBp ?? 0) / 100;
  if (type !== ORDER_TYPE.MARKET || percent <= SLIPPAGE_PERCENT.warn) return [];
  return [
    { name: 'slippage', grave: percent > SLIPPAGE_PERCENT.ask, values: { percent: percent.toFixed(2) } },
  ];
}
