import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MainClient, USDMClient, WebsocketAPIClient, WebsocketClient } from 'binance';
import { localCcxt, positionOf } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Trading Binance USD-M contracts with ccxt and with the SDK `binance`, both as they are. */

const PERP = 'BTC/USDT:USDT';
const SYMBOL = 'BTCUSDT';
const SILENT = { trace() {}, info() {}, error() {} };

const simulator = playedSimulator(13);

/** Key of a fresh account with 100 000 USDT in spot, of which 50 000 go to the futures wallet. */
async function trader(label) {
  const { apiKey, secret } = await simulator.account('binance', label);
  const keys = { api_key: apiKey, api_secret: secret };
  const main = new MainClient({ ...keys, baseUrl: simulator.url });
  const moved = await main.submitUniversalTransfer({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: 50_000 });
  assert.ok(moved.tranId > 0);
  return { ...keys, apiKey, secret, main };
}

async function ccxtTrader(label) {
  const { apiKey, secret, main } = await trader(label);
  const exchange = simulator.closing(await localCcxt('binanceusdm', simulator.url, { apiKey, secret }));
  return { exchange, main };
}

/** A socket client of the SDK, and everything it hears. */
function streams(keys) {
  const wsUrl = simulator.url.replace('http', 'ws');
  const restOptions = { baseUrl: simulator.url };
  const client = new WebsocketClient({ ...keys, wsUrl, restOptions }, SILENT);
  const heard = [];
  const wrong = [];
  client.on('message', (message) => heard.push(message.data ?? message));
  client.on('exception', (error) => wrong.push(error));
  simulator.closing(client);
  return { client, heard, wrong };
}

const position = (exchange) => positionOf(exchange, PERP);

