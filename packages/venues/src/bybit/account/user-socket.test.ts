import { amount, ORDER_STATUS, type OrderEvent } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recordedJson } from '../../conformance/recorded.ts';
import { asObject } from '../../wire/guards.ts';
import {
  CLIENT_ID,
  CREDENTIALS,
  EXECUTION,
  ORDER,
  scriptedConnector,
} from '../trading/scripted-connector.fixture.ts';
import { asEnvelope } from '../wire.ts';
import { normaliseWallet } from './balances.ts';
import { normaliseOrders } from './order-shapes.ts';

function setup() {
  const all = scriptedConnector();
  const reported: string[] = [];
  const orders: OrderEvent[] = [];
  const stream = all.trading.userStream(CREDENTIALS, {
    onOpen: () => reported.push('open'),
    onOrder: (event) => orders.push(event),
    onBalances: (balances) => reported.push(`balances ${balances.map((one) => one.asset).join()}`),
    onClosed: (why) => reported.push(`closed: ${why}`),
    onMalformed: (why) => reported.push(`malformed: ${why}`),
  });
  const { sockets } = all;
  const live = (): void => {
    sockets.newest.open();
    sockets.newest.say({ success: true, ret_msg: '', op: 'auth', conn_id: 'c' });
    sockets.newest.say({ success: true, ret_msg: '', op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
  };
  return { ...all, reported, orders, stream, live };
}

const topic = (name: string, ...rows: object[]) => ({ id: 'm', topic: name, creationTime: 9, data: rows });
const order = (part: object = {}) => topic('order', { ...ORDER, category: 'spot', ...part });
const execution = (part: object = {}) => topic('execution', { ...EXECUTION, category: 'spot', ...part });

describe('the private stream', () => {
  test('logs on, subscribes, and is open only when the venue has accepted both', () => {
    const { sockets, reported } = setup();
    const peer = sockets.newest;
    expect(peer.url).toBe('ws://venue/v5/private');
    peer.open();
    expect(JSON.parse(peer.heard[0] ?? '')).toMatchObject({
      op: 'auth',
      args: ['the-api-key', 1_770_000_005_000, expect.stringMatching(/^[0-9a-f]{64}$/)],
    });
    peer.say({ success: true, ret_msg: '', op: 'auth', conn_id: 'c' });
    expect([peer.heard[1], reported]).toEqual([
      '{"req_id":"subscribe","op":"subscribe","args":["order","execution","wallet"]}',
      [],
    ]);
    peer.say({ success: true, ret_msg: '', op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
    expect(reported).toEqual(['open']);
  });

  test('an order is told with what the venue says of it', () => {
    const { sockets, orders, live } = setup();
    live();
    sockets.newest.say(order({ orderStatus: 'PartiallyFilled', cumExecQty: '0.01', cumExecValue: '650' }));
    expect(orders).toEqual([
      {
        state: {
          clientId: CLIENT_ID,
          venueOrderId: ORDER.orderId,
          symbol: 'BTCUSDT',
          status: ORDER_STATUS.PARTIALLY_FILLED,
          cumulativeQuantity: amount('0.01'),
          cumulativeQuote: amount('650'),
          time: 1_770_000_000_001,
        },
      },
    ]);
  });

  test('an execution is told as a fill; of its order it proves only that so much has traded', () => {
    const { sockets, orders, live } = setup();
    live();
    sockets.newest.say(execution());
    expect(orders).toMatchObject([
      {
        state: { status: ORDER_STATUS.PARTIALLY_FILLED, cumulativeQuantity: amount('0.01') },
        fill: {
          tradeId: EXECUTION.execId,
          price: amount('65000'),
          quoteQuantity: amount('650'),
          feeAsset: 'BTC',
          maker: false,
        },
      },
    ]);
  });

  test('perpetuals and executions that are no trades are passed over', () => {
    const { sockets, orders, reported, live } = setup();
    live();
    sockets.newest.say(order({ category: 'linear', orderStatus: 'Whatever' }));
    sockets.newest.say(execution({ category: 'linear' }));
    sockets.newest.say(execution({ execType: 'Settle' }));
    sockets.newest.say(topic('position', {}));
    expect([orders, reported]).toEqual([[], ['open']]);
  });

  const damaged: [string, object, string][] = [
    ['a fill at price 0', execution({ execPrice: '0' }), 'execution'],
    ['a fill without id', execution({ execId: '' }), 'execution'],
    ['a rebate', execution({ execFee: '-1' }), 'execution'],
    ['an unknown status', order({ orderStatus: 'Paused' }), 'order'],
    ['an exponent', order({ cumExecQty: '4e-1' }), 'order'],
    ['a row without category', topic('order', ORDER), 'order of unknown shape'],
    ['a message without rows', { topic: 'order', data: {} }, 'message of unknown shape'],
    [
      'a wallet without locked figures',
      topic('wallet', { accountType: 'UNIFIED', coin: [{ coin: 'USDT', walletBalance: '1' }] }),
      'wallet',
    ],
    ['neither topic nor answer', { hello: 1 }, 'neither topic nor answer'],
  ];
  test.each(damaged)('%s is malformed: a reason to reconcile, never an event', (_name, frame, why) => {
    const { sockets, orders, reported, live } = setup();
    live();
    sockets.newest.say(frame);
    expect([orders, reported]).toEqual([[], ['open', `malformed: ${why}`]]);
  });

  test('one bad row does not hide the others of its message', () => {
    const { sockets, orders, reported, live } = setup();
    live();
    const good = { ...ORDER, category: 'spot' };
    sockets.newest.say(topic('order', { ...good, cumExecQty: 1 }, good));
    expect([orders.length, reported]).toEqual([1, ['open', 'malformed: order']]);
  });

  test('balances are told, pongs are not, rubbish is counted', () => {
    const { sockets, reported, live } = setup();
    live();
    const coin = { coin: 'USDT', walletBalance: '1', locked: '0' };
    sockets.newest.say(topic('wallet', { accountType: 'UNIFIED', coin: [coin] }));
    sockets.newest.say({ req_id: 'heartbeat', op: 'pong', args: ['1'], conn_id: 'c' });
    sockets.newest.say('{"topic":');
    expect(reported).toEqual(['open', 'balances USDT', 'malformed: not a JSON object']);
  });

  test('a refused log-on is told and tried again with growing delays; a silent link is replaced', () => {
    const { time, sockets, reported, live } = setup();
    sockets.newest.open();
    sockets.newest.say({ success: false, ret_msg: 'Error sign', op: 'auth', conn_id: 'c' });
    time.advance(250);
    live();
    expect(reported).toEqual(['closed: log-on refused', 'open']);
    time.advance(30_000);
    expect(reported.at(-1)).toBe('closed: silent');
  });

  test('a refused subscription is no open stream', () => {
    const { sockets, reported } = setup();
    sockets.newest.open();
    sockets.newest.say({ success: true, op: 'auth', conn_id: 'c' });
    sockets.newest.say({ success: false, ret_msg: 'no', op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
    expect(reported).toEqual(['closed: subscription refused']);
  });

  test('closing ends it', () => {
    const { time, sockets, reported, stream, live } = setup();
    live();
    stream.close();
    time.advance(100_000);
    expect([sockets.peers.length, reported]).toEqual([1, ['open']]);
  });
});

describe('recorded private messages', () => {
  const history = recordedJson('nautilus/bybit/http_get_orders_history_with_duplicate.json');
  test.skipIf(history === undefined)('an order history is read', () => {
    expect(normaliseOrders(asEnvelope(history)?.result.list)).toMatchObject([
      { clientId: 'client-open-1', symbol: 'ETHUSDT', status: ORDER_STATUS.OPEN },
      { clientId: 'client-closed-1', status: ORDER_STATUS.CANCELLED, time: 1_700_000_005_000 },
    ]);
  });

  const filled = recordedJson('nautilus/bybit/ws_account_order_filled.json');
  test.skipIf(filled === undefined)('a filled order is read', () => {
    expect(normaliseOrders(asObject(filled)?.data)?.[0]).toMatchObject({
      clientId: 'test-client-order-001',
      status: ORDER_STATUS.FILLED,
      cumulativeQuantity: amount('0.1'),
      cumulativeQuote: amount('3000.05'),
    });
  });

  const wallet = recordedJson('nautilus/bybit/http_get_wallet_balance_spot_short.json');
  test.skipIf(wallet === undefined)('a wallet is read', () => {
    expect(normaliseWallet(asEnvelope(wallet)?.result.list)).toEqual([
      { asset: 'ETH', free: 0n, locked: 0n },
      { asset: 'USDT', free: amount('2500'), locked: 0n },
    ]);
  });
});
