import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, type TestSocket, unique } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';

/** Orders of pairs that wait for a price: `tpslOrder` locks its money at once, `StopOrder` when it fires (order/create-order). */

const BTC = { category: 'spot', symbol: 'BTCUSDT' };
const rig = openedOnce(startRig);
let key: KeyPair;
let last: number;

beforeEach(async () => {
  key = await rig.key(unique('waiter'), { USDT: '100000', BTC: '2' });
  rig.venue.spot.depth('BTCUSDT', 5);
  rig.advance(1_000);
  // The crowd may be silent for seconds after a move: somebody trades, so that the last price is that of the book.
  const other = await rig.key(unique('somebody'), { USDT: '1000' });
  await rig.signed(other, '/v5/order/create', {
    body: { ...BTC, side: 'Buy', orderType: 'Market', qty: '100' },
  });
  last = (rig.venue.spot.trades('BTCUSDT', { limit: 1 })[0]?.price ?? 0) / 10;
});

const beside = (percent: number) => ((last * (100 + percent)) / 100).toFixed(1);
const post = async (path: string, body: object) =>
  (await rig.signed(key, `/v5/order/${path}`, { body: { ...BTC, ...body } })).body;
const create = (body: object) =>
  post('create', { side: 'Sell', orderType: 'Market', qty: '0.5', orderFilter: 'tpslOrder', ...body });
const list = async (params: Readonly<Record<string, string | number>> = {}) =>
  (await rig.signed(key, '/v5/order/realtime', { params: { ...BTC, ...params } })).body.result.list;
const lookup = async (orderId: string) => (await list({ orderId }))[0];
const locked = async (coin: string) => {
  const params = { accountType: 'UNIFIED' };
  const { body } = await rig.signed(key, '/v5/account/wallet-balance', { params });
  return body.result.list[0].coin.find((row: { coin: string }) => row.coin === coin)?.locked;
};
function move(percent: number): void {
  rig.venue.spot.shock('BTCUSDT', 1 + percent / 100);
  rig.advance(3_000);
  rig.venue.spot.shock('BTCUSDT', 1 / (1 + percent / 100));
  rig.advance(3_000);
}

