import { ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber, MarketFacts } from '../../../exchange.ts';
import { openAccountType } from '../account-types.ts';
import { readAttachedBags } from '../algos/attached-entries.ts';
import { ORDERS_PER_2_SECONDS } from '../call-limits.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, type Reply, type SignedCall, signedEndpoint } from '../endpoint.ts';
import { ERRORS, type OkxError, parameterError } from '../errors.ts';
import { clOrdIdOf, orderRef, ordIdOf } from '../ids.ts';
import { factsOf } from '../listing.ts';
import type { NamedOrder, OrderChange } from '../orders/order-adapter.ts';
import { lotsOf, readInstrument, ticksOf } from '../orders/order-words.ts';
import { type ParamBag, ParamReader } from '../params.ts';
import { ordersOf } from './adapters.ts';

/** Orders of one batch. */
export const BATCH_MAX = 20;

/** What became of one order of a call; `sCode` 0 is success. */
export interface OrderAck {
  readonly clOrdId: string;
  readonly ordId: string;
  readonly tag?: string;
  readonly reqId?: string;
  readonly ts: string;
  readonly sCode: string;
  readonly sMsg: string;
}

/** Something done to one order: what the call's name says, with one object of its parameters. */
export type OrderAct = (desk: Desk, account: AccountNumber, bag: ParamBag) => Promise<OrderAck>;

type AckNames = Pick<OrderAck, 'clOrdId' | 'ordId' | 'tag' | 'reqId'>;

function ack(desk: Desk, names: AckNames, error?: OkxError): OrderAck {
  const { clOrdId, ordId, ...more } = names;
  const reported = { sCode: error?.code ?? '0', sMsg: error?.msg ?? '' };
  return { clOrdId, ordId, ...more, ts: String(desk.now()), ...reported };
}

/** A text of the request as the answer repeats it, also where the request is refused. */
export function given(bag: ParamBag, name: string): string {
  const value = bag.get(name);
  return typeof value === 'string' ? value.slice(0, 64) : '';
}

/** Places one order. The answer says that it was taken on, never how it executed. */
export const placeOne: OrderAct = async (desk, account, bag) => {
  const reader = new ParamReader(bag);
  const names = { clOrdId: given(bag, 'clOrdId'), ordId: '', tag: given(bag, 'tag') };
  const listed = readInstrument(reader, desk);
  if (listed === undefined) return ack(desk, names, reader.refusal ?? ERRORS.noInstrument);
  const placed = await ordersOf(listed).place(desk, reader, { account, listed });
  return placed.ok ? ack(desk, { ...names, ordId: placed.value }) : ack(desk, names, placed.code);
};

function namedOrder(
  desk: Desk,
  account: AccountNumber,
  reader: ParamReader,
  missing: OkxError,
): Result<NamedOrder, OkxError> {
  const listed = readInstrument(reader, desk);
  const ordId = reader.text('ordId');
  const clOrdId = reader.text('clOrdId');
  if (ordId === undefined && clOrdId === undefined) reader.refuse(ERRORS.noOrderId);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (listed === undefined) return refused(ERRORS.noInstrument);
  const ref = orderRef(listed, { ordId, clOrdId });
  const named = ref === undefined ? undefined : ordersOf(listed).find(desk, { account, listed }, ref);
  return named === undefined ? refused(missing) : ok(named);
}

/** Cancels one order. */
export const cancelOne: OrderAct = async (desk, account, bag) => {
  const names = { clOrdId: given(bag, 'clOrdId'), ordId: given(bag, 'ordId') };
  const named = namedOrder(desk, account, new ParamReader(bag), ERRORS.cancelNotThere);
  if (!named.ok) return ack(desk, names, named.code);
  const { listed, order } = named.value;
  if (!(await ordersOf(listed).cancel(desk, named.value)))
    return ack(desk, names, endedError(desk, named.value, ENDED_AT_CANCEL));
  return ack(desk, { clOrdId: clOrdIdOf(order), ordId: ordIdOf(listed, order.orderId) });
};

interface EndedWords {
  readonly canceled: OkxError;
  readonly filled: OkxError;
}
const ENDED_AT_CANCEL: EndedWords = { canceled: ERRORS.cancelCanceled, filled: ERRORS.cancelFilled };
const ENDED_AT_AMENDMENT: EndedWords = { canceled: ERRORS.amendCanceled, filled: ERRORS.amendFilled };

function endedError(desk: Desk, named: NamedOrder, { canceled, filled }: EndedWords): OkxError {
  const now = ordersOf(named.listed).find(desk, named, { orderId: named.order.orderId }) ?? named;
  return now.order.status === 'FILLED' ? filled : canceled;
}

