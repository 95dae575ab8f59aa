import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MainClient, USDMClient } from 'binance';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { localBinance } from './local-ccxt.mjs';
import { localCcxtOkx, localOkxSdk } from './local-okx.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Unmodified clients page histories from the newest record to the very first, and miss and repeat none. */

const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MILLIS = 86_400_000;
/** Orders of each account, and how many a page has. */
const ORDERS = 7;
const PER_PAGE = 3;

const simulator = playedSimulator(19, { limited: false });

/** The key of a fresh account with 100 000 USDT. */
const account = (venue, of = 'pairs') => simulator.account(venue, `pages-${venue}-${of}`);

/** All pages, each asked for with the record before it. */
async function pages(page) {
  const found = [];
  for (let last; ; last = found.at(-1)) {
    const rows = await page(last);
    assert.ok(rows.length <= PER_PAGE);
    found.push(...rows);
    if (rows.length < PER_PAGE) return found;
  }
}

/** All pages of Bybit: each names the next one itself. */
async function byCursor(ask, asked) {
  const found = [];
  for (let cursor; ; ) {
    const { list, nextPageCursor } = (await ask({ ...asked, limit: PER_PAGE, cursor })).result;
    found.push(...list);
    if (list.length === 0 || nextPageCursor === '') return found;
    cursor = nextPageCursor;
  }
}

/** Every id is there once. */
function assertSame(found, placed) {
  assert.deepEqual([...found].sort(), placed.map(String).sort());
}

describe('ccxt: days back to the first', () => {
  for (const [name, open] of [
    ['binance', localBinance],
    ['okx', localCcxtOkx],
    ['bybit', localCcxtBybit],
  ]) {
    test(name, LONG, async () => {
      const exchange = simulator.closing(await open(simulator.url));
      await exchange.loadMarkets();
      const days = Math.floor((Date.now() - FIRST_DAY) / DAY_MILLIS);
      // Bars of a day of OKX begin at 16:00 UTC where UTC is not asked for; ccxt asks for it.
      const params = { paginate: true, paginationCalls: 20 };
      const bars = await exchange.fetchOHLCV('BTC/USDT', '1d', FIRST_DAY, days + 1, params);
      assert.equal(bars[0][0], FIRST_DAY);
      for (const [at, [time]] of bars.entries()) assert.equal(time, FIRST_DAY + at * DAY_MILLIS);
      assert.ok(bars.length >= days, `${bars.length} of ${days} days`);
      const before = { until: FIRST_DAY };
      const none = await exchange.fetchOHLCV('BTC/USDT', '1d', FIRST_DAY - 9 * DAY_MILLIS, 5, before);
      assert.deepEqual(
        none.filter(([time]) => time < FIRST_DAY),
        [],
      );
    });
  }
});

describe('SDKs: trades of a market, back to the first of a day', () => {
  /** History has whole minutes: the first trade of the oldest one is a day old, or nearly. */
  const isDayOld = ({ time }) => time < Date.now() - DAY_MILLIS + 60_000;

  /** Ids rise by one and times never fall: none is missed, none comes twice. */
  function assertWhole(trades) {
    for (const [at, { id, time }] of trades.entries()) {
      assert.equal(id, trades[0].id + at);
      assert.ok(at === 0 || time >= trades[at - 1].time);
    }
  }

  test('binance: forwards by id, until none is newer', LONG, async () => {
    const client = new MainClient({ baseUrl: simulator.url });
    const symbol = 'ETHBTC';
    const trades = [];
    for (let fromId = 0, page; page === undefined || page.length === 1_000; fromId = trades.at(-1).id + 1) {
      page = await client.getHistoricalTrades({ symbol, limit: 1_000, fromId });
      trades.push(...page);
    }
    assertWhole(trades);
    assert.ok(isDayOld(trades[0]));
    const [first] = await client.getAggregateTrades({ symbol, limit: 1, startTime: trades[0].time });
    // The minute that was the oldest may have left the day meanwhile.
    assert.ok(isDayOld({ time: first.T }));
    assert.equal(trades[first.f - trades[0].id].time, first.T);
  });

  test('okx-api: backwards by id, until none is older', LONG, async () => {
    const { rest } = localOkxSdk(simulator.url, await account('okx', 'nothing'));
    const instId = 'ETH-BTC';
    const rows = [];
    for (let page; page === undefined || page.length === 100; ) {
      const after = rows.length === 0 ? {} : { after: rows.at(-1).tradeId };
      page = await rest.getHistoricTrades({ instId, limit: '100', ...after });
      rows.push(...page);
    }
    const trades = rows.map(({ tradeId, ts }) => ({ id: Number(tradeId), time: Number(ts) })).reverse();
    assertWhole(trades);
    assert.ok(isDayOld(trades[0]));
    const after = String(trades[0].id);
    assert.deepEqual(await rest.getHistoricTrades({ instId, after }), []);
  });
});

