import {
  type Instrument,
  ok,
  type Result,
  type SymbolType,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import { reasonOf } from '../../trading/call-answers.ts';
import { isAbout } from '../../trading/order-name.ts';
import type { OrderRoom } from '../../trading/order-room.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type { CancelOutcome, OrderName, OrderTerms } from '../../venue-orders.ts';
import { asArray, asObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { answerOfItem, type CallAnswer, refusalOf } from './answers.ts';
import { type Asking, type Call, readCall } from './calls.ts';
import { CANCEL_REJECTED, NO_SUCH_ORDER } from './errors.ts';
import type { CallParameters } from './sign.ts';

/** How a call is reached and what it weighs. */
export type CallFacts = Pick<Call, 'socketMethod' | 'path' | 'weight' | 'freeWhenDone'>;

/** How orders of one type of market are cancelled and asked about, and how its answers are read. */
export interface OrderWords {
  readonly market: SymbolType;
  readonly cancel: CallFacts;
  /** Several of one symbol by one call; absent where there is none by ids. */
  readonly cancelSeveral?: CallFacts;
  readonly query: CallFacts;
  /** Of one symbol; the list of all of them weighs `openOfAllWeight`. */
  readonly open: CallFacts;
  readonly openOfAllWeight: number;
  order(answer: unknown): VenueOrderState | undefined;
  /** Whether a row of the list is an algo order that waits, which is no open order yet. @param rows all of the list. */
  waits?(row: unknown, rows: readonly unknown[]): boolean;
  /** The answer of a cancel of the order that is named. */
  cancelled(answer: unknown, name: OrderName): VenueOrderState | undefined;
}

/** What is asked of orders that the venue may have. */
export function ordersIn(
  words: OrderWords,
): Pick<OrderRoom<Asking>, 'cancel' | 'cancelSeveral' | 'findTerms' | 'openOrders'> {
  const { cancelSeveral } = words;
  return {
    cancel: (...asked) => cancelOrder(words, ...asked),
    ...(cancelSeveral && { cancelSeveral: (...asked) => cancelWith(words, cancelSeveral, ...asked) }),
    findTerms: (...asked) => findOrder(words, ...asked),
    openOrders: (...asked) => listOpenOrders(words, ...asked),
  };
}

/** Cancels by our id or the venue's. -2011 means only that no such order is open: it may just have filled. */
async function cancelOrder(
  { market, cancel, cancelled }: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    ...cancel,
    market,
    method: 'DELETE',
    requestClass: 'cancel',
    parameters: { symbol: instrument.symbol, ...namedBy(name) },
  });
  if (answer.kind === 'result') {
    const state = cancelled(answer.value, name);
    return state !== undefined && isAbout(state, instrument, name)
      ? { outcome: 'cancelled', state }
      : { outcome: 'unknown', why: 'unreadable cancel answer' };
  }
  return notCancelled(answer, market);
}

function notCancelled(answer: CallAnswer, market: SymbolType): CancelOutcome {
  if (answer.kind === 'error' && answer.error.code === CANCEL_REJECTED && answer.error.status < 500)
    return { outcome: 'gone' };
  return refusalOf(answer, market) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

/** Cancels several with a call, which takes ids of one kind: whose id is not ours is cancelled beside it, each alone. */
async function cancelWith(
  words: OrderWords,
  call: CallFacts,
  ...[calls, credentials, instrument, names]: [Asking, VenueCredentials, Instrument, readonly OrderName[]]
): Promise<readonly CancelOutcome[]> {
  const { market, cancelled } = words;
  const ours = names.flatMap((name) => ('clientId' in name ? [name.clientId] : []));
  if (ours.length === 0)
    return Promise.all(names.map((name) => cancelOrder(words, calls, credentials, instrument, name)));
  const asked = calls.send(credentials, {
    ...{ ...call, market, method: 'DELETE', requestClass: 'cancel' },
    parameters: { symbol: instrument.symbol, origClientOrderIdList: JSON.stringify(ours) },
  });
  return Promise.all(
    names.map(async (name): Promise<CancelOutcome> => {
      if (!('clientId' in name)) return cancelOrder(words, calls, credentials, instrument, name);
      const { answer } = await asked;
      if (answer.kind !== 'result') return notCancelled(answer, market);
      const rows = asArray(answer.value) ?? [];
      const states = rows.map((row) => cancelled(row, name));
      const state = states.find((one) => one !== undefined && isAbout(one, instrument, name));
      if (state !== undefined) return { outcome: 'cancelled', state };
      // A row of an order that was not cancelled has no name: it stands at the place of its id.
      const row = rows.length === ours.length ? rows[ours.indexOf(name.clientId)] : undefined;
      const said = answerOfItem(row);
      return said.kind === 'result'
        ? { outcome: 'unknown', why: 'unreadable cancel answer' }
        : notCancelled(said, market);
    }),
  );
}

function namedBy(name: OrderName): CallParameters {
  return 'clientId' in name ? { origClientOrderId: name.clientId } : { orderId: Number(name.venueOrderId) };
}

/** Looks one order up by our id or the venue's. */
async function findOrder(
  { market, query, order }: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<FindOutcome<OrderTerms>> {
  const { answer } = await calls.send(credentials, {
    ...query,
    market,
    method: 'GET',
    requestClass: 'lookup',
    parameters: { symbol: instrument.symbol, ...namedBy(name) },
  });
  if (answer.kind === 'result') {
    const value = termsOf(order, answer.value);
    return value !== undefined && isAbout(value.state, instrument, name)
      ? { outcome: 'found', value }
      : { outcome: 'unknown', why: 'unreadable order' };
  }
  if (answer.kind === 'error' && answer.error.code === NO_SUCH_ORDER && answer.error.status < 500)
    return { outcome: 'not-found' };
  return { outcome: 'unknown', why: reasonOf(answer) };
}

/** An order and what it asks for; a market order's price is 0. */
export function termsOf(order: OrderWords['order'], answer: unknown): OrderTerms | undefined {
  const state = order(answer);
  const row = asObject(answer);
  const price = asAmount(row?.price) ?? ZERO;
  const quantity = asAmount(row?.origQty);
  return (
    state && {
      state,
      ...(price === ZERO ? {} : { price }),
      ...(quantity === undefined ? {} : { quantity }),
    }
  );
}

/** Open orders of some instruments, in one call where that weighs less. Orders not placed by the hub are in it too. */
async function listOpenOrders(
  { market, open, openOfAllWeight, order, waits }: OrderWords,
  ...[calls, credentials, instruments]: [Asking, VenueCredentials, readonly Instrument[]]
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const read = (weight: number, parameters: CallParameters) => {
    const list = { ...open, weight, market, method: 'GET', requestClass: 'reconciliation' } as const;
    return readCall(calls, credentials, { ...list, parameters }, (answer) => {
      const all = asArray(answer) ?? [];
      const rows = rowsOf(answer, (row) => order(row) && { state: order(row), waits: waits?.(row, all) });
      return rows?.flatMap((row) => (row.waits === true ? [] : (row.state ?? [])));
    });
  };
  if (instruments.length * open.weight > openOfAllWeight) {
    const orders = await read(openOfAllWeight, {});
    if (!orders.ok) return orders;
    const wanted = new Set(instruments.map((instrument) => instrument.symbol));
    return ok(orders.value.filter(({ symbol }) => wanted.has(symbol)));
  }
  const found: VenueOrderState[] = [];
  for (const { symbol } of instruments) {
    const orders = await read(open.weight, { symbol });
    if (!orders.ok) return orders;
    found.push(...orders.value);
  }
  return ok(found);
}
