import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MainClient, USDMClient, WebsocketAPIClient } from 'binance';
import { localBybitSdk, localCcxtBybit } from './local-bybit.mjs';
import { localBinance, localCcxt } from './local-ccxt.mjs';
import { localCcxtOkx, localOkxSdk } from './local-okx.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/**
 * Every kind of order that waits for a price fires, at each exchange, on pairs and contracts, as an unmodified ccxt placed it.
 * Each sells its own size, so that what is left of the coins or of the position says which of them worked.
 */

const PAIR = 'BTC/USDT';
const PERP = 'BTC/USDT:USDT';

const simulator = playedSimulator(29, { limited: false });

/** Key of a fresh account with 1 BTC and 100 000 USDT. */
const account = (venue, label) => simulator.account(venue, label, { BTC: '1', USDT: '100000' });

/** What is sold at market, or at a limit below the price of then; `down`: it fires as prices fall. */
const STOP = { name: 'stop', down: true, params: (at) => ({ stopLossPrice: at(0.985) }) };
const STOP_LIMIT = { ...STOP, name: 'stop limit', limit: 0.93 };
const TARGET = { name: 'take-profit', params: (at) => ({ takeProfitPrice: at(1.015) }) };
const TARGET_LIMIT = { ...TARGET, name: 'take-profit limit', limit: 1 };
const TRAILING = {
  ...{ name: 'trailing', down: true },
  // Where trailing is a field of any stop ccxt asks which one is meant.
  params: () => ({ trailingPercent: '1', stopLossOrTakeProfit: 'stopLoss' }),
};
const TRIGGER = { name: 'trigger', down: true, params: (at) => ({ triggerPrice: at(0.985) }) };
/** What a stop follows, in the word of each exchange. */
const MARKED = {
  ...{ name: 'stop by mark', down: true },
  params: (at) => ({
    ...{ stopLossPrice: at(0.985), workingType: 'MARK_PRICE', triggerBy: 'MarkPrice' },
    slTriggerPxType: 'mark',
  }),
};
const INDEXED = {
  ...{ name: 'stop by index', down: true },
  params: (at) => ({ stopLossPrice: at(0.985), triggerBy: 'IndexPrice', slTriggerPxType: 'index' }),
};
const PAIR_OF_LEGS = {
  ...{ name: 'oco', type: 'oco', down: true },
  params: (at) => ({ stopLossPrice: at(0.985), takeProfitPrice: at(1.2) }),
};
const BASIC = [STOP, STOP_LIMIT, TARGET, TARGET_LIMIT];
/** Bybit's stop of its own: it waits on either side of the price. */
const RISING = { name: 'stop that rises', params: (at) => ({ triggerPrice: at(1.015) }) };
const ASCENDING = {
  ...RISING,
  params: (at) => ({ ...RISING.params(at), triggerDirection: 'ascending' }),
};

const ROWS = [
  {
    ...{ name: 'binance, pairs', venue: 'binance', symbol: PAIR, kinds: [...BASIC, TRAILING] },
    open: (url, { apiKey, secret }) => localBinance(url, { apiKey, secret }),
  },
  {
    ...{ name: 'binance, contracts', venue: 'binance', symbol: PERP, kinds: [...BASIC, TRAILING, MARKED] },
    async open(url, { apiKey, secret }) {
      const main = new MainClient({ api_key: apiKey, api_secret: secret, baseUrl: url });
      await main.submitUniversalTransfer({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: 50_000 });
      return localCcxt('binanceusdm', url, { apiKey, secret });
    },
  },
  {
    ...{ name: 'okx, pairs', venue: 'okx', symbol: PAIR, extra: { tdMode: 'cash' } },
    kinds: [...BASIC, TRAILING, TRIGGER, PAIR_OF_LEGS],
    open: (url, keys) => localCcxtOkx(url, keys),
  },
  {
    ...{ name: 'okx, contracts', venue: 'okx', symbol: PERP, extra: { reduceOnly: true } },
    kinds: [...BASIC, TRAILING, TRIGGER, PAIR_OF_LEGS, MARKED, INDEXED],
    async open(url, keys) {
      const exchange = await localCcxtOkx(url, keys);
      exchange.options.defaultType = 'swap';
      await exchange.loadMarkets();
      await exchange.privatePostAccountSetAccountLevel({ acctLv: '2' });
      return exchange;
    },
  },
  {
    ...{ name: 'bybit, pairs', venue: 'bybit', symbol: PAIR, kinds: [...BASIC, RISING] },
    open: (url, { apiKey, secret }) => localCcxtBybit(url, { apiKey, secret }),
  },
  {
    ...{ name: 'bybit, contracts', venue: 'bybit', symbol: PERP, extra: { reduceOnly: true } },
    kinds: [...BASIC, MARKED, INDEXED, ASCENDING],
    open: (url, { apiKey, secret }) => localCcxtBybit(url, { apiKey, secret }, 'swap'),
  },
];

