import {
  type Instrument,
  mulDown,
  type OrderEvent,
  POSITION_SIDE,
  type PositionSide,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../../wire/numbers.ts';
import { fillOf, stateOf } from '../../account/order-stats.ts';

/**
 * Orders and fills of USD-M contracts to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: types of the official connector (derivatives-trading-usds-futures 38.1.1) and its documentation.
 */

const SIDES: ReadonlyMap<unknown, PositionSide> = new Map<string, PositionSide>([
  ['BOTH', POSITION_SIDE.NET],
  ['LONG', POSITION_SIDE.LONG],
  ['SHORT', POSITION_SIDE.SHORT],
]);

/** How the venue calls a side of a position. */
export const SIDE_NAMES = {
  [POSITION_SIDE.NET]: 'BOTH',
  [POSITION_SIDE.LONG]: 'LONG',
  [POSITION_SIDE.SHORT]: 'SHORT',
} as const;

/** `BOTH`, `LONG` or `SHORT`. */
export function positionSideOf(name: unknown): PositionSide | undefined {
  return SIDES.get(name);
}

/** An order as placements, cancels, queries and lists give it: `clientOrderId` is the order's own in all of them. */
export function normaliseOrder(answer: unknown): VenueOrderState | undefined {
  const order = asObject(answer);
  if (order === undefined) return undefined;
  const cause = causeOf({ c: order.clientOrderId });
  const state = stateOf({
    clientId: order.clientOrderId,
    orderId: order.orderId,
    symbol: order.symbol,
    status: order.status,
    executed: asAmount(order.executedQty),
    executedQuote: asAmount(order.cumQuote),
    time: order.updateTime,
  });
  return state === undefined || cause === 'trade' ? state : { ...state, cause };
}

/**
 * A `userTrades` answer, oldest first. It says neither the margin mode nor whose hand it was: what liquidates is told
 * by the stream and by the order's own id.
 */
export function normaliseFills(answer: unknown, instrument: Instrument): VenueFill[] | undefined {
  return rowsOf(answer, (row) => {
    const trade = asObject(row);
    const orderId = asCounter(trade?.orderId);
    const side = positionSideOf(trade?.positionSide);
    const realisedPnl = asSignedAmount(trade?.realizedPnl);
    if (trade === undefined || orderId === undefined || trade.symbol !== instrument.symbol) return undefined;
    if (side === undefined || realisedPnl === undefined) return undefined;
    const fill = fillOf({
      tradeId: trade.id,
      venueOrderId: String(orderId) as VenueOrderId,
      price: asAmount(trade.price),
      quantity: asAmount(trade.qty),
      quoteQuantity: asAmount(trade.quoteQty),
      fee: asSignedAmount(trade.commission),
      feeAsset: trade.commissionAsset,
      maker: trade.maker,
      time: trade.time,
    });
    return fill && { ...fill, contract: { realisedPnl, side, ...buyingOf(trade.side), cause: 'trade' } };
  });
}

/**
 * `ORDER_TRADE_UPDATE`: the state after it, and the fill where `t` names one and `l` is above 0. A report with a trade
 * id and an impossible fill is malformed as a whole, and so a reason to reconcile. What the order has executed in quote
 * is its average price times its quantity, which the venue rounds: what is booked are the fills.
 */
export function normaliseOrderUpdate(event: WireObject): OrderEvent | undefined {
  const order = asObject(event.o);
  if (order === undefined) return undefined;
  const executed = asAmount(order.z);
  const average = asAmount(order.ap);
  if (executed === undefined || average === undefined) return undefined;
  const quote = mulDown(executed, average);
  const state = stateOf({
    clientId: order.c,
    orderId: order.i,
    symbol: order.s,
    status: order.X,
    executed,
    executedQuote: quote,
    time: order.T,
  });
  const quantity = asAmount(order.l);
  const tradeId = asCounter(order.t);
  if (state === undefined || quantity === undefined || tradeId === undefined) return undefined;
  if (tradeId === 0 || quantity === ZERO) return { state };
  const fill = streamFill(order, state);
  return fill && { state, fill };
}

function streamFill(order: WireObject, state: VenueOrderState): VenueFill | undefined {
  const price = asAmount(order.L);
  const quantity = asAmount(order.l);
  const side = positionSideOf(order.ps);
  const realisedPnl = asSignedAmount(order.rp);
  if (price === undefined || quantity === undefined || side === undefined || realisedPnl === undefined)
    return undefined;
  // A fee of nothing may go unnamed; contracts are margined in USDT (spec section 8).
  const fee = order.n === null || order.n === undefined ? ZERO : asSignedAmount(order.n);
  const fill = fillOf({
    tradeId: order.t,
    venueOrderId: state.venueOrderId,
    price,
    quantity,
    quoteQuantity: mulDown(price, quantity),
    fee,
    feeAsset: asText(order.N) ?? (fee === ZERO ? 'USDT' : undefined),
    maker: order.m,
    time: order.T,
  });
  return fill && { ...fill, contract: { realisedPnl, side, ...buyingOf(order.S), cause: causeOf(order) } };
}

function buyingOf(side: unknown): { readonly buys?: boolean } {
  return side === 'BUY' || side === 'SELL' ? { buys: side === 'BUY' } : {};
}

/** Orders of the venue's own hand are told by their ids and by `CALCULATED`; a settlement is neither of ours. */
function causeOf({ c, x }: WireObject): 'trade' | 'liquidation' | 'deleveraging' {
  const id = asText(c) ?? '';
  if (id.startsWith('adl_autoclose')) return 'deleveraging';
  if (id.startsWith('settlement_autoclose')) return 'trade';
  return x === 'CALCULATED' || id.startsWith('autoclose-') ? 'liquidation' : 'trade';
}
