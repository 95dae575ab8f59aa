import type { AccountNumber, MarketFacts, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import type { OrderChoice } from '../order-choice.ts';
import { isDormant } from './attached.ts';

/** The order that is meant, open or ended, in one market or in any. */
export function findOrder(
  desk: Desk,
  account: AccountNumber,
  market: MarketFacts | undefined,
  choice: OrderChoice,
): SimOrder | undefined {
  const { orderId, orderLinkId } = choice;
  if (orderId === undefined)
    return orderLinkId === undefined ? undefined : findByLinkId(desk, account, orderLinkId, market);
  const found = findById(desk, account, market, orderId);
  return found === undefined || isDormant(desk, found) ? undefined : found;
}

function findById(
  desk: Desk,
  account: AccountNumber,
  market: MarketFacts | undefined,
  text: string,
): SimOrder | undefined {
  const id = desk.numbers.spot.parseOrderId(text);
  if (id === undefined || (market !== undefined && market.symbol !== id.symbol)) return undefined;
  return desk.venue.spot.order(account, id.symbol, { orderId: id.orderId });
}

/** The newest order under a client's id; such ids are used once in all markets together. */
export function findByLinkId(
  desk: Desk,
  account: AccountNumber,
  clientId: string,
  market?: MarketFacts,
): SimOrder | undefined {
  const symbols = market === undefined ? desk.venue.spot.markets.keys() : [market.symbol];
  for (const symbol of symbols) {
    const order = desk.venue.spot.order(account, symbol, { clientId });
    if (order !== undefined) return order;
  }
  return undefined;
}
