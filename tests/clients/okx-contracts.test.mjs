import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { positionOf } from './local-ccxt.mjs';
import { localCcxtOkx, localOkxSdk } from './local-okx.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';
import { until } from './simulator-process.mjs';

/** Trading OKX swaps with ccxt and with the SDK `okx-api`, both as they are. Sizes are contracts of 0.01 BTC. */

const PERP = 'BTC/USDT:USDT';
const INST = 'BTC-USDT-SWAP';

const simulator = playedSimulator(19, { limited: false });

/** The key of a fresh account with 50 000 USDT; its owner has to switch it to Futures mode. */
const account = (label) => simulator.account('okx', label, { USDT: '50000' });

async function ccxtTrader(label) {
  const exchange = await localCcxtOkx(simulator.url, await account(label));
  exchange.options.defaultType = 'swap';
  simulator.closing(exchange);
  await exchange.loadMarkets();
  await exchange.privatePostAccountSetAccountLevel({ acctLv: '2' });
  return exchange;
}

const position = (exchange) => positionOf(exchange, PERP);

describe('ccxt', () => {
  test('an account in Spot mode trades no contracts until it is switched', LONG, async () => {
    const exchange = simulator.closing(await localCcxtOkx(simulator.url, await account('ccxt-level')));
    const buy = () => exchange.createOrder(PERP, 'market', 'buy', 1);
    await assert.rejects(buy(), (error) => /51010/.test(error.message));
    await exchange.privatePostAccountSetAccountLevel({ acctLv: '2' });
    assert.equal((await exchange.privateGetAccountConfig()).data[0].acctLv, '2');
    assert.ok((await buy()).id.length > 0);
  });

  test('open, add, close a part, flip, close: positions, trades, bills and balance', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-life');
    const market = (side, contracts, params) =>
      exchange.createOrder(PERP, 'market', side, contracts, undefined, params);
    assert.equal((await exchange.fetchBalance()).USDT.total, 50_000);
    const opened = await market('buy', 10);
    const found = await exchange.fetchOrder(opened.id, PERP);
    assert.deepEqual([found.status, found.filled], ['closed', 10]);
    await market('buy', 5);
    const long = await position(exchange);
    assert.deepEqual(
      [long.side, long.contracts, long.contractSize, long.marginMode, long.hedged],
      ['long', 15, 0.01, 'cross', false],
    );
    assert.ok(long.entryPrice > 0 && long.notional > 0 && long.initialMargin > 0);
    await market('sell', 5, { reduceOnly: true });
    assert.equal((await position(exchange)).contracts, 10);
    await market('sell', 30);
    const short = await position(exchange);
    assert.deepEqual([short.side, short.contracts], ['short', 20]);
    await exchange.closePosition(PERP, undefined, { marginMode: 'cross' });
    assert.equal(await position(exchange), undefined);
    const beyond = market('buy', 5, { reduceOnly: true });
    await assert.rejects(beyond, (error) => /51169/.test(error.message));
    const history = await exchange.fetchPositionsHistory([PERP]);
    assert.deepEqual(history.map(({ info }) => info.direction).sort(), ['long', 'short']);

    const trades = await exchange.fetchMyTrades(PERP);
    const bought = trades.filter(({ side }) => side === 'buy').reduce((sum, trade) => sum + trade.amount, 0);
    assert.ok(Math.abs(bought - 35) < 1e-9);
    await simulator.admin('POST', 'funding', { venue: 'okx', symbol: INST });
    const ledger = await exchange.fetchLedger('USDT');
    const earned = ledger.reduce((sum, { info }) => sum + Number(info.balChg), 0);
    const { total } = (await exchange.fetchBalance()).USDT;
    assert.ok(Math.abs(50_000 + earned - total) < 1e-6, `${earned} earned, ${total} in the wallet`);
  });

  test('funding that was paid is listed', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-funding');
    await exchange.createOrder(PERP, 'market', 'buy', 10);
    await simulator.admin('POST', 'funding', { venue: 'okx', symbol: INST });
    const [paid] = await exchange.fetchFundingHistory(PERP);
    assert.ok(Number(paid.amount) !== 0 && paid.code === 'USDT');
  });

  test('limit orders are placed, changed, found and cancelled, one and many', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-orders');
    const { bid } = await exchange.fetchTicker(PERP);
    const price = Math.floor(bid * 0.99);
    const resting = await exchange.createOrder(PERP, 'limit', 'buy', 1, price, { postOnly: true });
    await exchange.editOrder(resting.id, PERP, 'limit', 'buy', 2, price - 10);
    const found = await exchange.fetchOrder(resting.id, PERP);
    assert.deepEqual([found.amount, found.price, found.status], [2, price - 10, 'open']);
    const more = { symbol: PERP, type: 'limit', side: 'buy', amount: 1 };
    await exchange.createOrders([
      { ...more, price },
      { ...more, price: price - 5 },
    ]);
    const open = await exchange.fetchOpenOrders(PERP);
    assert.equal(open.length, 3);
    await exchange.cancelOrder(resting.id, PERP);
    await exchange.cancelOrders(
      open.map(({ id }) => id).filter((id) => id !== resting.id),
      PERP,
    );
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), []);
    assert.equal((await exchange.fetchCanceledOrders(PERP)).length, 3);
    await assert.rejects(exchange.cancelOrder(resting.id, PERP), (error) => /5140[0-2]/.test(error.message));
    const tooMuch = exchange.createOrder(PERP, 'limit', 'buy', 1_000, price);
    await assert.rejects(tooMuch, (error) => /51008/.test(error.message));
  });

  test('leverage, isolated margin and its money, long/short mode, tiers and fees', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-settings');
    const isolated = { marginMode: 'isolated' };
    await exchange.setLeverage(25, PERP, isolated);
    assert.equal((await exchange.fetchLeverage(PERP, isolated)).longLeverage, 25);
    assert.equal((await exchange.fetchLeverage(PERP, { marginMode: 'cross' })).longLeverage, 3);
    await exchange.createOrder(PERP, 'market', 'buy', 10, undefined, isolated);
    const before = await position(exchange);
    assert.equal(before.marginMode, 'isolated');
    assert.ok(before.liquidationPrice > 0 && before.liquidationPrice < before.entryPrice);
    await exchange.addMargin(PERP, 200, { posSide: 'net' });
    const widened = await position(exchange);
    assert.ok(widened.liquidationPrice < before.liquidationPrice);
    await exchange.reduceMargin(PERP, 100, { posSide: 'net' });
    await exchange.createOrder(PERP, 'market', 'sell', 10, undefined, { ...isolated, reduceOnly: true });

    assert.equal((await exchange.fetchPositionMode(PERP)).hedged, false);
    await exchange.setPositionMode(true);
    assert.equal((await exchange.fetchPositionMode(PERP)).hedged, true);
    const leg = (side, contracts, posSide) =>
      exchange.createOrder(PERP, 'market', side, contracts, undefined, { posSide, marginMode: 'cross' });
    await leg('buy', 2, 'long');
    await leg('sell', 1, 'short');
    const legs = await exchange.fetchPositions([PERP]);
    assert.deepEqual(legs.map(({ side, contracts }) => [side, contracts]).sort(), [
      ['long', 2],
      ['short', 1],
    ]);
    await assert.rejects(exchange.setPositionMode(false), (error) => /59000/.test(error.message));
    await leg('sell', 2, 'long');
    await leg('buy', 1, 'short');
    assert.equal(await position(exchange), undefined);

    const tiers = await exchange.fetchMarketLeverageTiers(PERP);
    assert.ok(tiers.length > 1 && tiers[0].maxLeverage >= 50);
    assert.equal((await exchange.fetchTradingFee(PERP)).taker, 0.0005);
  });

  test(
    'stop, pair, trigger and trailing orders are placed, listed, changed, cancelled, and fire',
    LONG,
    async () => {
      const exchange = await ccxtTrader('ccxt-algos');
      await exchange.createOrder(PERP, 'market', 'buy', 10);
      const { last } = await exchange.fetchTicker(PERP);
      const price = (factor) => Number(exchange.priceToPrecision(PERP, last * factor));
      const closing = { reduceOnly: true };
      const sell = (params) =>
        exchange.createOrder(PERP, 'market', 'sell', 5, undefined, { ...closing, ...params });
      const stop = await sell({ stopLossPrice: price(0.98) });
      const both = { stopLossPrice: price(0.97), takeProfitPrice: price(1.05) };
      const pair = await exchange.createOrder(PERP, 'oco', 'sell', 5, undefined, { ...closing, ...both });
      const trigger = await exchange.createOrder(PERP, 'limit', 'buy', 1, price(0.95), {
        triggerPrice: price(0.96),
      });
      const back = { ...closing, callbackRatio: '0.05' };
      const trailing = await exchange.createOrder(PERP, 'move_order_stop', 'sell', 5, undefined, back);
      const kinds = ['conditional', 'oco', 'trigger', 'move_order_stop'];
      const ids = [stop, pair, trigger, trailing].map(({ id }) => id);
      for (const [at, ordType] of kinds.entries()) {
        const listed = await exchange.fetchOpenOrders(PERP, undefined, undefined, { trigger: true, ordType });
        assert.deepEqual(
          listed.map(({ id, status }) => [id, status]),
          [[ids[at], 'open']],
        );
      }
      await exchange.editOrder(stop.id, PERP, 'conditional', 'sell', 6, undefined, {
        stopLossPrice: price(0.985),
        newSlOrdPx: '-1',
      });
      const edited = await exchange.fetchOrder(stop.id, PERP, { trigger: true });
      assert.deepEqual([edited.stopLossPrice, edited.amount], [price(0.985), 6]);
      await exchange.cancelOrders([trigger.id, trailing.id], PERP, { trigger: true });
      await simulator.admin('POST', 'shock', { venue: 'okx', market: 'perps', symbol: INST, factor: 0.98 });
      const fired = await until('the stop has fired', async () => {
        const found = await exchange.fetchOrder(stop.id, PERP, { trigger: true });
        return found.info.state === 'effective' && found;
      });
      const child = await exchange.fetchOrder(fired.info.ordId, PERP);
      assert.deepEqual([child.side, child.amount, child.info.algoId], ['sell', 6, stop.id]);
      const gone = await exchange.fetchCanceledOrders(PERP, undefined, undefined, {
        trigger: true,
        ordType: 'trigger',
      });
      assert.deepEqual(
        gone.map(({ id }) => id),
        [trigger.id],
      );
      const bracket = { stopLoss: { triggerPrice: price(0.9) }, takeProfit: { triggerPrice: price(1.1) } };
      await exchange.createOrder(PERP, 'market', 'buy', 2, undefined, bracket);
      const pairs = { trigger: true, ordType: 'oco' };
      const guards = await exchange.fetchOpenOrders(PERP, undefined, undefined, pairs);
      const newest = guards.find(({ id }) => id !== pair.id);
      assert.deepEqual(
        [newest.stopLossPrice, newest.takeProfitPrice, newest.amount],
        [price(0.9), price(1.1), 2],
      );
      const wrong = sell({ stopLossPrice: price(1.2) });
      await assert.rejects(wrong, (error) => /51280/.test(error.message));
    },
  );

  test('orders, trades, positions and balance arrive by socket; orders go by socket too', LONG, async () => {
    const exchange = await ccxtTrader('ccxt-live');
    const orders = [];
    const positions = [];
    const balances = [];
    const follow = async (watch, into) => {
      for (;;) into.push(structuredClone(await watch()));
    };
    void follow(() => exchange.watchOrders(PERP), orders).catch(() => undefined);
    void follow(() => exchange.watchPositions([PERP]), positions).catch(() => undefined);
    void follow(() => exchange.watchBalance(), balances).catch(() => undefined);
    const filled = (id) => orders.flat().some((order) => order.id === id && order.status === 'closed');
    await until('an order is heard of', async () => {
      const { id } = await exchange.createOrderWs(PERP, 'market', 'buy', 1);
      return await until('its fill', () => filled(id), 2_000).catch(() => false);
    });
    await until('its position', () => positions.flat().some(({ contracts }) => contracts >= 1));
    await until('its money', () => balances.some((balance) => balance.USDT.total < 50_000));
  });
});

