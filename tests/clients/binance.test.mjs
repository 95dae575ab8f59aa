import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MainClient, USDMClient, WebsocketAPIClient, WebsocketClient } from 'binance';
import { ccxt, localCcxt, plainLevels } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** ccxt for Binance futures, and the SDK `binance` for spot and futures; ccxt for spot is in ccxt.test.mjs. */

const PERP = 'BTC/USDT:USDT';
const BOOK_UPDATES = 60;
const SILENT = { trace() {}, info() {}, error() {} };

const simulator = playedSimulator(12);

async function futuresClient(credentials = {}) {
  return simulator.closing(await localCcxt('binanceusdm', simulator.url, credentials));
}

/** Key and funds of a fresh spot account: 100 000 USDT and 1 BTC. */
async function trader(label) {
  const { apiKey, secret } = await simulator.account('binance', label, { USDT: '100000', BTC: '1' });
  return { api_key: apiKey, api_secret: secret };
}

/** A socket client of the SDK, and everything it hears. */
function streams(keys = {}) {
  const client = new WebsocketClient(
    {
      ...keys,
      wsUrl: simulator.url.replace('http', 'ws'),
      restOptions: { baseUrl: simulator.url },
    },
    SILENT,
  );
  const heard = [];
  const wrong = [];
  client.on('message', (message) => heard.push(message));
  client.on('exception', (error) => wrong.push(error));
  simulator.closing(client);
  return { client, heard, wrong };
}

/** The SDK's client of the WebSocket API; `spot` orders and the account's events on one socket. */
function socketApi(keys) {
  const wsUrl = simulator.url.replace('http', 'ws');
  const api = new WebsocketAPIClient({ ...keys, wsUrl, attachEventListeners: false }, SILENT);
  const heard = [];
  api.getWSClient().on('message', (message) => heard.push(message));
  simulator.closing(api.getWSClient());
  return { api, heard };
}

/** What was told of an order, in order: its states. */
function statesOf(heard, orderId) {
  return heard
    .map((message) => message.data ?? message.event ?? message)
    .filter((event) => event.e === 'executionReport' && event.i === orderId)
    .map((event) => event.X);
}

