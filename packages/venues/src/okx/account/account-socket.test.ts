import { AMOUNT_ONE, type Amount, amount, ORDER_STATUS, type OrderEvent } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recorded, recordedJson } from '../../conformance/recorded.ts';
import { asArray, asObject, type WireObject } from '../../wire/guards.ts';
import { SPOT_SHAPE } from '../spot/trading/normalise.ts';
import { CREDENTIALS, lastFrame, logOn, scriptedConnector } from '../trading/scripted-connector.fixture.ts';
import { normaliseBalances } from './balance-shapes.ts';
import { normaliseOrderPush } from './order-shapes.ts';

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
  return { ...all, reported, orders, stream };
}

/** Our own fixture, made from the documented shape (OKX v5 guide, "Order channel"). */
const ROW = {
  instType: 'SPOT',
  instId: 'BTC-USDT',
  ordId: '4',
  clOrdId: 'ours',
  state: 'partially_filled',
  side: 'buy',
  sz: '1',
  px: '100',
  accFillSz: '0.4',
  avgPx: '99.5',
  fillPx: '99.5',
  fillSz: '0.4',
  fillTime: '9',
  tradeId: '12',
  fillFee: '-0.0004',
  fillFeeCcy: 'BTC',
  fee: '-0.0004',
  feeCcy: 'BTC',
  execType: 'M',
  uTime: '10',
};
const read = (row: unknown) => normaliseOrderPush(SPOT_SHAPE, row, AMOUNT_ONE as Amount);
const push = (part: object) => ({
  arg: { channel: 'orders', instType: 'SPOT', uid: '1' },
  data: [{ ...ROW, ...part }],
});

describe('the private stream', () => {
  test('is open when the log-on and both subscriptions are accepted, and not before', () => {
    const { sockets, reported } = setup();
    const peer = sockets.newest;
    expect(peer.url).toBe('ws://venue/ws/v5/private');
    peer.open();
    expect(lastFrame(sockets)).toMatchObject({
      op: 'login',
      args: [{ apiKey: 'the-api-key', passphrase: 'the-passphrase', timestamp: '1770000000' }],
    });
    peer.say({ event: 'login', code: '0', msg: '', connId: 'c' });
    expect(lastFrame(sockets)).toEqual({
      id: 'subscribe',
      op: 'subscribe',
      args: [{ channel: 'orders', instType: 'SPOT' }, { channel: 'account' }],
    });
    peer.say({ id: 'subscribe', event: 'subscribe', arg: { channel: 'orders' }, connId: 'c' });
    peer.say({ event: 'channel-conn-count', channel: 'orders', connCount: '1', connId: 'c' });
    expect(reported).toEqual([]);
    peer.say({ id: 'subscribe', event: 'subscribe', arg: { channel: 'account' }, connId: 'c' });
    expect(reported).toEqual(['open']);
  });

  test("a fill carries the venue's figures; the fee loses its minus sign", () => {
    const { sockets, orders } = setup();
    logOn(sockets);
    sockets.newest.say(push({}));
    expect(orders).toEqual([
      {
        state: {
          clientId: 'ours',
          venueOrderId: '4',
          symbol: 'BTC-USDT',
          status: ORDER_STATUS.PARTIALLY_FILLED,
          cumulativeQuantity: amount('0.4'),
          cumulativeQuote: amount('39.8'),
          time: 10,
        },
        fill: {
          tradeId: '12',
          venueOrderId: '4',
          price: amount('99.5'),
          quantity: amount('0.4'),
          quoteQuantity: amount('39.8'),
          fee: amount('0.0004'),
          feeAsset: 'BTC',
          maker: true,
          time: 9,
        },
      },
    ]);
  });

  const quiet: [string, object, number][] = [
    [
      'a new order',
      { state: 'live', accFillSz: '0', avgPx: '', fillSz: '0', fillPx: '', tradeId: '', fillTime: '' },
      ORDER_STATUS.OPEN,
    ],
    ['a cancel after a part', { state: 'canceled', fillSz: '0', tradeId: '' }, ORDER_STATUS.CANCELLED],
  ];
  test.each(quiet)('%s has no fill', (_name, part, status) => {
    const event = read({ ...ROW, ...part });
    expect([event?.state.status, event?.fill]).toEqual([status, undefined]);
  });

  test('a plus before a fee is no fee', () => {
    expect(read({ ...ROW, fillFee: '0.0001' })?.fill?.fee).toBe(0n);
  });

  const damaged: [string, object][] = [
    ['a fill at price 0', { fillPx: '0' }],
    ['a fee without an asset', { fillFeeCcy: '' }],
    ['a fill without a fee', { fillFee: undefined }],
    ['an unknown state', { state: 'something' }],
    ['an exponent', { accFillSz: '4e-1' }],
    ['a number in place of a string', { fillSz: 0.4 }],
    ['a missing order id', { ordId: undefined }],
    ['a perpetual, which was not asked for', { instType: 'SWAP' }],
  ];
  test.each(damaged)('%s is malformed: a reason to reconcile, never a fill', (_name, part) => {
    const { sockets, orders, reported } = setup();
    logOn(sockets);
    sockets.newest.say(push(part));
    expect([orders, reported]).toEqual([[], ['open', 'malformed: orders']]);
  });

  test('other frames: balances are told, pongs and strange channels ignored, rubbish counted', () => {
    const { sockets, reported } = setup();
    logOn(sockets);
    const peer = sockets.newest;
    const detail = { ccy: 'BTC', availBal: '1.0', frozenBal: '0', cashBal: '1.0' };
    peer.say({ arg: { channel: 'account' }, data: [{ uTime: '1', details: [detail] }] });
    peer.say({ arg: { channel: 'account' }, data: [{ uTime: '1', details: [{ ...detail, availBal: 1 }] }] });
    peer.say('pong');
    peer.say({ arg: { channel: 'positions' }, data: [] });
    peer.say({ arg: { channel: 'orders' }, data: 7 });
    peer.say('{"arg');
    peer.say({ nothing: true });
    expect(reported).toEqual([
      'open',
      'balances BTC',
      'malformed: account',
      'malformed: orders',
      'malformed: not a JSON object',
      'malformed: neither event, answer nor push',
    ]);
  });

  test('a refused key is told by its code, and it comes back with a delay', () => {
    const { time, sockets, reported } = setup();
    sockets.newest.open();
    sockets.newest.say({ event: 'error', code: '60009', msg: 'Login failed.', connId: 'c' });
    expect([reported, sockets.peers.length]).toEqual([['closed: log-on or subscription refused: 60009'], 1]);
    time.advance(250);
    logOn(sockets);
    expect(reported.at(-1)).toBe('open');
  });

  test('when an upgrade is announced both links deliver until the old one closes, and nothing was lost', () => {
    const { time, sockets, reported, orders } = setup();
    logOn(sockets);
    const old = sockets.newest;
    old.say({ event: 'notice', code: '64008', msg: 'The connection will soon be closed', connId: 'c' });
    expect(sockets.peers.length).toBe(2);
    old.say(push({ tradeId: '1' }));
    logOn(sockets);
    old.say(push({ tradeId: '2' }));
    sockets.newest.say(push({ tradeId: '2' }));
    time.advance(15_000);
    sockets.newest.say(push({ tradeId: '3' }));
    expect(orders.map((one) => one.fill?.tradeId)).toEqual(['1', '2', '2', '3']);
    expect([reported, old.closedByClient]).toEqual([['open'], true]);
  });

  test('silence is found by a text ping, and closing ends it', () => {
    const { time, sockets, reported, stream } = setup();
    logOn(sockets);
    time.advance(15_000);
    expect(sockets.newest.heard.at(-1)).toBe('ping');
    time.advance(15_000);
    expect(reported.at(-1)).toBe('closed: silent');
    time.advance(1_000);
    const opened = sockets.peers.length;
    stream.close();
    time.advance(100_000);
    expect(sockets.peers.length).toBe(opened);
  });
});