describe('orders that wait', () => {
  test.each([
    ['tpslOrder', 'tpslOrder', '0.5', -3],
    ['tpslOrder', 'tpslOrder', '0.5', 3],
    ['StopOrder', 'Stop', '0', -3],
    ['StopOrder', 'Stop', '0', 3],
  ])(
    '%s waits, fires once its price is there, and keeps its id',
    async (orderFilter, type, held, percent) => {
      const { result } = await create({ orderFilter, triggerPrice: beside(percent) });
      expect(await lookup(result.orderId)).toMatchObject({
        ...{ orderStatus: 'Untriggered', stopOrderType: type, orderType: 'Market', cumExecQty: '0' },
        triggerPrice: String(Number(beside(percent))),
      });
      expect(await locked('BTC')).toBe(held);
      move(percent * 1.3);
      expect(await lookup(result.orderId)).toMatchObject({ orderStatus: 'Filled', cumExecQty: '0.5' });
    },
  );

  test('a market order that buys counts quote coin, and locks it', async () => {
    const { result } = await create({ side: 'Buy', qty: '5000', triggerPrice: beside(3) });
    expect([(await lookup(result.orderId)).orderStatus, await locked('USDT')]).toEqual([
      'Untriggered',
      '5000',
    ]);
    move(4);
    expect(await lookup(result.orderId)).toMatchObject({ orderStatus: 'Filled', qty: '5000' });
  });

  test('one that is funded when it fires is rejected where there is nothing', async () => {
    const waiting = { orderFilter: 'StopOrder', triggerPrice: beside(-3), qty: '2' };
    const first = await create(waiting);
    const second = await create(waiting);
    move(-4);
    const states = [await lookup(first.result.orderId), await lookup(second.result.orderId)];
    expect(states.map((row) => row.orderStatus)).toEqual(['Filled', 'Rejected']);
  });

  test('lists and cancels tell the kinds apart', async () => {
    const plain = await create({ orderType: 'Limit', price: beside(9), orderFilter: 'Order' });
    const tpsl = await create({ triggerPrice: beside(-9) });
    const stop = await create({ triggerPrice: beside(-9), orderFilter: 'StopOrder' });
    const ids = async (orderFilter?: string) =>
      (await list(orderFilter === undefined ? {} : { orderFilter })).map(
        (row: { orderId: string }) => row.orderId,
      );
    expect((await ids()).length).toBe(3);
    expect([await ids('Order'), await ids('tpslOrder'), await ids('StopOrder')]).toEqual([
      ...[[plain.result.orderId], [tpsl.result.orderId], [stop.result.orderId]],
    ]);
    const { orderId } = tpsl.result;
    expect((await post('cancel', { orderId })).retCode).toBe(170_213);
    expect((await post('cancel', { orderId, orderFilter: 'tpslOrder' })).retCode).toBe(0);
    expect((await lookup(orderId)).orderStatus).toBe('Deactivated');
    const all = await post('cancel-all', { orderFilter: 'StopOrder' });
    expect(all.result.list).toEqual([stop.result]);
    expect(await ids()).toEqual([plain.result.orderId]);
  });

  test('one that waits is changed: its trigger, its price, its size and what it locks', async () => {
    const { result } = await create({ orderType: 'Limit', price: beside(20), triggerPrice: beside(-3) });
    const change = { triggerPrice: beside(-5), price: beside(10), qty: '0.4' };
    expect((await post('amend', { ...result, ...change })).result).toEqual(result);
    const numbers = Object.entries(change).map(([name, text]) => [name, String(Number(text))]);
    expect(await lookup(result.orderId)).toMatchObject({
      ...{ ...Object.fromEntries(numbers), orderStatus: 'Untriggered' },
    });
    expect(await locked('BTC')).toBe('0.4');
    expect((await post('amend', { ...result, ...change })).retCode).toBe(10_001);
    expect((await post('amend', { ...result, qty: '3' })).retCode).toBe(170_131);
    expect((await post('amend', { ...result, triggerPrice: beside(4) })).retCode).toBe(10_001);
    expect((await post('amend', { ...result, triggerPrice: '0' })).retCode).toBe(170_130);
    expect(await locked('BTC')).toBe('0.4');
    const bought = await create({ side: 'Buy', qty: '5000', triggerPrice: beside(3) });
    expect((await post('amend', { ...bought.result, qty: '4000' })).retCode).toBe(170_227);
  });

  test('one that has fired is open among the plain ones, and cancelled as such', async () => {
    const { result } = await create({ orderType: 'Limit', price: beside(20), triggerPrice: beside(-3) });
    move(-4);
    expect(await list({ orderFilter: 'tpslOrder' })).toEqual([]);
    expect(await list({ orderFilter: 'Order' })).toMatchObject([
      { ...result, orderStatus: 'New', stopOrderType: 'tpslOrder' },
    ]);
    expect((await post('cancel', { ...result, orderFilter: 'tpslOrder' })).retCode).toBe(170_213);
    expect((await post('cancel', result)).retCode).toBe(0);
    expect((await lookup(result.orderId)).orderStatus).toBe('Cancelled');
  });

  test.each([
    ['no price to wait for', {}, 10_001],
    ['a price of nothing', { triggerPrice: '0' }, 170_130],
    ['a price between ticks', { triggerPrice: '50000.01' }, 170_134],
    ['a sale of so much quote coin', { triggerPrice: '50000', marketUnit: 'quoteCoin' }, 170_227],
    ['more than there is', { triggerPrice: '50000', qty: '3' }, 170_131],
    ['another order attached', { triggerPrice: '50000', takeProfit: '90000' }, 170_227],
    ['a kind that comes with an order alone', { orderFilter: 'BidirectionalTpslOrder' }, 170_202],
  ])('%s is refused by name', async (_, body, code) => {
    expect((await create(body)).retCode).toBe(code);
    expect(await list()).toEqual([]);
  });
});