describe('ccxt: futures, public', () => {
  test('the contracts with their kinds, steps and limits, with keys as without', LONG, async () => {
    const { apiKey, secret } = await simulator.admin('POST', 'keys', { label: 'loader' });
    for (const exchange of [await futuresClient(), await futuresClient({ apiKey, secret })]) {
      const markets = Object.values(await exchange.loadMarkets());
      const active = markets.filter((market) => market.swap && market.settle === 'USDT' && market.active);
      assert.ok(active.length >= 14, `${active.length} live USDT perpetuals`);
      const btc = exchange.market(PERP);
      assert.deepEqual([btc.precision.price, btc.precision.amount, btc.contractSize], [0.1, 0.001, 1]);
      assert.equal(btc.limits.cost.min, 5);
      assert.ok(markets.some((market) => market.future && market.expiry > Date.now()));
      assert.ok(markets.some((market) => market.swap && !market.active));
      assert.ok(markets.some((market) => market.swap && market.settle === 'USDC'));
    }
  });

  test('the client of all Binance markets loads spot, USD-M and an empty COIN-M', LONG, async () => {
    const { apiKey, secret } = await simulator.admin('POST', 'keys', { label: 'all-markets' });
    const exchange = simulator.closing(await localCcxt('binance', simulator.url, { apiKey, secret }));
    const markets = Object.values(await exchange.loadMarkets());
    assert.ok(markets.some((market) => market.spot) && markets.some((market) => market.linear));
    assert.deepEqual(
      markets.filter((market) => market.inverse),
      [],
    );
  });

  test('ticker, book, trades, candles and time', LONG, async () => {
    const exchange = await futuresClient();
    const ticker = await exchange.fetchTicker(PERP);
    assert.ok(ticker.last > 0 && ticker.quoteVolume > 0);
    const best = (await exchange.fetchBidsAsks([PERP]))[PERP];
    assert.ok(best.bid > 0 && best.bid < best.ask);
    const book = await exchange.fetchOrderBook(PERP, 20);
    assert.equal(book.bids.length, 20);
    assert.ok(book.bids[0][0] < book.asks[0][0] && book.nonce > 0);
    const trades = await until('a trade', async () => {
      const recent = await exchange.fetchTrades(PERP, undefined, 50);
      return recent.length > 0 && recent;
    });
    assert.ok(trades.every((trade) => trade.price > 0 && trade.amount > 0));
    const candles = await exchange.fetchOHLCV(PERP, '1m', undefined, 1000);
    assert.equal(candles.length, 1000);
    for (let at = 1; at < candles.length; at += 1) assert.equal(candles[at][0] - candles[at - 1][0], 60_000);
    assert.ok(Math.abs((await exchange.fetchTime()) - Date.now()) < 60_000);
    assert.ok(Object.keys(await exchange.fetchTickers()).length >= 14);
  });

  test('mark, index, funding and open interest', LONG, async () => {
    const exchange = await futuresClient();
    const funding = await exchange.fetchFundingRate(PERP);
    const { last } = await exchange.fetchTicker(PERP);
    assert.ok(
      Math.abs(funding.markPrice / last - 1) < 0.02 && Math.abs(funding.indexPrice / last - 1) < 0.02,
    );
    assert.ok(Math.abs(funding.fundingRate) < 0.02 && funding.fundingTimestamp > Date.now() - 60_000);
    assert.ok(Object.keys(await exchange.fetchFundingRates()).length >= 14);
    const paid = await exchange.fetchFundingRateHistory(PERP, undefined, 20);
    assert.equal(paid.length, 20);
    for (let at = 1; at < paid.length; at += 1) {
      assert.equal(paid[at].timestamp - paid[at - 1].timestamp, 8 * 3_600_000);
    }
    assert.ok((await exchange.fetchOpenInterest(PERP)).openInterestAmount > 0);
    for (const bars of ['fetchMarkOHLCV', 'fetchIndexOHLCV', 'fetchPremiumIndexOHLCV']) {
      assert.equal((await exchange[bars](PERP, '1h', undefined, 10)).length, 10);
    }
    assert.ok((await exchange.fetchMarkPrice(PERP)).markPrice > 0);
  });

  test('a wrong key and an unknown contract are refused, and say why', LONG, async () => {
    const { apiKey } = await simulator.admin('POST', 'keys', { label: 'perp-stranger' });
    const exchange = await futuresClient({ apiKey, secret: 'not-the-secret' });
    await assert.rejects(exchange.fetchBalance(), /-1022/);
    const anybody = await futuresClient();
    await assert.rejects(anybody.fetchTicker('NO/SUCH:USDT'), ccxt.BadSymbol);
  });
});

describe('ccxt: futures, live', () => {
  test('a watched book goes through many updates and equals the REST book', LONG, async () => {
    const exchange = await futuresClient();
    let book;
    for (let updates = 0; updates < BOOK_UPDATES; updates += 1) {
      book = await exchange.watchOrderBook(PERP, 1000);
    }
    await simulator.admin('POST', 'agents', { paused: true });
    try {
      const rest = await exchange.fetchOrderBook(PERP, 1000);
      await until('the watched book reaches the REST book', () => book.nonce === rest.nonce);
      assert.ok(rest.bids.length > 50 && rest.asks.length > 50);
      const near = (side) => plainLevels(side).slice(0, 200);
      assert.deepEqual(near(book.bids), near(rest.bids));
      assert.deepEqual(near(book.asks), near(rest.asks));
    } finally {
      await simulator.admin('POST', 'agents', { paused: false });
    }
  });

  test('trades, ticker, candles, best prices and marks arrive by socket', LONG, async () => {
    const exchange = await futuresClient();
    const [trades, ticker, candles, best, mark] = await Promise.all([
      exchange.watchTrades(PERP),
      exchange.watchTicker(PERP),
      exchange.watchOHLCV(PERP, '1m'),
      exchange.watchBidsAsks([PERP]),
      exchange.watchMarkPrice(PERP),
    ]);
    assert.ok(trades.length > 0 && trades[0].price > 0);
    assert.ok(ticker.last > 0);
    assert.equal(candles.at(-1)[0] % 60_000, 0);
    assert.ok(best[PERP].bid > 0 && best[PERP].bid < best[PERP].ask);
    assert.ok(mark.markPrice > 0);
  });
});