/** The price of a market, once trades have followed the shock before: what all exchanges' prices follow is the index. */
async function calmPrice(lastPrice) {
  const index = await fetch(`${simulator.url}/fapi/v1/premiumIndex?symbol=BTCUSDT`);
  const { indexPrice } = await index.json();
  return until('the price is calm', async () => {
    const last = await lastPrice();
    return Math.abs(last / indexPrice - 1) < 0.003 && last;
  });
}

describe('ccxt', () => {
  for (const row of ROWS) {
    test(`${row.name}: ${row.kinds.map(({ name }) => name).join(', ')} fire`, LONG, async () => {
      const { venue, symbol, kinds, extra = {} } = row;
      const exchange = simulator.closing(
        await row.open(simulator.url, await account(venue, row.name.replace(', ', '-'))),
      );
      await exchange.loadMarkets();
      const spot = symbol === PAIR;
      const unit = spot ? 0.005 : exchange.market(symbol).contractSize === 1 ? 0.005 : 0.1;
      const sizes = kinds.map((_, at) => Number((unit * 2 ** at).toFixed(3)));
      const all = sizes.reduce((sum, size) => sum + size, 0);
      if (!spot) await exchange.createOrder(symbol, 'market', 'buy', all);
      /** How many units are left. */
      const left = async () => {
        const amount = spot
          ? (await exchange.fetchBalance()).BTC.total - 1 + all
          : ((await exchange.fetchPositions([symbol])).find(({ contracts }) => contracts > 0)?.contracts ??
            0);
        return Math.round(amount / unit);
      };
      const { id } = exchange.market(symbol);
      const shock = (factor) =>
        simulator.admin('POST', 'shock', { venue, market: spot ? 'spot' : 'perps', symbol: id, factor });
      const calm = () => calmPrice(async () => (await exchange.fetchTicker(symbol)).last);
      const place = async (wanted) => {
        const last = await calm();
        const at = (share) => Number(exchange.priceToPrecision(symbol, last * share));
        for (const [n, { type, limit, down, params }] of kinds.entries()) {
          if ((down === true) !== wanted) continue;
          const kind = type ?? (limit === undefined ? 'market' : 'limit');
          const price = limit === undefined ? undefined : at(limit);
          await exchange.createOrder(symbol, kind, 'sell', sizes[n], price, { ...extra, ...params(at) });
        }
      };
      assert.equal(await left(), Math.round(all / unit));
      for (const [down, factor] of [
        [true, 0.97],
        [false, 1.04],
      ]) {
        await place(down);
        await shock(factor);
        const rest = kinds.reduce((sum, kind, n) => sum + (!down || kind.down === true ? 0 : 2 ** n), 0);
        const what = `what fires as prices ${down ? 'fall' : 'rise'} has sold`;
        await until(what, async () => (await left()) === rest).catch(async (error) => {
          throw new Error(`${error.message}: ${await left()} left, not ${rest}`);
        });
      }
      await shock(1 / 0.97 / 1.04);
    });
  }
});

test('binance: of an OCO that the SDK placed the stop fires, and the limit order is gone', LONG, async () => {
  const { apiKey, secret } = await account('binance', 'sdk-oco');
  const client = new MainClient({ api_key: apiKey, api_secret: secret, baseUrl: simulator.url });
  const symbol = 'BTCUSDT';
  // The tests before have moved the price of the coin at every exchange.
  const price = await calmPrice(async () => Number((await client.getSymbolPriceTicker({ symbol })).price));
  const beside = (share) => Math.round(price * share);
  const { orders } = await client.submitNewOrderList({
    ...{ symbol, side: 'SELL', quantity: 0.1, newOrderRespType: 'RESULT' },
    ...{ aboveType: 'LIMIT_MAKER', abovePrice: beside(1.1) },
    ...{ belowType: 'STOP_LOSS', belowStopPrice: beside(0.985) },
  });
  await simulator.admin('POST', 'shock', { venue: 'binance', symbol, factor: 0.97 });
  const states = async () => {
    const found = await Promise.all(orders.map(({ orderId }) => client.getOrder({ symbol, orderId })));
    return Object.fromEntries(found.map(({ type, status }) => [type, status]));
  };
  await until('the stop has filled', async () => (await states()).STOP_LOSS === 'FILLED');
  assert.equal((await states()).LIMIT_MAKER, 'EXPIRED');
});

