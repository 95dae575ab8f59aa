import type { OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginSession, endSession, isMember, sessionStore } from '../member/session.ts';
import { balancesStore } from '../wallet/balances.ts';
import { keepPrivateEvents, memberListener } from './member-listener.ts';
import { ordersStore } from './orders.ts';

function order(orderId: string, status: number, updatedAt: number): OrderRow {
  return {
    ...{ orderId, exchange: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', side: 1, effect: 0, orderType: 1 },
    ...{ reduceOnly: false, marginMode: null, leverage: null, cause: 'order', realisedPnl: null, price: '1' },
    ...{
      timeInForce: 1,
      quantity: '1',
      quoteQuantity: null,
      visibleQuantity: null,
      icebergId: null,
      cumQuantity: '0',
    },
    ...{
      cumQuote: '0',
      status,
      cancelPending: false,
      change: null,
      settled: false,
      reason: null,
      refusal: null,
    },
    ...{ createdAt: 0, updatedAt },
  };
}

const hear = (...sent: Parameters<typeof order>) =>
  memberListener.onUser({ kind: 'order', order: order(...sent) });
const openIds = () => [...ordersStore.getState().open.keys()];

keepPrivateEvents();
beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ code: 1, msg: 'OK', data: [] })));
  beginSession({ token: 'a token', tid: 100_001 });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

test('what is told before the stores are there is kept in its order, and then at once', async () => {
  hear('a', ORDER_STATUS.OPEN, 1);
  hear('a', ORDER_STATUS.FILLED, 2);
  hear('b', ORDER_STATUS.OPEN, 3);
  await expect.poll(openIds).toEqual(['b']);
  hear('c', ORDER_STATUS.OPEN, 4);
  expect(openIds()).toEqual(['b', 'c']);
});

test('with another member, or none, all of it is forgotten at once', async () => {
  hear('d', ORDER_STATUS.OPEN, 1);
  await expect.poll(openIds).toContain('d');
  balancesStore.setState({ wallets: { funding: { status: 'ready', rows: [] } } });
  endSession();
  expect([openIds(), balancesStore.getState().wallets]).toEqual([[], {}]);
});

test('a session that the hub ended is over, whatever was read', () => {
  memberListener.onUser({ kind: 'signed-out' } as Parameters<typeof memberListener.onUser>[0]);
  expect(isMember(sessionStore.getState())).toBe(false);
});

test('stores that could not be read are read with the next event, and what was missed is asked for', async () => {
  vi.resetModules();
  vi.doMock('./private-events.ts', () => {
    throw new Error('the connection dropped');
  });
  const fresh = await import('./member-listener.ts');
  const sent = order('e', ORDER_STATUS.OPEN, 1);
  fresh.memberListener.onUser({ kind: 'order', order: sent });
  await expect(import('./private-events.ts')).rejects.toThrow();
  vi.doUnmock('./private-events.ts');
  fresh.memberListener.onUser({ kind: 'order', order: { ...sent, orderId: 'f' } });
  const { ordersStore: kept } = await import('./orders.ts');
  await expect.poll(() => [...kept.getState().open.keys()]).toEqual(['f']);
});
