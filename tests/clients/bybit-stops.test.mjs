import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { collect } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Orders of Bybit's linear contracts that wait for a price, with ccxt and with the SDK `bybit-api`, both as they are. */

const PERP = 'BTC/USDT:USDT';
const BTC = { category: 'linear', symbol: 'BTCUSDT' };

const simulator = playedSimulator(13);

/** Key of a fresh account with 100 000 USDT. */
const trader = (label) => simulator.account('bybit', label);

async function ccxtTrader(label) {
  const exchange = simulator.closing(await localCcxtBybit(simulator.url, await trader(label), 'swap'));
  await exchange.loadMarkets();
  return exchange;
}

/** Moves the price of the contract. */
const shock = (factor) =>
  simulator.admin('POST', 'shock', { venue: 'bybit', market: 'perps', symbol: 'BTCUSDT', factor });

describe('ccxt', () => {
  test('stops and take-profits are placed, listed, changed and cancelled', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-stops');
    const { last } = await exchange.fetchTicker(PERP);
    const at = (share) => Math.round(last * share);
    const trigger = (triggerPrice, triggerDirection) => ({ triggerPrice, triggerDirection });
    const up = await exchange.createOrder(PERP, 'market', 'buy', 0.01, undefined, {
      ...trigger(at(1.05), 'ascending'),
      triggerBy: 'MarkPrice',
    });
    const down = await exchange.createOrder(PERP, 'limit', 'buy', 0.02, at(0.94), {
      ...trigger(at(0.95), 'descending'),
    });
    const open = await exchange.fetchOpenOrders(PERP, undefined, undefined, { trigger: true });
    assert.deepEqual(
      open.map(({ id, status, triggerPrice, amount }) => [id, status, triggerPrice, amount]).sort(),
      [
        ...[
          [up.id, 'open', at(1.05), 0.01],
          [down.id, 'open', at(0.95), 0.02],
        ].sort(),
      ],
    );
    await exchange.editOrder(down.id, PERP, 'limit', 'buy', 0.03, at(0.93), {
      // In a change it goes out as it is given.
      triggerPrice: String(at(0.96)),
    });
    const changed = await exchange.fetchOpenOrder(down.id, PERP, { trigger: true });
    assert.deepEqual([changed.amount, changed.price, changed.triggerPrice], [0.03, at(0.93), at(0.96)]);
    await exchange.cancelOrder(up.id, PERP, { trigger: true });
    await exchange.cancelAllOrders(PERP, { trigger: true });
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), []);
    const ended = await exchange.fetchCanceledAndClosedOrders(PERP);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['canceled', 'canceled'],
    );
    const reached = { ...trigger(at(0.95), 'ascending') };
    await assert.rejects(exchange.createOrder(PERP, 'market', 'buy', 0.01, undefined, reached), /110092/);
  });

  test('stop-loss and take-profit of a position; one with its order; one that trails', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-protects');
    const { last } = await exchange.fetchTicker(PERP);
    const at = (share) => Math.round(last * share);
    await exchange.createOrder(PERP, 'market', 'buy', 0.02, undefined, {
      takeProfit: { triggerPrice: at(1.2) },
      stopLoss: { triggerPrice: at(0.8) },
    });
    const [position] = await exchange.fetchPositions([PERP]);
    assert.deepEqual([position.takeProfitPrice, position.stopLossPrice], [at(1.2), at(0.8)]);
    const closing = { reduceOnly: true };
    await exchange.createOrder(PERP, 'market', 'sell', 0.01, undefined, {
      ...closing,
      stopLossPrice: at(0.9),
    });
    await exchange.createOrder(PERP, 'market', 'sell', 0.01, undefined, {
      ...closing,
      takeProfitPrice: at(1.1),
    });
    await exchange.createOrder(PERP, 'market', 'sell', 0.02, undefined, {
      ...{ ...closing, trailingAmount: at(0.05), trailingTriggerPrice: at(1.15) },
    });
    const kinds = (await exchange.fetchOpenOrders(PERP)).map(({ info }) => info.stopOrderType).sort();
    assert.deepEqual(kinds, ['Stop', 'Stop', 'StopLoss', 'TakeProfit', 'TrailingStop']);
    await exchange.createOrder(PERP, 'market', 'sell', 0.02, undefined, closing);
    assert.deepEqual(
      (await exchange.fetchOpenOrders(PERP)).map(({ info }) => info.stopOrderType),
      ['Stop', 'Stop'],
    );
  });

  test('one that fires is reported under its id, by socket and by lists', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-fires');
    const reported = collect(() => exchange.watchOrders(PERP));
    await exchange.createOrder(PERP, 'market', 'buy', 0.02);
    await until('the stream is there', async () => {
      if (reported.flat().length > 0) return true;
      await exchange.createOrder(PERP, 'market', 'buy', 0.001);
      return false;
    });
    const { last } = await exchange.fetchTicker(PERP);
    const { id } = await exchange.createOrder(PERP, 'market', 'sell', 0.02, undefined, {
      ...{ reduceOnly: true, stopLossPrice: Math.round(last * 0.99) },
    });
    await shock(0.97);
    await until('it is filled', () =>
      reported.flat().some((order) => order.id === id && order.status === 'closed'),
    );
    await shock(1 / 0.97);
    const found = await exchange.fetchClosedOrder(id, PERP);
    assert.deepEqual(
      [found.filled, found.reduceOnly, found.triggerPrice],
      [0.02, true, Math.round(last * 0.99)],
    );
  });
});