describe('ccxt', () => {
  test('open, add, close a part, flip, close: positions, trades, income and balance', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-life');
    const market = (side, amount, params) =>
      exchange.createOrder(PERP, 'market', side, amount, undefined, params);
    assert.equal((await exchange.fetchBalance()).USDT.total, 50_000);
    const opened = await market('buy', 0.1);
    assert.deepEqual([opened.status, opened.filled], ['closed', 0.1]);
    await market('buy', 0.05);
    const long = await position(exchange);
    assert.deepEqual(
      [long.side, long.contracts, long.marginMode, long.hedged],
      ['long', 0.15, 'cross', false],
    );
    assert.ok(long.entryPrice > 0 && long.notional > 0 && long.initialMargin > 0);
    await market('sell', 0.05, { reduceOnly: true });
    assert.equal((await position(exchange)).contracts, 0.1);
    await market('sell', 0.3);
    const short = await position(exchange);
    assert.deepEqual([short.side, short.contracts], ['short', 0.2]);
    await market('buy', 0.2, { reduceOnly: true });
    assert.equal(await position(exchange), undefined);
    await assert.rejects(market('buy', 0.2, { reduceOnly: true }), (error) => /-2022/.test(error.message));

    const trades = await exchange.fetchMyTrades(PERP);
    const bought = trades.filter(({ side }) => side === 'buy').reduce((sum, trade) => sum + trade.amount, 0);
    assert.ok(Math.abs(bought - 0.35) < 1e-9);
    const ledger = await exchange.fetchLedger('USDT');
    const earned = ledger.reduce(
      (sum, { amount, direction }) => sum + (direction === 'out' ? -amount : amount),
      0,
    );
    const { total } = (await exchange.fetchBalance()).USDT;
    assert.ok(Math.abs(earned - total) < 1e-6, `${earned} entries, ${total} in the wallet`);
  });

  test('limit orders are placed, changed, found and cancelled, one and many', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-orders');
    const { bid } = (await exchange.fetchBidsAsks([PERP]))[PERP];
    const price = Math.floor(bid * 0.9);
    const resting = await exchange.createOrder(PERP, 'limit', 'buy', 0.01, price, { postOnly: true });
    assert.equal(resting.status, 'open');
    const edited = await exchange.editOrder(resting.id, PERP, 'limit', 'buy', 0.02, price - 10);
    assert.equal(edited.id, resting.id);
    const found = await exchange.fetchOrder(resting.id, PERP);
    assert.deepEqual([found.amount, found.price, found.status], [0.02, price - 10, 'open']);
    const more = { symbol: PERP, type: 'limit', side: 'buy', amount: 0.01 };
    await exchange.createOrders([
      { ...more, price },
      { ...more, price: price - 5 },
    ]);
    assert.equal((await exchange.fetchOpenOrders(PERP)).length, 3);
    const others = (await exchange.fetchOpenOrders(PERP))
      .map(({ id }) => id)
      .filter((id) => id !== resting.id);
    const ended = await exchange.cancelOrders(others, PERP);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['canceled', 'canceled'],
    );
    assert.equal((await exchange.cancelOrder(resting.id, PERP)).status, 'canceled');
    await exchange.cancelAllOrders(PERP);
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), []);
    assert.equal((await exchange.fetchOrders(PERP)).length, 3);
    await assert.rejects(exchange.cancelOrder(resting.id, PERP), (error) => /-2011/.test(error.message));
    const tooMuch = exchange.createOrder(PERP, 'limit', 'buy', 100, price);
    await assert.rejects(tooMuch, (error) => /-2019/.test(error.message));
  });

  test('stops and targets wait at the algo service, are found, cancelled, and fire', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-stops');
    await exchange.createOrder(PERP, 'market', 'buy', 0.1);
    const { bid } = (await exchange.fetchBidsAsks([PERP]))[PERP];
    const away = (share) => Number(exchange.priceToPrecision(PERP, bid * share));
    const closing = (type, params, price) =>
      exchange.createOrder(PERP, type, 'sell', 0.1, price, { reduceOnly: true, ...params });
    const stop = await closing('market', { stopLossPrice: away(0.98) });
    const target = await closing('limit', { takeProfitPrice: away(1.05) }, away(1.04));
    const trailing = await closing('market', { trailingPercent: 3 });
    const open = await exchange.fetchOpenOrders(PERP, undefined, undefined, { trigger: true });
    assert.deepEqual(
      open.map(({ id, status }) => [id, status]).sort(),
      [stop, target, trailing].map(({ id }) => [id, 'open']).sort(),
    );
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), []);
    await exchange.cancelOrder(target.id, PERP, { trigger: true });
    await assert.rejects(closing('market', { stopLossPrice: away(1.02) }), (error) =>
      /-2021/.test(error.message),
    );
    await simulator.admin('POST', 'shock', { market: 'perps', symbol: SYMBOL, factor: 0.97 });
    await until('the stop has closed the position', async () => (await position(exchange)) === undefined);
    await exchange.cancelAllOrders(PERP, { trigger: true });
    const all = await exchange.fetchOrders(PERP, undefined, undefined, { trigger: true });
    const states = new Map(all.map(({ id, status }) => [id, status]));
    assert.deepEqual([states.get(stop.id), states.get(target.id)], ['closed', 'canceled']);
  });

  test('leverage, margin type and its money, hedge mode, tiers and fees', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-settings');
    assert.equal((await exchange.setLeverage(25, PERP)).leverage, 25);
    assert.equal((await exchange.setMarginMode('isolated', PERP)).code, 200);
    const leverage = await exchange.fetchLeverage(PERP);
    assert.deepEqual([leverage.longLeverage, leverage.marginMode], [25, 'isolated']);
    await exchange.createOrder(PERP, 'market', 'buy', 0.1);
    const before = await position(exchange);
    assert.equal(before.marginMode, 'isolated');
    assert.ok(Math.abs(before.notional / before.collateral - 25) < 1);
    assert.ok(before.liquidationPrice > 0 && before.liquidationPrice < before.entryPrice);
    await exchange.addMargin(PERP, 200);
    const widened = await position(exchange);
    assert.ok(Math.abs(widened.collateral - before.collateral) > 100);
    assert.ok(widened.liquidationPrice < before.liquidationPrice);
    await exchange.reduceMargin(PERP, 100);
    assert.equal((await exchange.fetchMarginAdjustmentHistory(PERP)).length, 2);
    await assert.rejects(exchange.setLeverage(5, PERP), (error) => /-4161/.test(error.message));
    await exchange.createOrder(PERP, 'market', 'sell', 0.1, undefined, { reduceOnly: true });

    assert.equal((await exchange.fetchPositionMode(PERP)).hedged, false);
    await exchange.setPositionMode(true);
    assert.equal((await exchange.fetchPositionMode(PERP)).hedged, true);
    await exchange.createOrder(PERP, 'market', 'buy', 0.02, undefined, { positionSide: 'LONG' });
    await exchange.createOrder(PERP, 'market', 'sell', 0.01, undefined, { positionSide: 'SHORT' });
    const legs = (await exchange.fetchPositions([PERP])).filter(({ contracts }) => contracts > 0);
    assert.deepEqual(legs.map(({ side, contracts }) => [side, contracts]).sort(), [
      ['long', 0.02],
      ['short', 0.01],
    ]);
    await exchange.createOrder(PERP, 'market', 'sell', 0.02, undefined, { positionSide: 'LONG' });
    await exchange.createOrder(PERP, 'market', 'buy', 0.01, undefined, { positionSide: 'SHORT' });
    assert.equal(await position(exchange), undefined);

    const tiers = (await exchange.fetchLeverageTiers([PERP]))[PERP];
    assert.ok(tiers.length > 1 && tiers[0].maxLeverage >= 100);
    assert.equal((await exchange.fetchTradingFee(PERP)).taker, 0.0005);
  });

  test('funding that was paid is found', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-funding');
    await exchange.createOrder(PERP, 'market', 'buy', 0.1);
    await simulator.admin('POST', 'funding', { symbol: SYMBOL });
    const [paid, ...more] = await exchange.fetchFundingHistory(PERP);
    assert.deepEqual([paid.symbol, paid.code, more], [PERP, 'USDT', []]);
    const entries = await exchange.fetchLedger('USDT');
    const entry = entries.find(({ info }) => info.incomeType === 'FUNDING_FEE');
    assert.deepEqual([String(entry.info.tranId), entry.amount], [paid.id, Math.abs(paid.amount)]);
    assert.ok(entry.amount > 0);
  });

  test('orders, trades, positions and balance arrive by socket; orders go by socket too', LONG, async () => {
    const { exchange } = await ccxtTrader('ccxt-live');
    await exchange.loadMarkets();
    const filled = Promise.all([exchange.watchOrders(PERP), exchange.watchMyTrades(PERP)]);
    // Asked for with them: once its snapshot has come the client waits for a change, and none would come.
    const before = exchange.watchPositions([PERP]);
    // The socket is open once the account's stream has been asked for; what happens then is heard on it.
    const open = ({ url, connection }) => url.includes('listenKey') && connection?.readyState === 1;
    await until('the stream is open', () => Object.values(exchange.clients).some(open));
    await before;
    const placed = await exchange.createOrderWs(PERP, 'market', 'buy', 0.05);
    const [orders, trades] = await filled;
    assert.ok(orders.every(({ id }) => id === placed.id) && trades.every(({ order }) => order === placed.id));
    const sizes = async () => (await exchange.watchPositions([PERP])).map(({ contracts }) => contracts);
    const heard = sizes();
    await exchange.createOrderWs(PERP, 'market', 'buy', 0.01);
    assert.ok((await heard).some((contracts) => contracts > 0.05));
    const balance = await exchange.fetchBalanceWs();
    assert.ok(balance.USDT.total < 50_000 && balance.USDT.total > 49_000);
    assert.equal((await exchange.fetchADLRank(PERP)).rating, 'low');
    const book = await exchange.fetchOrderBookWs(PERP, 5);
    assert.equal(book.bids.length, 5);
    assert.ok((await exchange.fetchTickerWs(PERP)).bid > 0);
    const [byWs] = (await exchange.fetchPositionsWs([PERP])).filter(({ contracts }) => contracts > 0);
    assert.ok(Math.abs(byWs.contracts - 0.06) < 1e-9);
  });
});

