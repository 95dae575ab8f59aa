import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localCcxtOkx, localOkxSdk } from './local-okx.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Orders of OKX's pairs that wait for a price, with ccxt and with the SDK `okx-api`, both as they are. */

const SYMBOL = 'BTC/USDT';
const INST = 'BTC-USDT';

const simulator = playedSimulator(23, { limited: false });

/** The key of a fresh account with 1 BTC and 50 000 USDT. */
const account = (label) => simulator.account('okx', label, { BTC: '1', USDT: '50000' });

const shock = (factor) => simulator.admin('POST', 'shock', { venue: 'okx', symbol: INST, factor });

describe('ccxt', () => {
  test('each kind is placed, listed, changed and cancelled; a stop fires', LONG, async () => {
    const exchange = simulator.closing(await localCcxtOkx(simulator.url, await account('ccxt-pairs')));
    await exchange.loadMarkets();
    const { last } = await exchange.fetchTicker(SYMBOL);
    const price = (factor) => Number(exchange.priceToPrecision(SYMBOL, last * factor));
    // ccxt asks for margin of its own accord where an order of a pair waits.
    const sell = (params, type = 'market', at = undefined) =>
      exchange.createOrder(SYMBOL, type, 'sell', 0.1, at, { tdMode: 'cash', ...params });
    const stop = await sell({ stopLossPrice: price(0.98), algoClOrdId: 'ccxtstop' });
    const pair = await sell({ stopLossPrice: price(0.9), takeProfitPrice: price(1.1) }, 'oco');
    const trigger = await sell({ triggerPrice: price(1.05) }, 'limit', price(1.06));
    const trailing = await sell({ trailingPercent: '5' });
    const kinds = ['conditional', 'oco', 'trigger', 'move_order_stop'];
    const ids = [stop, pair, trigger, trailing].map(({ id }) => id);
    for (const [at, ordType] of kinds.entries()) {
      const listed = await exchange.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true, ordType });
      assert.deepEqual(
        listed.map(({ id, status }) => [id, status]),
        [[ids[at], 'open']],
      );
    }
    assert.deepEqual(await exchange.fetchOpenOrders(SYMBOL), []);
    assert.equal((await exchange.fetchBalance()).BTC.used, 0);
    await exchange.editOrder(stop.id, SYMBOL, 'conditional', 'sell', 0.2, undefined, {
      stopLossPrice: price(0.985),
      newSlOrdPx: '-1',
    });
    const edited = await exchange.fetchOrder(stop.id, SYMBOL, { trigger: true });
    assert.deepEqual([edited.stopLossPrice, edited.amount], [price(0.985), 0.2]);
    await exchange.cancelOrders([pair.id, trigger.id, trailing.id], SYMBOL, { trigger: true });
    const berg = await exchange.createOrder(SYMBOL, 'iceberg', 'sell', 0.3, undefined, {
      ...{ tdMode: 'cash', szLimit: '0.1', pxSpread: '2000', pxLimit: String(price(0.98)) },
    });
    const [shown] = await exchange.fetchOpenOrders(SYMBOL, undefined, undefined, {
      ...{ trigger: true, ordType: 'iceberg' },
    });
    assert.deepEqual([shown.id, shown.amount, shown.info.szLimit], [berg.id, 0.3, '0.1']);
    await exchange.cancelOrder(berg.id, SYMBOL, { trigger: true });
    await until('its slice is gone', async () => (await exchange.fetchOpenOrders(SYMBOL)).length === 0);
    await shock(0.97);
    const fired = await until('the stop has fired', async () => {
      const found = await exchange.fetchOrder(stop.id, SYMBOL, { trigger: true });
      return found.info.state === 'effective' && found;
    });
    const child = await exchange.fetchOrder(fired.info.ordId, SYMBOL);
    assert.deepEqual(
      [child.side, child.filled, child.status, child.info.algoId, child.info.algoClOrdId],
      ['sell', 0.2, 'closed', stop.id, 'ccxtstop'],
    );
    const ended = { trigger: true, ordType: 'oco' };
    const gone = await exchange.fetchCanceledOrders(SYMBOL, undefined, undefined, ended);
    assert.deepEqual(
      gone.map(({ id }) => id),
      [pair.id],
    );
    await shock(1 / 0.97);
    const bracket = { stopLoss: { triggerPrice: price(0.8) }, takeProfit: { triggerPrice: price(1.2) } };
    await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.1, price(1.02), bracket);
    const [guard] = await exchange.fetchOpenOrders(SYMBOL, undefined, undefined, ended);
    assert.deepEqual(
      [guard.stopLossPrice, guard.takeProfitPrice, guard.amount],
      [price(0.8), price(1.2), 0.0999],
    );
    await assert.rejects(sell({ stopLossPrice: price(1.2) }), (error) => /51280/.test(error.message));
  });
});

