import { amount, ORDER_STATUS, type OrderEvent } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recordedJson } from '../../../conformance/recorded.ts';
import { ScriptedHttp, ScriptedSockets, ScriptedTime } from '../../../trading/scripted-transport.fixture.ts';
import { VenueClock } from '../../../trading/venue-clock.ts';
import { asObject, type WireObject } from '../../../wire/guards.ts';
import { balancesOfPosition } from '../../account/balances.ts';
import { normaliseExecutionReport } from './normalise.ts';
import { openUserSocket } from './user-socket.ts';

function setup() {
  const time = new ScriptedTime();
  const sockets = new ScriptedSockets();
  const reported: string[] = [];
  const orders: OrderEvent[] = [];
  const http = new ScriptedHttp();
  const venueClock = new VenueClock({
    timeUrl: '/time',
    readTime: () => undefined,
    clock: time.clock,
    timers: time,
    sendHttp: http.send,
  });
  const stream = openUserSocket({
    url: 'ws://venue',
    openSocket: sockets.open,
    timers: time,
    clock: time.clock,
    random: () => 1,
    credentials: { apiKey: 'k', secret: 's' },
    venueClock,
    receiveWindowMillis: 5_000,
    handlers: {
      onOpen: () => reported.push('open'),
      onOrder: (event) => orders.push(event),
      onBalances: (balances) => reported.push(`balances ${balances.map((one) => one.asset).join()}`),
      onClosed: (why) => reported.push(`closed: ${why}`),
      onMalformed: (why) => reported.push(`malformed: ${why}`),
    },
  });
  const subscribe = (): void => {
    sockets.newest.open();
    sockets.newest.say({ id: sockets.newest.lastRequest.id, status: 200, result: { subscriptionId: 0 } });
  };
  return { time, sockets, reported, orders, stream, subscribe };
}

/** Our own fixture, made from the documented shape (user-data-stream.md, "Order Update"). */
const REPORT = {
  e: 'executionReport',
  E: 10,
  s: 'BTCUSDT',
  c: 'ours',
  S: 'BUY',
  o: 'LIMIT',
  f: 'GTC',
  q: '1',
  p: '100',
  P: '0',
  F: '0',
  g: -1,
  C: '',
  x: 'TRADE',
  X: 'PARTIALLY_FILLED',
  r: 'NONE',
  i: 4,
  l: '0.4',
  z: '0.4',
  L: '99.5',
  n: '0.0004',
  N: 'BTC',
  T: 9,
  t: 12,
  w: true,
  m: true,
  M: true,
  O: 8,
  Z: '39.8',
  Y: '39.8',
  Q: '0',
  V: 'NONE',
};
const event = (part: object) => ({ subscriptionId: 0, event: { ...REPORT, ...part } });

