import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertBooks, assertLive } from './ccxt-claims.mjs';
import { ccxt, collect } from './local-ccxt.mjs';
import { localCcxtOkx, localOkxSdk } from './local-okx.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

const SYMBOL = 'BTC/USDT';
const PERPETUAL = 'BTC/USDT:USDT';
const BOOK_UPDATES = 200;

const simulator = playedSimulator(17, { limited: false });

async function client(credentials) {
  return simulator.closing(await localCcxtOkx(simulator.url, credentials));
}

/** The key of a fresh account with 100 000 USDT and 1 BTC. */
const account = (label) => simulator.account('okx', label, { USDT: '100000', BTC: '1' });

/** A price that rests: below the market. */
async function restingPrice(exchange) {
  const { bid } = await exchange.fetchTicker(SYMBOL);
  return Number(exchange.priceToPrecision(SYMBOL, bid * 0.97));
}

describe('ccxt: public data', () => {
  test('markets of both kinds with their steps; dated and other contracts are told apart', LONG, async () => {
    const exchange = await client();
    const markets = await exchange.loadMarkets();
    const live = Object.values(markets).filter((market) => market.active);
    assert.ok(live.filter((market) => market.spot && market.quote === 'USDT').length >= 20);
    assert.ok(live.filter((market) => market.swap && market.settle === 'USDT').length >= 15);
    assert.equal(markets[SYMBOL].precision.price, 0.1);
    assert.equal(markets[SYMBOL].precision.amount, 0.00000001);
    assert.equal(markets[PERPETUAL].contractSize, 0.01);
    assert.equal(markets['WAVES/USDT'].active, false);
    const dated = live.filter((market) => market.future);
    assert.equal(dated.length, 1);
    assert.ok(dated[0].expiry > Date.UTC(2027, 0, 1));
  });

  test('ticker, book, trades, candles and time, spot and perpetual', LONG, async () => {
    const exchange = await client();
    for (const symbol of [SYMBOL, PERPETUAL]) {
      const ticker = await exchange.fetchTicker(symbol);
      assert.ok(ticker.bid > 0 && ticker.bid < ticker.ask && ticker.baseVolume > 0);
      const book = await exchange.fetchOrderBook(symbol, 20);
      assert.equal(book.bids.length, 20);
      assert.ok(book.bids[0][0] < book.asks[0][0]);
      const trades = await exchange.fetchTrades(symbol, undefined, 50);
      assert.ok(trades.length > 0 && trades.every((trade) => trade.price > 0 && trade.amount > 0));
      const candles = await exchange.fetchOHLCV(symbol, '1m', undefined, 300);
      assert.equal(candles.length, 300);
      for (let at = 1; at < candles.length; at += 1)
        assert.equal(candles[at][0] - candles[at - 1][0], 60_000);
      // Further back than 1,440 bars ccxt asks for history by itself.
      const since = Date.now() - 400 * 86_400_000;
      const old = await exchange.fetchOHLCV(symbol, '1h', since, 10);
      assert.equal(old.length, 10);
      assert.ok(old[0][0] >= since && old[0][0] < since + 3_600_000);
      // It sizes its window by 300 bars there too.
      const whole = await exchange.fetchOHLCV(symbol, '1h', since, 300);
      assert.deepEqual(
        whole.map(([time]) => time),
        Array.from({ length: 300 }, (_, at) => old[0][0] + at * 3_600_000),
      );
    }
    assert.ok(Math.abs((await exchange.fetchTime()) - Date.now()) < 60_000);
    assert.ok(Object.keys(await exchange.fetchTickers()).length >= 20);
  });

  test('mark, index, funding and open interest of perpetuals', LONG, async () => {
    const exchange = await client();
    const { last } = await exchange.fetchTicker(PERPETUAL);
    const funding = await exchange.fetchFundingRate(PERPETUAL);
    assert.ok(Math.abs(funding.fundingRate) < 0.01 && funding.fundingTimestamp > Date.now());
    const history = await exchange.fetchFundingRateHistory(PERPETUAL, undefined, 20);
    assert.equal(history.length, 20);
    const mark = await exchange.fetchMarkPrice(PERPETUAL);
    assert.ok(Math.abs(mark.markPrice / last - 1) < 0.05);
    assert.ok((await exchange.fetchOpenInterest(PERPETUAL)).openInterestAmount > 0);
    assert.ok((await exchange.fetchMarketLeverageTiers(PERPETUAL))[0].maxLeverage >= 50);
    for (const call of ['fetchMarkOHLCV', 'fetchIndexOHLCV']) {
      const bars = await exchange[call](PERPETUAL, '5m', undefined, 10);
      assert.equal(bars.length, 10);
    }
  });
});