describe('SDK: futures', () => {
  test('public calls', LONG, async () => {
    const client = new USDMClient({ baseUrl: simulator.url });
    assert.ok(Math.abs((await client.getServerTime()) - Date.now()) < 60_000);
    const { symbols } = await client.getExchangeInfo();
    assert.ok(symbols.some((one) => one.symbol === 'BTCUSDT' && one.contractType === 'PERPETUAL'));
    const book = await client.getOrderBook({ symbol: 'BTCUSDT', limit: 100 });
    assert.equal(book.bids.length, 100);
    assert.equal((await client.getKlines({ symbol: 'BTCUSDT', interval: '1h', limit: 1500 })).length, 1500);
    assert.ok((await client.getMarkPrice({ symbol: 'BTCUSDT' })).markPrice > 0);
    assert.ok((await client.getFundingRateHistory({ symbol: 'BTCUSDT', limit: 5 })).length === 5);
    assert.ok(Number((await client.getOpenInterest({ symbol: 'BTCUSDT' })).openInterest) > 0);
    assert.ok((await client.getSymbolOrderBookTicker()).length >= 14);
    assert.ok((await client.getFundingRates()).some((row) => row.symbol === 'BTCUSDT'));
    const refused = client.getOrderBook({ symbol: 'NOPE' });
    await assert.rejects(refused, (error) => error.code === -1121);
  });

  test('streams of both addresses', LONG, async () => {
    const { client, heard, wrong } = streams();
    const wanted = ['btcusdt@depth@100ms', 'btcusdt@aggTrade', 'btcusdt@markPrice@1s', 'btcusdt@kline_1m'];
    await client.subscribe(wanted, 'usdm');
    const events = ['depthUpdate', 'aggTrade', 'markPriceUpdate', 'kline'];
    await until('every stream has told something', () =>
      events.every((event) => heard.some((message) => (message.data ?? message).e === event)),
    );
    const diffs = heard.map((message) => message.data ?? message).filter(({ e }) => e === 'depthUpdate');
    for (let at = 1; at < diffs.length; at += 1) assert.equal(diffs[at].pu, diffs[at - 1].u);
    assert.deepEqual(wrong, []);
  });
});