describe('SDK', () => {
  test('the account, its positions, settings, income and forced orders', LONG, async () => {
    const keys = await trader('sdk-account');
    const client = new USDMClient({ ...keys, baseUrl: simulator.url });
    const market = { symbol: SYMBOL, type: 'MARKET', newOrderRespType: 'RESULT' };
    const opened = await client.submitNewOrder({ ...market, side: 'BUY', quantity: '0.02' });
    assert.equal(opened.status, 'FILLED');
    const [risk] = await client.getPositionsV3({ symbol: SYMBOL });
    assert.deepEqual([risk.positionAmt, risk.positionSide], ['0.020', 'BOTH']);
    assert.ok((await client.getPositions()).length >= 14);
    const account = await client.getAccountInformationV3();
    assert.equal(account.positions.length, 1);
    assert.ok(Number(account.totalWalletBalance) < 50_000);
    assert.equal((await client.getBalanceV3())[0].asset, 'USDT');
    assert.equal((await client.getFuturesSymbolConfig({ symbol: SYMBOL }))[0].leverage, 20);
    assert.equal((await client.getCurrentPositionMode()).dualSidePosition, false);
    assert.equal((await client.getMultiAssetsMode()).multiAssetsMargin, false);
    assert.equal((await client.getADLQuantileEstimation({ symbol: SYMBOL }))[0].symbol, SYMBOL);
    const [fund] = await client.getInsuranceFundBalance();
    assert.ok(fund.symbols.includes(SYMBOL) && Number(fund.assets[0].marginBalance) > 0);
    assert.deepEqual(await client.getForceOrders(), []);
    assert.ok((await client.getNotionalAndLeverageBrackets({ symbol: SYMBOL })).length === 1);
    await client.submitNewOrder({ ...market, side: 'SELL', quantity: '0.02', reduceOnly: 'true' });
    assert.deepEqual(await client.getPositionsV3(), []);
    const income = await client.getIncomeHistory();
    assert.ok(
      ['TRANSFER', 'COMMISSION', 'REALIZED_PNL'].every((type) =>
        income.some((row) => row.incomeType === type),
      ),
    );
    const wrong = client.setLeverage({ symbol: SYMBOL, leverage: 500 });
    await assert.rejects(wrong, (error) => error.code === -4028);
    const history = await keys.main.getUniversalTransferHistory({ type: 'MAIN_UMFUTURE' });
    assert.deepEqual([history.total, history.rows[0].amount], [1, '50000.00000000']);
  });

  test(
    'a countdown that is not begun anew cancels what rests of its contract; one of nothing ends it',
    LONG,
    async () => {
      const client = new USDMClient({ ...(await trader('sdk-countdown')), baseUrl: simulator.url });
      const { price } = await client.getSymbolPriceTickerV2({ symbol: SYMBOL });
      const resting = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' };
      const place = () => client.submitNewOrder({ ...resting, price: String(Math.floor(price * 0.98)) });
      const count = (countdownTime) => client.setCancelOrdersOnTimeout({ symbol: SYMBOL, countdownTime });
      const kept = await place();
      assert.deepEqual(await count(1_500), { symbol: SYMBOL, countdownTime: '1500' });
      assert.deepEqual(await count(0), { symbol: SYMBOL, countdownTime: '0' });
      const other = await client.getOrder({ symbol: SYMBOL, orderId: kept.orderId });
      assert.equal(other.status, 'NEW');
      await count(1_000);
      await until('it is cancelled', async () => {
        const { status } = await client.getOrder({ symbol: SYMBOL, orderId: kept.orderId });
        return status === 'CANCELED';
      });
      assert.deepEqual(await client.getAllOpenOrders({ symbol: SYMBOL }), []);
    },
  );

  test('the user stream tells a fill in the order of the exchange', LONG, async () => {
    const keys = await trader('sdk-stream');
    const { client, heard, wrong } = streams(keys);
    await client.subscribeUsdFuturesUserDataStream();
    const rest = new USDMClient({ ...keys, baseUrl: simulator.url });
    await rest.submitNewOrder({ symbol: SYMBOL, side: 'BUY', type: 'MARKET', quantity: '0.001' });
    const ended = await until('the fill is told', () =>
      heard.find(({ e, o }) => e === 'ORDER_TRADE_UPDATE' && o.X === 'FILLED'),
    );
    const kinds = heard
      .slice(0, heard.indexOf(ended) + 1)
      .map(({ e, o }) => (o === undefined ? e : `${e} ${o.x}`));
    assert.deepEqual(kinds, [
      'ORDER_TRADE_UPDATE NEW',
      'TRADE_LITE',
      'ACCOUNT_UPDATE',
      'ORDER_TRADE_UPDATE TRADE',
    ]);
    await rest.setLeverage({ symbol: SYMBOL, leverage: 3 });
    await until('the leverage is told', () =>
      heard.some(({ e, ac }) => e === 'ACCOUNT_CONFIG_UPDATE' && ac.l === 3),
    );
    assert.deepEqual(wrong, []);
  });

  test('what closes a position waits, is told of, and ends with the position', LONG, async () => {
    const keys = await trader('sdk-stops');
    const { client, heard } = streams(keys);
    await client.subscribeUsdFuturesUserDataStream();
    const rest = new USDMClient({ ...keys, baseUrl: simulator.url });
    const market = { symbol: SYMBOL, type: 'MARKET', quantity: '0.01' };
    await rest.submitNewOrder({ ...market, side: 'BUY' });
    const { bidPrice } = await rest.getSymbolOrderBookTicker({ symbol: SYMBOL });
    const whole = { algoType: 'CONDITIONAL', symbol: SYMBOL, side: 'SELL', closePosition: 'true' };
    const at = (share) => String(Math.round(Number(bidPrice) * share));
    const stop = await rest.submitNewAlgoOrder({ ...whole, type: 'STOP_MARKET', triggerPrice: at(0.9) });
    const target = { ...whole, type: 'TAKE_PROFIT_MARKET', triggerPrice: at(1.1) };
    const { algoId } = await rest.submitNewAlgoOrder(target);
    assert.equal((await rest.getOpenAlgoOrders({ symbol: SYMBOL })).length, 2);
    assert.equal((await rest.getAlgoOrder({ algoId })).algoStatus, 'NEW');
    assert.equal((await rest.cancelAlgoOrder({ algoId })).code, '200');
    await rest.submitNewOrder({ ...market, side: 'SELL', reduceOnly: 'true' });
    await until('the stop has ended', () =>
      heard.some(({ o }) => o?.aid === stop.algoId && o.X === 'EXPIRED'),
    );
    const all = await rest.getAllAlgoOrders({ symbol: SYMBOL, limit: 1 });
    assert.deepEqual(
      all.map((order) => [order.algoId, order.algoStatus]),
      [[algoId, 'CANCELED']],
    );
  });

  test('orders by the WebSocket API: placed, changed, found, cancelled', LONG, async () => {
    const keys = await trader('sdk-api');
    const wsUrl = simulator.url.replace('http', 'ws');
    const api = new WebsocketAPIClient({ ...keys, wsUrl, attachEventListeners: false }, SILENT);
    simulator.closing(api.getWSClient());
    const client = new USDMClient({ ...keys, baseUrl: simulator.url });
    const { bidPrice } = await client.getSymbolOrderBookTicker({ symbol: SYMBOL });
    const price = String(Math.round(Number(bidPrice) * 0.9));
    const now = () => ({ timestamp: Date.now() });
    const limit = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price };
    const { result } = await api.submitNewFuturesOrder('usdm', { ...limit, ...now() });
    assert.equal(result.status, 'NEW');
    const { orderId } = result;
    const change = { symbol: SYMBOL, side: 'BUY', orderId, quantity: '0.02', price, ...now() };
    assert.equal((await api.modifyFuturesOrder('usdm', change)).result.origQty, '0.020');
    const asked = { symbol: SYMBOL, orderId, ...now() };
    assert.equal((await api.getFuturesOrderStatus('usdm', asked)).result.status, 'NEW');
    assert.equal((await api.cancelFuturesOrder('usdm', asked)).result.status, 'CANCELED');
    const balance = await api.getFuturesAccountBalanceV2(now());
    assert.equal(balance.result[0].balance, '50000.00000000');
    assert.deepEqual((await api.getFuturesPositionV2(now())).result, []);
  });

  test('a shocked price liquidates, and every list says so', LONG, async () => {
    const keys = await trader('sdk-liquidated');
    const client = new USDMClient({ ...keys, baseUrl: simulator.url });
    await client.setMarginType({ symbol: SYMBOL, marginType: 'ISOLATED' });
    await client.setLeverage({ symbol: SYMBOL, leverage: 50 });
    await client.submitNewOrder({ symbol: SYMBOL, type: 'MARKET', side: 'BUY', quantity: '0.02' });
    const { exchange } = await ccxtTrader('ccxt-liquidated');
    await exchange.setMarginMode('isolated', PERP);
    await exchange.setLeverage(50, PERP);
    await exchange.createOrder(PERP, 'market', 'sell', 0.02);
    await simulator.admin('POST', 'shock', { market: 'perps', symbol: SYMBOL, factor: 0.9 });
    await until('the long is gone', async () => (await client.getPositionsV3()).length === 0);
    const [forced] = await client.getForceOrders({ symbol: SYMBOL, autoCloseType: 'LIQUIDATION' });
    assert.deepEqual([forced.status, forced.side, forced.executedQty], ['FILLED', 'SELL', '0.020']);
    assert.match(forced.clientOrderId, /^autoclose-/);
    const income = await client.getIncomeHistory();
    const sum = income.reduce((total, row) => total + Number(row.income), 0);
    const [{ balance }] = await client.getBalanceV3();
    assert.ok(Math.abs(sum - Number(balance)) < 1e-6, `${sum} ${balance}`);
    await simulator.admin('POST', 'shock', { market: 'perps', symbol: SYMBOL, factor: 1.3 });
    await until('the short is gone', async () => (await position(exchange)) === undefined);
    const [own] = await exchange.fetchMyLiquidations(PERP);
    assert.deepEqual([own.symbol, own.contracts], [PERP, 0.02]);
  });
});
