import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, type TestSocket, unique } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;

beforeAll(async () => {
  rig.advance(1_000);
});
beforeEach(async () => {
  key = await rig.key(unique('listener'), { USDT: '100000', BTC: '1' });
});

// biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
type Message = any;
const about = (topic: string) => (message: Message) => message.topic === topic;
const answerTo = (id: unknown) => (message: Message) => message.req_id === id || message.reqId === id;

describe('the private socket', () => {
  const RESTING = {
    category: 'spot',
    symbol: 'BTCUSDT',
    side: 'Buy',
    orderType: 'Limit',
    qty: '0.01',
    price: '50000',
  };
  const MARKET = { category: 'spot', symbol: 'BTCUSDT', side: 'Buy', orderType: 'Market', qty: '500' };
  const create = async (body: object) => (await rig.signed(key, '/v5/order/create', { body })).body.result;
  const listening = async (args: readonly string[]) => {
    const socket = await rig.loggedOn('/v5/private', key);
    socket.send({ req_id: 's', op: 'subscribe', args });
    await socket.hear(answerTo('s'));
    return socket;
  };
  const rowsOf = (socket: TestSocket, topic: string): Message[] =>
    socket.heard.filter(about(topic)).flatMap((message) => message.data);

  test('logs on, pongs, subscribes; a failure says why and the socket stays', async () => {
    const socket = await rig.socket('/v5/private');
    socket.send({ req_id: 'early', op: 'subscribe', args: ['order'] });
    expect(await socket.hear(answerTo('early'))).toMatchObject({
      success: false,
      ret_msg: 'Request not authorized',
    });
    const wrongs: [string, readonly unknown[], string][] = [
      ['secret', rig.logOn({ ...key, secret: 'wrong' }), 'Error sign'],
      ['nobody', rig.logOn({ apiKey: 'nobody', secret: 'x' }), 'API key is invalid'],
      ['late', rig.logOn(key, rig.now), 'expires'],
      ['shape', [1, 2, 3], 'args'],
    ];
    for (const [id, args, text] of wrongs) {
      socket.send({ req_id: id, op: 'auth', args });
      const reported = await socket.hear(answerTo(id));
      expect([reported.success, reported.op]).toEqual([false, 'auth']);
      expect(reported.ret_msg).toContain(text);
    }
    socket.send({ req_id: 'auth', op: 'auth', args: rig.logOn(key) });
    expect(await socket.hear(answerTo('auth'))).toMatchObject({ success: true, ret_msg: '', op: 'auth' });
    socket.send({ req_id: 'p', op: 'ping' });
    expect(await socket.hear(answerTo('p'))).toMatchObject({ op: 'pong', args: [String(rig.now)] });
    socket.send({ req_id: 'bad', op: 'subscribe', args: ['order', 'nonsense'] });
    expect((await socket.hear(answerTo('bad'))).success).toBe(false);
    socket.close();
  });

  test('tells of orders, executions and the wallet what the lists tell', async () => {
    const socket = await listening(['order', 'execution.spot', 'wallet', 'position']);
    const { orderId } = await create(MARKET);
    await socket.hear(() => rowsOf(socket, 'order').some((row) => row.orderStatus === 'Filled'));
    const { list } = (await rig.signed(key, '/v5/execution/list', { params: { category: 'spot', orderId } }))
      .body.result;
    const fills = rowsOf(socket, 'execution.spot');
    expect(fills.map((row) => row.execId)).toEqual(list.map((row: Message) => row.execId).reverse());
    expect(fills[0]).toMatchObject({ category: 'spot', orderId, execType: 'Trade', execFee: '0' });
    const listed = await rig.signed(key, '/v5/order/history', { params: { category: 'spot', orderId } });
    expect(rowsOf(socket, 'order').at(-1)).toEqual({
      category: 'spot',
      ...listed.body.result.list[0],
      feeCurrency: 'BTC',
      closedPnl: '0',
    });
    // An order that never rests has no first row of its own.
    expect(rowsOf(socket, 'order').some((row) => row.orderStatus === 'New')).toBe(false);
    const wallet = await socket.hear(about('wallet'));
    expect(Object.keys(wallet)).toEqual(['id', 'topic', 'creationTime', 'data']);
    expect(wallet.data[0].accountType).toBe('UNIFIED');
    socket.close();
  });

  test('a resting order is told open, then cancelled; nothing after it was left', async () => {
    const socket = await listening(['order.spot']);
    const { orderId } = await create(RESTING);
    await rig.signed(key, '/v5/order/cancel', { body: { category: 'spot', symbol: 'BTCUSDT', orderId } });
    await socket.hear(() => rowsOf(socket, 'order.spot').length === 2);
    expect(rowsOf(socket, 'order.spot').map((row) => row.orderStatus)).toEqual(['New', 'Cancelled']);
    expect(rowsOf(socket, 'order.spot').at(-1).cancelType).toBe('CancelByUser');
    socket.send({ req_id: 'off', op: 'unsubscribe', args: ['order.spot'] });
    await socket.hear(answerTo('off'));
    await create(RESTING);
    socket.send({ req_id: 'p', op: 'ping' });
    await socket.hear(answerTo('p'));
    expect(rowsOf(socket, 'order.spot').length).toBe(2);
    socket.close();
  });
});