describe('the private stream', () => {
  test('is open when the venue has accepted the signed subscription', () => {
    const { sockets, reported, subscribe } = setup();
    sockets.newest.open();
    expect(reported).toEqual([]);
    expect(sockets.newest.lastRequest).toMatchObject({
      method: 'userDataStream.subscribe.signature',
      params: { apiKey: 'k', recvWindow: 5_000 },
    });
    subscribe();
    expect(reported).toEqual(['open']);
  });

  test("a fill carries the venue's figures", () => {
    const { sockets, orders, subscribe } = setup();
    subscribe();
    sockets.newest.say(event({}));
    expect(orders).toMatchObject([
      {
        state: {
          clientId: 'ours',
          venueOrderId: '4',
          status: ORDER_STATUS.PARTIALLY_FILLED,
          cumulativeQuantity: amount('0.4'),
          time: 9,
        },
        fill: {
          tradeId: '12',
          price: amount('99.5'),
          quantity: amount('0.4'),
          quoteQuantity: amount('39.8'),
          fee: amount('0.0004'),
          feeAsset: 'BTC',
          maker: true,
        },
      },
    ]);
  });

  test("a cancel is told under the order's own id, which is C", () => {
    const { sockets, orders, subscribe } = setup();
    subscribe();
    sockets.newest.say(
      event({ c: 'of-the-cancel', C: 'ours', x: 'CANCELED', X: 'CANCELED', t: -1, l: '0', N: null, n: '0' }),
    );
    expect(orders).toMatchObject([{ state: { clientId: 'ours', status: ORDER_STATUS.CANCELLED } }]);
    expect(orders[0]?.fill).toBeUndefined();
  });

  test('a fee of nothing without an asset is in the asset received', () => {
    const free = { n: '0', N: null };
    expect(normaliseExecutionReport({ ...REPORT, ...free })?.fill).toMatchObject({
      fee: 0n,
      feeAsset: 'BTC',
    });
    expect(normaliseExecutionReport({ ...REPORT, ...free, S: 'SELL' })?.fill?.feeAsset).toBe('USDT');
  });

  const damaged: [string, object][] = [
    ['a fill at price 0', { L: '0.00000000', Y: '0.00000000' }],
    ['a fee without an asset', { N: null }],
    ['an unknown status', { X: 'SOMETHING' }],
    ['an exponent', { z: '4e-1' }],
    ['a negative quantity', { l: '-0.4' }],
    ['a missing order id', { i: undefined }],
  ];
  test.each(damaged)('%s is malformed: a reason to reconcile, never a fill', (_name, part) => {
    const { sockets, orders, reported, subscribe } = setup();
    subscribe();
    sockets.newest.say(event(part));
    expect([orders, reported]).toEqual([[], ['open', 'malformed: executionReport']]);
  });

  test('other frames: balances are told, unknown events ignored, rubbish counted', () => {
    const { sockets, reported, subscribe } = setup();
    subscribe();
    const peer = sockets.newest;
    peer.say({
      subscriptionId: 0,
      event: { e: 'outboundAccountPosition', E: 1, u: 1, B: [{ a: 'BTC', f: '1.0', l: '0' }] },
    });
    peer.say({ subscriptionId: 0, event: { e: 'balanceUpdate', a: 'BTC', d: '1', T: 1 } });
    peer.say({ subscriptionId: 0, event: { e: 'outboundAccountPosition', B: [{ a: 'BTC', f: 1, l: '0' }] } });
    peer.say({ subscriptionId: 0, event: 7 });
    peer.say('{"subscr');
    peer.say({ nothing: true });
    expect(reported).toEqual([
      'open',
      'balances BTC',
      'malformed: outboundAccountPosition',
      'malformed: event of unknown shape',
      'malformed: not a JSON object',
      'malformed: neither event nor answer',
    ]);
  });

  test('a terminated stream and a refused key are told, and it comes back', () => {
    const { time, sockets, reported, subscribe } = setup();
    subscribe();
    sockets.newest.say({ subscriptionId: 0, event: { e: 'eventStreamTerminated', E: 1 } });
    time.advance(250);
    sockets.newest.open();
    sockets.newest.say({
      id: sockets.newest.lastRequest.id,
      status: 401,
      error: { code: -2015, msg: 'Invalid API-key' },
    });
    time.advance(500);
    subscribe();
    expect(reported).toEqual([
      'open',
      'closed: stream terminated by the venue',
      'closed: subscription refused: -2015',
      'open',
    ]);
  });

  test('when the venue announces its end, both links deliver until the old one closes, and nothing was lost', () => {
    const { time, sockets, reported, orders, subscribe } = setup();
    subscribe();
    const old = sockets.newest;
    old.say({ e: 'serverShutdown', E: 1 });
    expect(sockets.peers.length).toBe(2);
    old.say(event({ t: 1 }));
    subscribe();
    old.say(event({ t: 2 }));
    sockets.newest.say(event({ t: 2 }));
    time.advance(15_000);
    sockets.newest.say(event({ t: 3 }));
    expect(orders.map((one) => one.fill?.tradeId)).toEqual(['1', '2', '2', '3']);
    expect([reported, old.closedByClient]).toEqual([['open'], true]);
  });

  test('closing ends it', () => {
    const { time, sockets, reported, stream, subscribe } = setup();
    subscribe();
    stream.close();
    time.advance(100_000);
    expect([sockets.peers.length, reported]).toEqual([1, ['open']]);
  });
});

describe('recorded private events', () => {
  const report = (file: string): WireObject | undefined => {
    const json = asObject(recordedJson(`nautilus/${file}`));
    return asObject(json?.event) ?? asObject(json?.data) ?? json;
  };
  const files: [string, boolean, object][] = [
    [
      'binance/spot/user_data_json/execution_report_wrapped.json',
      false,
      { status: ORDER_STATUS.OPEN, clientId: 'mUvoqJxFIILMdfAW5iGSOW' },
    ],
    ['binance/spot/user_data_json/execution_report_expired.json', false, { status: ORDER_STATUS.CANCELLED }],
    [
      'binance-py/ws_messages/ws_spot_execution_report_custom_client_id.json',
      true,
      { status: ORDER_STATUS.PARTIALLY_FILLED },
    ],
    ['binance-py/ws_messages/ws_spot_execution_report_rejected.json', false, { status: ORDER_STATUS.REJECT }],
    [
      'binance-py/ws_messages/ws_spot_execution_report_trade_l_zero_partial.json',
      false,
      { status: ORDER_STATUS.PARTIALLY_FILLED, cumulativeQuantity: amount('0.5') },
    ],
    [
      'binance-py/ws_messages/ws_spot_execution_report_trade_l_zero_expired.json',
      false,
      { status: ORDER_STATUS.CANCELLED },
    ],
  ];
  for (const [file, hasFill, state] of files) {
    const found = report(file);
    test.skipIf(found === undefined)(`${file} is read`, () => {
      const read = normaliseExecutionReport(found ?? {});
      expect(read?.state).toMatchObject(state);
      expect(read?.fill !== undefined).toBe(hasFill);
    });
  }
  const impossible = report('binance-py/ws_messages/ws_spot_execution_report_trade_l_zero.json');
  test.skipIf(impossible === undefined)('a trade at price 0 is not believed', () => {
    expect(normaliseExecutionReport(impossible ?? {})).toBeUndefined();
  });
  const position = report('binance/spot/user_data_json/account_position_wrapped.json');
  test.skipIf(position === undefined)('a position update is read', () => {
    expect(balancesOfPosition(position ?? {})).toEqual([{ asset: 'ETH', free: amount('10000'), locked: 0n }]);
  });
});