describe('recorded private messages', () => {
  const rowOf = (file: string): WireObject | undefined =>
    asObject(asArray(asObject(recordedJson(`nautilus/okx/${file}`))?.data)?.[0]);

  const fok = rowOf('ws_orders_fok.json');
  test.skipIf(fok === undefined)(
    'a filled order is read; without the fee of its fill it is a reason to reconcile',
    () => {
      expect(read(fok)).toBeUndefined();
      const whole = { ...fok, fillFee: fok?.fee, fillFeeCcy: fok?.feeCcy };
      expect(read(whole)).toMatchObject({
        state: { status: ORDER_STATUS.FILLED, cumulativeQuote: amount('2500') },
        fill: { fee: amount('0.25'), feeAsset: 'USDT', maker: false },
      });
    },
  );

  const account = rowOf('http_get_account_balance.json');
  test.skipIf(account === undefined)('balances of an account are read', () => {
    expect(normaliseBalances(account)).toEqual([
      { asset: 'USDT', free: amount('94.42612990333333'), locked: amount('5.4958666666666672') },
    ]);
  });

  const empty = rowOf('ws_account_empty.json');
  test.skipIf(empty === undefined)('an empty account has none', () =>
    expect(normaliseBalances(empty)).toEqual([]),
  );

  const sample = recorded('okx.net/Subscriptions/Unified/Account/Balance.txt')?.toString('utf8');
  test.skipIf(sample === undefined)('the documented push is read', () => {
    const body: unknown = JSON.parse((sample ?? '').slice((sample ?? '').indexOf('\n=') + 2));
    const [balance] = normaliseBalances(asArray(asObject(body)?.data)?.[0]) ?? [];
    expect(balance).toMatchObject({ asset: 'USDT', free: amount('4734.371190691436') });
  });
});
