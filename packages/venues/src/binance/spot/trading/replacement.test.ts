import { amount, SIDE, TIME_IN_FORCE, type VenueClientId, ZERO } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { BTCUSDT } from '../../../conformance/sample-instruments.ts';
import { okAnswer } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../../transport.ts';
import type { OrderAmendment } from '../../../venue-orders.ts';
import { connectedConnector, scriptedConnector } from '../../trading/scripted-connector.fixture.ts';

const KEY = { apiKey: 'the-api-key', secret: 'the-secret' };
const AMENDMENT: OrderAmendment = {
  clientId: 'old' as VenueClientId,
  replacementId: 'new' as VenueClientId,
  ...{ instrument: BTCUSDT, side: SIDE.BUY, timeInForce: TIME_IN_FORCE.GTC },
  ...{ price: amount('60000'), quantity: amount('0.5'), executed: ZERO },
};

/** Both halves of rest-api.md, "Cancel an Existing Order and Send a New Order" (2026-07-21), figures ours. */
const order = {
  ...{ symbol: 'BTCUSDT', orderListId: -1, price: '60000', origQty: '0.5', executedQty: '0' },
  ...{ cummulativeQuoteQty: '0', transactTime: 9, type: 'LIMIT', side: 'BUY', timeInForce: 'GTC' },
};
const CANCELLED = {
  ...{ ...order, orderId: 7, origClientOrderId: 'old', clientOrderId: 'x', status: 'CANCELED' },
};
const PLACED = { ...order, orderId: 8, clientOrderId: 'new', status: 'NEW', fills: [] };
const DONE = {
  ...{ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' },
  ...{ cancelResponse: CANCELLED, newOrderResponse: PLACED },
};
const POOR = { code: -2010, msg: 'Account has insufficient balance for requested action.' };
const half = (data: object, status = 409, code = -2021): HttpAnswer => ({
  ...{ status, headers: {} },
  text: JSON.stringify({ code, msg: 'Order cancel-replace failed.', data }),
});
const neither = (cancelResponse: object, newOrderResult = 'NOT_ATTEMPTED') =>
  half({ cancelResult: 'FAILURE', newOrderResult, cancelResponse, newOrderResponse: null }, 400, -2022);
const replaced = (placed: object) => ({
  ...{ outcome: 'replaced', cancelled: { clientId: 'old', venueOrderId: '7' }, placed },
});
const refusal = (code: number, status = 400): HttpAnswer => ({
  ...{ status, headers: {} },
  text: JSON.stringify({ code, msg: 'No.' }),
});

test.each<[string, HttpAnswer, object]>([
  ['both', okAnswer(DONE), replaced({ outcome: 'accepted', state: { clientId: 'new' } })],
  [
    'the cancel alone: nothing is left in the book',
    half({ ...DONE, newOrderResult: 'FAILURE', newOrderResponse: POOR }),
    replaced({ outcome: 'refused', venueCode: '-2010' }),
  ],
  [
    'the cancel, and a new order that nothing is known of',
    half({ ...DONE, newOrderResult: 'FAILURE', newOrderResponse: { code: -1007, msg: '' } }),
    replaced({ outcome: 'unknown', deadlineAt: expect.any(Number) }),
  ],
  [
    'the cancel, and another new order',
    okAnswer({ ...DONE, newOrderResponse: { ...PLACED, clientOrderId: 'else' } }),
    replaced({ outcome: 'unknown' }),
  ],
  [
    'neither, because the old one is not open',
    neither({ code: -2011, msg: 'Unknown order sent.' }),
    { outcome: 'gone' },
  ],
  ['neither, because the cancel was refused', neither({ code: -2015, msg: '' }), { outcome: 'refused' }],
  ['neither, because the cancel went wrong', neither({ code: -1000, msg: '' }), { outcome: 'unknown' }],
  [
    'neither, but it does not say that none was placed',
    neither({ code: -2011, msg: '' }, 'SUCCESS'),
    { outcome: 'unknown' },
  ],
  ['a filter, looked at before anything is done', refusal(-1013), { outcome: 'refused', venueCode: '-1013' }],
  ['a time-out', refusal(-1007, 504), { outcome: 'unknown' }],
  ['half of it by a server that failed', half(DONE, 500), { outcome: 'unknown' }],
  ['half of it without saying which', half({}), { outcome: 'unknown' }],
  [
    'the cancel of another order',
    okAnswer({ ...DONE, cancelResponse: { ...CANCELLED, origClientOrderId: 'else' } }),
    { outcome: 'unknown' },
  ],
])('a replacement that did %s', async (_name, answer, expected) => {
  const { http, trading } = scriptedConnector();
  http.answer = () => answer;
  expect(await trading.amend(KEY, AMENDMENT)).toMatchObject(expected);
  expect(http.requests.length).toBe(1);
  trading.close();
});

test('half of it is told the same over the socket', async () => {
  const { sockets, trading } = connectedConnector();
  const outcome = trading.amend(KEY, AMENDMENT);
  const { id, method } = sockets.newest.lastRequest;
  expect(method).toBe('order.cancelReplace');
  const data = { ...DONE, newOrderResult: 'FAILURE', newOrderResponse: POOR };
  sockets.newest.say({ id, status: 409, error: { code: -2021, msg: '', data } });
  expect(await outcome).toMatchObject(replaced({ outcome: 'refused' }));
});

test('it is written as a cancel of the old and an order of the rest, and only while no more has executed', async () => {
  const { http, trading } = scriptedConnector();
  http.answer = () => okAnswer(DONE);
  for (const executed of [ZERO, amount('0.2')]) await trading.amend(KEY, { ...AMENDMENT, executed });
  const written = http.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const both = {
    cancelOrigClientOrderId: 'old',
    newClientOrderId: 'new',
    cancelReplaceMode: 'STOP_ON_FAILURE',
  };
  expect(written).toMatchObject([
    { ...both, quantity: '0.5', price: '60000', cancelRestrictions: 'ONLY_NEW' },
    { ...both, quantity: '0.3', price: '60000', cancelRestrictions: 'ONLY_PARTIALLY_FILLED' },
  ]);
  const nothing = await trading.amend(KEY, { ...AMENDMENT, executed: AMENDMENT.quantity });
  expect(nothing).toMatchObject({ venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
  expect(http.requests.length).toBe(2);
});
