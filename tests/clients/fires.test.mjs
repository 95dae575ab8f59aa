import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MainClient } from 'binance';
import { localCcxtBybit } from './local-bybit.mjs';
import { localBinance, localCcxt } from './local-ccxt.mjs';
import { localCcxtOkx } from './local-okx.mjs';
import { startSimulator, until } from './simulator-process.mjs';

/**
 * Every kind of order that waits for a price fires, at each exchange, on pairs and contracts, as an unmodified ccxt placed it.
 * Each sells its own size, so that what is left of the coins or of the position says which of them worked.
 */

const LONG = { timeout: 180_000 };
const PAIR = 'BTC/USDT';
const PERP = 'BTC/USDT:USDT';

let simulator;
const closers = [];

before(async () => {
  // The clients ask faster than some limits allow when they do not wait: limits have tests of their own.
  simulator = await startSimulator(['--seed', '29'], { SIM_LIMITS: 'off' });
}, LONG);

after(async () => {
  await Promise.allSettled(closers.map((close) => close()));
  assert.equal(await simulator.stop(), 0);
});

/** Key of a fresh account with 1 BTC and 100 000 USDT. */
async function account(venue, label) {
  const keys = await simulator.admin('POST', 'keys', { venue, label });
  for (const [asset, amount] of [
    ['BTC', '1'],
    ['USDT', '100000'],
  ]) {
    await simulator.admin('POST', 'credit', { venue, label, asset, amount, creditId: `${label}-${asset}` });
  }
  return keys;
}

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
const MARKED = {
  ...{ name: 'stop by mark', down: true },
  params: (at) => ({ stopLossPrice: at(0.985), workingType: 'MARK_PRICE', triggerBy: 'MarkPrice' }),
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
    kinds: [...BASIC, TRAILING, TRIGGER, PAIR_OF_LEGS],
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
    ...{ name: 'bybit, contracts', venue: 'bybit', symbol: PERP, kinds: [...BASIC, MARKED, ASCENDING] },
    extra: { reduceOnly: true },
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
      const exchange = await row.open(simulator.url, await account(venue, row.name.replace(', ', '-')));
      closers.push(() => exchange.close());
      await exchange.loadMarkets();
      const spot = symbol === PAIR;
      const unit = spot ? 0.005 : exchange.market(symbol).contractSize === 1 ? 0.01 : 1;
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
        await until(what, async () => (await left()) === rest, 5_000).catch(async (error) => {
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