describe('SDKs: own orders and trades, back to the first', () => {
  test('binance', LONG, async () => {
    const { apiKey, secret } = await account('binance');
    const client = new MainClient({ api_key: apiKey, api_secret: secret, baseUrl: simulator.url });
    const placed = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.001 };
      placed.push((await client.submitNewOrder(order)).orderId);
    }
    const symbol = 'BTCUSDT';
    const orders = await pages((last) =>
      client.getAllOrders({ symbol, limit: PER_PAGE, orderId: (last?.orderId ?? 0) + 1 }),
    );
    assertSame(
      orders.map(({ orderId }) => String(orderId)),
      placed,
    );
    const trades = await pages((last) =>
      client.getAccountTradeList({ symbol, limit: PER_PAGE, fromId: (last?.id ?? 0) + 1 }),
    );
    assertSame([...new Set(trades.map(({ orderId }) => String(orderId)))], placed);
    assert.equal(new Set(trades.map(({ id }) => id)).size, trades.length);
  });

  test('okx-api', LONG, async () => {
    const { rest } = localOkxSdk(simulator.url, await account('okx'));
    const placed = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { instId: 'BTC-USDT', tdMode: 'cash', side: 'buy', ordType: 'market', sz: '100' };
      placed.push((await rest.submitOrder(order))[0].ordId);
    }
    const asked = { instType: 'SPOT', limit: String(PER_PAGE) };
    const page = (last) => (last === undefined ? asked : { ...asked, after: last });
    const history = () => pages((last) => rest.getOrderHistory(page(last?.ordId)));
    const orders = await until('the history has them all', async () => {
      const rows = await history();
      return rows.length === ORDERS && rows;
    });
    assertSame(
      orders.map(({ ordId }) => ordId),
      placed,
    );
    const fills = await pages((last) => rest.getFills(page(last?.billId)));
    assertSame([...new Set(fills.map(({ ordId }) => ordId))], placed);
    assert.equal(new Set(fills.map(({ tradeId }) => tradeId)).size, fills.length);
  });

  test('bybit-api', LONG, async () => {
    const { rest } = localBybitSdk(simulator.url, await account('bybit'));
    const pair = { category: 'spot', symbol: 'BTCUSDT' };
    const placed = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { ...pair, side: 'Buy', orderType: 'Market', qty: '100' };
      placed.push((await rest.submitOrder(order)).result.orderId);
    }
    const all = (ask) => byCursor(ask, pair);
    const orders = await until('the history has them all', async () => {
      const rows = await all((asked) => rest.getHistoricOrders(asked));
      return rows.length === ORDERS && rows;
    });
    assertSame(
      orders.map(({ orderId }) => orderId),
      placed,
    );
    const executions = await all((asked) => rest.getExecutionList(asked));
    assertSame([...new Set(executions.map(({ orderId }) => orderId))], placed);
    assert.equal(new Set(executions.map(({ execId }) => execId)).size, executions.length);
  });
});