describe('SDK', () => {
  async function sdk(label, said = []) {
    const made = localOkxSdk(simulator.url, await account(label), said);
    await made.rest.setAccountMode({ acctLv: '2' });
    return made;
  }
  const market = { instId: INST, tdMode: 'cross', ordType: 'market' };

  test('the account, its positions, settings, sizes and bills', LONG, async () => {
    const { rest } = await sdk('sdk-account');
    const [config] = await rest.getAccountConfiguration();
    assert.deepEqual([config.acctLv, config.posMode, config.autoLoan], ['2', 'net_mode', false]);
    const [set] = await rest.setLeverage({ instId: INST, lever: '10', mgnMode: 'cross' });
    assert.deepEqual([set.lever, set.mgnMode], ['10', 'cross']);
    const [leverage] = await rest.getLeverage({ instId: INST, mgnMode: 'cross' });
    assert.equal(leverage.lever, '10');
    const [opened] = await rest.submitOrder({ ...market, side: 'buy', sz: '20' });
    assert.equal(opened.sCode, '0');
    const [held] = await rest.getPositions({ instType: 'SWAP' });
    assert.deepEqual([held.pos, held.posSide, held.mgnMode, held.lever], ['20', 'net', 'cross', '10']);
    const [risk] = await rest.getAccountPositionRisk();
    assert.equal(risk.posData[0].pos, '20');
    const [size] = await rest.getMaxBuySellAmount({ instId: INST, tdMode: 'cross' });
    assert.ok(Number(size.maxSell) > Number(size.maxBuy) && Number(size.maxBuy) > 0);
    const [free] = await rest.getMaxAvailableTradableAmount({ instId: INST, tdMode: 'cross' });
    const [balance] = await rest.getBalance();
    const [detail] = balance.details;
    // The mark moves between two answers.
    assert.ok(Math.abs(Number(free.availBuy) / Number(detail.availEq) - 1) < 0.01);
    assert.ok(Number(detail.imr) > 0 && Number(detail.mgnRatio) > 1);
    const [tier] = await rest.getPositionTiers({ instType: 'SWAP', tdMode: 'cross', instFamily: 'BTC-USDT' });
    assert.ok(Number(tier.maxLever) >= 50);
    const [fee] = await rest.getFeeRates({ instType: 'SWAP', instId: INST });
    assert.equal(fee.takerU, '-0.0005');
    assert.equal((await rest.getUnitConvert({ instId: INST, sz: '0.02', opType: 'open' }))[0].sz, '2');
    const [closed] = await rest.closePositions({ instId: INST, mgnMode: 'cross' });
    assert.equal(closed.instId, INST);
    assert.deepEqual(await rest.getPositions({ instType: 'SWAP' }), []);
    const [history] = await rest.getPositionsHistory({ instType: 'SWAP' });
    assert.deepEqual([history.direction, history.openMaxPos, history.type], ['long', '20', '2']);
    const bills = await rest.getBills({ instType: 'SWAP' });
    assert.ok(bills.every(({ type }) => type === '2') && bills.length >= 2);
    assert.ok((await rest.getBillsArchive({ instType: 'SWAP' })).length === bills.length);
    const wrong = rest.setLeverage({ instId: INST, lever: '500', mgnMode: 'cross' });
    await assert.rejects(wrong, (problem) => problem.code === '59102');
  });

  test(
    'algo orders: placed, told of on the business socket, changed, listed and cancelled',
    LONG,
    async () => {
      const { rest, sockets } = await sdk('sdk-algos');
      const socket = simulator.closing(sockets());
      const heard = [];
      socket.on('update', (update) => heard.push(update));
      socket.on('response', (response) => heard.push(response));
      await rest.submitOrder({ ...market, side: 'buy', sz: '5' });
      void socket.subscribe([{ channel: 'orders-algo', instType: 'ANY' }]);
      await until('the channel', () =>
        heard.some(({ event, arg }) => event === 'subscribe' && arg?.channel === 'orders-algo'),
      );
      const [{ last }] = await rest.getTicker({ instId: INST });
      const at = (factor) => String(Number((Number(last) * factor).toFixed(1)));
      const pair = {
        instId: INST,
        tdMode: 'cross',
        side: 'sell',
        ordType: 'oco',
        closeFraction: '1',
        reduceOnly: true,
      };
      const [placed] = await rest.placeAlgoOrder({
        ...{ ...pair, tpTriggerPx: at(1.1), tpOrdPx: '-1', slTriggerPx: at(0.9), slOrdPx: '-1' },
      });
      assert.equal(placed.sCode, '0');
      const { algoId } = placed;
      const [held] = await rest.getPositions({ instType: 'SWAP' });
      assert.deepEqual(
        held.closeOrderAlgo.map((row) => row.algoId),
        [algoId],
      );
      await rest.amendAlgoOrder({ instId: INST, algoId, newSlTriggerPx: at(0.92) });
      const [found] = await rest.getAlgoOrderDetails({ algoId });
      assert.deepEqual([found.slTriggerPx, found.tpTriggerPx, found.state], [at(0.92), at(1.1), 'live']);
      assert.deepEqual(
        (await rest.getAlgoOrderList({ ordType: 'oco' })).map((row) => row.algoId),
        [algoId],
      );
      const [cancelled] = await rest.cancelAlgoOrder([{ instId: INST, algoId }]);
      assert.equal(cancelled.sCode, '0');
      const [past] = await rest.getAlgoOrderHistory({ ordType: 'oco', state: 'canceled' });
      assert.equal(past.algoId, algoId);
      const states = () =>
        heard
          .filter(({ arg, data }) => arg?.channel === 'orders-algo' && data)
          .map(({ data }) => data[0].state);
      await until('its end is told', () => states().includes('canceled'));
    },
  );

  test('channels of positions, money and orders; orders by socket', LONG, async () => {
    const said = [];
    const client = await sdk('sdk-live', said);
    const socket = simulator.closing(client.sockets());
    const heard = [];
    socket.on('update', (update) => heard.push(update));
    socket.on('exception', (problem) => said.push(problem));
    void socket.subscribe([
      { channel: 'orders', instType: 'SWAP' },
      { channel: 'positions', instType: 'SWAP' },
      { channel: 'balance_and_position' },
      { channel: 'account' },
    ]);
    const of = (channel) => heard.filter(({ arg }) => arg?.channel === channel).flatMap(({ data }) => data);
    await until('all channels', () =>
      ['positions', 'balance_and_position', 'account'].every((channel) =>
        heard.some(({ arg }) => arg?.channel === channel),
      ),
    );
    const trading = client.trading();
    simulator.closing(trading.getWSClient());
    const placed = await trading.submitNewOrder({ ...market, side: 'buy', sz: '2' });
    const [{ ordId }] = placed.data;
    await until('the fill', () => of('orders').some((row) => row.ordId === ordId && row.state === 'filled'));
    await until('the position', () => of('positions').some((row) => row.pos === '2'));
    await until('the reason', () => of('balance_and_position').some((row) => row.eventType === 'filled'));
    await client.rest.closePositions({ instId: INST, mgnMode: 'cross' });
    await until('the end', () => of('positions').some((row) => row.pos === '0'));
    assert.ok(of('account').some((row) => row.details.some((detail) => detail.ccy === 'USDT')));
  });

  test('a shocked price warns and then liquidates, and every list says so', LONG, async () => {
    const said = [];
    const client = await sdk('sdk-liquidated', said);
    const { rest } = client;
    const socket = simulator.closing(client.sockets());
    const heard = [];
    socket.on('update', (update) => heard.push(update));
    socket.on('exception', (problem) => said.push(problem));
    const channels = [{ channel: 'liquidation-warning', instType: 'SWAP' }, { channel: 'account' }];
    void socket.subscribe(channels);
    await until('the channels', () => heard.some(({ arg }) => arg?.channel === 'account'));
    await rest.setLeverage({ instId: INST, lever: '50', mgnMode: 'isolated' });
    await rest.submitOrder({ ...market, tdMode: 'isolated', side: 'buy', sz: '10' });
    // A fiftieth stands behind it, less than half as much must: 1.2 % of it are left.
    const fall = { venue: 'okx', market: 'perps', symbol: INST };
    await simulator.admin('POST', 'shock', { ...fall, factor: 0.992 });
    const warnings = () =>
      heard.filter(({ arg }) => arg?.channel === 'liquidation-warning').flatMap(({ data }) => data);
    await until('the warning', () => warnings().length > 0);
    const [{ instId, mgnMode, pos, mgnRatio }] = warnings();
    assert.deepEqual([instId, mgnMode, pos, Number(mgnRatio) < 3], [INST, 'isolated', '10', true]);
    await simulator.admin('POST', 'shock', { ...fall, factor: 0.9 });
    await until('the position is gone', async () => (await rest.getPositions()).length === 0);
    const [closed] = await rest.getPositionsHistory({ instType: 'SWAP' });
    assert.equal(closed.type, '3');
    const [order] = await rest.getOrderHistory({ instType: 'SWAP' });
    assert.equal(order.category, 'full_liquidation');
    assert.ok((await rest.getBills({ type: '5' })).length > 0);
  });
});
