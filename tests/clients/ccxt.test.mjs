import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLive } from './ccxt-claims.mjs';
import { ccxt, collect, localBinance, plainLevels } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

const SYMBOL = 'BTC/USDT';
const BOOK_UPDATES = 200;

const simulator = playedSimulator(11);

async function client(credentials) {
  return simulator.closing(await localBinance(simulator.url, credentials));
}

/** A client of a fresh account with 100 000 USDT and 1 BTC. */
async function trader(label) {
  return await client(await simulator.account('binance', label, { USDT: '100000', BTC: '1' }));
}

/** A price that rests: far below the market, within the filters. */
async function restingPrice(exchange) {
  const { bid } = await exchange.fetchTicker(SYMBOL);
  return Math.floor(bid * 0.9);
}

describe('public data', () => {
  test('ccxt loads the markets with their steps and limits', LONG, async () => {
    const exchange = await client();
    const markets = await exchange.loadMarkets();
    const usdt = Object.values(markets).filter(
      (market) => market.spot && market.quote === 'USDT' && market.active,
    );
    assert.ok(usdt.length >= 20, `${usdt.length} live USDT pairs`);
    const btc = markets[SYMBOL];
    assert.equal(btc.precision.price, 0.01);
    assert.equal(btc.precision.amount, 0.00001);
    assert.equal(btc.limits.cost.min, 5);
  });

  test('ccxt reads ticker, book, trades, candles and time', LONG, async () => {
    const exchange = await client();
    const ticker = await exchange.fetchTicker(SYMBOL);
    assert.ok(ticker.bid > 0 && ticker.bid < ticker.ask && ticker.quoteVolume > 0);
    const book = await exchange.fetchOrderBook(SYMBOL, 20);
    assert.equal(book.bids.length, 20);
    assert.ok(book.bids[0][0] < book.asks[0][0] && book.nonce > 0);
    const trades = await until('a trade', async () => {
      const recent = await exchange.fetchTrades(SYMBOL, undefined, 50);
      return recent.length > 0 && recent;
    });
    assert.ok(trades.every((trade) => trade.price > 0 && trade.amount > 0));
    const candles = await exchange.fetchOHLCV(SYMBOL, '1m', undefined, 100);
    assert.equal(candles.length, 100);
    for (let at = 1; at < candles.length; at += 1) assert.equal(candles[at][0] - candles[at - 1][0], 60_000);
    const old = await exchange.fetchOHLCV(SYMBOL, '1h', Date.now() - 400 * 86_400_000, 10);
    assert.equal(old.length, 10);
    assert.ok(Math.abs((await exchange.fetchTime()) - Date.now()) < 60_000);
    const all = await exchange.fetchTickers();
    assert.ok(Object.keys(all).length >= 20);
  });
});

describe('keys', () => {
  test('a wrong secret is an AuthenticationError', LONG, async () => {
    const { apiKey } = await simulator.admin('POST', 'keys', { label: 'wrong-secret' });
    const exchange = await client({ apiKey, secret: 'not-the-secret' });
    await assert.rejects(exchange.fetchBalance(), ccxt.AuthenticationError);
  });

  test('an unknown key is an AuthenticationError', LONG, async () => {
    const exchange = await client({ apiKey: 'A'.repeat(64), secret: 'x' });
    await assert.rejects(exchange.fetchBalance(), ccxt.AuthenticationError);
  });
});

