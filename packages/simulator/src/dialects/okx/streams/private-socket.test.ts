import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type ChannelSocket, type Key, startRig } from '../rig.fixture.ts';

/** The private socket: log-on, orders, pushes. */

const rig = openedOnce(startRig);
let key: Key;
const sockets: ChannelSocket[] = [];

beforeAll(async () => {
  key = await rig.key('alice', { USDT: '100000', BTC: '1' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function open(path: 'public' | 'business' | 'private'): Promise<ChannelSocket> {
  const socket = await rig.socket(path);
  sockets.push(socket);
  return socket;
}
async function loggedIn(who = key): Promise<ChannelSocket> {
  const socket = await rig.loggedIn(who);
  sockets.push(socket);
  return socket;
}

describe('the private socket', () => {
  test.each<[string, (right: Record<string, string>) => object[], string]>([
    ['no argument', () => [], '60009'],
    ['no key', (right) => [{ ...right, apiKey: '' }], '60027'],
    ['no signature', (right) => [{ ...right, sign: '' }], '60027'],
    ['an unknown key', (right) => [{ ...right, apiKey: 'x'.repeat(36) }], '60005'],
    ['a wrong passphrase', (right) => [{ ...right, passphrase: 'x' }], '60024'],
    ['a wrong signature', (right) => [{ ...right, sign: 'x' }], '60007'],
    ['a time in words', (right) => [{ ...right, timestamp: 'now' }], '60004'],
    ['two at once', (right) => [right, right], '60009'],
  ])('a log-on with %s is refused', async (_, args, code) => {
    const socket = await open('private');
    socket.send({ op: 'login', args: args(rig.loginArgument(key)) });
    expect(await socket.hear((message) => message.event === 'error')).toMatchObject({ code });
  });

  test('a log-on of another time is refused; repeated it is taken again, for another account it is not', async () => {
    const socket = await open('private');
    socket.send({ op: 'login', args: [rig.loginArgument(key, -31)] });
    await socket.hear((message) => message.code === '60006');
    for (const id of ['1', '2']) {
      socket.send({ id, op: 'login', args: [rig.loginArgument(key)] });
      await socket.hear((message) => message.event === 'login' && message.id === id && message.code === '0');
    }
    const other = await rig.key('other');
    socket.send({ op: 'login', args: [rig.loginArgument(other)] });
    await socket.hear((message) => message.code === '60010');
    const business = await open('business');
    business.send({ op: 'login', args: [rig.loginArgument(key)] });
    await business.hear((message) => message.event === 'login');
  });

  test('fills alone are for a fee tier that nobody has', async () => {
    const socket = await loggedIn();
    socket.subscribe({ channel: 'fills', instId: 'BTC-USDT-SWAP' });
    expect(await socket.hear((message) => message.event === 'error')).toMatchObject({ code: '64003' });
  });

  const resting = {
    instId: 'BTC-USDT',
    tdMode: 'cash',
    side: 'buy',
    ordType: 'limit',
    sz: '0.01',
    px: '60000',
  };

  test('orders are placed, changed and cancelled under the id of the request; each step is pushed, and balances with it', async () => {
    const socket = await loggedIn();
    socket.subscribe(
      { channel: 'orders', instType: 'SPOT' },
      { channel: 'account', extraParams: '{"updateInterval":"0"}' },
      { channel: 'balance_and_position' },
    );
    await socket.hear(
      (message) => message.event === 'channel-conn-count' && message.channel === 'balance_and_position',
    );
    expect(socket.pushes('account')[0].data[0].details.length).toBeGreaterThanOrEqual(2);
    const [{ instIdCode }] = (await rig.get('/api/v5/public/instruments?instType=SPOT')).body.data;
    const { instId: _, ...rest } = resting;
    socket.send({ id: 'a1', op: 'order', args: [{ ...rest, instIdCode, clOrdId: 'pushed1', tag: 'mark' }] });
    const placed = await socket.hear((message) => message.id === 'a1');
    expect(placed).toMatchObject({
      op: 'order',
      code: '0',
      msg: '',
      data: [{ clOrdId: 'pushed1', sCode: '0' }],
    });
    expect(placed.inTime).toMatch(/^[0-9]{16}$/);
    const { ordId } = placed.data[0];
    const rows = () => socket.pushes('orders').flatMap((push) => push.data);
    await socket.hear(() => rows().length === 1);
    expect(rows()[0]).toMatchObject({
      ordId,
      state: 'live',
      tag: 'mark',
      fillSz: '0',
      tradeId: '',
      amendResult: '',
    });
    expect(socket.pushes('orders')[0].arg).toMatchObject({
      channel: 'orders',
      instType: 'SPOT',
      uid: expect.any(String),
    });
    socket.send({ id: 'a2', op: 'amend-order', args: [{ instIdCode, ordId, newPx: '60001', reqId: 'q9' }] });
    expect(await socket.hear((message) => message.id === 'a2')).toMatchObject({
      code: '0',
      data: [{ reqId: 'q9' }],
    });
    await socket.hear(() =>
      rows().some((row) => row.amendResult === '0' && row.reqId === 'q9' && row.px === '60001'),
    );
    const money = () => socket.pushes('account').at(-1).data[0].details;
    await socket.hear(() => money().some((one: Record<string, string>) => one.frozenBal === '600.01'));
    socket.send({ id: 'a3', op: 'cancel-order', args: [{ instIdCode, ordId }] });
    await socket.hear(() => rows().some((row) => row.state === 'canceled' && row.cancelSource === '1'));
    socket.send({ id: 'a4', op: 'batch-orders', args: [{ ...resting, sz: '0' }, resting] });
    const mixed = await socket.hear((message) => message.id === 'a4');
    expect(mixed).toMatchObject({ code: '2', data: [{ sCode: '51000' }, { sCode: '0' }] });
    socket.send({ id: 'a5', op: 'batch-cancel-orders', args: [{ instIdCode, ordId: mixed.data[1].ordId }] });
    expect((await socket.hear((message) => message.id === 'a5')).code).toBe('0');
    // An order that rests or goes is told first, then what it sets aside; cash has not moved.
    const steps = socket.heard.flatMap(({ arg, data }) => {
      if (data === undefined || arg === undefined) return [];
      return arg.channel === 'orders' ? [data[0].state] : arg.channel === 'account' ? ['account'] : [];
    });
    expect(steps.slice(0, 5)).toEqual(['account', 'live', 'account', 'live', 'account']);
    const types = socket.pushes('balance_and_position').map((push) => push.data[0].eventType);
    expect(types).toEqual(['snapshot']);
  });

  test('every fill is pushed with its fee as a charge, and the last one says that the order is filled', async () => {
    const socket = await loggedIn();
    socket.subscribe({ channel: 'orders', instType: 'ANY', instId: 'BTC-USDT' });
    await socket.hear((message) => message.event === 'channel-conn-count');
    socket.send({ id: 'm', op: 'order', args: [{ ...resting, ordType: 'market', sz: '20000' }] });
    const { ordId } = (await socket.hear((message) => message.id === 'm')).data[0];
    const rows = () =>
      socket
        .pushes('orders')
        .flatMap((push) => push.data.filter((row: { ordId: string }) => row.ordId === ordId));
    await socket.hear(() => rows().at(-1)?.state === 'filled');
    const reported = rows();
    expect(reported.map((row) => row.state)).toEqual([
      'live',
      ...Array(reported.length - 2).fill('partially_filled'),
      'filled',
    ]);
    const listed = (await rig.signed(key, 'GET', `/api/v5/trade/fills?ordId=${ordId}`)).body.data.reverse();
    const pushed = reported
      .slice(1)
      .map((row) => [row.tradeId, row.fillPx, row.fillSz, row.fillFee, row.execType]);
    expect(pushed).toEqual(
      listed.map((row: Record<string, string>) => [
        row.tradeId,
        row.fillPx,
        row.fillSz,
        row.fee,
        row.execType,
      ]),
    );
    const order = (await rig.signed(key, 'GET', `/api/v5/trade/order?instId=BTC-USDT&ordId=${ordId}`)).body
      .data[0];
    expect(reported.at(-1)).toMatchObject({ fee: order.fee, accFillSz: order.accFillSz, avgPx: order.avgPx });
  });

  test('other accounts hear nothing; connections of a channel are counted', async () => {
    const stranger = await rig.key('stranger', { USDT: '10' });
    const [socket, other] = [await loggedIn(stranger), await loggedIn()];
    socket.subscribe({ channel: 'orders', instType: 'ANY' });
    other.subscribe({ channel: 'orders', instType: 'ANY' });
    await socket.hear((message) => message.event === 'channel-conn-count' && message.connCount === '1');
    await other.hear((message) => message.event === 'channel-conn-count');
    other.send({ id: 'o', op: 'order', args: [{ ...resting, ordType: 'ioc' }] });
    await other.hear(() => other.pushes('orders').length === 2);
    socket.send('ping');
    await socket.hear((message) => message === 'pong');
    expect(socket.pushes('orders')).toEqual([]);
    const second = await loggedIn(stranger);
    second.subscribe({ channel: 'orders', instType: 'ANY' });
    await second.hear((message) => message.event === 'channel-conn-count' && message.connCount === '2');
  });

  test('a deadline that has passed, too many at once and a lost answer are told or not, as asked', async () => {
    const socket = await loggedIn();
    socket.send({ id: 'late', op: 'order', expTime: String(rig.now - 1), args: [resting] });
    expect((await socket.hear((message) => message.id === 'late')).code).toBe('50036');
    socket.send({ id: 'many', op: 'order', args: [resting, resting] });
    expect((await socket.hear((message) => message.id === 'many')).code).toBe('50002');
    await rig.admin('POST', 'faults', { kind: 'timeout-after', match: 'order.place', count: 1 });
    socket.send({ id: 'lost', op: 'order', args: [{ ...resting, clOrdId: 'lost1' }] });
    expect((await socket.hear((message) => message.id === 'lost')).code).toBe('50004');
    const found = await rig.signed(key, 'GET', '/api/v5/trade/order?instId=BTC-USDT&clOrdId=lost1');
    expect(found.body.data[0].state).toBe('live');
    await rig.admin('POST', 'faults', { kind: 'reset-after', match: 'order.cancel', count: 1 });
    socket.send({ id: 'gone', op: 'cancel-order', args: [{ instId: 'BTC-USDT', clOrdId: 'lost1' }] });
    await socket.closed;
  });
});
