import type { CallInput, CallResponse, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS, platformFacts } from '@crossbook/domain';
import { text } from '../../i18n/i18n.ts';
import type { CallResult } from '../../wire/api-client.ts';
import { newClientId } from '../app/clock.ts';
import { notify } from '../app/notices.ts';
import { call, refusalKey } from '../member/own-service.ts';
import { sayIfUnknown } from '../member/unknown-answer.ts';
import { applyOrder, loadOpenOrders, rememberAsked, whatOf } from './orders.ts';

/** What a new order needs; the idempotency key is added here. */
export type OrderInput = Omit<CallInput<'connextrade/PlaceOrder'>, 'clientId'>;

/**
 * Places an order. No usable answer means the outcome is unknown, and the member is told so. Sending again is safe under the
 * same `clientId` only.
 * @param onUnknown told when it is, which may be before the answer comes after all.
 */
export async function placeOrder(
  input: OrderInput,
  clientId: string = newClientId(),
  onUnknown?: () => void,
): Promise<CallResult<CallResponse<'connextrade/PlaceOrder'>>> {
  const asked = call('connextrade/PlaceOrder', { ...input, clientId });
  const answer = await sayIfUnknown(asked, { key: clientId, id: 'order.unknown', onUnknown });
  if (answer.ok) {
    const { orderId, status, symbol } = answer.data;
    // The answer to the click, said beside what becomes of the order: a market order is often filled by now.
    if (status !== ORDER_STATUS.REJECT && status !== ORDER_STATUS.FAIL) {
      notify('success', { id: 'order.placed', values: { symbol } }, `placed ${orderId}`, {
        detail: { id: 'order.placedWhat', values: whatOf(answer.data) },
        event: 'own',
      });
    }
    applyOrder(answer.data);
  }
  return answer;
}

type Refused = Extract<CallResult<unknown>, { readonly kind: 'refused' }>;

/** Asks to cancel an order; it is gone when its event says so. */
export async function cancelOrder(order: OrderRow): Promise<CallResult<OrderRow>> {
  const { platformType } = platformFacts(order.exchange);
  rememberAsked(order.orderId);
  const asked = call('connextrade/CancelOrder', { platformType, orderId: order.orderId });
  const answer = await sayIfUnknown(asked, { key: order.orderId, id: 'order.cancelUnknown' });
  if (answer.ok) applyOrder(answer.data);
  else if (answer.kind === 'refused') await tooLate(order, answer);
  return answer;
}

/**
 * Says that what was asked for came too late, in the place of what the refusal said. @returns the words, which are read when they are
 * needed: most pages never do.
 */
async function tooLate(row: OrderRow, answer: Refused): Promise<string | undefined> {
  try {
    const { alreadyFilled } = await import('./already-filled.ts');
    const late = await alreadyFilled(row, answer);
    if (late !== undefined)
      notify('warning', { text: late }, refusalKey(answer.message), { event: 'failed' });
    return late;
  } catch {
    return undefined;
  }
}

/** What became of a change that was asked for; `why` is what to say of it. */
export type ChangeOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'refused' | 'unknown'; readonly why: string };

/** Of a refusal: the hub itself does not know what became of it. */
const OUTCOME_UNKNOWN = 1006;

/** What a call that changes something came to, where it did not answer with what stands now. */
export function changeNotDone(answer: Exclude<CallResult<unknown>, { readonly ok: true }>): ChangeOutcome {
  if (answer.kind === 'silent') return { outcome: 'unknown', why: text('order.unknown') };
  return { outcome: answer.code === OUTCOME_UNKNOWN ? 'unknown' : 'refused', why: answer.message };
}

/** What is new of an order. */
interface OrderChange {
  readonly price?: string;
  readonly quantity?: string;
}

/** Changes an open order. @returns what to say where it was not done; `undefined` where it was. */
export async function replaceOrder(row: OrderRow, change: OrderChange): Promise<string | undefined> {
  const changed = await changeOrder(row, change);
  return changed.outcome === 'done' ? undefined : changed.why;
}

/**
 * Changes price or quantity of an open order. Where the exchange has no such call the order is cancelled and placed anew,
 * and what became of each half is told.
 */
export async function changeOrder(row: OrderRow, change: OrderChange): Promise<ChangeOutcome> {
  const { platformType } = platformFacts(row.exchange);
  const request = { platformType, orderId: row.orderId, ...change, clientId: newClientId() };
  // Where it is placed anew the old one is cancelled.
  rememberAsked(row.orderId);
  const key = `changed ${row.orderId}`;
  const asked = call('connextrade/ReplaceOrder', request);
  const answer = await sayIfUnknown(asked, { key, id: 'order.unknown' });
  if (!answer.ok) {
    void loadOpenOrders(row.exchange);
    const late = answer.kind === 'refused' ? await tooLate(row, answer) : undefined;
    return late === undefined ? changeNotDone(answer) : { outcome: 'refused', why: late };
  }
  const { outcome, order, reason } = answer.data;
  applyOrder(order);
  if (outcome === 'amended' || outcome === 'replaced') {
    const detail = { id: 'order.changedWhat', values: whatOf(order) };
    notify('success', { id: 'order.placed' }, key, { event: 'own', detail });
    return { outcome: 'done' };
  }
  return { outcome: outcome === 'pending' ? 'unknown' : 'refused', why: reason ?? text('order.unknown') };
}

/** Orders that one call may name. */
const NAMED_MAX = 200;

/** What became of one of several cancels. */
export type CancelAnswer =
  | CallResult<unknown>
  | { readonly ok: false; readonly kind: 'row'; readonly message: string; readonly venueCode: string | null };

/**
 * Cancels orders of one exchange, by as few calls as it takes.
 * @param onAnswer hears of each once it was asked for.
 */
export async function cancelSeveral(
  orders: readonly OrderRow[],
  onAnswer: (row: OrderRow, answer: CancelAnswer) => void,
): Promise<void> {
  for (let at = 0; at < orders.length; at += NAMED_MAX) {
    const named = orders.slice(at, at + NAMED_MAX);
    const [first] = named;
    if (first === undefined) return;
    if (named.length === 1) {
      onAnswer(first, await cancelOrder(first));
      continue;
    }
    const { platformType } = platformFacts(first.exchange);
    for (const { orderId } of named) rememberAsked(orderId);
    const orderIds = JSON.stringify(named.map(({ orderId }) => orderId));
    const asked = call('connextrade/CancelAll', { platformType, orderIds });
    const answer = await sayIfUnknown(asked, { key: orderIds, id: 'order.cancelUnknown' });
    const rows = new Map(answer.ok ? answer.data.map((row) => [row.orderId, row]) : []);
    for (const order of named) {
      const row = rows.get(order.orderId);
      if (row?.order) applyOrder(row.order);
      const refused = row?.outcome === 'refused' ? row : undefined;
      const { reason: message, venueCode } = refused ?? { reason: null, venueCode: null };
      onAnswer(order, refused ? { ok: false, kind: 'row', message: message ?? '', venueCode } : answer);
    }
  }
}

/** Cancels orders. What is refused says so. */
export async function cancelThose(orders: readonly OrderRow[]): Promise<void> {
  const asked = Map.groupBy(
    orders.filter((row) => !row.cancelPending),
    ({ exchange }) => exchange,
  );
  const said = ({ orderId }: OrderRow, answer: CancelAnswer): void => {
    if (!answer.ok && answer.kind === 'row') notify('error', { text: answer.message }, orderId);
  };
  await Promise.all([...asked.values()].map((rows) => cancelSeveral(rows, said)));
}
