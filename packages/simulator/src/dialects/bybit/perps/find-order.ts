import type { AccountNumber, MarketFacts } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import type { OrderChoice } from '../order-choice.ts';
import { algoIdOf, type ContractOrder, ownConditional, ownOrder } from './contract-order.ts';
import { CLOSES, linkIdOf, NO_LINK_ID } from './link-ids.ts';
import { tradedContracts } from './traded.ts';

/** The order on a contract that is meant, open or ended, in one contract or in any. */
export function findContractOrder(
  desk: Desk,
  account: AccountNumber,
  contract: MarketFacts | undefined,
  { orderId, orderLinkId }: OrderChoice,
): ContractOrder | undefined {
  const found =
    orderId !== undefined
      ? findById(desk, account, orderId)
      : orderLinkId !== undefined && !orderLinkId.startsWith(NO_LINK_ID)
        ? findByLinkId(desk, account, orderLinkId)
        : undefined;
  return contract === undefined || found?.symbol === contract.symbol ? found : undefined;
}

function findById(desk: Desk, account: AccountNumber, text: string): ContractOrder | undefined {
  const { perps } = desk.venue;
  const id = desk.numbers.linear.parseOrderId(text);
  if (id === undefined) return undefined;
  const algoId = algoIdOf(id.orderId);
  if (algoId === undefined) {
    const order = perps.perpOrder(account, id.symbol, { orderId: id.orderId });
    // What a conditional order has become is known by the number of that one; what is settled is no order.
    return order?.algoId === undefined && order?.origin !== 'DELISTING' ? order : undefined;
  }
  const stop = perps.conditionals.find(account, { algoId });
  return stop?.sends.symbol === id.symbol ? ownConditional(desk, stop) : undefined;
}

/** Such ids are used once in all contracts together. */
function findByLinkId(desk: Desk, account: AccountNumber, linkId: string): ContractOrder | undefined {
  const { perps } = desk.venue;
  for (const clientId of [linkId, linkId + CLOSES]) {
    const stop = perps.conditionals.find(account, { clientId });
    const found = stop === undefined ? undefined : ownConditional(desk, stop);
    if (found !== undefined && linkIdOf(found) === linkId) return found;
  }
  for (const { symbol } of tradedContracts(desk)) {
    const order = perps.perpOrder(account, symbol, { clientId: linkId });
    const found = order === undefined ? undefined : ownOrder(desk, order);
    if (found !== undefined && linkIdOf(found) === linkId) return found;
  }
  return undefined;
}
