import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { ccxt, collect, positionOf } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Trading Bybit linear contracts with ccxt and with the SDK `bybit-api`, both as they are. */

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

async function sdkTrader(label) {
  const said = [];
  return { said, ...localBybitSdk(simulator.url, await trader(label), said) };
}

const position = (exchange) => positionOf(exchange, PERP);

describe('ccxt', () => {
  test('open, add, close a part, flip, close: positions, trades, log, profit and balance', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-life');
    const market = (side, amount, params) =>
      exchange.createOrder(PERP, 'market', side, amount, undefined, params);
    assert.equal((await exchange.fetchBalance()).USDT.total, 100_000);
    const opened = await market('buy', 0.1);
    const closed = await exchange.fetchClosedOrder(opened.id, PERP);
    assert.deepEqual([closed.status, closed.filled, closed.type], ['closed', 0.1, 'market']);
    await market('buy', 0.05);
    const long = await position(exchange);
    assert.deepEqual([long.side, long.contracts, long.leverage], ['long', 0.15, 10]);
    assert.ok(long.entryPrice > 0 && long.notional > 0 && long.initialMargin > 0);
    await market('sell', 0.05, { reduceOnly: true });
    assert.equal((await position(exchange)).contracts, 0.1);
    await market('sell', 0.3);
    const short = await position(exchange);
    assert.deepEqual([short.side, short.contracts], ['short', 0.2]);
    await market('buy', 0.2, { reduceOnly: true });
    assert.equal(await position(exchange), undefined);
    await assert.rejects(market('buy', 0.2, { reduceOnly: true }), ccxt.InvalidOrder);

    const trades = await exchange.fetchMyTrades(PERP);
    const bought = trades.filter(({ side }) => side === 'buy').reduce((sum, trade) => sum + trade.amount, 0);
    assert.ok(Math.abs(bought - 0.35) < 1e-9);
    assert.ok(trades.every(({ fee }) => fee.cost > 0 && fee.currency === 'USDT'));
    const { total } = (await exchange.fetchBalance()).USDT;
    const ledger = await exchange.fetchLedger('USDT');
    const earned = ledger.reduce(
      (sum, { amount, direction }) => sum + (direction === 'out' ? -amount : amount),
      0,
    );
    assert.ok(Math.abs(earned - total) < 1e-6, `${earned} entries, ${total} in the wallet`);
    const history = await exchange.fetchPositionsHistory([PERP]);
    assert.equal(history.length, 3);
    const profit = history.reduce((sum, { realizedPnl }) => sum + realizedPnl, 0);
    assert.ok(Math.abs(100_000 + profit - total) < 1e-6, `${profit} ${total}`);
  });

  test('limit orders are placed, changed, found and cancelled, one and many', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-orders');
    const { bid } = await exchange.fetchTicker(PERP);
    const price = Math.floor(bid * 0.98);
    const resting = await exchange.createOrder(PERP, 'limit', 'buy', 0.01, price, { postOnly: true });
    await exchange.editOrder(resting.id, PERP, 'limit', 'buy', 0.02, price - 10);
    const found = await exchange.fetchOpenOrder(resting.id, PERP);
    assert.deepEqual([found.amount, found.price, found.status], [0.02, price - 10, 'open']);
    const more = { symbol: PERP, type: 'limit', side: 'buy', amount: 0.01 };
    const several = await exchange.createOrders([
      { ...more, price },
      { ...more, price: price - 5 },
    ]);
    assert.equal((await exchange.fetchOpenOrders(PERP)).length, 3);
    await exchange.cancelOrders([several[0].id], PERP);
    await exchange.cancelOrder(resting.id, PERP);
    await exchange.cancelAllOrders(PERP);
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), []);
    assert.equal((await exchange.fetchCanceledOrders(PERP)).length, 3);
    await assert.rejects(exchange.cancelOrder(resting.id, PERP), ccxt.OrderNotFound);
    const tooMuch = exchange.createOrder(PERP, 'limit', 'buy', 100, price);
    await assert.rejects(tooMuch, ccxt.InsufficientFunds);
    await assert.rejects(exchange.createOrder(PERP, 'limit', 'buy', 0.0001, price), ccxt.InvalidOrder);
  });

  test(
    'the window after which a silent account loses its orders is set in its own unit, and refused',
    LONG,
    async () => {
      const exchange = await ccxtTrader('ccxt-window');
      assert.equal((await exchange.cancelAllOrdersAfter(10_000)).retCode, 0);
      await assert.rejects(exchange.cancelAllOrdersAfter(1_000), ccxt.BadRequest);
    },
  );

  test('leverage, margin mode, hedge mode, tiers and fees', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-settings');
    await exchange.setLeverage(25, PERP);
    await assert.rejects(exchange.setLeverage(25, PERP), ccxt.ExchangeError);
    assert.equal((await exchange.fetchLeverage(PERP)).longLeverage, 25);
    await exchange.setMarginMode('isolated', PERP, { leverage: 25 });
    await exchange.createOrder(PERP, 'market', 'buy', 0.1);
    const before = await position(exchange);
    assert.ok(Math.abs(before.notional / before.initialMargin - 25) < 1);
    assert.ok(before.liquidationPrice > 0 && before.liquidationPrice < before.entryPrice);
    await exchange.createOrder(PERP, 'market', 'sell', 0.1, undefined, { reduceOnly: true });

    await exchange.setPositionMode(true, PERP);
    const leg = (positionIdx, more = {}) => ({ positionIdx, ...more });
    await exchange.createOrder(PERP, 'market', 'buy', 0.02, undefined, leg(1));
    await exchange.createOrder(PERP, 'market', 'sell', 0.01, undefined, leg(2));
    const legs = (await exchange.fetchPositions([PERP])).filter(({ contracts }) => contracts > 0);
    assert.deepEqual(legs.map(({ side, contracts }) => [side, contracts]).sort(), [
      ['long', 0.02],
      ['short', 0.01],
    ]);
    await assert.rejects(exchange.setPositionMode(false, PERP), ccxt.ExchangeError);
    await exchange.createOrder(PERP, 'market', 'sell', 0.02, undefined, leg(1, { reduceOnly: true }));
    await exchange.createOrder(PERP, 'market', 'buy', 0.01, undefined, leg(2, { reduceOnly: true }));
    assert.equal(await position(exchange), undefined);

    const tiers = await exchange.fetchMarketLeverageTiers(PERP);
    assert.ok(tiers.length > 1 && tiers[0].maxLeverage >= 100);
    assert.equal((await exchange.fetchTradingFee(PERP)).taker, 0.00055);
  });

  test('funding that was paid is found', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-funding');
    await exchange.createOrder(PERP, 'market', 'buy', 0.1);
    await simulator.admin('POST', 'funding', { venue: 'bybit', symbol: 'BTCUSDT' });
    const [paid] = await exchange.fetchFundingHistory(PERP);
    assert.equal(paid.symbol, PERP);
    assert.ok(Math.abs(paid.amount) > 0);
  });

  test('orders, trades, positions and balance arrive by socket; orders go by socket too', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-live');
    const orders = collect(() => exchange.watchOrders(PERP));
    const trades = collect(() => exchange.watchMyTrades(PERP));
    const positions = collect(() => exchange.watchPositions([PERP]));
    const balances = collect(() => exchange.watchBalance());
    const { bid } = await exchange.fetchTicker(PERP);
    // The subscription is in place once the first event arrives; orders are placed until then.
    await until('an order placed by socket is told', async () => {
      const placed = await exchange.createOrderWs(PERP, 'limit', 'buy', 0.01, Math.floor(bid * 0.98));
      const reported = () => orders.flat().some(({ id }) => id === placed.id);
      const seen = await until('its event', reported, 1_000).catch(() => false);
      await exchange.cancelOrderWs(placed.id, PERP);
      return seen;
    });
    const bought = await exchange.createOrderWs(PERP, 'market', 'buy', 0.05);
    const of = (rows) => rows.flat().filter((row) => (row.order ?? row.id) === bought.id);
    await until('the fill is told', () => of(orders).some(({ status }) => status === 'closed'));
    await until('its trades are told', () => of(trades).length > 0);
    // What arrives between two of its calls the client does not hand on: the position changes until it does.
    await until('its position is told', async () => {
      const shown = () => positions.flat().some(({ contracts }) => contracts >= 0.05);
      if (await until('its event', shown, 2_000).catch(() => false)) return true;
      await exchange.createOrderWs(PERP, 'market', 'buy', 0.01);
      return false;
    });
    await until('the balance is told', () => balances.some(({ USDT }) => USDT?.total < 100_000));
  });
});

