import type { AlgoRow, BootConfig, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOrder } from '../../calculators/contracts/contract.fixture.ts';
import { noticeWords } from '../../i18n/notice-words.ts';
import { algosStore, forgetAlgos } from '../algos/algos.ts';
import { bootStore } from '../app/boot.ts';
import { noticesStore } from '../app/notices.ts';
import { catchUpOrders } from './meanwhile.ts';
import { applyOrder, forgetOrders, ordersStore } from './orders.ts';

const order = (orderId: string, status: number = ORDER_STATUS.OPEN, updatedAt = 1): OrderRow =>
  contractOrder({ orderId, status, updatedAt, createdAt: 5, cumQuantity: '1', cumQuote: '1' });
const algo = { algoId: 'w', exchange: 1, state: 'waiting' } as AlgoRow;

let now: { readonly orders: readonly OrderRow[]; readonly algos: readonly AlgoRow[] };
let past: readonly OrderRow[];
/** What the stream tells while the lists are read. */
let meanwhile: () => void;

beforeEach(() => {
  i18n.activate('en');
  forgetOrders();
  forgetAlgos();
  noticesStore.setState({ notices: [] });
  meanwhile = () => undefined;
  vi.stubGlobal('fetch', async (url: string) => {
    meanwhile();
    const call = String(url).replace(/^.*\/api\//, '');
    const lists = {
      'connextrade/CurOrderList': now.orders,
      'connextrade/CurAlgoOrderList': now.algos,
      'connextrade/v2/OrderHistory': { rows: past },
    };
    const data = lists[call as keyof typeof lists];
    return data === undefined ? new Response('', { status: 503 }) : Response.json({ code: 1, msg: '', data });
  });
  const config = { hosts: { own: 'http://hub.test' }, tenant: 'crossbook' } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  for (const id of ['a', 'b']) applyOrder(order(id));
  algosStore.setState({ open: new Map([['w', algo]]) });
});
afterEach(() => vi.unstubAllGlobals());

const said = () => noticesStore.getState().notices.map(({ message, venue }) => noticeWords(message, venue));

test.each([
  ['nothing ended', ['a', 'b'], ['w'], [], []],
  [
    'one of two was filled and one cancelled',
    [],
    ['w'],
    [order('a', ORDER_STATUS.FILLED), order('b', ORDER_STATUS.CANCELLED)],
    ['Meanwhile at Binance: 2 orders ended, 1 filled.'],
  ],
  [
    'one ended in a way that is not known, and one that waited is done',
    ['b'],
    [],
    [],
    ['Meanwhile at Binance: 1 order ended; 1 conditional order fired or ended.'],
  ],
  [
    'only one that waited is done',
    ['a', 'b'],
    [],
    [],
    ['Meanwhile at Binance: 1 conditional order fired or ended.'],
  ],
])('after a lost connection: %s', async (...row) => {
  const [, orders, algos, ends, words] = row;
  now = { orders: orders.map((id) => order(id)), algos: algos.map((algoId) => ({ ...algo, algoId })) };
  past = ends;
  await catchUpOrders(1);
  expect(said()).toEqual(words);
  expect([...ordersStore.getState().open.keys()]).toEqual(orders);
  // The same again is no news, nor is an event of it that comes late.
  for (const row of ends) applyOrder({ ...row, updatedAt: 9 });
  await catchUpOrders(1);
  expect(said()).toEqual(words);
});

test('what the stream tells while the lists are read is said by itself, once', async () => {
  now = { orders: [order('b')], algos: [algo] };
  meanwhile = () => applyOrder(order('a', ORDER_STATUS.CANCELLED, 2));
  await catchUpOrders(1);
  expect(noticesStore.getState().notices.map(({ key }) => key)).toEqual(['a']);
});

test('an order whose cancel was under way is no news', async () => {
  now = { orders: [order('b')], algos: [algo] };
  applyOrder({ ...order('a', ORDER_STATUS.OPEN, 2), cancelPending: true });
  await catchUpOrders(1);
  expect(said()).toEqual([]);
});

test('lists that cannot be read end nothing', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  await catchUpOrders(1);
  expect(said()).toEqual([]);
  expect(ordersStore.getState().open.size).toBe(2);
});