/** Moves a price and, once that was done which it is for, back. */
async function during(shocked, factor, what) {
  await simulator.admin('POST', 'shock', { ...shocked, factor });
  const found = await what();
  await simulator.admin('POST', 'shock', { ...shocked, factor: 1 / factor });
  return found;
}

test(
  'binance: what an OTO and an OTOCO of the SDK have pending comes with the fill, and one of a pair fires',
  LONG,
  async () => {
    const { apiKey, secret } = await account('binance', 'sdk-oto');
    const client = new MainClient({ api_key: apiKey, api_secret: secret, baseUrl: simulator.url });
    const symbol = 'BTCUSDT';
    const price = await calmPrice(async () => Number((await client.getSymbolPriceTicker({ symbol })).price));
    const beside = (share) => Math.round(price * share);
    const taking = {
      ...{ symbol, workingType: 'LIMIT', workingSide: 'BUY', workingTimeInForce: 'GTC' },
      ...{ workingPrice: beside(1.01), workingQuantity: 0.02, pendingSide: 'SELL', pendingQuantity: 0.01 },
    };
    const one = await client.submitNewOrderListOTO({
      ...{ ...taking, pendingType: 'TAKE_PROFIT', pendingStopPrice: beside(1.2) },
    });
    const pair = await client.submitNewOrderListOTOCO({
      ...{ ...taking, pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: beside(1.1) },
      ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: beside(0.985) },
    });
    const states = async ({ orders }) => {
      const found = await Promise.all(orders.map(({ orderId }) => client.getOrder({ symbol, orderId })));
      return found.map(({ type, status }) => `${type} ${status}`).sort();
    };
    await until('the pair waits', async () => (await states(pair)).includes('STOP_LOSS NEW'));
    assert.deepEqual(await states(one), ['LIMIT FILLED', 'TAKE_PROFIT NEW']);
    await during({ venue: 'binance', symbol }, 0.97, () =>
      until('the stop has filled', async () => (await states(pair)).includes('STOP_LOSS FILLED')),
    );
    assert.deepEqual(await states(pair), ['LIMIT FILLED', 'LIMIT_MAKER EXPIRED', 'STOP_LOSS FILLED']);
    assert.equal(
      (await client.cancelOCO({ symbol, orderListId: one.orderListId })).listOrderStatus,
      'ALL_DONE',
    );
  },
);

test(
  'binance: a stop for a whole position is placed by the WebSocket API of the SDK, fires and closes it',
  LONG,
  async () => {
    const { apiKey, secret } = await account('binance', 'sdk-whole');
    const keys = { api_key: apiKey, api_secret: secret };
    const client = new USDMClient({ ...keys, baseUrl: simulator.url });
    const moved = { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: 50_000 };
    await new MainClient({ ...keys, baseUrl: simulator.url }).submitUniversalTransfer(moved);
    const silent = { trace() {}, info() {}, error() {} };
    const wsUrl = simulator.url.replace('http', 'ws');
    const api = new WebsocketAPIClient({ ...keys, wsUrl, attachEventListeners: false }, silent);
    simulator.closing(api.getWSClient());
    const symbol = 'BTCUSDT';
    const price = await calmPrice(async () => Number((await client.getMarkPrice({ symbol })).markPrice));
    await client.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.02' });
    const whole = {
      algoType: 'CONDITIONAL',
      symbol,
      side: 'SELL',
      closePosition: 'true',
      workingType: 'MARK_PRICE',
    };
    const at = (share) => String(Math.round(price * share));
    const place = (type, triggerPrice) =>
      api.submitNewFuturesAlgoOrder({ ...whole, type, triggerPrice, timestamp: Date.now() });
    const target = (await place('TAKE_PROFIT_MARKET', at(1.1))).result;
    const stop = (await place('STOP_MARKET', at(0.985))).result;
    const gone = await api.cancelFuturesAlgoOrder({ algoId: target.algoId, timestamp: Date.now() });
    assert.equal(gone.result.code, '200');
    await during({ venue: 'binance', market: 'perps', symbol }, 0.97, () =>
      until('the position is closed', async () => (await client.getPositionsV3({ symbol })).length === 0),
    );
    const { algoStatus, actualOrderId } = await client.getAlgoOrder({ algoId: stop.algoId });
    assert.equal(algoStatus, 'FINISHED');
    const child = await client.getOrder({ symbol, orderId: Number(actualOrderId) });
    assert.deepEqual([child.status, child.executedQty], ['FILLED', '0.020']);
  },
);

