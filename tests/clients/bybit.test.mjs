import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertBooks, assertLive } from './ccxt-claims.mjs';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { ccxt, collect } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

const SYMBOL = 'BTC/USDT';
const PERPETUAL = 'BTC/USDT:USDT';
const BOOK_UPDATES = 200;

const simulator = playedSimulator(13);

async function client(credentials, type) {
  return simulator.closing(await localCcxtBybit(simulator.url, credentials, type));
}

/** The key of a fresh account with 100 000 USDT and 1 BTC. */
const account = (label) => simulator.account('bybit', label, { USDT: '100000', BTC: '1' });

/** A price that rests: far below the market, within the filters. */
async function restingPrice(exchange) {
  const { bid } = await exchange.fetchTicker(SYMBOL);
  return Number(exchange.priceToPrecision(SYMBOL, bid * 0.98));
}

describe('ccxt: public data', () => {
  test('markets of both kinds with their steps; dated and other contracts are told apart', LONG, async () => {
    const exchange = await client();
    const markets = await exchange.loadMarkets();
    const live = Object.values(markets).filter((market) => market.active);
    assert.ok(live.filter((market) => market.spot && market.quote === 'USDT').length >= 20);
    assert.ok(live.filter((market) => market.swap && market.settle === 'USDT').length >= 15);
    assert.equal(markets[SYMBOL].precision.price, 0.1);
    assert.equal(markets[SYMBOL].precision.amount, 0.000001);
    assert.equal(markets[PERPETUAL].contractSize, 1);
    const dated = live.filter((market) => market.future);
    assert.equal(dated.length, 1);
    assert.ok(dated[0].expiry > Date.UTC(2027, 0, 1));
  });

  test('ticker, book, trades, candles and time, spot and perpetual', LONG, async () => {
    const exchange = await client();
    for (const symbol of [SYMBOL, PERPETUAL]) {
      const ticker = await exchange.fetchTicker(symbol);
      assert.ok(ticker.bid > 0 && ticker.bid < ticker.ask && ticker.quoteVolume > 0);
      const book = await exchange.fetchOrderBook(symbol, 20);
      assert.equal(book.bids.length, 20);
      assert.ok(book.bids[0][0] < book.asks[0][0]);
      const trades = await until('a trade', async () => {
        const recent = await exchange.fetchTrades(symbol, undefined, 50);
        return recent.length > 0 && recent;
      });
      assert.ok(trades.every((trade) => trade.price > 0 && trade.amount > 0));
      const candles = await exchange.fetchOHLCV(symbol, '1m', undefined, 100);
      assert.equal(candles.length, 100);
      for (let at = 1; at < candles.length; at += 1)
        assert.equal(candles[at][0] - candles[at - 1][0], 60_000);
      const since = Date.now() - 400 * 86_400_000;
      const old = await exchange.fetchOHLCV(symbol, '1h', since, 10);
      assert.equal(old.length, 10);
      assert.ok(old[0][0] >= since && old[0][0] < since + 3_600_000);
    }
    assert.ok(Math.abs((await exchange.fetchTime()) - Date.now()) < 60_000);
    assert.ok(Object.keys(await exchange.fetchTickers()).length >= 20);
  });

  test('funding, its history, open interest', LONG, async () => {
    const exchange = await client();
    const funding = await exchange.fetchFundingRate(PERPETUAL);
    assert.ok(Math.abs(funding.fundingRate) < 0.01 && funding.markPrice > 0 && funding.indexPrice > 0);
    assert.ok(funding.fundingTimestamp > Date.now() - 60_000);
    const history = await exchange.fetchFundingRateHistory(PERPETUAL, undefined, 20);
    assert.ok(history.length >= 20);
    const interest = await exchange.fetchOpenInterest(PERPETUAL);
    assert.ok(interest.openInterestAmount > 0 || interest.openInterestValue > 0);
  });

  test('bars of mark, index and premium, and who is long', LONG, async () => {
    const exchange = await client();
    for (const call of ['fetchMarkOHLCV', 'fetchIndexOHLCV', 'fetchPremiumIndexOHLCV']) {
      const bars = await exchange[call](PERPETUAL, '5m', undefined, 10);
      assert.equal(bars.length, 10);
      assert.ok(bars.every(([, , high, low]) => high >= low));
    }
    const ratios = await exchange.fetchLongShortRatioHistory(PERPETUAL, '1h', undefined, 20);
    assert.equal(ratios.length, 20);
    assert.ok(ratios.every(({ longShortRatio }) => longShortRatio > 0.3 && longShortRatio < 3));
  });
});

