import {
  type Amount,
  amount,
  floorTo,
  lesser,
  mulDown,
  notionalUp,
  ORDER_TYPE,
  type Platform,
  SIDE,
  TIME_IN_FORCE,
} from '@crossbook/domain';
import type { OrderDraft, OrderTerms } from './order.ts';

/**
 * A market buy by quantity has no price to hold money for, so it goes out as an IOC limit this far above the best ask:
 * wide enough for a moving market, inside the venue's price band, and the hold is exact. Binance takes five times the
 * average price; OKX and Bybit turn away limits a few per cent above the index (OKX v5 guide, "Get limit price"; Bybit
 * v5, instruments-info, `priceLimitRatioY`: 2 % for the largest pairs).
 */
const MARKET_BUY_BOUNDS: Readonly<Record<Platform, Amount>> = {
  1: amount('1.05'),
  2: amount('1.01'),
  3: amount('1.01'),
};

/**
 * What an order holds and how it is sent. All three venues take their spot fee from what is received (Binance 0.1 %,
 * OKX 0.08 and 0.1 %, Bybit none, decisions.md 25), so the fee on top of the hold (decisions.md 3) is zero: a fill never costs more of the held asset than price times quantity.
 * @param bestAsk needed for a market buy by quantity only; `undefined` there gives `undefined`.
 */
export function orderTerms(draft: OrderDraft, bestAsk: Amount | undefined): OrderTerms | undefined {
  const asSent = { sendType: draft.type, sendTimeInForce: draft.timeInForce };
  const { platform, base, quote, tickSize, maxPrice, contractValue } = draft.instrument;
  if (draft.side === SIDE.SELL) {
    if (draft.quantity === undefined) return undefined;
    const price = draft.price === undefined ? {} : { sendPrice: draft.price };
    return { ...asSent, ...price, holdAsset: base, holdAmount: draft.quantity };
  }
  if (draft.quoteQuantity !== undefined) {
    return { ...asSent, holdAsset: quote, holdAmount: draft.quoteQuantity };
  }
  if (draft.quantity === undefined) return undefined;
  if (draft.price !== undefined) {
    const holdAmount = notionalUp(draft.price, draft.quantity, contractValue);
    return { ...asSent, sendPrice: draft.price, holdAsset: quote, holdAmount };
  }
  if (bestAsk === undefined) return undefined;
  const bound = lesser(floorTo(mulDown(bestAsk, MARKET_BUY_BOUNDS[platform]), tickSize), maxPrice);
  return {
    sendType: ORDER_TYPE.LIMIT,
    sendTimeInForce: TIME_IN_FORCE.IOC,
    sendPrice: bound,
    holdAsset: quote,
    holdAmount: notionalUp(bound, draft.quantity, contractValue),
  };
}
