import { type Amount, divDown, floorTo, lesser, mulDown } from '../amount.ts';
import { notionalUp } from '../instrument.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from '../order.ts';
import { largestQuantity, type OrderMarket, type OrderRequest, type OrderTerms } from './order-request.ts';

/*
 * What a spot order holds. All venues take their spot fee from what is received, so nothing is held on top: a fill at the
 * limit or better never costs more of the held asset than price times quantity. Contracts hold margin by rules of their
 * own: those are another file, chosen by the symbol type.
 */

/**
 * What an order holds and how it is sent; `undefined` while its size or price is not known.
 * A sell holds its quantity, a buy by amount the amount, any other buy its highest price times its quantity.
 */
export function spotTerms(request: OrderRequest, market: OrderMarket): OrderTerms | undefined {
  const { instrument, side, price, quantity, quoteQuantity } = request;
  const asSent = { sendType: request.type, sendTimeInForce: request.timeInForce };
  const sendPrice = price === undefined ? {} : { sendPrice: price };
  if (side === SIDE.SELL) {
    if (quantity === undefined) return undefined;
    return { ...asSent, ...sendPrice, holdAsset: instrument.base, holdAmount: quantity };
  }
  if (quoteQuantity !== undefined) {
    return { ...asSent, holdAsset: instrument.quote, holdAmount: quoteQuantity };
  }
  const bound = buyPriceMax(request, market);
  if (quantity === undefined || bound === undefined) return undefined;
  const bounded = { sendType: ORDER_TYPE.LIMIT, sendTimeInForce: TIME_IN_FORCE.IOC, sendPrice: bound };
  return {
    ...(price === undefined ? bounded : { ...asSent, ...sendPrice }),
    holdAsset: instrument.quote,
    holdAmount: notionalUp(bound, quantity),
  };
}

/**
 * The largest base quantity that `available` of the held asset covers, in whole lots; the inverse of `spotTerms`.
 * `undefined` while its price is not known.
 */
export function largestSpotQuantity(
  request: OrderRequest,
  market: OrderMarket,
  available: Amount,
): Amount | undefined {
  const { instrument, side, type } = request;
  const most = largestQuantity(type, instrument);
  if (side === SIDE.SELL) return floorTo(lesser(available, most), instrument.lotSize);
  const price = buyPriceMax(request, market);
  if (price === undefined || price <= 0n) return undefined;
  return floorTo(lesser(divDown(available, price), most), instrument.lotSize);
}

/**
 * The highest price a buy may pay. A market buy by quantity has none of its own, so it goes out as a limit this far above
 * the best ask: wide enough for a moving market, inside the venue's price band, and its hold is exact.
 */
function buyPriceMax(request: OrderRequest, { bestAsk, offer }: OrderMarket): Amount | undefined {
  const { tickSize, maxPrice } = request.instrument;
  if (request.type !== ORDER_TYPE.MARKET) return request.price;
  if (bestAsk === undefined) return undefined;
  return lesser(floorTo(mulDown(bestAsk, offer.marketBuyBound), tickSize), maxPrice);
}