describe('ccxt: keys', () => {
  test('a wrong secret, and a key of nobody, are AuthenticationErrors', LONG, async () => {
    const { apiKey } = await account('wrong-secret');
    const wrong = await client({ apiKey, secret: 'not-the-secret' });
    await assert.rejects(wrong.fetchBalance(), ccxt.AuthenticationError);
    const nobody = await client({ apiKey: 'A'.repeat(18), secret: 'x' });
    await assert.rejects(nobody.fetchBalance(), ccxt.AuthenticationError);
  });
});

describe('ccxt: orders', () => {
  test('a limit order is placed, found, amended, cancelled and gone', LONG, async () => {
    const exchange = await client(await account('rester'));
    await exchange.loadMarkets();
    const price = Math.floor(await restingPrice(exchange));
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, price);
    const held = await exchange.fetchBalance();
    assert.ok(Math.abs(held.USDT.total - 100_000) < 1e-6);
    const open = await exchange.fetchOpenOrders(SYMBOL);
    assert.deepEqual(
      open.map((order) => [order.id, order.status, order.price, order.amount]),
      [[placed.id, 'open', price, 0.01]],
    );
    await exchange.editOrder(placed.id, SYMBOL, 'limit', 'buy', 0.02, price - 1);
    const [edited] = await exchange.fetchOpenOrders(SYMBOL);
    assert.deepEqual([edited.id, edited.amount, edited.price], [placed.id, 0.02, price - 1]);
    await exchange.cancelOrder(placed.id, SYMBOL);
    assert.deepEqual(await exchange.fetchOpenOrders(SYMBOL), []);
    const ended = await exchange.fetchCanceledOrders(SYMBOL);
    assert.deepEqual(
      ended.map((order) => [order.id, order.status]),
      [[placed.id, 'canceled']],
    );
    await assert.rejects(exchange.cancelOrder(placed.id, SYMBOL), ccxt.OrderNotFound);
  });

  test('market orders fill without a fee; balances and trades say the same', LONG, async () => {
    const exchange = await client(await account('taker'));
    await exchange.loadMarkets();
    const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.01, undefined, {
      marketUnit: 'baseCoin',
    });
    const trades = await exchange.fetchMyTrades(SYMBOL);
    assert.ok(trades.every((trade) => trade.order === bought.id && trade.takerOrMaker === 'taker'));
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    assert.ok(Math.abs(sum(trades.map((trade) => trade.amount)) - 0.01) < 1e-12);
    assert.equal(sum(trades.map((trade) => trade.fee?.cost ?? 0)), 0);
    const balance = await exchange.fetchBalance();
    assert.ok(Math.abs(balance.BTC.total - 1.01) < 1e-9);
    assert.ok(Math.abs(balance.USDT.total - (100_000 - sum(trades.map((trade) => trade.cost)))) < 1e-6);
    const spent = await exchange.createMarketBuyOrderWithCost(SYMBOL, 500);
    const closed = await exchange.fetchClosedOrders(SYMBOL);
    assert.deepEqual(new Set(closed.map((order) => order.id)), new Set([bought.id, spent.id]));
    assert.ok(closed.find((order) => order.id === spent.id).cost <= 500);
  });

  test('refusals arrive as the errors ccxt has for them', LONG, async () => {
    const exchange = await client(await account('refused'));
    await exchange.loadMarkets();
    const price = await restingPrice(exchange);
    const buy = (amount, at, params) => exchange.createOrder(SYMBOL, 'limit', 'buy', amount, at, params);
    await assert.rejects(buy(5, price), ccxt.InsufficientFunds);
    await assert.rejects(buy(0.00002, price), ccxt.InvalidOrder);
    await assert.rejects(exchange.cancelOrder('1234567890', SYMBOL), ccxt.OrderNotFound);
    const clientOrderId = 'only-once';
    await buy(0.001, price, { clientOrderId });
    await assert.rejects(buy(0.001, price, { clientOrderId }), ccxt.InvalidOrder);
    // Taken on, and cancelled at once.
    const taking = await buy(0.001, price * 1.03, { postOnly: true });
    const ended = await exchange.fetchCanceledOrders(SYMBOL);
    assert.equal(ended.find((order) => order.id === taking.id)?.filled, 0);
  });
});