describe('the SDK bybit-api', () => {
  test('the account, its positions, settings, log and refusals', LONG, async () => {
    const { rest } = await sdkTrader('sdk-account');
    const market = { ...BTC, orderType: 'Market' };
    const result = async (answer) => {
      const { retCode, retMsg, result: value } = await answer;
      assert.equal(retCode, 0, retMsg);
      return value;
    };
    const opened = await result(rest.submitOrder({ ...market, side: 'Buy', qty: '0.02' }));
    const { list } = await result(rest.getPositionInfo(BTC));
    assert.deepEqual([list[0].size, list[0].side, list[0].positionIdx], ['0.02', 'Buy', 0]);
    const [history] = (await result(rest.getHistoricOrders({ ...BTC, orderId: opened.orderId }))).list;
    assert.equal(history.orderStatus, 'Filled');
    const [wallet] = (await result(rest.getWalletBalance({ accountType: 'UNIFIED' }))).list;
    assert.ok(Number(wallet.totalInitialMargin) > 0 && Number(wallet.accountMMRate) > 0);
    const { availableWithdrawal } = await result(rest.getTransferableAmount({ coinName: 'USDT' }));
    assert.ok(Number(availableWithdrawal) > 0 && Number(availableWithdrawal) < Number(wallet.coin[0].equity));
    assert.equal((await result(rest.getCollateralInfo('USDT'))).list[0].collateralSwitch, true);
    assert.equal((await result(rest.getAccountInfo())).marginMode, 'REGULAR_MARGIN');
    await result(rest.setLeverage({ ...BTC, buyLeverage: '5', sellLeverage: '5' }));
    assert.equal((await rest.setLeverage({ ...BTC, buyLeverage: '5', sellLeverage: '5' })).retCode, 110_043);
    const resting = { ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.02', price: '50000' };
    const { orderId } = await result(rest.submitOrder(resting));
    const refused = await rest.setMarginMode('ISOLATED_MARGIN');
    assert.deepEqual([refused.retCode, refused.result.reasons.length], [3_400_045, 1]);
    await result(rest.cancelOrder({ ...BTC, orderId }));
    // What is held goes along, and comes back.
    const aside = async () => Number((await result(rest.getPositionInfo(BTC))).list[0].positionBalance);
    assert.deepEqual((await result(rest.setMarginMode('ISOLATED_MARGIN'))).reasons, []);
    assert.ok((await aside()) > 0);
    assert.deepEqual((await result(rest.setMarginMode('REGULAR_MARGIN'))).reasons, []);
    assert.equal(await aside(), 0);
    assert.equal((await rest.switchPositionMode({ ...BTC, mode: 3 })).retCode, 110_024);
    assert.equal((await rest.addOrReduceMargin({ ...BTC, margin: '10' })).retCode, 110_015);
    const stop = { ...BTC, takeProfit: '99999', positionIdx: 0, tpslMode: 'Full' };
    await result(rest.setTradingStop(stop));
    assert.equal((await rest.setTradingStop(stop)).retCode, 34_040);
    await result(rest.submitOrder({ ...market, side: 'Sell', qty: '0.02', reduceOnly: true }));
    const [closed] = (await result(rest.getClosedPnL(BTC))).list;
    assert.equal(closed.closedSize, '0.02');
    const log = (await result(rest.getTransactionLog({ accountType: 'UNIFIED', category: 'linear' }))).list;
    assert.deepEqual(
      log.map(({ type, side }) => `${type} ${side}`),
      ['TRADE Sell', 'TRADE Buy'],
    );
    const executions = (await result(rest.getExecutionList(BTC))).list;
    assert.deepEqual(
      executions.map(({ execId }) => execId),
      log.map(({ tradeId }) => tradeId),
    );
    const { list: pools } = await result(rest.getInsurance({ coin: 'USDT' }));
    assert.ok(Number(pools[0].balance) > 0);
    await result(rest.getFeeRate({ category: 'linear', symbol: 'BTCUSDT' }));
    assert.ok((await result(rest.getRiskLimit(BTC))).list.length > 10);
    const asked = { ...BTC, orderType: 'Limit', side: 'Buy', qty: '0.1', price: '1000' };
    const check = await result(rest.preCheckOrder(asked));
    assert.ok(check.preImrE4 === 0 && check.postImrE4 > 0 && check.postMmrE4 > 0);
    assert.equal((await result(rest.getLimitPriceAction())).lpaPerp, false);
    await result(rest.setLimitPriceAction({ category: 'linear', modifyEnable: false }));
    const twice = String(Math.round(Number(list[0].avgPrice) * 2));
    assert.equal((await rest.submitOrder({ ...asked, price: twice, qty: '0.001' })).retCode, 110_003);
    assert.equal((await result(rest.getSMPGroup())).smpGroup, 0);
  });

  test(
    'what rests is cancelled once the last connection that asked for it has been gone for its window',
    LONG,
    async () => {
      const { rest, sockets } = await sdkTrader('sdk-window');
      const window = { product: 'DERIVATIVES', timeWindow: 3 };
      assert.equal((await rest.setDisconnectCancelAllWindowV2(window)).retCode, 0);
      const { dcpInfos } = (await rest.getDCPInfo()).result;
      assert.deepEqual(dcpInfos, [{ product: 'DERIVATIVES', dcpStatus: 'ON', timeWindow: '3' }]);
      const socket = sockets();
      const answered = [];
      socket.on('response', (answer) => answered.push(answer));
      socket.subscribeV5('dcp.future', 'linear');
      await until('it is watched', () => answered.some(({ op, success }) => op === 'subscribe' && success));
      const { list } = (await rest.getTickers(BTC)).result;
      const price = String(Math.floor(Number(list[0].lastPrice) * 0.98));
      const order = { ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price };
      const { orderId } = (await rest.submitOrder(order)).result;
      const [resting] = (await rest.getActiveOrders({ ...BTC, orderId })).result.list;
      assert.equal(resting.orderStatus, 'New');
      socket.closeAll(true);
      await until('it is cancelled', async () => {
        const [found] = (await rest.getActiveOrders({ ...BTC, orderId })).result.list;
        return found.orderStatus === 'Cancelled';
      });
    },
  );

  test('the private stream tells a fill; orders go by socket, alone and in batches', LONG, async () => {
    const sdk = await sdkTrader('sdk-live');
    const socket = simulator.closing(sdk.sockets());
    const heard = [];
    socket.on('update', (update) => heard.push(update));
    socket.on('exception', (problem) => sdk.said.push(['exception', problem]));
    socket.subscribeV5(['order', 'execution', 'position', 'wallet'], 'linear', true);
    const trading = sdk.trading();
    simulator.closing(trading.getWSClient());
    const bid = Number((await sdk.rest.getTickers(BTC)).result.list[0].bid1Price);
    const order = { ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: (bid * 0.98).toFixed(1) };
    const rows = (topic, orderId) =>
      heard
        .filter((update) => update.topic === topic)
        .flatMap(({ data }) => data)
        .filter((row) => orderId === undefined || row.orderId === orderId);
    await until('an order placed by socket is told', async () => {
      const { data } = await trading.submitNewOrder(order);
      const seen = await until('its event', () => rows('order', data.orderId).length > 0, 1_000).catch(
        () => false,
      );
      await trading.amendOrder({ ...BTC, orderId: data.orderId, qty: '0.02' });
      await trading.cancelOrder({ ...BTC, orderId: data.orderId });
      return seen;
    });
    const bought = await trading.submitNewOrder({ ...BTC, side: 'Buy', orderType: 'Market', qty: '0.01' });
    const { orderId } = bought.data;
    await until('the fill is told', () =>
      rows('order', orderId).some(({ orderStatus }) => orderStatus === 'Filled'),
    );
    await until('its position is told', () =>
      rows('position').some(({ size, entryPrice }) => size === '0.01' && Number(entryPrice) > 0),
    );
    assert.ok(rows('execution', orderId).every(({ execType, seq }) => execType === 'Trade' && seq > 0));
    await until('the wallet is told', () => rows('wallet').length > 0);
    const batch = await trading.batchSubmitOrders('linear', [order, { ...order, qty: '0' }]);
    assert.deepEqual(
      batch.retExtInfo.list.map(({ code }) => code),
      [0, 10_001],
    );
    await assert.rejects(
      trading.submitNewOrder({ ...order, qty: '100' }),
      ({ retCode }) => retCode === 110_007,
    );
  });

  test('a shocked price liquidates, and every list says so', LONG, async () => {
    const { rest } = await sdkTrader('sdk-liquidated');
    const result = async (answer) => {
      const { retCode, retMsg, result: value } = await answer;
      assert.equal(retCode, 0, retMsg);
      return value;
    };
    await result(rest.setMarginMode('ISOLATED_MARGIN'));
    await result(rest.setLeverage({ ...BTC, buyLeverage: '50', sellLeverage: '50' }));
    await result(rest.submitOrder({ ...BTC, orderType: 'Market', side: 'Buy', qty: '0.02' }));
    const exchange = await ccxtTrader('ccxt-liquidated');
    await exchange.setMarginMode('isolated', PERP, { leverage: 50 });
    await exchange.createOrder(PERP, 'market', 'sell', 0.02);
    const shock = { venue: 'bybit', market: 'perps', symbol: 'BTCUSDT' };
    await simulator.admin('POST', 'shock', { ...shock, factor: 0.9 });
    const held = async () => (await result(rest.getPositionInfo(BTC))).list[0].size;
    await until('the long is gone', async () => (await held()) === '0');
    const [order] = (await result(rest.getHistoricOrders(BTC))).list;
    assert.deepEqual([order.createType, order.orderStatus, order.side], ['CreateByLiq', 'Filled', 'Sell']);
    const executed = (await result(rest.getExecutionList(BTC))).list;
    const closing = executed.filter(({ orderId }) => orderId === order.orderId);
    assert.ok(
      closing.length > 0 && closing.every(({ execType }) => ['Trade', 'BustTrade'].includes(execType)),
    );
    const [closed] = (await result(rest.getClosedPnL(BTC))).list;
    assert.deepEqual([closed.orderId, closed.closedSize], [order.orderId, '0.02']);
    const log = await result(rest.getTransactionLog({ accountType: 'UNIFIED', type: 'LIQUIDATION' }));
    assert.ok(log.list.length > 0);

    await simulator.admin('POST', 'shock', { ...shock, factor: 1.3 });
    await until('the short is gone', async () => (await position(exchange)) === undefined);
    // What was sold in the book is a trade; what nobody took there is a liquidation of its own.
    const all = (await exchange.privateGetV5ExecutionList(BTC)).result.list;
    const taken = all.filter(({ execType }) => execType === 'BustTrade');
    const own = await exchange.fetchMyLiquidations(PERP);
    assert.deepEqual(
      own.map(({ contracts }) => contracts),
      taken.map(({ execQty }) => Number(execQty)),
    );
    const closedBy = all.filter(({ createType }) => /^CreateBy(?:Liq|TakeOver)/.test(createType));
    assert.equal(
      closedBy.reduce((sum, { execQty }) => sum + Number(execQty), 0),
      0.02,
    );
  });
});