describe('a limit order with take profit and stop loss', () => {
  /** A purchase at the market's price that fills at once, or one far below it. */
  const buy = (percent: number, body: object = {}) =>
    create({
      ...{ side: 'Buy', orderType: 'Limit', price: beside(percent), orderFilter: 'Order' },
      ...{ takeProfit: beside(4), stopLoss: beside(-4), ...body },
    });
  const legs = async () =>
    (await list()).map((row: Readonly<Record<string, string>>) => [
      ...[row.side, row.stopOrderType, row.orderStatus, row.triggerPrice, row.price, row.qty],
    ]);
  const price = (percent: number) => String(Number(beside(percent)));
  const BOTH = 'BidirectionalTpslOrder';
  const leg = (percent: number, limit = '0') => [
    ...['Sell', BOTH, 'Untriggered', price(percent), limit, '0.5'],
  ];

  test('says what it brings, which nobody sees before all of it has filled, and then locks what it bought', async () => {
    const { result } = await buy(-9, {
      stopLoss: beside(-20),
      tpLimitPrice: beside(5),
      tpOrderType: 'Limit',
    });
    expect(await list()).toMatchObject([
      {
        ...{ ...result, stopOrderType: '', takeProfit: price(4), tpLimitPrice: price(5) },
        ...{ stopLoss: price(-20), slLimitPrice: '0' },
      },
    ]);
    expect(await locked('BTC')).toBe('0');
    expect((await post('amend', { ...result, qty: '0.4' })).retCode).toBe(170_227);
    expect((await post('cancel', result)).retCode).toBe(0);
    expect(await list()).toEqual([]);
    const history = await rig.signed(key, '/v5/order/history', { params: BTC });
    expect(history.body.result.list).toMatchObject([{ ...result, orderStatus: 'Cancelled' }]);
    await buy(1, { tpLimitPrice: beside(5) });
    expect(await legs()).toEqual([leg(-4), leg(4, price(5))]);
    expect(await locked('BTC')).toBe('0.5');
  });

  test.each([
    ['take profit', 5, ['CancelByOCOSlCanceledByTpTriggered', -4]],
    ['stop loss', -5, ['CancelByOCOTpCanceledBySlTriggered', 4]],
  ] as const)(
    'whose %s is reached sells once; the other one is over',
    async (_, percent, [cancelType, other]) => {
      await buy(1);
      move(percent);
      expect(await list()).toEqual([]);
      const ended = (await rig.signed(key, '/v5/order/history', { params: BTC })).body.result.list;
      const sold = ended.filter((row: { side: string }) => row.side === 'Sell');
      expect(sold.find((row: { orderStatus: string }) => row.orderStatus === 'Filled')).toMatchObject({
        ...{ stopOrderType: BOTH, cumExecQty: '0.5' },
      });
      expect(sold.find((row: { orderStatus: string }) => row.orderStatus !== 'Filled')).toMatchObject({
        ...{ orderStatus: 'Deactivated', cancelType, triggerPrice: price(other), cumExecQty: '0' },
      });
      expect(sold).toHaveLength(2);
      expect(await locked('BTC')).toBe('0');
    },
  );

  test('one leg alone is a TP/SL order; both are cancelled as the kind that they are, and one takes the other along', async () => {
    await buy(1, { takeProfit: undefined });
    expect(await legs()).toEqual([['Sell', 'tpslOrder', 'Untriggered', price(-4), '0', '0.5']]);
    expect((await post('cancel-all', { orderFilter: 'tpslOrder' })).result.list).toHaveLength(1);
    await buy(1);
    const [first] = await list({ orderFilter: BOTH });
    const { orderId } = first;
    expect((await post('cancel', { orderId, orderFilter: 'tpslOrder' })).retCode).toBe(170_213);
    expect((await post('cancel', { orderId, orderFilter: BOTH })).retCode).toBe(0);
    expect([await list(), await locked('BTC')]).toEqual([[], '0']);
  });

  test.each([
    ['a target below the price', { takeProfit: '1000' }, 10_001],
    ['a stop above the price', { stopLoss: '900000' }, 10_001],
    ['a target of nothing', { takeProfit: '0' }, 170_130],
    ['a target between ticks', { takeProfit: '900000.01' }, 170_134],
    ['a limit without a target', { takeProfit: undefined, tpLimitPrice: '900000' }, 10_001],
    ['a kind that wants a limit', { slOrderType: 'Limit' }, 10_001],
    ['a limit beside the other kind', { slOrderType: 'Market', slLimitPrice: '100' }, 10_001],
    ['an order at market', { orderType: 'Market' }, 170_227],
  ])('%s is refused by name, and nothing is placed', async (_, body, code) => {
    expect((await buy(-9, body)).retCode).toBe(code);
    expect(await list()).toEqual([]);
  });
});

test('the stream tells one that waits, that it fired, and what came of it', async () => {
  const socket: TestSocket = await rig.loggedOn('/v5/private', key);
  socket.send({ req_id: 's', op: 'subscribe', args: ['order.spot'] });
  await socket.hear((message) => message.req_id === 's');
  const states = () =>
    socket.heard
      .filter((message) => message.topic === 'order.spot')
      .flatMap((message) => message.data)
      .map((row) => row.orderStatus);
  await create({ orderType: 'Limit', price: beside(20), triggerPrice: beside(-3) });
  move(-4);
  await socket.hear(() => states().length === 3);
  expect(states()).toEqual(['Untriggered', 'Triggered', 'New']);
  await create({ triggerPrice: beside(3) });
  move(4);
  await socket.hear(() => states().includes('Filled'));
  expect(states().slice(3, 5)).toEqual(['Untriggered', 'Triggered']);
  socket.close();
});