test(
  'okx: legs that came with an order of the SDK, and with a trigger order of a pair, fire one for the other',
  LONG,
  async () => {
    const { rest } = localOkxSdk(simulator.url, await account('okx', 'sdk-legs'));
    await rest.setAccountMode({ acctLv: '2' });
    const rows = [
      { instId: 'BTC-USDT-SWAP', market: 'perps', order: { tdMode: 'cross', sz: '2' } },
      { instId: 'BTC-USDT', market: 'spot', order: { tdMode: 'cash', sz: '0.02' } },
    ];
    for (const { instId, market, order } of rows) {
      const last = await calmPrice(async () => Number((await rest.getTicker({ instId }))[0].last));
      const at = (share) => String(Number((last * share).toFixed(1)));
      const name = `legs${market}`;
      const legs = { tpTriggerPx: at(1.1), tpOrdPx: '-1', slTriggerPx: at(0.96), slOrdPx: '-1' };
      const bought = {
        instId,
        ...order,
        side: 'buy',
        attachAlgoOrds: [{ attachAlgoClOrdId: name, ...legs }],
      };
      const [{ sCode, sMsg }] =
        market === 'perps'
          ? await rest.submitOrder({ ...bought, ordType: 'market' })
          : await rest.placeAlgoOrder({ ...bought, ordType: 'trigger', triggerPx: at(0.985), orderPx: '-1' });
      assert.equal(sCode, '0', sMsg);
      const waiting = async () =>
        (await rest.getAlgoOrderList({ ordType: 'oco' })).map((row) => row.algoClOrdId);
      await during({ venue: 'okx', market, symbol: instId }, 0.975, () =>
        until('both legs wait', async () => (await waiting()).includes(name)),
      );
      await during({ venue: 'okx', market, symbol: instId }, 0.94, () =>
        until('one has fired', async () => !(await waiting()).includes(name)),
      );
      const [leg] = await rest.getAlgoOrderDetails({ algoClOrdId: name });
      assert.deepEqual([leg.state, leg.actualSide], ['effective', 'sl']);
      const [child] = await rest.getOrderDetails({ instId, ordId: leg.ordId });
      assert.deepEqual([child.side, child.state], ['sell', 'filled']);
    }
  },
);

test(
  'bybit: a trailing stop that the SDK hung on a position follows the price and closes it',
  LONG,
  async () => {
    const { rest } = localBybitSdk(simulator.url, await account('bybit', 'sdk-trailing'));
    const perp = { category: 'linear', symbol: 'BTCUSDT' };
    const price = await calmPrice(async () => Number((await rest.getTickers(perp)).result.list[0].lastPrice));
    await rest.submitOrder({ ...perp, side: 'Buy', orderType: 'Market', qty: '0.02' });
    const trailing = { ...perp, positionIdx: 0, trailingStop: String(Math.round(price * 0.01)) };
    assert.equal((await rest.setTradingStop(trailing)).retCode, 0);
    const [hung] = (await rest.getActiveOrders({ ...perp, orderFilter: 'StopOrder' })).result.list;
    assert.equal(hung.stopOrderType, 'TrailingStop');
    await during({ venue: 'bybit', market: 'perps', symbol: 'BTCUSDT' }, 0.97, () =>
      until(
        'the position is closed',
        async () => (await rest.getPositionInfo(perp)).result.list[0].size === '0',
      ),
    );
    const [ended] = (await rest.getHistoricOrders({ ...perp, orderId: hung.orderId })).result.list;
    assert.deepEqual([ended.orderStatus, ended.cumExecQty], ['Filled', '0.02']);
  },
);