describe('ccxt: live', () => {
  test(
    'a watched book has at least 200 updates and equals the REST book, spot and perpetual',
    LONG,
    async () => {
      const symbols = [SYMBOL, PERPETUAL];
      await assertBooks(simulator, 'bybit', await client(), { symbols, updates: BOOK_UPDATES, depth: 50 });
    },
  );

  test('trades, ticker and candles arrive by socket', LONG, async () => {
    for (const [symbol, type] of [
      [SYMBOL, 'spot'],
      [PERPETUAL, 'swap'],
    ]) {
      await assertLive(await client({}, type), symbol);
    }
  });

  test(
    'own orders, trades and balances arrive by socket; a dropped socket is joined again',
    LONG,
    async () => {
      const exchange = await client(await account('watcher'));
      await exchange.loadMarkets();
      const orders = collect(() => exchange.watchOrders(SYMBOL));
      const balances = collect(() => exchange.watchBalance());
      const trades = collect(() => exchange.watchMyTrades(SYMBOL));
      const price = await restingPrice(exchange);
      const story = (id) =>
        orders
          .flat()
          .filter((order) => order.id === id)
          .map((order) => order.status);
      // The subscription is in place once the first event arrives; orders are placed until then.
      const seenResting = () =>
        until('an order event', async () => {
          const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.001, price);
          const seen = await until('its event', () => story(placed.id).length > 0, 1_000).catch(() => false);
          await exchange.cancelOrder(placed.id, SYMBOL);
          return seen && placed;
        });
      const resting = await seenResting();
      await until('the order is seen cancelled', () => story(resting.id).includes('canceled'));
      const bought = await exchange.createMarketBuyOrderWithCost(SYMBOL, 200);
      await until('the fill is seen', () => story(bought.id).includes('closed'));
      await until('the trade is seen', () => trades.flat().some((trade) => trade.order === bought.id));
      await until('the balance is seen', () => balances.some((balance) => (balance.BTC?.total ?? 0) > 1));
      await simulator.admin('POST', 'sockets/drop', { venue: 'bybit', kind: 'api' });
      // ccxt tells a drop as a network error; whoever watches asks again.
      await until('the drop is told', () => orders.some((entry) => entry instanceof ccxt.NetworkError));
      const again = collect(() => exchange.watchOrders(SYMBOL));
      await until('events arrive again', async () => {
        const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.001, price);
        const seen = await until('its event', () => again.length > 0, 1_000).catch(() => false);
        await exchange.cancelOrder(placed.id, SYMBOL);
        return seen;
      });
      assert.ok(!(again[0] instanceof Error));
    },
  );
});

