import { type Amount, ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber, MarketFacts, NewSimOrder, SelfTradePrevention } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { type BinanceError, ERRORS, invalidData } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { SELF_TRADE_MODE_DEFAULT } from './exchange-info.ts';
import { legOrder, type OrderLeg, PLAIN_NAMES, readLeg } from './order-leg.ts';
import type { ResponseType } from './order-shapes.ts';

/** Parameters of a new order, all that Binance documents. */
export const ORDER_PARAMS =
  'symbol side type timeInForce quantity quoteOrderQty price newClientOrderId strategyId strategyType stopPrice trailingDelta icebergQty newOrderRespType selfTradePreventionMode pegPriceType pegOffsetValue pegOffsetType';

/** A new order as read: well-formed, not yet counted in steps. */
export interface OrderDraft {
  readonly market: MarketFacts | undefined;
  readonly side: 'BUY' | 'SELL';
  readonly leg: OrderLeg;
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly responseType: ResponseType;
}

/** A side under the name that it has in a call. */
export function readSide(reader: ParamReader, name: string): 'BUY' | 'SELL' {
  reader.requiredText(name);
  return reader.choice(name, ['BUY', 'SELL'], ERRORS.badSide) ?? 'BUY';
}

/** What a member's own orders do that would meet. */
export function readSelfTradePrevention(reader: ParamReader): SelfTradePrevention {
  const mode = reader.choice(
    'selfTradePreventionMode',
    ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER'],
    invalidData('selfTradePreventionMode'),
  );
  if (mode !== 'DECREMENT' && mode !== 'TRANSFER') return mode ?? SELF_TRADE_MODE_DEFAULT;
  reader.refuse(ERRORS.selfTradeMode);
  return SELF_TRADE_MODE_DEFAULT;
}

/** How much the answer tells; absent: not said. */
export function readResponseType(reader: ParamReader): ResponseType | undefined {
  return reader.choice('newOrderRespType', ['ACK', 'RESULT', 'FULL']);
}

/** Reads a new order in the order Binance names what is wrong: symbol, side, type, then the rest. */
export function readOrderDraft(reader: ParamReader, desk: Desk): OrderDraft {
  const market = reader.market(desk.exchange.markets);
  const side = readSide(reader, 'side');
  const { leg, quantity, quoteQuantity } = readLeg(reader, desk, PLAIN_NAMES);
  const selfTradePrevention = readSelfTradePrevention(reader);
  const asked = readResponseType(reader);
  const responseType = asked ?? (leg.type === 'LIMIT' || leg.type === 'MARKET' ? 'FULL' : 'ACK');
  return { market, side, leg, quantity, quoteQuantity, selfTradePrevention, responseType };
}

/** The order in the core's own units, or the filter that its numbers fail. */
export function toSimOrder(
  draft: OrderDraft,
  market: MarketFacts,
  account: AccountNumber,
): Result<NewSimOrder, BinanceError> {
  const { side, leg, quantity, quoteQuantity, selfTradePrevention } = draft;
  if (leg.price === 0n || leg.stopPrice === 0n) return refused(ERRORS.invalidPrice);
  if (quoteQuantity === 0n) return refused(ERRORS.invalidQuantity);
  const order = legOrder({ account, side, selfTradePrevention }, leg, { market, quantity });
  if (!order.ok || quoteQuantity === undefined) return order;
  return ok({ ...order.value, quoteQuantity });
}
