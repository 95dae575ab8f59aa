import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Orders of Bybit's pairs that wait for a price, with ccxt and with the SDK `bybit-api`, both as they are. */

const SYMBOL = 'BTC/USDT';
const simulator = playedSimulator(13);

/** The key of a fresh account with 1 BTC and 50 000 USDT. */
const account = (label) => simulator.account('bybit', label, { BTC: '1', USDT: '50000' });

describe('orders that wait', () => {
  test('a stop is placed, found and cancelled', LONG, async () => {
    const exchange = simulator.closing(await localCcxtBybit(simulator.url, await account('stopper')));
    await exchange.loadMarkets();
    const price = Math.floor((await exchange.fetchTicker(SYMBOL)).bid * 0.98);
    const stop = { triggerPrice: price };
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'sell', 0.01, price - 5, stop);
    const open = await exchange.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true });
    assert.deepEqual(
      open.map((order) => [order.id, order.status, order.triggerPrice]),
      [[placed.id, 'open', price]],
    );
    await exchange.cancelOrder(placed.id, SYMBOL, { trigger: true });
    assert.deepEqual(await exchange.fetchOpenOrders(SYMBOL), []);
  });

  test(
    'orders of pairs that wait: both kinds are placed, listed, changed, cancelled, and one fires',
    LONG,
    async () => {
      const { rest } = localBybitSdk(simulator.url, await account('sdk-waiting'));
      const pair = { category: 'spot', symbol: 'BTCUSDT' };
      const { result } = await rest.getTickers(pair);
      const beside = (share) => (Number(result.list[0].lastPrice) * share).toFixed(1);
      const sell = { ...pair, side: 'Sell', orderType: 'Market', qty: '0.1' };
      const stop = (orderFilter, share) =>
        rest.submitOrder({ ...sell, orderFilter, triggerPrice: beside(share) });
      const open = async (more = {}) => (await rest.getActiveOrders({ ...pair, ...more })).result.list;
      for (const orderFilter of ['tpslOrder', 'StopOrder']) {
        const { orderId } = (await stop(orderFilter, 0.9)).result;
        const [row] = await open({ orderFilter });
        assert.deepEqual([row.orderId, row.orderStatus], [orderId, 'Untriggered']);
        const change = { triggerPrice: beside(0.95), qty: '0.2' };
        assert.equal((await rest.amendOrder({ ...pair, orderId, ...change })).retCode, 0);
        const [changed] = await open({ orderFilter });
        assert.deepEqual(
          [changed.orderId, Number(changed.triggerPrice), changed.qty],
          [orderId, Number(change.triggerPrice), '0.2'],
        );
        assert.equal((await rest.cancelOrder({ ...pair, orderId, orderFilter })).retCode, 0);
      }
      assert.deepEqual(await open(), []);
      const { orderId } = (await stop('tpslOrder', 0.99)).result;
      await simulator.admin('POST', 'shock', { venue: 'bybit', symbol: 'BTCUSDT', factor: 0.97 });
      await until('it fires and fills', async () => (await open({ orderId }))[0]?.orderStatus === 'Filled');
      await simulator.admin('POST', 'shock', { venue: 'bybit', symbol: 'BTCUSDT', factor: 1 / 0.97 });
    },
  );

  test(
    'a limit order of a pair brings take profit and stop loss, of which one ends the other',
    LONG,
    async () => {
      const { rest } = localBybitSdk(simulator.url, await account('sdk-bringing'));
      const pair = { category: 'spot', symbol: 'BTCUSDT' };
      // After a shock the crowd may be silent for a while: the last price is to be that of the book.
      let result;
      await until('trades are at the book', async () => {
        ({ result } = await rest.getTickers(pair));
        const { lastPrice, bid1Price } = result.list[0];
        return Math.abs(Number(lastPrice) / Number(bid1Price) - 1) < 0.005;
      });
      const beside = (share) => (Number(result.list[0].lastPrice) * share).toFixed(1);
      const sell = { ...pair, side: 'Sell', orderType: 'Limit', qty: '0.1', price: beside(0.99) };
      const { retCode } = await rest.submitOrder({
        ...sell,
        takeProfit: beside(0.8),
        stopLoss: beside(1.02),
      });
      assert.equal(retCode, 0);
      const legs = async () =>
        (await rest.getActiveOrders({ ...pair, orderFilter: 'BidirectionalTpslOrder' })).result.list;
      await until('both wait', async () => (await legs()).length === 2);
      assert.deepEqual(
        [...new Set((await legs()).map((row) => `${row.side} ${row.qty} ${row.orderStatus}`))],
        ['Buy 0.1 Untriggered'],
      );
      await simulator.admin('POST', 'shock', { venue: 'bybit', symbol: 'BTCUSDT', factor: 1.04 });
      await until('none waits', async () => (await legs()).length === 0);
      const past = async () =>
        (await rest.getHistoricOrders(pair)).result.list.filter((row) => row.side === 'Buy');
      await until('one filled', async () => (await past()).some((row) => row.orderStatus === 'Filled'));
      assert.deepEqual((await past()).map((row) => row.orderStatus).sort(), ['Deactivated', 'Filled']);
      await simulator.admin('POST', 'shock', { venue: 'bybit', symbol: 'BTCUSDT', factor: 1 / 1.04 });
    },
  );
});
