import type { OrderRow } from '@crossbook/contract';
import { isFinal, ORDER_STATUS, type OrderStatus, type Platform, platformFacts } from '@crossbook/domain';
import { algosStore, endOfAlgo, loadAlgos } from '../algos/algos.ts';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';
import { endOfOrder, loadOpenOrders, ordersStore, takeEnds } from './orders.ts';

/** Orders whose end is looked up after a connection was lost; more of them are told without how they ended. */
const ENDS_READ_MAX = 100;

function openAt<Row extends { readonly exchange: Platform }>(
  open: ReadonlyMap<string, Row>,
  platform: Platform,
): readonly (readonly [string, Row])[] {
  return [...open].filter(([, row]) => row.exchange === platform);
}

/** How orders ended, of those that the hub's list of orders made since the first of them has on its newest page. */
async function endsOf(gone: ReadonlyMap<string, OrderRow>, platform: Platform): Promise<readonly OrderRow[]> {
  const { platformType } = platformFacts(platform);
  const begin = Math.min(...[...gone.values()].map(({ createdAt }) => createdAt));
  const asked = { platformType, begin, limit: ENDS_READ_MAX };
  const answer = await call('connextrade/v2/OrderHistory', asked, { quiet: true });
  if (!answer.ok) return [];
  return answer.data.rows.filter(
    ({ orderId, status }) => gone.has(orderId) && isFinal(status as OrderStatus),
  );
}

/**
 * Reads the open orders of an exchange and those that wait there. What ended while nobody heard of it is one notice, however
 * much it is.
 */
export async function catchUpOrders(platform: Platform): Promise<void> {
  const orders = openAt(ordersStore.getState().open, platform);
  const algos = openAt(algosStore.getState().open, platform);
  await Promise.all([loadOpenOrders(platform), loadAlgos(platform)]);
  const { open } = ordersStore.getState();
  const { open: waiting } = algosStore.getState();
  // What the stream told meanwhile is said by itself; what the member had asked to cancel is no news.
  const gone = new Map(
    orders.filter(([id, row]) => !open.has(id) && !row.cancelPending && endOfOrder(id) === undefined),
  );
  const waited = algos.filter(([id]) => !waiting.has(id) && endOfAlgo(id) === undefined).length;
  if (gone.size === 0 && waited === 0) return;
  const ends = gone.size === 0 ? [] : await endsOf(gone, platform);
  takeEnds(ends);
  const filled = ends.filter(({ status }) => status === ORDER_STATUS.FILLED).length;
  const both = gone.size > 0 && waited > 0 ? 'yes' : 'no';
  const values = { venue: platformFacts(platform).name, ended: gone.size, filled, waited, both };
  const event = filled > 0 ? 'filled' : 'settings';
  notify('info', { id: 'order.meanwhile', values }, `meanwhile ${platform}`, { event });
}
