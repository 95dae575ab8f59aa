import type { AccountNumber, MarketFacts, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';

/** Which order a call is about. The venue's id goes before the client's. */
export interface OrderChoice {
  readonly orderId: string | undefined;
  readonly orderLinkId: string | undefined;
}

/** Reads the ids. `needed`: one of them must be there. */
export function readOrderChoice(reader: ParamReader, needed: boolean): OrderChoice {
  const orderId = reader.text('orderId');
  const orderLinkId = reader.text('orderLinkId');
  if (needed && orderId === undefined && orderLinkId === undefined) {
    reader.refuse(missing('orderId or orderLinkId'));
  }
  return { orderId, orderLinkId };
}

/** Whether the choice names an order at all. */
export function namesOrder(choice: OrderChoice): boolean {
  return choice.orderId !== undefined || choice.orderLinkId !== undefined;
}

/** The order that is meant, open or ended, in one market or in any. */
export function findOrder(
  desk: Desk,
  account: AccountNumber,
  market: MarketFacts | undefined,
  choice: OrderChoice,
): SimOrder | undefined {
  if (choice.orderId !== undefined) return findById(desk, account, market, choice.orderId);
  return choice.orderLinkId === undefined
    ? undefined
    : findByLinkId(desk, account, choice.orderLinkId, market);
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
