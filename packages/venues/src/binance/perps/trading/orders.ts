import { formatAmount, ORDER_TYPE, POSITION_SIDE, SIDE, TIME_IN_FORCE, ZERO } from '@crossbook/domain';
import { afterAmendment } from '../../../trading/amendments.ts';
import { notExpressible, reasonOf } from '../../../trading/call-answers.ts';
import { classOf, closesItsLeg, fitsItsMode } from '../../../trading/contract-terms.ts';
import { isAbout } from '../../../trading/order-name.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import { ofEach } from '../../../trading/several-cancels.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { ContractOrderTerms } from '../../../venue-contracts.ts';
import type { AmendOutcome, OrderAmendment, SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { asArray } from '../../../wire/guards.ts';
import { answerOfItem, refusalOf } from '../../account/answers.ts';
import type { Asking, Called } from '../../account/calls.ts';
import { NO_SUCH_ORDER, NOTHING_TO_CHANGE } from '../../account/errors.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ordersIn, termsOf } from '../../account/order-calls.ts';
import type { CallParameters } from '../../account/sign.ts';
import { normaliseFills, normaliseOrder, SIDE_NAMES } from './normalise.ts';

const ORDER = { path: '/fapi/v1/order', weight: 1 };

/**
 * Orders on USD-M contracts, by REST. One list of all symbols weighs 40, one of a single symbol 1; the list of fills
 * gives the seven days that follow its beginning.
 */
export const CONTRACT_ORDERS: OrderRoom<Asking> = {
  place: placeOrder,
  placeSeveral,
  amend: amendOrder,
  ...ordersIn({
    market: 'SWAP',
    cancel: ORDER,
    cancelSeveral: { path: '/fapi/v1/batchOrders', weight: 1 },
    query: ORDER,
    open: { path: '/fapi/v1/openOrders', weight: 1 },
    openOfAllWeight: 40,
    order: normaliseOrder,
    cancelled: normaliseOrder,
  }),
  ...fillsIn({
    market: 'SWAP',
    list: { path: '/fapi/v1/userTrades' },
    weights: { ofOrder: 5, ofInstrument: 5 },
    windowMillisMax: 7 * 86_400_000,
    read: normaliseFills,
  }),
};

/**
 * Puts one order to the venue, once. The answer tells what the order met at once in figures but not in fills, which
 * come by the stream or by a query.
 */
async function placeOrder(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueOrderRequest,
): Promise<SendOutcome> {
  const parameters = orderParameters(request);
  if (parameters === undefined)
    return notExpressible('order lacks a price or a quantity, or its position side does not fit the mode');
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...ORDER,
    market: 'SWAP',
    method: 'POST',
    places: 1,
    requestClass: classOf([request]),
    parameters,
  });
  return placedBy(request, { answer, deadlineAt });
}

/** What the answer says of an order that was to be placed. */
function placedBy(request: VenueOrderRequest, { answer, deadlineAt }: Called): SendOutcome {
  if (answer.kind !== 'result')
    return refusalOf(answer, 'SWAP') ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const state = normaliseOrder(answer.value);
  if (state === undefined) return { outcome: 'unknown', why: 'unreadable placement', deadlineAt };
  if (!isAbout(state, request.instrument, request))
    return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
  if (request.quantity !== undefined && state.cumulativeQuantity > request.quantity)
    return { outcome: 'unknown', why: 'more than was asked for', deadlineAt };
  const accepted = { outcome: 'accepted', state, fills: [] } as const;
  return state.cumulativeQuantity === ZERO ? accepted : { ...accepted, receiptOnly: true };
}

/** A call that places several counts as five orders, however many it names (USD-M, "Place Multiple Orders"). */
const SEVERAL = { path: '/fapi/v1/batchOrders', weight: 5, places: 5 } as const;

