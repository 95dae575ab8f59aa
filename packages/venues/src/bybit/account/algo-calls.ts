import {
  type AlgoPlan,
  formatAmount,
  type Instrument,
  isFinalAlgo,
  ORDER_TYPE,
  ok,
  SIDE,
  type SymbolType,
  type TriggerBy,
  type VenueAlgoState,
  type VenueOrderId,
} from '@crossbook/domain';
import type { LimitScope } from '../../arbiter/limit-scope.ts';
import { reasonOf } from '../../trading/call-answers.ts';
import { classOf } from '../../trading/contract-terms.ts';
import { LOCAL_CODES } from '../../trading/local-codes.ts';
import type {
  AlgoChange,
  AlgoChangeOutcome,
  AlgoKey,
  AlgoSendOutcome,
  AttachedTo,
  FoundAlgo,
  ListedAlgo,
  VenueAlgoRequest,
  VenueAlgos,
} from '../../venue-algos.ts';
import type { FindOutcome, VenueCredentials, VenueRead } from '../../venue-answers.ts';
import type { OrderName, VenueOrderRequest } from '../../venue-orders.ts';
import { asObject, asText } from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { isAlgo, normaliseAlgo, normaliseFound, normaliseListed } from './algo-shapes.ts';
import { type CallAnswer, refusalOf } from './answers.ts';
import type { Asking, Call } from './calls.ts';
import { isGone, isUnchanged } from './errors.ts';
import { lookUp } from './order-lookup.ts';
import type { OrderShape } from './order-shapes.ts';
import { readPages } from './pages.ts';

const ORDERS_PER_PAGE = 50;
/** So far back a list may begin that names no end (order/order-list, 2026-07-24). */
const HISTORY_MILLIS = 7 * 86_400_000;

/** What an order that waits says of the price, by either market. */
export interface AlgoTrigger {
  readonly price: string;
  readonly by: TriggerBy;
  /** Whether the price has to rise to it. */
  readonly rises: boolean;
}

/** How orders that wait are written in one type of market. */
export interface AlgoWords {
  readonly category: OrderShape['category'];
  readonly limits: { readonly place: LimitScope; readonly cancel: LimitScope };
  /** What names them beside their category in cancels. */
  readonly named: Call['parameters'];
  /** What a list of the whole category wants besides. */
  readonly list: Call['parameters'];
  /** @param order what it sends. `undefined` where that cannot be written. */
  parameters(
    order: VenueOrderRequest,
    trigger: AlgoTrigger,
    request: VenueAlgoRequest,
  ): Call['parameters'] | undefined;
}

/** Orders that wait for a price, on pairs and contracts. */
export function bybitAlgos(calls: Asking, words: Readonly<Record<SymbolType, AlgoWords>>): VenueAlgos {
  const of = ({ symbolType }: Instrument): AlgoWords => words[symbolType];
  return {
    place: (credentials, request) => place(of(request.instrument), calls, credentials, request),
    amend: (credentials, key, change) => amend(of(key.instrument), calls, credentials, { key, change }),
    cancel: (credentials, key) => cancel(of(key.instrument), calls, credentials, key),
    find: (credentials, key) => find(of(key.instrument), calls, credentials, key),
    attached: (credentials, parent) => attached(of(parent.instrument), calls, credentials, parent),
    async waiting(credentials, instruments) {
      const all: ListedAlgo[] = [];
      for (const symbolType of ['SPOT', 'SWAP'] as const) {
        const symbols = instruments
          .filter((one) => one.symbolType === symbolType)
          .map(({ symbol }) => symbol);
        if (symbols.length === 0) continue;
        const states = await waiting(words[symbolType], calls, credentials);
        if (!states.ok) return states;
        all.push(...states.value.filter(({ symbol }) => symbols.includes(symbol)));
      }
      return ok(all);
    },
  };
}

/** A stop goes with the price that runs away, a take-profit with the one that comes. */
function triggerOf(plan: AlgoPlan, side: VenueAlgoRequest['side']): AlgoTrigger | undefined {
  if (plan.kind !== 'stop' && plan.kind !== 'take-profit') return undefined;
  const { trigger } = plan.leg;
  if (trigger === undefined) return undefined;
  const rises = (plan.kind === 'stop') === (side === SIDE.BUY);
  return { price: formatAmount(trigger.price), by: trigger.by, rises };
}

function writtenOf(words: AlgoWords, request: VenueAlgoRequest): Call['parameters'] | undefined {
  const { clientId, instrument, side, plan, quantity, timeInForce, contract } = request;
  const trigger = triggerOf(plan, side);
  const limit = 'leg' in plan ? plan.leg.limit : undefined;
  if (trigger === undefined || (request.whole === true) === (quantity !== undefined)) return undefined;
  const order: VenueOrderRequest = {
    ...{ clientId, instrument, side, timeInForce },
    ...(limit === undefined ? { type: ORDER_TYPE.MARKET } : { type: ORDER_TYPE.LIMIT, price: limit }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(contract === undefined ? {} : { contract }),
  };
  return words.parameters(order, trigger, request);
}

/** Puts one to the venue, once. The answer only acknowledges it. */
async function place(
  words: AlgoWords,
  ...[calls, credentials, request]: [Asking, VenueCredentials, VenueAlgoRequest]
): Promise<AlgoSendOutcome> {
  const parameters = writtenOf(words, request);
  if (parameters === undefined) {
    const message = 'the venue has no such order: its kind, a price or a quantity is missing';
    return { outcome: 'refused', venueCode: LOCAL_CODES.notExpressible, message };
  }
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/create',
    op: 'order.create',
    requestClass: classOf([request]),
    limit: words.limits.place,
    parameters,
  });
  if (answer.kind !== 'result')
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const venueAlgoId = asText(answer.value.orderId);
  if (venueAlgoId === undefined || answer.value.orderLinkId !== request.clientId)
    return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
  const { clientId, instrument } = request;
  const state: VenueAlgoState = {
    ...{ clientId, venueAlgoId: venueAlgoId as VenueOrderId, symbol: instrument.symbol, status: 'waiting' },
    time: calls.venueClock.now(),
  };
  return { outcome: 'accepted', state };
}

