import type { AccountNumber, MarketFacts } from '../../../exchange.ts';
import type { PerpOrder } from '../../../perp-exchange.ts';
import type { Desk } from '../endpoint.ts';
import type { OrderChoice } from '../order-choice.ts';
import { NO_LINK_ID } from './link-ids.ts';
import { tradedContracts } from './traded.ts';

/** The order on a contract that is meant, open or ended, in one contract or in any. */
export function findContractOrder(
  desk: Desk,
  account: AccountNumber,
  contract: MarketFacts | undefined,
  { orderId: text, orderLinkId: clientId }: OrderChoice,
): PerpOrder | undefined {
  const { perps } = desk.venue;
  if (text !== undefined) {
    const id = desk.numbers.linear.parseOrderId(text);
    if (id === undefined || (contract !== undefined && contract.symbol !== id.symbol)) return undefined;
    return perps.perpOrder(account, id.symbol, { orderId: id.orderId });
  }
  if (clientId === undefined || clientId.startsWith(NO_LINK_ID)) return undefined;
  for (const { symbol } of contract === undefined ? tradedContracts(desk) : [contract]) {
    const order = perps.perpOrder(account, symbol, { clientId });
    if (order !== undefined && order.origin === 'MEMBER') return order;
  }
  return undefined;
}