describe('ccxt: keys', () => {
  test('a wrong secret, a wrong passphrase and an unknown key are AuthenticationErrors', LONG, async () => {
    const right = await account('keys');
    assert.ok((await (await client(right)).fetchBalance()).USDT.total === 100_000);
    for (const wrong of [{ secret: 'wrong' }, { passphrase: 'wrong' }, { apiKey: 'a'.repeat(36) }]) {
      const exchange = await client({ ...right, ...wrong });
      await assert.rejects(exchange.fetchBalance(), ccxt.AuthenticationError);
    }
  });
});

describe('ccxt: orders', () => {
  test('a limit order is placed, found, amended, cancelled and gone', LONG, async () => {
    const exchange = await client(await account('rester'));
    await exchange.loadMarkets();
    const price = await restingPrice(exchange);
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, price);
    const held = await exchange.fetchBalance();
    assert.ok(Math.abs(held.USDT.used - price * 0.01) < 1e-6);
    const openOrders = await exchange.fetchOpenOrders(SYMBOL);
    assert.deepEqual(
      openOrders.map((order) => [order.id, order.status]),
      [[placed.id, 'open']],
    );
    await exchange.editOrder(placed.id, SYMBOL, 'limit', 'buy', 0.02, price - 1);
    const edited = await exchange.fetchOrder(placed.id, SYMBOL);
    assert.equal(edited.amount, 0.02);
    assert.equal(edited.price, Number(exchange.priceToPrecision(SYMBOL, price - 1)));
    await exchange.cancelOrder(placed.id, SYMBOL);
    assert.equal((await exchange.fetchOrder(placed.id, SYMBOL)).status, 'canceled');
    assert.deepEqual(await exchange.fetchOpenOrders(SYMBOL), []);
    assert.equal((await exchange.fetchBalance()).USDT.used, 0);
    await assert.rejects(exchange.cancelOrder(placed.id, SYMBOL), ccxt.OrderNotFound);
    const countdown = await exchange.cancelAllOrdersAfter(60_000);
    assert.ok(Number(countdown.data[0].triggerTime) > Number(countdown.data[0].ts));
    assert.equal((await exchange.cancelAllOrdersAfter(0)).data[0].triggerTime, '0');
  });

  test('market orders fill, the fee is taken from what was bought, and history shows it', LONG, async () => {
    const exchange = await client(await account('taker'));
    await exchange.loadMarkets();
    const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.01, undefined, {
      tgtCcy: 'base_ccy',
    });
    const trades = await exchange.fetchMyTrades(SYMBOL);
    assert.ok(trades.every((trade) => trade.order === bought.id && trade.takerOrMaker === 'taker'));
    assert.ok(trades.every((trade) => trade.fee.currency === 'BTC' && trade.fee.cost > 0));
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    assert.ok(Math.abs(sum(trades.map((trade) => trade.amount)) - 0.01) < 1e-12);
    const balance = await exchange.fetchBalance();
    assert.ok(Math.abs(balance.BTC.total - (1 + 0.01 * 0.999)) < 1e-7);
    assert.ok(Math.abs(balance.USDT.total - (100_000 - sum(trades.map((trade) => trade.cost)))) < 1e-6);
    const spent = await exchange.createMarketBuyOrderWithCost(SYMBOL, 500);
    const closed = await exchange.fetchClosedOrders(SYMBOL);
    assert.deepEqual(new Set(closed.map((order) => order.id)), new Set([bought.id, spent.id]));
    assert.ok(closed.find((order) => order.id === spent.id).cost <= 500.000001);
  });

  test('refusals arrive as the errors ccxt has for them', LONG, async () => {
    const exchange = await client(await account('refused'));
    await exchange.loadMarkets();
    const price = await restingPrice(exchange);
    const buy = (amount, at, params) => exchange.createOrder(SYMBOL, 'limit', 'buy', amount, at, params);
    await assert.rejects(buy(5, price), ccxt.InsufficientFunds);
    await assert.rejects(buy(0.000002, price), ccxt.InvalidOrder);
    await assert.rejects(exchange.fetchOrder('1234567890', SYMBOL), ccxt.OrderNotFound);
    const clientOrderId = 'onlyonce';
    await buy(0.001, price, { clientOrderId });
    await assert.rejects(buy(0.001, price, { clientOrderId }), ccxt.InvalidOrder);
    // Taken on, and cancelled at once.
    const taking = await buy(0.001, price * 1.05, { postOnly: true });
    assert.equal((await exchange.fetchOrder(taking.id, SYMBOL)).status, 'canceled');
  });
});