describe('SDK', () => {
  test(
    'a pair of which one fires is told of on the business socket, and what it sends rests',
    LONG,
    async () => {
      const { rest, sockets } = localOkxSdk(simulator.url, await account('sdk-pairs'));
      const socket = simulator.closing(sockets());
      const heard = [];
      socket.on('update', (update) => heard.push(update));
      socket.on('response', (response) => heard.push(response));
      void socket.subscribe([{ channel: 'orders-algo', instType: 'SPOT' }]);
      await until('the channel', () =>
        heard.some(({ event, arg }) => event === 'subscribe' && arg?.channel === 'orders-algo'),
      );
      const [{ last }] = await rest.getTicker({ instId: INST });
      const at = (factor) => String(Number((Number(last) * factor).toFixed(1)));
      const order = { instId: INST, tdMode: 'cash', side: 'sell', sz: '0.3' };
      const [{ algoId, sCode }] = await rest.placeAlgoOrder({
        ...{ ...order, ordType: 'oco', algoClOrdId: 'sdkpair' },
        ...{ tpTriggerPx: at(1.02), tpOrdPx: at(1.2), slTriggerPx: at(0.8), slOrdPx: '-1' },
      });
      assert.equal(sCode, '0');
      await rest.amendAlgoOrder({ instId: INST, algoId, newSlTriggerPx: at(0.85), newSz: '0.25' });
      const [found] = await rest.getAlgoOrderDetails({ algoClOrdId: 'sdkpair' });
      assert.deepEqual([found.algoId, found.slTriggerPx, found.sz], [algoId, at(0.85), '0.25']);
      const waits = { ...order, ordType: 'trigger', triggerPx: at(0.9), orderPx: '-1' };
      const [trigger] = await rest.placeAlgoOrder(waits);
      await rest.amendAlgoOrder({
        instId: INST,
        algoId: trigger.algoId,
        newTriggerPx: at(0.88),
        newSz: '0.2',
      });
      const [moved] = await rest.getAlgoOrderDetails({ algoId: trigger.algoId });
      assert.deepEqual([moved.triggerPx, moved.sz, moved.state], [at(0.88), '0.2', 'live']);
      await rest.cancelAlgoOrder([{ instId: INST, algoId: trigger.algoId }]);
      const [trailing] = await rest.placeAlgoOrder({
        ...order,
        ordType: 'move_order_stop',
        callbackSpread: '9000',
      });
      const listed = await rest.getAlgoOrderList({ ordType: 'move_order_stop' });
      assert.deepEqual(
        listed.map((row) => [row.algoId, row.callbackSpread]),
        [[trailing.algoId, '9000']],
      );
      assert.equal((await rest.cancelAlgoOrder([{ instId: INST, algoId: trailing.algoId }]))[0].sCode, '0');
      await shock(1.03);
      const states = () =>
        heard
          .filter(({ arg, data }) => arg?.channel === 'orders-algo' && data?.[0].algoId === algoId)
          .map(({ data: [row] }) => `${row.state} ${row.actualSide}`.trim());
      await until('it has fired', () => states().includes('effective tp'));
      const [rests] = await rest.getOrderList({ instType: 'SPOT' });
      assert.deepEqual([rests.algoId, rests.px, rests.sz, rests.state], [algoId, at(1.2), '0.25', 'live']);
      const past = await rest.getAlgoOrderHistory({ ordType: 'oco', state: 'effective' });
      assert.deepEqual(
        past.map((row) => [row.algoId, row.ordId]),
        [[algoId, rests.ordId]],
      );
      await shock(1 / 1.03);
    },
  );

  test('an order on a swap brings targets that rest, with a stop for what they leave', LONG, async () => {
    const { rest } = localOkxSdk(simulator.url, await account('sdk-bringing'));
    await rest.setAccountMode({ acctLv: '2' });
    const instId = 'BTC-USDT-SWAP';
    const [{ last }] = await rest.getTicker({ instId });
    const at = (factor) => String(Number((Number(last) * factor).toFixed(1)));
    const target = (factor, sz) => ({ tpOrdKind: 'limit', tpOrdPx: at(factor), sz });
    const stop = { slTriggerPx: at(0.9), slOrdPx: '-1' };
    const [{ sCode }] = await rest.submitOrder({
      ...{ instId, tdMode: 'cross', side: 'buy', ordType: 'market', sz: '2' },
      attachAlgoOrds: [target(1.05, '1'), target(1.06, '1'), stop],
    });
    assert.equal(sCode, '0');
    const resting = async () =>
      (await rest.getOrderList({ instType: 'SWAP' })).map((row) => `${row.side} ${row.sz} ${row.isTpLimit}`);
    await until('both rest', async () => (await resting()).length === 2);
    assert.deepEqual([...new Set(await resting())], ['sell 1 true']);
    const [guard] = await rest.getAlgoOrderList({ ordType: 'conditional' });
    assert.deepEqual([guard.sz, guard.slTriggerPx], ['2', at(0.9)]);
    for (const { ordId } of await rest.getOrderList({ instType: 'SWAP' }))
      await rest.cancelOrder({ instId, ordId });
    assert.deepEqual(await resting(), []);
  });

  test('an iceberg is sent slice by slice, followed on its own channel, and fills whole', LONG, async () => {
    const { rest, sockets } = localOkxSdk(simulator.url, await account('sdk-iceberg'));
    const socket = simulator.closing(sockets());
    const heard = [];
    socket.on('update', (update) => heard.push(update));
    socket.on('response', (response) => heard.push(response));
    void socket.subscribe([{ channel: 'algo-advance', instType: 'SPOT' }]);
    await until('the channel', () =>
      heard.some(({ event, arg }) => event === 'subscribe' && arg?.channel === 'algo-advance'),
    );
    const [{ last }] = await rest.getTicker({ instId: INST });
    const order = {
      instId: INST,
      tdMode: 'cash',
      side: 'buy',
      ordType: 'iceberg',
      sz: '0.3',
      szLimit: '0.1',
    };
    const terms = { ...order, pxVar: '0.0001', pxLimit: String(Math.round(Number(last) * 1.1)) };
    const [{ algoId, sCode }] = await rest.placeAlgoOrder({ ...terms, algoClOrdId: 'sdkberg' });
    assert.equal(sCode, '0');
    const [second] = await rest.placeAlgoOrder({ ...terms, pxVar: '0.01' });
    const listed = await rest.getAlgoOrderList({ ordType: 'iceberg' });
    assert.deepEqual(
      listed.map((row) => [row.algoId, row.szLimit, row.pxVar]),
      [
        [second.algoId, '0.1', '0.01'],
        [algoId, '0.1', '0.0001'],
      ],
    );
    assert.equal((await rest.cancelAlgoOrder([{ instId: INST, algoId: second.algoId }]))[0].sCode, '0');
    let fallen = 1;
    const found = await until('all has filled', async () => {
      await shock(0.998);
      fallen *= 0.998;
      const [row] = await rest.getAlgoOrderDetails({ algoClOrdId: 'sdkberg' });
      return row.state === 'effective' && row;
    });
    assert.equal(found.actualSz, '0.3');
    const slices = await Promise.all(
      found.ordIdList.map(async (ordId) => (await rest.getOrderDetails({ instId: INST, ordId }))[0]),
    );
    assert.ok(slices.length > 1);
    assert.deepEqual(new Set(slices.map((slice) => slice.algoId)), new Set([algoId]));
    const sum = slices.reduce((all, slice) => all + Number(slice.accFillSz), 0);
    assert.equal(Number(sum.toFixed(8)), 0.3);
    await until('its end was told', () =>
      heard.some(({ data }) => data?.[0].algoId === algoId && data[0].state === 'effective'),
    );
    await shock(1 / fallen);
  });
});