describe('the SDK bybit-api', () => {
  test('public and signed REST; a wrong secret is 10004', LONG, async () => {
    const { rest } = localBybitSdk(simulator.url, await account('sdk'));
    const time = await rest.getServerTime();
    assert.equal(time.retCode, 0);
    const info = await rest.getInstrumentsInfo({ category: 'linear' });
    assert.ok(info.result.list.some((row) => row.symbol === 'BTCUSDT'));
    const candles = await rest.getKline({ category: 'spot', symbol: 'BTCUSDT', interval: '1', limit: 1000 });
    assert.equal(candles.result.list.length, 1000);
    const contract = { category: 'linear', symbol: 'BTCUSDT' };
    const premium = await rest.getPremiumIndexPriceKline({ ...contract, interval: 'D', limit: 7 });
    assert.deepEqual(
      premium.result.list.map((row) => row.length),
      Array(7).fill(5),
    );
    const ratio = await rest.getLongShortRatio({ ...contract, period: '1d', limit: 3 });
    assert.equal(ratio.result.list.length, 3);
    const balance = await rest.getWalletBalance({ accountType: 'UNIFIED' });
    assert.equal(balance.result.list[0].coin.find((row) => row.coin === 'USDT').walletBalance, '100000');
    const { apiKey } = await account('sdk-wrong');
    const wrong = localBybitSdk(simulator.url, { apiKey, secret: 'wrong' });
    assert.equal((await wrong.rest.getWalletBalance({ accountType: 'UNIFIED' })).retCode, 10_004);
  });

  test(
    'orders of a pair go several by one call: placed, changed, cancelled, each for itself',
    LONG,
    async () => {
      const { rest } = localBybitSdk(simulator.url, await account('sdk-several'));
      const pair = { category: 'spot', symbol: 'BTCUSDT' };
      const bid = Number((await rest.getTickers(pair)).result.list[0].bid1Price);
      const at = (share) => String(Number((bid * share).toFixed(1)));
      const order = { symbol: pair.symbol, side: 'Buy', orderType: 'Limit', qty: '0.001' };
      const codes = ({ retExtInfo }) => retExtInfo.list.map(({ code }) => code);
      const placed = await rest.batchSubmitOrders('spot', [
        { ...order, price: at(0.97), orderLinkId: 'one' },
        { ...order, price: at(0.96) },
        { ...order, price: at(0.95), qty: '1000' },
      ]);
      assert.deepEqual(codes(placed).slice(0, 2), [0, 0]);
      assert.notEqual(codes(placed)[2], 0);
      const { orderId } = placed.result.list[1];
      const changed = await rest.batchAmendOrders('spot', [
        { symbol: pair.symbol, orderLinkId: 'one', price: at(0.94) },
        { symbol: pair.symbol, orderId, qty: '0.002' },
      ]);
      assert.deepEqual(codes(changed), [0, 0]);
      const open = async () => (await rest.getActiveOrders(pair)).result.list;
      assert.deepEqual(
        (await open()).map(({ price, qty }) => [Number(price), qty]).sort(),
        [
          [Number(at(0.94)), '0.001'],
          [Number(at(0.96)), '0.002'],
        ].sort(),
      );
      const gone = await rest.batchCancelOrders('spot', [
        { symbol: pair.symbol, orderLinkId: 'one' },
        { symbol: pair.symbol, orderId },
      ]);
      assert.deepEqual(codes(gone), [0, 0]);
      await until('none is open', async () => (await open()).length === 0);
    },
  );

  test(
    'topics of both kinds, own orders, and orders by socket; dropped sockets are joined again',
    LONG,
    async () => {
      const said = [];
      const sdk = localBybitSdk(simulator.url, await account('sdk-live'), said);
      const socket = simulator.closing(sdk.sockets());
      const heard = [];
      let reconnected = 0;
      socket.on('update', (update) => heard.push(update));
      socket.on('exception', (problem) => said.push(['exception', problem]));
      socket.on('reconnected', () => (reconnected += 1));
      socket.subscribeV5(['orderbook.50.BTCUSDT', 'publicTrade.BTCUSDT', 'kline.1.BTCUSDT'], 'linear');
      socket.subscribeV5(['tickers.BTCUSDT'], 'spot');
      socket.subscribeV5(['order', 'wallet', 'execution'], 'linear', true);
      const has = (topic, from = 0) => heard.slice(from).some((update) => update.topic === topic);
      for (const topic of [
        'orderbook.50.BTCUSDT',
        'publicTrade.BTCUSDT',
        'kline.1.BTCUSDT',
        'tickers.BTCUSDT',
      ]) {
        await until(topic, () => has(topic));
      }
      const trading = sdk.trading();
      simulator.closing(trading.getWSClient());
      const price = Number(
        (await sdk.rest.getTickers({ category: 'spot', symbol: 'BTCUSDT' })).result.list[0].bid1Price,
      );
      const order = {
        category: 'spot',
        symbol: 'BTCUSDT',
        side: 'Buy',
        orderType: 'Limit',
        qty: '0.001',
        price: (price * 0.98).toFixed(1),
      };
      const rows = (orderId) =>
        heard
          .filter((update) => update.topic === 'order')
          .flatMap((update) => update.data.filter((row) => row.orderId === orderId));
      const placedAndSeen = () =>
        until('an order placed by socket is told', async () => {
          const placed = await trading.submitNewOrder(order);
          assert.equal(placed.retCode, 0);
          const { orderId } = placed.data;
          const seen = await until('its event', () => rows(orderId).length > 0, 1_000).catch(() => false);
          const cancelled = await trading.cancelOrder({ category: 'spot', symbol: 'BTCUSDT', orderId });
          assert.equal(cancelled.retCode, 0);
          return seen && orderId;
        });
      const orderId = await placedAndSeen();
      await until('its end is told', () => rows(orderId).some((row) => row.orderStatus === 'Cancelled'));
      await assert.rejects(
        trading.submitNewOrder({ ...order, qty: '1000' }),
        (problem) => problem.retCode !== 0,
      );
      const bought = await trading.submitNewOrder({
        ...order,
        orderType: 'Market',
        qty: '200',
        price: undefined,
      });
      await until('the fill is told', () =>
        rows(bought.data.orderId).some((row) => row.orderStatus === 'Filled'),
      );
      assert.ok(has('execution') && has('wallet'));

      await simulator.admin('POST', 'sockets/drop', { venue: 'bybit', kind: 'all' });
      await until('every socket of the client is back', () => reconnected >= 3);
      const from = heard.length;
      for (const topic of ['orderbook.50.BTCUSDT', 'tickers.BTCUSDT'])
        await until(topic, () => has(topic, from));
      await until('own orders are told again', async () => {
        const placed = await sdk.rest.submitOrder(order);
        const seen = await until('its event', () => rows(placed.result.orderId).length > 0, 1_000).catch(
          () => false,
        );
        await sdk.rest.cancelOrder({ category: 'spot', symbol: 'BTCUSDT', orderId: placed.result.orderId });
        return seen;
      });
    },
  );
});