function readChange(reader: ParamReader, facts: MarketFacts): Result<OrderChange, OkxError> {
  const newPx = reader.decimal('newPx');
  const newSz = reader.decimal('newSz');
  if (newPx === 0n) reader.refuse(parameterError('newPx'));
  if (newSz === 0n) reader.refuse(parameterError('newSz'));
  const attached = readAttachedBags(reader);
  if (newPx === undefined && newSz === undefined && attached === undefined)
    reader.refuse(ERRORS.amendNothing);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const price = newPx === undefined ? ok(undefined) : ticksOf(newPx, facts, 'newPx');
  if (!price.ok) return price;
  const quantity = newSz === undefined ? ok(undefined) : lotsOf(newSz, facts);
  if (!quantity.ok) return quantity;
  return ok({
    ...(price.value === undefined ? {} : { price: price.value }),
    ...(quantity.value === undefined ? {} : { quantity: quantity.value }),
    ...(attached === undefined ? {} : { attached }),
  });
}

/** Changes price, size or both; the order keeps its id. */
export const amendOne: OrderAct = async (desk, account, bag) => {
  const reader = new ParamReader(bag);
  const reqId = given(bag, 'reqId');
  const names = { clOrdId: given(bag, 'clOrdId'), ordId: given(bag, 'ordId'), reqId };
  reader.pattern('reqId', /^[A-Za-z0-9]{1,32}$/);
  const cancels = reader.choice('cxlOnFail', ['true', 'false']) === 'true';
  const named = namedOrder(desk, account, reader, ERRORS.amendNotThere);
  if (!named.ok) return ack(desk, names, named.code);
  const { listed, order } = named.value;
  const change = readChange(reader, factsOf(listed));
  if (!change.ok) return ack(desk, names, change.code);
  const orders = ordersOf(listed);
  desk.orderNotes.beginAmendment(order, reqId);
  const done = await orders
    .amend(desk, named.value, change.value)
    .finally(() => desk.orderNotes.endAmendment(order));
  if (done.ok) return ack(desk, { clOrdId: clOrdIdOf(order), ordId: ordIdOf(listed, order.orderId), reqId });
  if (done.code === 'ENDED') return ack(desk, names, endedError(desk, named.value, ENDED_AT_AMENDMENT));
  if (cancels) await orders.cancel(desk, named.value);
  return ack(desk, names, done.code);
};

const MICROS_PER_MILLI = 1_000;

/**
 * The envelope of some orders' answers: code 0 when all succeeded, 1 when all failed, 2 when some did.
 * @param receivedAt moment at which the call arrived.
 */
export function replyOf(desk: Desk, acks: readonly OrderAck[], receivedAt: number): Reply {
  const failed = acks.filter((one) => one.sCode !== '0').length;
  const times = {
    inTime: String(receivedAt * MICROS_PER_MILLI),
    outTime: String(desk.now() * MICROS_PER_MILLI),
  };
  if (failed === 0) return { code: '0', msg: '', data: acks, times };
  if (failed === acks.length) {
    return {
      code: '1',
      msg: acks.length === 1 ? 'Operation failed.' : 'All operations failed',
      data: acks,
      times,
    };
  }
  return { code: '2', msg: 'Bulk operation partially succeeded.', data: acks, times };
}

/** Does one thing to every order of a list, in its order. */
export async function actOnAll(
  desk: Desk,
  account: AccountNumber,
  bags: readonly ParamBag[],
  act: OrderAct,
): Promise<Answer> {
  if (bags.length === 0) return refused(ERRORS.emptyBody);
  if (bags.length > BATCH_MAX) return refused(ERRORS.batchTooLong);
  const receivedAt = desk.now();
  const accountType = await openAccountType(desk, account, '18');
  const acks: OrderAck[] = [];
  for (const bag of bags) acks.push(await act(desk, accountType, bag));
  return ok(replyOf(desk, acks, receivedAt));
}

function single(act: OrderAct): (call: SignedCall) => Promise<Answer> {
  return ({ desk, account, bags }) =>
    bags.length === 1 ? actOnAll(desk, account, bags, act) : Promise.resolve(refused(ERRORS.badJson));
}

function batch(act: OrderAct): (call: SignedCall) => Promise<Answer> {
  return ({ desk, account, bags }) => actOnAll(desk, account, bags, act);
}

const PER_2_SECONDS = ORDERS_PER_2_SECONDS;

/** Placing, cancelling and amending. Fault plans match `order.place`, `order.cancel`, `order.amend`, single and in batches. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('order.place POST /api/v5/trade/order', PER_2_SECONDS.single, single(placeOne)),
  signedEndpoint('order.place.batch POST /api/v5/trade/batch-orders', PER_2_SECONDS.batch, batch(placeOne)),
  signedEndpoint('order.cancel POST /api/v5/trade/cancel-order', PER_2_SECONDS.single, single(cancelOne)),
  signedEndpoint(
    'order.cancel.batch POST /api/v5/trade/cancel-batch-orders',
    PER_2_SECONDS.batch,
    batch(cancelOne),
  ),
  signedEndpoint('order.amend POST /api/v5/trade/amend-order', PER_2_SECONDS.single, single(amendOne)),
  signedEndpoint(
    'order.amend.batch POST /api/v5/trade/amend-batch-orders',
    PER_2_SECONDS.batch,
    batch(amendOne),
  ),
];