describe('SDKs: orders of contracts, those that waited, and money, back to the first', () => {
  test('binance', LONG, async () => {
    const { apiKey, secret } = await account('binance', 'contracts');
    const keys = { api_key: apiKey, api_secret: secret, baseUrl: simulator.url };
    await new MainClient(keys).submitUniversalTransfer({
      type: 'MAIN_UMFUTURE',
      asset: 'USDT',
      amount: 50_000,
    });
    const client = new USDMClient(keys);
    const symbol = 'BTCUSDT';
    const placed = [];
    const waited = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { symbol, side: 'BUY', quantity: '0.002' };
      placed.push((await client.submitNewOrder({ ...order, type: 'MARKET' })).orderId);
      const stop = {
        ...order,
        side: 'SELL',
        algoType: 'CONDITIONAL',
        type: 'STOP_MARKET',
        triggerPrice: '1000',
      };
      const { algoId } = await client.submitNewAlgoOrder(stop);
      waited.push(algoId);
      await client.cancelAlgoOrder({ algoId });
    }
    const orders = await pages((last) =>
      client.getAllOrders({ symbol, limit: PER_PAGE, orderId: (last?.orderId ?? 0) + 1 }),
    );
    assertSame(
      orders.map(({ orderId }) => String(orderId)),
      placed,
    );
    const trades = await pages((last) =>
      client.getAccountTrades({ symbol, limit: PER_PAGE, fromId: (last?.id ?? 0) + 1 }),
    );
    assertSame([...new Set(trades.map(({ orderId }) => String(orderId)))], placed);
    const numbered = async (ask, first) => {
      let page = first - 1;
      return pages(() => {
        page += 1;
        return ask({ limit: PER_PAGE, page });
      });
    };
    const stops = await numbered((page) => client.getAllAlgoOrders({ symbol, ...page }), 0);
    assertSame(
      stops.map(({ algoId }) => String(algoId)),
      waited,
    );
    const income = await numbered((page) => client.getIncomeHistory(page), 1);
    const fees = income.filter(({ incomeType }) => incomeType === 'COMMISSION');
    assert.equal(fees.length, trades.length);
    assert.equal(income.filter(({ incomeType }) => incomeType === 'TRANSFER').length, 1);
  });

  test('okx-api', LONG, async () => {
    const { rest } = localOkxSdk(simulator.url, await account('okx', 'contracts'));
    await rest.setAccountMode({ acctLv: '2' });
    const placed = [];
    const waited = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { instId: 'BTC-USDT-SWAP', tdMode: 'cross', side: 'buy', sz: '1' };
      placed.push((await rest.submitOrder({ ...order, ordType: 'market' }))[0].ordId);
      const stop = { ...order, side: 'sell', ordType: 'conditional', slTriggerPx: '1000', slOrdPx: '-1' };
      const [{ algoId }] = await rest.placeAlgoOrder(stop);
      waited.push(algoId);
      await rest.cancelAlgoOrder([{ instId: order.instId, algoId }]);
    }
    const after = (asked, id) => (last) => ({
      ...{ ...asked, limit: String(PER_PAGE) },
      ...(last === undefined ? {} : { after: last[id] }),
    });
    const swaps = after({ instType: 'SWAP' }, 'ordId');
    const orders = await until('the history has them all', async () => {
      const rows = await pages((last) => rest.getOrderHistory(swaps(last)));
      return rows.length === ORDERS && rows;
    });
    assertSame(
      orders.map(({ ordId }) => ordId),
      placed,
    );
    const ended = after({ ordType: 'conditional', state: 'canceled' }, 'algoId');
    const stops = await pages((last) => rest.getAlgoOrderHistory(ended(last)));
    assertSame(
      stops.map(({ algoId }) => algoId),
      waited,
    );
    const billed = after({ instType: 'SWAP' }, 'billId');
    const bills = await pages((last) => rest.getBills(billed(last)));
    assertSame([...new Set(bills.map(({ ordId }) => ordId))], placed);
    assert.equal(new Set(bills.map(({ billId }) => billId)).size, bills.length);
  });

  test('bybit-api', LONG, async () => {
    const { rest } = localBybitSdk(simulator.url, await account('bybit', 'contracts'));
    const perp = { category: 'linear', symbol: 'BTCUSDT' };
    const placed = [];
    const waited = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const order = { ...perp, side: 'Buy', orderType: 'Market', qty: '0.002' };
      placed.push((await rest.submitOrder(order)).result.orderId);
      const stop = { ...order, side: 'Sell', triggerPrice: '1000', triggerDirection: 2 };
      const { orderId } = (await rest.submitOrder(stop)).result;
      waited.push(orderId);
      await rest.cancelOrder({ ...perp, orderId });
    }
    const all = (ask, asked = perp) => byCursor(ask, asked);
    const orders = await until('the history has them all', async () => {
      const rows = await all((page) => rest.getHistoricOrders(page));
      return rows.length === 2 * ORDERS && rows;
    });
    assertSame(
      orders.map(({ orderId }) => orderId),
      [...placed, ...waited],
    );
    const executions = await all((page) => rest.getExecutionList(page));
    assertSame([...new Set(executions.map(({ orderId }) => orderId))], placed);
    const log = await all((page) => rest.getTransactionLog(page), { category: 'linear' });
    const traded = log.filter(({ type }) => type === 'TRADE');
    assertSame([...new Set(traded.map(({ orderId }) => orderId))], placed);
    assert.equal(traded.length, executions.length);
  });
});