describe('ccxt: live', () => {
  test(
    'a watched book has at least 200 updates and equals the REST book, spot and perpetual',
    LONG,
    async () => {
      const symbols = [SYMBOL, PERPETUAL];
      await assertBooks(simulator, 'okx', await client(), { symbols, updates: BOOK_UPDATES, restDepth: 400 });
    },
  );

  test('a lost update is an InvalidNonce, and watching again mends it', LONG, async () => {
    const exchange = await client();
    await exchange.watchOrderBook('ETH/USDT');
    await simulator.admin('POST', 'faults', { kind: 'skip-depth', match: 'books/ETH-USDT', count: 1 });
    const watchUntilLost = async () => {
      for (;;) await exchange.watchOrderBook('ETH/USDT');
    };
    await assert.rejects(watchUntilLost(), ccxt.InvalidNonce);
    const book = await until('the book is back', () =>
      exchange.watchOrderBook('ETH/USDT').catch(() => false),
    );
    assert.ok(book.bids[0][0] < book.asks[0][0]);
  });

  test('trades, ticker and candles arrive by socket', LONG, async () => {
    const exchange = await client();
    await exchange.loadMarkets();
    for (const symbol of [SYMBOL, PERPETUAL]) {
      await assertLive(exchange, symbol);
    }
  });

  test(
    'own orders and balances arrive by socket; orders go by socket; a dropped socket is joined again',
    LONG,
    async () => {
      const exchange = await client(await account('watcher'));
      await exchange.loadMarkets();
      const orders = collect(() => exchange.watchOrders(SYMBOL));
      const balances = collect(() => exchange.watchBalance());
      const price = await restingPrice(exchange);
      const story = (id) =>
        orders
          .flat()
          .filter((order) => order.id === id)
          .map((order) => order.status);
      // The subscription is in place once the first event arrives; orders are placed until then.
      const resting = await until('an order event', async () => {
        const placed = await exchange.createOrderWs(SYMBOL, 'limit', 'buy', 0.001, price);
        const seen = await until('its event', () => story(placed.id).length > 0, 1_000).catch(() => false);
        await exchange.cancelOrderWs(placed.id, SYMBOL);
        return seen && placed;
      });
      await until('the order is seen cancelled', () => story(resting.id).includes('canceled'));
      const bought = await exchange.createMarketBuyOrderWithCost(SYMBOL, 200);
      await until('the fill is seen', () => story(bought.id).includes('closed'));
      await until('the balance is seen', () => balances.some((balance) => (balance.BTC?.total ?? 0) > 1));
      await simulator.admin('POST', 'sockets/drop', { venue: 'okx', kind: 'api' });
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

describe('the SDK okx-api', () => {
  test('public and signed REST; a wrong secret is 50113', LONG, async () => {
    const { rest } = localOkxSdk(simulator.url, await account('sdk'));
    const [time] = await rest.getSystemTime();
    assert.ok(Math.abs(Number(time.ts) - Date.now()) < 60_000);
    const contracts = await rest.getInstruments({ instType: 'SWAP' });
    assert.ok(contracts.some((row) => row.instId === 'BTC-USDT-SWAP'));
    const candles = await rest.getCandles({ instId: 'BTC-USDT', bar: '1m', limit: '300' });
    assert.equal(candles.length, 300);
    const { components } = await rest.getIndexComponents({ index: 'BTC-USDT' });
    assert.deepEqual(
      components.map(({ exch }) => exch),
      ['Binance', 'OKX', 'Bybit'],
    );
    assert.equal(
      (await rest.getHistoricCandles({ instId: 'BTC-USDT', bar: '1m', limit: '300' })).length,
      300,
    );
    assert.equal((await rest.getMarkPriceCandles({ instId: 'BTC-USDT-SWAP', bar: '1m' })).length, 100);
    const [limit] = await rest.getAccountRateLimit();
    assert.deepEqual([limit.accRateLimit, limit.fillRatio], ['1000', '']);
    const [fee] = await rest.getFeeRates({ instType: 'SWAP', instId: 'BTC-USDT-SWAP' });
    assert.deepEqual([fee.taker, fee.takerU, fee.takerUSDC], ['-0.0005', '-0.0005', '-0.0005']);
    const [balance] = await rest.getBalance();
    assert.equal(balance.details.find((row) => row.ccy === 'USDT').cashBal, '100000');
    const price = (Number((await rest.getTicker({ instId: 'BTC-USDT' }))[0].bidPx) * 0.97).toFixed(1);
    const order = {
      instId: 'BTC-USDT',
      tdMode: 'cash',
      side: 'buy',
      ordType: 'limit',
      sz: '0.001',
      px: price,
    };
    const [placed] = await rest.submitOrder(order);
    assert.equal(placed.sCode, '0');
    const [found] = await rest.getOrderDetails({ instId: 'BTC-USDT', ordId: placed.ordId });
    assert.equal(found.state, 'live');
    const [cancelled] = await rest.cancelOrder({ instId: 'BTC-USDT', ordId: placed.ordId });
    assert.equal(cancelled.sCode, '0');
    const right = await account('sdk-wrong');
    const wrong = localOkxSdk(simulator.url, { ...right, secret: 'wrong' });
    await assert.rejects(wrong.rest.getBalance(), (problem) => problem.code === '50113');
  });

  test(
    'orders of a pair go several by one call: placed, changed, cancelled, each for itself',
    LONG,
    async () => {
      const { rest } = localOkxSdk(simulator.url, await account('sdk-several'));
      const instId = 'BTC-USDT';
      const bid = Number((await rest.getTicker({ instId }))[0].bidPx);
      const at = (share) => String(Number((bid * share).toFixed(1)));
      const order = { instId, tdMode: 'cash', side: 'buy', ordType: 'limit', sz: '0.001' };
      const [one, other] = await rest.submitMultipleOrders([
        { ...order, px: at(0.97), clOrdId: 'one' },
        { ...order, px: at(0.96) },
      ]);
      assert.deepEqual([one.sCode, other.sCode], ['0', '0']);
      // The SDK throws what the exchange took in part, with what became of each.
      const part = rest.submitMultipleOrders([
        { ...order, px: at(0.95), clOrdId: 'third' },
        { ...order, px: at(0.95), sz: '5' },
      ]);
      await assert.rejects(part, ({ code, data }) => {
        assert.deepEqual([code, data.map(({ sCode }) => sCode)], ['2', ['0', '51008']]);
        return true;
      });
      await rest.cancelOrder({ instId, clOrdId: 'third' });
      const changes = [
        { instId, ordId: one.ordId, newPx: at(0.94) },
        { instId, ordId: other.ordId, newSz: '0.002' },
      ];
      for (const { sCode } of await rest.amendMultipleOrders(changes)) assert.equal(sCode, '0');
      const open = await rest.getOrderList({ instType: 'SPOT' });
      assert.deepEqual(
        open.map(({ ordId, px, sz }) => [ordId, px, sz]),
        [
          [other.ordId, at(0.96), '0.002'],
          [one.ordId, at(0.94), '0.001'],
        ],
      );
      const gone = await rest.cancelMultipleOrders([
        { instId, clOrdId: 'one' },
        { instId, ordId: other.ordId },
      ]);
      assert.deepEqual(
        gone.map(({ sCode }) => sCode),
        ['0', '0'],
      );
      assert.deepEqual(await rest.getOrderList({ instType: 'SPOT' }), []);
    },
  );

  test(
    'channels of three sockets, own orders, and orders by socket; dropped sockets are joined again',
    LONG,
    async () => {
      const said = [];
      const sdk = localOkxSdk(simulator.url, await account('sdk-live'), said);
      const socket = simulator.closing(sdk.sockets());
      const heard = [];
      let reconnected = 0;
      socket.on('update', (update) => heard.push(update));
      socket.on('exception', (problem) => said.push(['exception', problem]));
      socket.on('reconnected', () => (reconnected += 1));
      void socket.subscribe([
        { channel: 'books', instId: 'BTC-USDT' },
        { channel: 'trades', instId: 'BTC-USDT' },
        { channel: 'tickers', instId: 'BTC-USDT-SWAP' },
      ]);
      void socket.subscribe({ channel: 'candle1m', instId: 'BTC-USDT' });
      void socket.subscribe([{ channel: 'account' }, { channel: 'orders', instType: 'ANY' }]);
      const has = (channel, from = 0) => heard.slice(from).some((update) => update.arg?.channel === channel);
      for (const channel of ['books', 'trades', 'tickers', 'candle1m', 'account']) {
        await until(channel, () => has(channel));
      }
      const trading = sdk.trading();
      simulator.closing(trading.getWSClient());
      const [ticker] = await sdk.rest.getTicker({ instId: 'BTC-USDT' });
      const px = (Number(ticker.bidPx) * 0.97).toFixed(1);
      const order = { instId: 'BTC-USDT', tdMode: 'cash', side: 'buy', ordType: 'limit', sz: '0.001', px };
      const rows = (ordId) =>
        heard
          .filter((update) => update.arg?.channel === 'orders')
          .flatMap((update) => update.data.filter((row) => row.ordId === ordId));
      const ordId = await until('an order placed by socket is told', async () => {
        const placed = await trading.submitNewOrder(order);
        assert.equal(placed.code, '0');
        const [{ ordId }] = placed.data;
        const seen = await until('its event', () => rows(ordId).length > 0, 1_000).catch(() => false);
        const cancelled = await trading.cancelOrder({ instId: 'BTC-USDT', ordId });
        assert.equal(cancelled.code, '0');
        return seen && ordId;
      });
      await until('its end is told', () => rows(ordId).some((row) => row.state === 'canceled'));
      assert.equal(rows(ordId)[0].tag, '159881cb7207BCDE');
      await assert.rejects(trading.submitNewOrder({ ...order, sz: '1000' }));
      const bought = await trading.submitNewOrder({ ...order, ordType: 'market', sz: '200', px: undefined });
      await until('the fill is told', () =>
        rows(bought.data[0].ordId).some((row) => row.state === 'filled' && row.fillFeeCcy === 'BTC'),
      );

      await simulator.admin('POST', 'sockets/drop', { venue: 'okx', kind: 'all' });
      await until('every socket of the client is back', () => reconnected >= 3);
      const from = heard.length;
      for (const channel of ['books', 'candle1m', 'account']) await until(channel, () => has(channel, from));
      await until('own orders are told again', async () => {
        const [placed] = await sdk.rest.submitOrder(order);
        const seen = await until('its event', () => rows(placed.ordId).length > 0, 1_000).catch(() => false);
        await sdk.rest.cancelOrder({ instId: 'BTC-USDT', ordId: placed.ordId });
        return seen;
      });
    },
  );
});