describe('the SDK bybit-api', () => {
  const ok = async (answer) => {
    const { retCode, retMsg, result } = await answer;
    assert.equal(retCode, 0, retMsg);
    return result;
  };

  test('stops: alone and in a batch, changed, cancelled by kind, by socket, fired', LONG, async () => {
    const sdk = localBybitSdk(simulator.url, await trader('sdk-stops'), []);
    const { rest } = sdk;
    const price = Number((await ok(rest.getTickers(BTC))).list[0].markPrice);
    const at = (share) => (price * share).toFixed(1);
    const stop = { ...BTC, side: 'Buy', orderType: 'Market', qty: '0.01', triggerPrice: at(1.05) };
    const rising = { ...stop, triggerDirection: 1 };
    const open = async (more = {}) => (await ok(rest.getActiveOrders({ ...BTC, ...more }))).list;
    const { orderId } = await ok(rest.submitOrder({ ...rising, orderLinkId: 'sdk-stop' }));
    const batch = await rest.batchSubmitOrders('linear', [rising, { ...rising, triggerPrice: at(0.9) }]);
    assert.deepEqual(
      batch.retExtInfo.list.map(({ code }) => code),
      [0, 110_092],
    );
    await ok(rest.amendOrder({ ...BTC, orderLinkId: 'sdk-stop', triggerPrice: at(1.02), qty: '0.02' }));
    await ok(rest.submitOrder({ ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: at(0.9) }));
    const cancelled = await ok(rest.cancelAllOrders({ ...BTC, orderFilter: 'Order' }));
    assert.equal(cancelled.list.length, 1);
    assert.equal((await open({ orderFilter: 'StopOrder' })).length, 2);
    const trading = sdk.trading();
    simulator.closing(trading.getWSClient());
    const { data } = await trading.submitNewOrder({ ...rising, triggerPrice: at(1.2) });
    await trading.amendOrder({ ...BTC, orderId: data.orderId, triggerPrice: at(1.3) });
    await trading.cancelOrder({ ...BTC, orderId: data.orderId });
    const [row] = (await ok(rest.getHistoricOrders({ ...BTC, orderId: data.orderId }))).list;
    assert.deepEqual([row.orderStatus, row.triggerPrice], ['Deactivated', String(Number(at(1.3)))]);
    await shock(1.04);
    await until('it fires and fills', async () => (await open({ orderId }))[0]?.orderStatus === 'Filled');
    await shock(1 / 1.04);
    const [execution] = (await ok(rest.getExecutionList({ ...BTC, orderId }))).list;
    assert.deepEqual([execution.orderLinkId, execution.createType], ['sdk-stop', 'CreateByStopOrder']);
  });

  test('stops of a position, whole and in parts, and one of its legs fires', LONG, async () => {
    const { rest } = localBybitSdk(simulator.url, await trader('sdk-protects'), []);
    const bought = { ...BTC, side: 'Buy', orderType: 'Market', qty: '0.02', orderLinkId: 'opens' };
    const price = Number((await ok(rest.getTickers(BTC))).list[0].markPrice);
    const at = (share) => (price * share).toFixed(1);
    const partial = { tpslMode: 'Partial', takeProfit: at(1.2), stopLoss: at(0.99) };
    await ok(rest.submitOrder({ ...bought, ...partial }));
    const open = async () => (await ok(rest.getActiveOrders({ ...BTC, orderFilter: 'StopOrder' }))).list;
    const legs = await open();
    assert.deepEqual(
      legs.map(({ stopOrderType, parentOrderLinkId }) => [stopOrderType, parentOrderLinkId]).sort(),
      [
        ['PartialStopLoss', 'opens'],
        ['PartialTakeProfit', 'opens'],
      ],
    );
    const whole = { ...BTC, positionIdx: 0, tpslMode: 'Full', takeProfit: at(1.3), stopLoss: at(0.7) };
    await ok(rest.setTradingStop(whole));
    await ok(rest.setTradingStop({ ...whole, takeProfit: '0', trailingStop: at(0.2) }));
    const [position] = (await ok(rest.getPositionInfo(BTC))).list;
    assert.deepEqual(
      [position.takeProfit, position.stopLoss, position.trailingStop],
      ['', String(Number(at(0.7))), String(Number(at(0.2)))],
    );
    await shock(0.97);
    await until(
      'the stop loss fires',
      async () => (await ok(rest.getPositionInfo(BTC))).list[0].size === '0',
    );
    await shock(1 / 0.97);
    assert.deepEqual(await open(), []);
    const ends = (await ok(rest.getHistoricOrders(BTC))).list
      .filter(({ stopOrderType }) => stopOrderType !== '')
      .map((row) => `${row.stopOrderType} ${row.orderStatus} ${row.cancelType}`)
      .sort();
    assert.deepEqual(ends, [
      'PartialStopLoss Filled UNKNOWN',
      'PartialTakeProfit Deactivated CancelByOCOTpCanceledBySlTriggered',
      'StopLoss Deactivated CancelByTpSlTsClear',
      'TakeProfit Deactivated CancelByUser',
      'TrailingStop Deactivated CancelByTpSlTsClear',
    ]);
  });
});
