import type { BootConfig } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOrder } from '../../calculators/contracts/contract.fixture.ts';
import '../../i18n/notice-words.ts';
import { bootStore } from '../app/boot.ts';
import { setClock } from '../app/clock.ts';
import { noticesStore } from '../app/notices.ts';
import { fillsStore, forgetFills } from './fills.ts';
import { cancelOrder, changeOrder } from './order-calls.ts';
import { applyOrder, forgetOrders, ordersStore } from './orders.ts';

const AT = new Date(2026, 10, 22, 12, 4, 11, 310).getTime();
const open = contractOrder({ orderId: 'a', status: ORDER_STATUS.OPEN, createdAt: AT - 5_000, updatedAt: 1 });
const ended = (status: number) => ({ ...open, status, cumQuantity: '1', cumQuote: '1', updatedAt: 2 });
const fill = { orderId: 'a', exchange: 1, symbol: 'BTCUSDT', tradeId: '1', time: AT } as never;

/** What the hub answers, by the name of the call. */
let answers: Readonly<Record<string, unknown>>;
let asked: (readonly [call: string, form: Readonly<Record<string, string>>])[];

const gone = { code: 3012, msg: 'The order is already finished.', data: null };
const done = (data: unknown) => ({ code: 1, msg: '', data });

beforeEach(() => {
  i18n.activate('en');
  asked = [];
  setClock({ now: () => AT + 60_000, randomBytes: () => new Uint8Array(10).fill(7) });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = String(url).replace(/^.*\/api\//, '');
    asked.push([call, Object.fromEntries(new URLSearchParams(String(init.body)))]);
    return Response.json(answers[call] ?? done([]));
  });
  const config = { hosts: { own: 'http://hub.test' }, tenant: 'crossbook' } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  forgetOrders();
  forgetFills();
  noticesStore.setState({ notices: [] });
  applyOrder(open);
});
afterEach(() => vi.unstubAllGlobals());

const said = () =>
  noticesStore.getState().notices.flatMap(({ message }) => ('text' in message ? message.text : []));

test('a cancel that comes after the last fill says when that was, by what the page has heard', async () => {
  answers = { 'connextrade/CancelOrder': gone };
  applyOrder(ended(ORDER_STATUS.FILLED));
  fillsStore.setState({ recent: [fill] });
  await cancelOrder(open);
  expect(said().at(-1)).toBe('Already filled at 12:04:11.310.');
  expect(asked).toHaveLength(1);
});

test('a change too late says the same; what the page has not heard is read, and the order is no longer open', async () => {
  answers = {
    'connextrade/ReplaceOrder': { ...gone, code: 3013, data: { cause: 'order-gone', venueCode: '-2011' } },
    'connextrade/v2/OrderHistory': done({ rows: [{ ...ended(ORDER_STATUS.FILLED), fees: [] }] }),
    'x/trade/Fills': done({ rows: [fill] }),
  };
  const changed = await changeOrder(open, { price: '60000' });
  expect(changed).toEqual({ outcome: 'refused', why: 'Already filled at 12:04:11.310.' });
  expect(asked.find(([call]) => call === 'connextrade/v2/OrderHistory')?.[1]).toMatchObject({
    ...{ platformType: '43', symbol: 'BTCUSDT', begin: String(AT - 5_000), end: String(AT - 4_999) },
  });
  expect(ordersStore.getState().open.size).toBe(0);
});

test.each([
  ['was cancelled', ended(ORDER_STATUS.CANCELLED), gone],
  ['is refused for something else', ended(ORDER_STATUS.FILLED), { ...gone, code: 3002 }],
])('of an order that %s nothing is said of being filled', async (_case, row, answer) => {
  answers = { 'connextrade/CancelOrder': answer };
  applyOrder(row);
  fillsStore.setState({ recent: [fill] });
  await cancelOrder(open);
  expect(said()).toEqual([gone.msg]);
});
