import type { BootConfig, OrderRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../../../stores/app/boot.ts';
import { setClock } from '../../../stores/app/clock.ts';
import { noticesStore } from '../../../stores/app/notices.ts';
import { forgetOrders, ordersStore } from '../../../stores/trading/orders.ts';
import { createTicketStore } from '../../../stores/trading/ticket/ticket.ts';
import { sendTicket } from './send-order.ts';

/** What the hub answers to a call; `undefined` = the answer is lost. */
type Hub = (call: string, form: URLSearchParams) => unknown | Promise<unknown>;

let sent: { readonly call: string; readonly form: URLSearchParams }[] = [];
const realFetch = globalThis.fetch;

/** Puts a hub behind the browser's fetch: everything of ours runs as it is. */
function hub(answer: Hub): void {
  globalThis.fetch = async (input, init) => {
    const call = String(input).replace(/^.*\/api\//, '');
    const form = new URLSearchParams(String(init?.body ?? ''));
    sent.push({ call, form });
    const data = await answer(call, form);
    if (data === undefined) throw new TypeError('connection reset');
    return new Response(JSON.stringify(data), { status: 200 });
  };
}

function order(clientId: string): OrderRow {
  return {
    orderId: clientId,
    exchange: 1,
    symbolType: 'SPOT',
    symbol: 'BTCUSDT',
    side: 1,
    effect: 0,
    ...{ reduceOnly: false, marginMode: null, leverage: null, cause: 'order' as const, realisedPnl: null },
    orderType: 1,
    timeInForce: 1,
    price: '60000',
    quantity: '0.01',
    quoteQuantity: null,
    visibleQuantity: null,
    icebergId: null,
    cumQuantity: '0',
    cumQuote: '0',
    status: 2,
    cancelPending: false,
    change: null,
    settled: false,
    reason: null,
    refusal: null,
    createdAt: 1_000,
    updatedAt: 1_000,
  };
}

const done = (data: unknown) => ({ code: 1, msg: '', data });
const placed = () => sent.filter(({ call }) => call === 'connextrade/PlaceOrder');

function filledTicket() {
  const store = createTicketStore({ orderKind: 1, timeInForce: 1 });
  store.setState(({ ticket }) => ({ ticket: { ...ticket, price: '60000', quantity: '0.01' } }));
  return store;
}

beforeEach(() => {
  sent = [];
  setClock({ now: () => 1_764_000_000_000, randomBytes: () => new Uint8Array(10).fill(7) });
  const hosts = { own: 'http://hub.test', user: '', notify: '', public: '' };
  bootStore.setState(
    { status: 'ready', config: { hosts, tenant: 'crossbook' } as unknown as BootConfig },
    true,
  );
  forgetOrders();
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

test('an accepted order empties the size, keeps the price and stands among the open orders', async () => {
  hub((_call, form) => done(order(form.get('clientId') ?? '')));
  const store = filledTicket();
  await sendTicket(store, 1, 'BTCUSDT');
  const { ticket, sending } = store.getState();
  expect([ticket.price, ticket.quantity, sending.phase]).toEqual(['60000', '', 'idle']);
  const form = Object.fromEntries(placed()[0]?.form ?? []);
  const { clientId = '' } = form;
  expect(form).toMatchObject({
    side: '1',
    orderType: '1',
    timeInForce: '1',
    price: '60000',
    quantity: '0.01',
  });
  expect(clientId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(ordersStore.getState().open.has(clientId)).toBe(true);
});

test('a refusal keeps the ticket and says why in the words of the hub', async () => {
  hub(() => ({ code: 3010, msg: 'Your Available Balance is insufficient.', data: null }));
  const store = filledTicket();
  await sendTicket(store, 1, 'BTCUSDT');
  const { ticket, sending } = store.getState();
  expect(ticket.quantity).toBe('0.01');
  expect(sending).toMatchObject({ phase: 'refused', message: 'Your Available Balance is insufficient.' });
});

test('a lost answer is unknown, not failed: the order is looked for by its id and never sent again', async () => {
  const phases: string[] = [];
  const store = filledTicket();
  store.subscribe(({ sending }) => phases.push(sending.phase));
  hub((call) =>
    call === 'connextrade/OrderHistory'
      ? done({ rows: [order(placed()[0]?.form.get('clientId') ?? '')] })
      : undefined,
  );
  await sendTicket(store, 1, 'BTCUSDT');
  expect(phases.filter((phase, at) => phase !== phases[at - 1])).toEqual(['sending', 'unknown', 'idle']);
  expect(placed()).toHaveLength(1);
  expect(ordersStore.getState().open.size).toBe(1);
  expect(store.getState().ticket.quantity, 'what is there is not sent twice').toBe('');
});

test('an answer that takes over ten seconds is unknown until it comes: said once, never sent again, and then done', async () => {
  vi.useFakeTimers();
  try {
    noticesStore.setState({ notices: [] });
    const late = (form: URLSearchParams) =>
      new Promise((resolve) => setTimeout(() => resolve(done(order(form.get('clientId') ?? ''))), 12_000));
    hub((_call, form) => late(form));
    const store = filledTicket();
    const finished = sendTicket(store, 1, 'BTCUSDT');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(store.getState().sending.phase).toBe('sending');
    await vi.advanceTimersByTimeAsync(1);
    expect(store.getState().sending.phase).toBe('unknown');
    expect(noticesStore.getState().notices).toMatchObject([{ event: 'unknown' }]);
    await sendTicket(store, 1, 'BTCUSDT');
    await vi.runAllTimersAsync();
    await finished;
    expect(placed()).toHaveLength(1);
    expect([store.getState().sending.phase, store.getState().ticket.quantity]).toEqual(['idle', '']);
    const [unknown, answered] = noticesStore.getState().notices;
    expect(answered).toMatchObject({ key: unknown?.key, message: { id: 'order.answered' } });
  } finally {
    vi.useRealTimers();
  }
});

test('an order the hub does not have after several lookups did not arrive', async () => {
  vi.useFakeTimers();
  try {
    hub((call) => (call === 'connextrade/OrderHistory' ? done({ rows: [] }) : undefined));
    const store = filledTicket();
    const finished = sendTicket(store, 1, 'BTCUSDT');
    await vi.runAllTimersAsync();
    await finished;
    expect(store.getState().sending.phase).toBe('idle');
    expect(store.getState().ticket.quantity).toBe('0.01');
    expect(noticesStore.getState().notices.at(-1)?.message).toEqual({ id: 'trade.ticket.notArrived' });
    expect(placed()).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a ticket in flight is not sent a second time', async () => {
  hub((_call, form) => done(order(form.get('clientId') ?? '')));
  const store = filledTicket();
  const first = sendTicket(store, 1, 'BTCUSDT');
  const second = sendTicket(store, 1, 'BTCUSDT');
  await Promise.all([first, second]);
  expect(placed()).toHaveLength(1);
});
