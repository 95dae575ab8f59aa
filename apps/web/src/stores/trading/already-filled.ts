import type { FillRow, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS, type OrderStatus, platformFacts } from '@crossbook/domain';
import { formatExactTime } from '../../i18n/format.ts';
import { text } from '../../i18n/i18n.ts';
import type { CallResult } from '../../wire/api-client.ts';
import { now } from '../app/clock.ts';
import { call } from '../member/own-service.ts';
import { fillsStore } from './fills.ts';
import { applyOrder, endOfOrder } from './orders.ts';

/** Of a refusal: the hub knows that the order has ended. */
const ORDER_FINAL = 3012;
/** Orders of one millisecond read to find one whose end the page has not heard of. */
const ORDERS_READ_MAX = 50;

/** How an order ended: its event comes before the refusal, or was missed. */
async function endOf({ orderId, exchange, symbol, createdAt }: OrderRow): Promise<OrderStatus | undefined> {
  const known = endOfOrder(orderId);
  if (known !== undefined) return known;
  const { platformType } = platformFacts(exchange);
  const made = { begin: createdAt, end: createdAt + 1, limit: ORDERS_READ_MAX };
  const asked = { platformType, symbol, ...made };
  const answer = await call('connextrade/v2/OrderHistory', asked, { quiet: true });
  const row = answer.ok ? answer.data.rows.find((one) => one.orderId === orderId) : undefined;
  if (row !== undefined) applyOrder(row);
  return endOfOrder(orderId);
}

/** The newest fill of an order. */
async function lastFill({ orderId, exchange }: OrderRow): Promise<FillRow | undefined> {
  const known = fillsStore.getState().recent.find((fill) => fill.orderId === orderId);
  if (known !== undefined) return known;
  const { platformType } = platformFacts(exchange);
  const answer = await call('x/trade/Fills', { platformType, orderId, limit: 1 }, { quiet: true });
  return answer.ok ? answer.data.rows[0] : undefined;
}

/**
 * What to say of a cancel or a change that came too late, because the order was filled: when that was, by its last fill.
 * `undefined` where it was refused for something else, and where nobody knows yet that it was filled.
 */
export async function alreadyFilled(
  row: OrderRow,
  { code, venue }: Extract<CallResult<unknown>, { readonly kind: 'refused' }>,
): Promise<string | undefined> {
  if (code !== ORDER_FINAL && venue?.cause !== 'order-gone') return undefined;
  if ((await endOf(row)) !== ORDER_STATUS.FILLED) return undefined;
  const fill = await lastFill(row);
  return fill === undefined ? undefined : text('order.filledAt', { time: formatExactTime(fill.time, now()) });
}