/** How one is named: by the venue's id where it is known, since what it attached itself has none of ours. */
function nameOf({ clientId, venueAlgoId }: AlgoKey): OrderName {
  return venueAlgoId === undefined ? { clientId } : { venueOrderId: venueAlgoId };
}

function idOf(key: AlgoKey): Call['parameters'] {
  const name = nameOf(key);
  return 'clientId' in name ? { orderLinkId: name.clientId } : { orderId: name.venueOrderId };
}

/** New values of its one leg; what stays is not said. */
async function amend(
  words: AlgoWords,
  ...[calls, credentials, { key, change }]: [
    Asking,
    VenueCredentials,
    { readonly key: AlgoKey; readonly change: AlgoChange },
  ]
): Promise<AlgoChangeOutcome> {
  const leg = key.kind === 'take-profit' ? change.takeProfit : change.stopLoss;
  const { quantity } = change;
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/amend',
    op: 'order.amend',
    requestClass: 'order',
    limit: ACCOUNT_CALLS.amend,
    parameters: {
      ...{ category: words.category, symbol: key.instrument.symbol, ...idOf(key) },
      ...(quantity === undefined ? {} : { qty: formatAmount(quantity) }),
      ...(leg?.limit === undefined ? {} : { price: formatAmount(leg.limit) }),
      ...(leg?.trigger === undefined ? {} : { triggerPrice: formatAmount(leg.trigger) }),
    },
  });
  // What is so already is done.
  if (answer.kind === 'error' && isUnchanged(answer.error)) return { outcome: 'done' };
  return failureOf(answer) ?? { outcome: 'done' };
}

/** Why a change was not taken, or that it may have been. */
function failureOf(answer: CallAnswer): AlgoChangeOutcome | undefined {
  if (answer.kind === 'error' && isGone(answer.error)) return { outcome: 'gone' };
  if (answer.kind === 'result') return undefined;
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

/** The answer only acknowledges the request, so that it is looked at once. */
async function cancel(
  words: AlgoWords,
  ...[calls, credentials, key]: [Asking, VenueCredentials, AlgoKey]
): Promise<AlgoChangeOutcome> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/cancel',
    op: 'order.cancel',
    requestClass: 'cancel',
    limit: words.limits.cancel,
    parameters: {
      ...{ category: words.category, symbol: key.instrument.symbol, ...idOf(key) },
      ...words.named,
    },
  });
  const failure = failureOf(answer);
  if (failure !== undefined) return failure;
  const found = await find(words, calls, credentials, key);
  if (found.outcome !== 'found' || !isFinalAlgo(found.value.status))
    return { outcome: 'unknown', why: 'cancel acknowledged, not yet seen done' };
  return { outcome: found.value.status === 'cancelled' ? 'done' : 'gone' };
}

function find(
  { category }: AlgoWords,
  ...[calls, credentials, key]: [Asking, VenueCredentials, AlgoKey]
): Promise<FindOutcome<FoundAlgo>> {
  const { instrument, clientId } = key;
  const name = nameOf(key);
  return lookUp(calls, credentials, {
    ...{ category, instrument, name },
    read: normaliseFound,
    isAbout: (state) =>
      state.symbol === instrument.symbol &&
      ('clientId' in name ? state.clientId === clientId : state.venueAlgoId === name.venueOrderId),
  });
}

/** All that wait or fire in one category, those that the hub did not place among them. */
async function waiting(
  words: AlgoWords,
  calls: Asking,
  credentials: VenueCredentials,
): Promise<VenueRead<readonly ListedAlgo[]>> {
  const rows = await readPages(calls, credentials, {
    path: '/v5/order/realtime',
    requestClass: 'reconciliation',
    parameters: { ...{ category: words.category, openOnly: 0, limit: ORDERS_PER_PAGE }, ...words.list },
    read: (list) => {
      const all = rowsOf(list, asObject);
      return all === undefined ? undefined : rowsOf(all.filter(isAlgo), normaliseListed);
    },
  });
  return rows.ok ? ok(rows.value.filter(({ status }) => !isFinalAlgo(status))) : rows;
}

/** Those that name the order, among the open ones and in the history since it was made. */
async function attached(
  { category }: AlgoWords,
  ...[calls, credentials, { instrument, clientId, since }]: [Asking, VenueCredentials, AttachedTo]
): Promise<VenueRead<readonly VenueAlgoState[]>> {
  const { symbol } = instrument;
  const found = new Map<VenueOrderId, VenueAlgoState>();
  const startTime = Math.max(since, calls.venueClock.now() - HISTORY_MILLIS);
  // The history last: what ends between the two questions is then in the second answer.
  for (const [path, more] of [
    ['/v5/order/realtime', { openOnly: 0 }],
    ['/v5/order/history', { startTime }],
  ] as const) {
    const rows = await readPages(calls, credentials, {
      ...{ path, requestClass: 'lookup' },
      parameters: { ...{ category, symbol, limit: ORDERS_PER_PAGE }, ...more },
      read: (list) => {
        const all = rowsOf(list, asObject);
        return all === undefined ? undefined : rowsOf(all.filter(isAlgo), normaliseAlgo);
      },
    });
    if (!rows.ok) return rows;
    for (const state of rows.value) if (state.parent === clientId) found.set(state.venueAlgoId, state);
  }
  return ok([...found.values()]);
}