describe('the trade socket', () => {
  const order = (part: object = {}) => ({
    category: 'spot',
    symbol: 'BTCUSDT',
    side: 'Buy',
    orderType: 'Limit',
    qty: '0.01',
    price: '50000',
    ...part,
  });
  const header = () => ({ 'X-BAPI-TIMESTAMP': String(rig.now), 'X-BAPI-RECV-WINDOW': '5000' });
  let asked = 0;
  const ask = async (socket: TestSocket, op: string, parameters: object, more: object = {}) => {
    asked += 1;
    const reqId = `r-${asked}`;
    socket.send({ reqId, header: header(), op, args: [parameters], ...more });
    return await socket.hear(answerTo(reqId));
  };

  test('logs on once, pongs, places, amends and cancels with the answers of REST', async () => {
    const socket = await rig.socket('/v5/trade');
    expect((await ask(socket, 'order.create', order())).retCode).toBe(10_003);
    socket.send({ reqId: 'bad', op: 'auth', args: rig.logOn({ ...key, secret: 'wrong' }) });
    expect(await socket.hear(answerTo('bad'))).toMatchObject({ retCode: 10_004, op: 'auth' });
    socket.send({ req_id: 'ok', op: 'auth', args: rig.logOn(key) });
    expect(await socket.hear(answerTo('ok'))).toMatchObject({ retCode: 0, retMsg: 'OK', op: 'auth' });
    socket.send({ reqId: 'twice', op: 'auth', args: rig.logOn(key) });
    expect((await socket.hear(answerTo('twice'))).retCode).toBe(20_001);
    socket.send({ op: 'ping' });
    const pong = await socket.hear((message) => message.op === 'pong');
    expect(pong).toMatchObject({ retCode: 0, data: [String(rig.now)] });
    const placed = await ask(socket, 'order.create', order());
    expect(Object.keys(placed)).toEqual([
      'reqId',
      'retCode',
      'retMsg',
      'op',
      'data',
      'retExtInfo',
      'header',
      'connId',
    ]);
    expect(placed.header['X-Bapi-Limit-Status']).toMatch(/^[0-9]+$/);
    const { orderId } = placed.data;
    const named = { category: 'spot', symbol: 'BTCUSDT', orderId };
    expect((await ask(socket, 'order.amend', { ...named, qty: '0.005' })).data.orderId).toBe(orderId);
    expect((await ask(socket, 'order.cancel', named)).data).toEqual(placed.data);
    expect((await ask(socket, 'order.cancel', named)).retCode).toBe(170_213);
    socket.close();
  });

  test('refusals by code: unknown operations, late times, used ids, and the order’s own', async () => {
    const socket = await rig.loggedOn('/v5/trade', key);
    expect((await ask(socket, 'order.replace', order())).retCode).toBe(10_404);
    expect((await ask(socket, 'order.create', order(), { header: {} })).retCode).toBe(10_002);
    const late = { 'X-BAPI-TIMESTAMP': rig.now - 6_000 };
    expect((await ask(socket, 'order.create', order(), { header: late })).retCode).toBe(10_002);
    expect((await ask(socket, 'order.create', order({ qty: '100' }))).retCode).toBe(170_131);
    expect((await ask(socket, 'order.create', order(), { args: [] })).retCode).toBe(10_001);
    expect((await ask(socket, 'order.create', order())).retCode).toBe(0);
    socket.send({ reqId: `r-${asked}`, header: header(), op: 'order.create', args: [order()] });
    expect((await socket.hear((message) => message.retCode === 20_006)).reqId).toBe(`r-${asked}`);
    const long = 'x'.repeat(37);
    socket.send({ reqId: long, header: header(), op: 'order.create', args: [order()] });
    expect((await socket.hear(answerTo(long))).retCode).toBe(10_001);
    socket.close();
  });

  test('faults: lost answers, carried out or not, a dropped socket, a late answer', async () => {
    const plan = { match: 'order.create', count: 1, probability: 1, seed: 1, delayMillis: 50 };
    const open = async () => {
      const { body } = await rig.signed(key, '/v5/order/realtime', { params: { category: 'spot' } });
      return body.result.list.length as number;
    };
    let socket = await rig.loggedOn('/v5/trade', key);
    rig.faults.arm({ ...plan, kind: 'timeout-before' });
    expect((await ask(socket, 'order.create', order())).retCode).toBe(10_000);
    expect(await open()).toBe(0);
    rig.faults.arm({ ...plan, kind: 'timeout-after' });
    expect((await ask(socket, 'order.create', order())).retCode).toBe(10_000);
    expect(await open()).toBe(1);
    rig.faults.arm({ ...plan, kind: 'delay' });
    expect((await ask(socket, 'order.create', order())).retCode).toBe(0);
    rig.faults.arm({ ...plan, kind: 'reset-after' });
    socket.send({ reqId: 'lost', header: header(), op: 'order.create', args: [order()] });
    await socket.closed;
    expect(await open()).toBe(3);
    socket = await rig.loggedOn('/v5/trade', key);
    rig.faults.arm({ ...plan, kind: 'silence-after' });
    socket.send({ reqId: 'mute', header: header(), op: 'order.create', args: [order()] });
    expect((await ask(socket, 'order.create', order())).retCode).toBe(0);
    expect(await open()).toBe(5);
    expect(socket.heard.some(answerTo('mute'))).toBe(false);
    expect(rig.dialect.dropSockets('streams')).toBe(0);
    expect(rig.dialect.dropSockets('api')).toBeGreaterThan(0);
    await socket.closed;
  });
});