/** Places several with one call: its answer has an order or an error for each, in the order of the request. */
async function placeSeveral(
  calls: Asking,
  credentials: VenueCredentials,
  requests: readonly VenueOrderRequest[],
): Promise<readonly SendOutcome[]> {
  const written = requests.map(orderParameters).filter((one) => one !== undefined);
  if (written.length < requests.length)
    return Promise.all(requests.map((request) => placeOrder(calls, credentials, request)));
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...{ ...SEVERAL, market: 'SWAP', method: 'POST', requestClass: classOf(requests) },
    parameters: { batchOrders: JSON.stringify(written.map(asTexts)) },
  });
  if (answer.kind !== 'result') return requests.map((request) => placedBy(request, { answer, deadlineAt }));
  const rows = asArray(answer.value);
  if (rows?.length !== requests.length)
    return ofEach(requests, { outcome: 'unknown', why: 'unreadable answer', deadlineAt });
  return requests.map((request, at) => placedBy(request, { answer: answerOfItem(rows[at]), deadlineAt }));
}

/** The parameters of one order among several: all of them are texts there. */
function asTexts(parameters: CallParameters): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/**
 * Changes one order under its own id. A new price that a post-only order would take at, and a quantity that has executed
 * already, cancel it (Modify Order of the futures' documents, 2026-07).
 */
async function amendOrder(
  calls: Asking,
  credentials: VenueCredentials,
  amendment: OrderAmendment,
): Promise<AmendOutcome> {
  const { instrument, clientId, side, price, quantity } = amendment;
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...{ ...ORDER, market: 'SWAP', method: 'PUT', places: 1 },
    requestClass: classOf([amendment]),
    parameters: {
      ...{ symbol: instrument.symbol, origClientOrderId: clientId, side: side === SIDE.BUY ? 'BUY' : 'SELL' },
      ...{ quantity: formatAmount(quantity), price: formatAmount(price) },
    },
  });
  if (answer.kind === 'error' && answer.error.status < 500) {
    if (answer.error.code === NO_SUCH_ORDER) return { outcome: 'gone' };
    if (answer.error.code === NOTHING_TO_CHANGE) {
      const found = await CONTRACT_ORDERS.findTerms(calls, credentials, instrument, { clientId });
      return afterAmendment(found, amendment, deadlineAt);
    }
  }
  if (answer.kind !== 'result')
    return refusalOf(answer, 'SWAP') ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const value = termsOf(normaliseOrder, answer.value);
  return value !== undefined && isAbout(value.state, instrument, { clientId })
    ? afterAmendment({ outcome: 'found', value }, amendment, deadlineAt)
    : { outcome: 'unknown', why: 'unreadable amendment', deadlineAt };
}

function orderParameters({
  contract,
  price,
  quantity,
  ...request
}: VenueOrderRequest): CallParameters | undefined {
  const position = contract && positionParameters(contract, request.side);
  if (position === undefined || quantity === undefined || request.attached !== undefined) return undefined;
  const common = {
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'BUY' : 'SELL',
    ...position,
    quantity: formatAmount(quantity),
    newClientOrderId: request.clientId,
    newOrderRespType: 'RESULT',
  };
  if (request.type === ORDER_TYPE.MARKET) return { ...common, type: 'MARKET' };
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined) return undefined;
  const timeInForce = TIMES_IN_FORCE[request.timeInForce];
  return { ...common, type: 'LIMIT', timeInForce, price: formatAmount(price) };
}

/**
 * In hedge mode the side of the position says it all, and `reduceOnly` beside it is refused (-1106): a closing order
 * sells a long leg or buys a short one. In one-way mode the venue takes no side of a position.
 */
export function positionParameters(
  contract: ContractOrderTerms,
  orderSide: VenueOrderRequest['side'],
): CallParameters | undefined {
  if (!fitsItsMode(contract) || (contract.reduceOnly && !closesItsLeg(contract, orderSide))) return undefined;
  const positionSide = SIDE_NAMES[contract.side];
  return contract.side === POSITION_SIDE.NET && contract.reduceOnly
    ? { positionSide, reduceOnly: true }
    : { positionSide };
}

/** How the venue calls the times in force. */
export const TIMES_IN_FORCE = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
  [TIME_IN_FORCE.POST_ONLY]: 'GTX',
} as const;