describe('SDK: spot', () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01 };

  /** A price that rests: far below the market, within the filters. */
  async function restingPrice(client) {
    const { bidPrice } = await client.getSymbolOrderBookTicker({ symbol: 'BTCUSDT' });
    return Math.round(Number(bidPrice) * 0.9);
  }

  test('an order is placed, found, cancelled and gone; another fills', LONG, async () => {
    const client = new MainClient({ ...(await trader('sdk-rest')), baseUrl: simulator.url });
    const { symbols } = await client.getExchangeInfo({ symbol: 'BTCUSDT' });
    assert.equal(symbols[0].status, 'TRADING');
    const price = await restingPrice(client);
    const placed = await client.submitNewOrder({ ...order, price });
    assert.equal(placed.status, 'NEW');
    const open = await client.getOpenOrders({ symbol: 'BTCUSDT' });
    assert.deepEqual(
      open.map(({ orderId }) => orderId),
      [placed.orderId],
    );
    const cancelled = await client.cancelOrder({ symbol: 'BTCUSDT', orderId: placed.orderId });
    assert.equal(cancelled.status, 'CANCELED');
    assert.deepEqual(await client.getOpenOrders({ symbol: 'BTCUSDT' }), []);
    const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01 };
    assert.equal((await client.submitNewOrder(market)).status, 'FILLED');
    const fills = await client.getAccountTradeList({ symbol: 'BTCUSDT' });
    assert.ok(Math.abs(fills.reduce((sum, fill) => sum + Number(fill.qty), 0) - 0.01) < 1e-9);
    const { balances } = await client.getAccountInformation();
    assert.ok(Number(balances.find(({ asset }) => asset === 'BTC').free) > 1);
    const tooMuch = client.submitNewOrder({ ...order, quantity: 5, price });
    await assert.rejects(tooMuch, (error) => error.code === -2010);
  });

  test('windows, the trading day, fees, prevented matches and the state of the system', LONG, async () => {
    const client = new MainClient({ ...(await trader('sdk-extras')), baseUrl: simulator.url });
    const hours = await client.getRollingWindowTicker({ symbol: 'BTCUSDT', windowSize: '4h' });
    const day = await client.getTradingDayTicker({ symbol: 'BTCUSDT', timeZone: '8' });
    for (const { openTime, closeTime, count, volume } of [hours, day]) {
      assert.ok(closeTime > openTime && count > 0 && Number(volume) > 0);
    }
    assert.ok(hours.closeTime - hours.openTime >= 4 * 3_600_000);
    const { standardCommission } = await client.getCommissionRates({ symbol: 'BTCUSDT' });
    assert.equal(standardCommission.taker, '0.00100000');
    assert.deepEqual(await client.getPreventedMatches({ symbol: 'BTCUSDT', orderId: 1 }), []);
    assert.deepEqual(await client.getSystemStatus(), { status: 0, msg: 'normal' });
  });

  test('aggregate trades come in full pages and without a hole', LONG, async () => {
    const client = new MainClient({ baseUrl: simulator.url });
    const newest = await client.getAggregateTrades({ symbol: 'BTCUSDT', limit: 200 });
    const again = await client.getAggregateTrades({ symbol: 'BTCUSDT', fromId: newest[0].a, limit: 200 });
    assert.equal(newest.length, 200);
    assert.deepEqual(again, newest);
    for (let at = 1; at < again.length; at += 1) {
      assert.deepEqual([again[at].a, again[at].f], [again[at - 1].a + 1, again[at - 1].l + 1]);
    }
  });

  test(
    'stops, icebergs and order lists are placed, listed, replaced, cancelled; one fires',
    LONG,
    async () => {
      const keys = await trader('sdk-conditional');
      const client = new MainClient({ ...keys, baseUrl: simulator.url });
      const symbol = 'BTCUSDT';
      const { bidPrice } = await client.getSymbolOrderBookTicker({ symbol });
      const beside = (share) => Math.round(Number(bidPrice) * share);
      const sell = { symbol, side: 'SELL', quantity: 0.1, newOrderRespType: 'RESULT' };
      const stop = {
        ...sell,
        type: 'STOP_LOSS_LIMIT',
        timeInForce: 'GTC',
        stopPrice: beside(0.8),
        price: beside(0.79),
      };
      const placed = await client.submitNewOrder(stop);
      assert.deepEqual([placed.status, placed.type, placed.workingTime], ['NEW', 'STOP_LOSS_LIMIT', -1]);
      const trailing = await client.submitNewOrder({ ...sell, type: 'TAKE_PROFIT', trailingDelta: 500 });
      const mode = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: placed.orderId };
      const replaced = await client.replaceOrder({ ...stop, ...mode, quantity: 0.05 });
      assert.equal(replaced.newOrderResult, 'SUCCESS');
      const open = await client.getOpenOrders({ symbol });
      assert.deepEqual(
        open.map((one) => [one.orderId, one.isWorking]),
        [
          [trailing.orderId, false],
          [replaced.newOrderResponse.orderId, false],
        ],
      );
      const { orderId } = replaced.newOrderResponse;
      // The cancel is done before the new order is found to cost more than there is.
      const half = client.replaceOrder({ ...stop, ...mode, cancelOrderId: orderId, quantity: 50 });
      await assert.rejects(half, ({ code, body }) => {
        const { cancelResult, newOrderResult, newOrderResponse } = body.data;
        assert.deepEqual(
          [code, cancelResult, newOrderResult, newOrderResponse.code],
          [-2021, 'SUCCESS', 'FAILURE', -2010],
        );
        return true;
      });
      assert.deepEqual(
        (await client.getOpenOrders({ symbol })).map((one) => one.orderId),
        [trailing.orderId],
      );
      await client.cancelAllSymbolOrders({ symbol });
      const iceberg = { ...sell, type: 'LIMIT', timeInForce: 'GTC', price: beside(1.2), icebergQty: 0.02 };
      assert.equal(Number((await client.submitNewOrder(iceberg)).icebergQty), 0.02);
      const oco = await client.submitNewOrderList({
        ...sell,
        ...{ aboveType: 'LIMIT_MAKER', abovePrice: beside(1.1) },
        ...{ belowType: 'STOP_LOSS', belowStopPrice: beside(0.9) },
      });
      assert.deepEqual([oco.contingencyType, oco.orders.length], ['OCO', 2]);
      const ref = { symbol, orderListId: oco.orderListId };
      assert.equal((await client.getOCO({ orderListId: oco.orderListId })).listOrderStatus, 'EXECUTING');
      assert.equal((await client.cancelOCO(ref)).listOrderStatus, 'ALL_DONE');
      assert.deepEqual(await client.getAllOpenOCO(), []);
      const twice = client.submitNewOrder({ ...stop, stopPrice: beside(1.1) });
      await assert.rejects(
        twice,
        (error) => error.code === -2010 && /trigger immediately/.test(error.message),
      );

      const { client: stream, heard } = streams(keys);
      await stream.subscribeSpotUserDataStream();
      const near = await client.submitNewOrder({ ...sell, type: 'STOP_LOSS', stopPrice: beside(0.99) });
      await until('the stop is told of', () => statesOf(heard, near.orderId).includes('NEW'));
      await simulator.admin('POST', 'shock', { symbol, factor: 0.97 });
      await until('the stop fires and fills', () => statesOf(heard, near.orderId).includes('FILLED'));
      await simulator.admin('POST', 'shock', { symbol, factor: 1 / 0.97 });
    },
  );

  test('a wrong secret is refused by its code', LONG, async () => {
    const { api_key } = await trader('sdk-wrong');
    const client = new MainClient({ api_key, api_secret: 'not-the-secret', baseUrl: simulator.url });
    await assert.rejects(client.getAccountInformation(), (error) => error.code === -1022);
  });

  test('market streams', LONG, async () => {
    const { client, heard, wrong } = streams();
    await client.subscribe(['btcusdt@depth@100ms', 'btcusdt@trade', 'btcusdt@kline_1m'], 'main');
    await until('every stream has told something', () =>
      ['depthUpdate', 'trade', 'kline'].every((event) =>
        heard.some((message) => (message.data ?? message).e === event),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  test('orders by the WebSocket API are told of on both user streams', LONG, async () => {
    const keys = await trader('sdk-socket');
    const rest = new MainClient({ ...keys, baseUrl: simulator.url });
    const { client, heard, wrong } = streams(keys);
    const { api, heard: heardByApi } = socketApi(keys);
    await client.subscribeSpotUserDataStream();
    await api.subscribeUserDataStream('mainWSAPI');
    const reported = async (orderId, state) => {
      await until(`the order is told of as ${state}`, () =>
        [heard, heardByApi].every((stream) => statesOf(stream, orderId).includes(state)),
      );
    };
    const price = String(await restingPrice(rest));
    const timestamp = Date.now();
    const resting = (await api.submitNewSpotOrder({ ...order, quantity: '0.01', price, timestamp })).result;
    await reported(resting.orderId, 'NEW');
    const cancel = { symbol: 'BTCUSDT', orderId: resting.orderId, timestamp: Date.now() };
    assert.equal((await api.cancelSpotOrder(cancel)).result.status, 'CANCELED');
    await reported(resting.orderId, 'CANCELED');
    const taking = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.002',
      timestamp: Date.now(),
    };
    await reported((await api.submitNewSpotOrder(taking)).result.orderId, 'FILLED');
    await until('the balance is told', () =>
      heard.some((message) => (message.data ?? message.event ?? message).e === 'outboundAccountPosition'),
    );
    assert.deepEqual(wrong, []);
  });
});