describe('orders', () => {
  test('a stop is placed, found, edited and cancelled; another fires', LONG, async () => {
    const exchange = await trader('stopper');
    await exchange.loadMarkets();
    const { last } = await exchange.fetchTicker(SYMBOL);
    const beside = (share) => Number(exchange.priceToPrecision(SYMBOL, last * share));
    const stop = (share) => ({ stopLossPrice: beside(share) });
    await exchange.createOrder(SYMBOL, 'market', 'buy', 0.02);
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'sell', 0.01, beside(0.85), stop(0.9));
    assert.deepEqual([placed.status, placed.triggerPrice], ['open', beside(0.9)]);
    const edited = await exchange.editOrder(placed.id, SYMBOL, 'limit', 'sell', 0.01, beside(0.8), {
      stopPrice: beside(0.85),
    });
    const [open, ...others] = await exchange.fetchOpenOrders(SYMBOL);
    assert.deepEqual([open.id, open.triggerPrice, others], [edited.id, beside(0.85), []]);
    await exchange.cancelOrder(edited.id, SYMBOL);
    const near = await exchange.createOrder(SYMBOL, 'market', 'sell', 0.01, undefined, stop(0.99));
    await simulator.admin('POST', 'shock', { symbol: 'BTCUSDT', factor: 0.97 });
    const fired = await until('the stop fires and fills', async () => {
      const order = await exchange.fetchOrder(near.id, SYMBOL);
      return order.status === 'closed' && order;
    });
    assert.equal(fired.filled, 0.01);
    await simulator.admin('POST', 'shock', { symbol: 'BTCUSDT', factor: 1 / 0.97 });
  });

  test('a limit order is placed, found, amended, cancelled and gone', LONG, async () => {
    const exchange = await trader('rester');
    await exchange.loadMarkets();
    const price = await restingPrice(exchange);
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, price);
    assert.equal(placed.status, 'open');
    const held = await exchange.fetchBalance();
    assert.ok(Math.abs(held.USDT.used - price * 0.01) < 1e-6);
    const openOrders = await exchange.fetchOpenOrders(SYMBOL);
    assert.deepEqual(
      openOrders.map((order) => order.id),
      [placed.id],
    );

    const edited = await exchange.editOrder(placed.id, SYMBOL, 'limit', 'buy', 0.02, price - 1);
    assert.equal(edited.status, 'open');
    assert.equal(edited.amount, 0.02);
    assert.equal(edited.price, price - 1);
    assert.equal((await exchange.fetchOrder(placed.id, SYMBOL)).status, 'canceled');

    const cancelled = await exchange.cancelOrder(edited.id, SYMBOL);
    assert.equal(cancelled.status, 'canceled');
    assert.deepEqual(await exchange.fetchOpenOrders(SYMBOL), []);
    assert.equal((await exchange.fetchBalance()).USDT.used, 0);
    await assert.rejects(exchange.cancelOrder(edited.id, SYMBOL), ccxt.OrderNotFound);
  });

  test(
    'a market order fills, its fee is taken from what was bought, and history shows it',
    LONG,
    async () => {
      const exchange = await trader('taker');
      await exchange.loadMarkets();
      const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.01);
      assert.equal(bought.status, 'closed');
      assert.equal(bought.filled, 0.01);
      const balance = await exchange.fetchBalance();
      assert.ok(Math.abs(balance.BTC.total - (1 + 0.01 * 0.999)) < 1e-9);
      assert.ok(Math.abs(balance.USDT.total - (100_000 - bought.cost)) < 1e-6);
      const trades = await exchange.fetchMyTrades(SYMBOL);
      assert.equal(
        trades.reduce((sum, trade) => sum + trade.amount, 0),
        0.01,
      );
      assert.ok(trades.every((trade) => trade.fee.currency === 'BTC' && trade.takerOrMaker === 'taker'));
      const sold = await exchange.createOrder(SYMBOL, 'limit', 'sell', 0.01, bought.average * 0.98, {
        timeInForce: 'IOC',
      });
      assert.equal(sold.status, 'closed');
      const orders = await exchange.fetchOrders(SYMBOL);
      assert.deepEqual(
        orders.map((order) => order.side),
        ['buy', 'sell'],
      );
      const closed = await exchange.fetchClosedOrders(SYMBOL);
      assert.equal(closed.length, 2);
    },
  );

  test('refusals arrive as the errors ccxt has for them', LONG, async () => {
    const exchange = await trader('refused');
    await exchange.loadMarkets();
    const price = await restingPrice(exchange);
    await assert.rejects(exchange.createOrder(SYMBOL, 'limit', 'buy', 5, price), ccxt.InsufficientFunds);
    const { ask } = await exchange.fetchTicker(SYMBOL);
    await assert.rejects(
      exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, ask * 1.01, { postOnly: true }),
      ccxt.OrderImmediatelyFillable,
    );
    // ccxt knows no class for single filters; the text is Binance's.
    await assert.rejects(
      exchange.createOrder(SYMBOL, 'limit', 'buy', 0.00001, price),
      /Filter failure: NOTIONAL/,
    );
    await assert.rejects(exchange.fetchOrder('1', SYMBOL), ccxt.OrderNotFound);
  });
});

describe('live', () => {
  test('a watched book has at least 200 updates and equals the REST book', LONG, async () => {
    const exchange = await client();
    let updates = 0;
    let book;
    while (updates < BOOK_UPDATES) {
      book = await exchange.watchOrderBook(SYMBOL, 1000);
      updates += 1;
    }
    await simulator.admin('POST', 'agents', { paused: true });
    try {
      const rest = await exchange.fetchOrderBook(SYMBOL, 1000);
      await until('the watched book reaches the REST book', () => book.nonce === rest.nonce);
      assert.ok(rest.bids.length > 50 && rest.asks.length > 50);
      assert.deepEqual(plainLevels(book.bids), plainLevels(rest.bids));
      assert.deepEqual(plainLevels(book.asks), plainLevels(rest.asks));
    } finally {
      await simulator.admin('POST', 'agents', { paused: false });
    }
  });

  test('trades, ticker and candles arrive by socket', LONG, async () => {
    const exchange = await client();
    await assertLive(exchange, SYMBOL);
  });

  test('own orders and balances arrive by socket: placed, filled, cancelled', LONG, async () => {
    const exchange = await trader('watcher');
    await exchange.loadMarkets();
    const orders = collect(() => exchange.watchOrders(SYMBOL));
    const balances = collect(() => exchange.watchBalance());
    const price = await restingPrice(exchange);
    // The subscription is in place once the first event arrives; orders are placed until then.
    const resting = await until('an order event', async () => {
      const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.001, price);
      const seen = await until('its event', () => orders.length > 0, 2_000).catch(() => false);
      if (seen) return placed;
      await exchange.cancelOrder(placed.id, SYMBOL);
      return false;
    });
    const story = (id) =>
      orders
        .flat()
        .filter((order) => order.id === id)
        .map((order) => order.status);
    await until('the order is seen open', () => story(resting.id).includes('open'));
    await exchange.cancelOrder(resting.id, SYMBOL);
    await until('the order is seen cancelled', () => story(resting.id).includes('canceled'));
    const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.002);
    await until('the fill is seen', () => story(bought.id).includes('closed'));
    await until('the balance is seen', () =>
      balances.some((balance) => Math.abs((balance.BTC?.total ?? 0) - (1 + 0.002 * 0.999)) < 1e-9),
    );
    assert.deepEqual(
      orders.filter((entry) => entry instanceof Error),
      [],
    );
    assert.deepEqual(
      balances.filter((entry) => entry instanceof Error),
      [],
    );
  });
});
