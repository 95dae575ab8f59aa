import { amount, floorTo, formatAmount, minus, mulDown, plus, ZERO } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { playedHub } from '../played-hub.ts';
import { ordersOf as contractOrdersOf, memberWithMargin, trade } from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, settled } from './venue-money.ts';

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const BINANCE = { platformType: 43 } as const;
const PAIR = { ...BINANCE, tinstType: 1, side: 1, orderType: 1 } as const;
const QUANTITIES = { BTCUSDT: '0.001', ETHUSDT: '0.02' } as const;

const { simulator, hub } = playedHub();

const parts = () => ({ hub, simulator });

/** A bid a tenth below the market. */
async function bid(symbol: keyof typeof QUANTITIES) {
  const answer = await fetch(`${simulator.url}/api/v3/ticker/price?symbol=${symbol}`);
  const { price } = (await answer.json()) as { price: string };
  const wanted = mulDown(amount(price.replace(/\.?0+$/, '')), amount('0.9'));
  return { ...PAIR, symbol, price: formatAmount(floorTo(wanted, amount('1'))), quantity: QUANTITIES[symbol] };
}

test('CancelAll ends the open orders that it names and no other, and CurOrderList and both histories tell it', async () => {
  const member = await hub.memberWithFunds('1000');
  const place = async (symbol: keyof typeof QUANTITIES) => {
    const placed = await member.call('connextrade/PlaceOrder', await bid(symbol));
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { status: 2 } });
    return placed.data?.orderId ?? '';
  };
  const open = async () =>
    ((await member.call('connextrade/CurOrderList', BINANCE)).data ?? [])
      .map(({ orderId }) => orderId)
      .sort();
  const [first, second, other] = [await place('BTCUSDT'), await place('BTCUSDT'), await place('ETHUSDT')];
  expect(await open()).toEqual([first, second, other].sort());
  for (const nothing of [{ platformType: 41 }, { tinstType: 2 }, { symbol: 'SOLUSDT' }] as const)
    expect(await member.call('connextrade/CancelAll', nothing)).toMatchObject({ code: 1, data: [] });
  const some = await member.call('connextrade/CancelAll', { ...BINANCE, tinstType: 1, symbol: 'BTCUSDT' });
  expect(
    some.data?.map(({ orderId, outcome, order, reason }) => [orderId, outcome, order?.status, reason]).sort(),
  ).toEqual([first, second].sort().map((orderId) => [orderId, 'cancelled', 3, null]));
  expect(await open()).toEqual([other]);
  const [left] = await ordersOf(member);
  const held = mulDown(amount(left?.price ?? '0'), amount(left?.quantity ?? '0'));
  expect(await lockedOf(member, BINANCE)).toEqual([`${formatAmount(held)} USDT`]);
  // Nobody else's, though everything is meant.
  const stranger = await hub.memberWithFunds('1000');
  expect(await stranger.call('connextrade/CancelAll', {})).toMatchObject({ code: 1, data: [] });
  expect(await open()).toEqual([other]);
  expect(await member.call('connextrade/CancelAll', {})).toMatchObject({
    data: [{ orderId: other, outcome: 'cancelled' }],
  });
  expect(await lockedOf(member, BINANCE)).toEqual([]);
  await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  const cancelled = { ...BINANCE, symbol: 'BTCUSDT', status: 3 } as const;
  const page = await member.call('connextrade/v2/OrderHistory', { ...cancelled, limit: 1 });
  expect(page.data?.rows.map(({ orderId }) => orderId)).toEqual([second]);
  const rest = await member.call('connextrade/v2/OrderHistory', {
    ...cancelled,
    limit: 5,
    cursor: page.data?.next ?? '',
  });
  expect(rest.data?.rows.map(({ orderId }) => orderId)).toEqual([first]);
  const sums = await member.call('connextrade/v2/OrderHistorySubTotal', cancelled);
  expect(sums.data).toEqual({ orders: 2, filled: 0, cumQuote: '0', realisedPnl: '0', fees: [] });
  expect((await ordersOf(member)).map(({ orderId }) => orderId)).toEqual([other, second, first]);
});

test('GetOrderRpnl is what the fills of an order realised and cost, by its own id and the sums of its history', async () => {
  const [venue] = CONTRACT_VENUES;
  if (venue === undefined) throw new Error('no venue');
  const member = await memberWithMargin(parts(), venue, '2000');
  await trade(member, venue);
  await trade(member, venue, { side: 2, reduceOnly: true });
  const [closing, opening] = await contractOrdersOf(member, venue);
  for (const row of [opening, closing]) {
    const { data: fills } = await member.call('x/trade/Fills', { ...BINANCE, orderId: row?.orderId ?? '' });
    const sum = (of: (fill: NonNullable<typeof fills>['rows'][number]) => string) =>
      (fills?.rows ?? []).reduce((total, fill) => plus(total, amountOf(of(fill))), ZERO);
    const realised = sum(({ realisedPnl }) => realisedPnl ?? '0');
    const fees = sum(({ fee }) => fee);
    expect(fees > ZERO).toBe(true);
    const asked = await member.call('connextrade/GetOrderRpnl', { ...BINANCE, orderId: row?.orderId ?? '' });
    expect(asked.data).toEqual({
      orderId: row?.orderId,
      ...{
        realisedPnl: formatted(realised),
        fees: formatAmount(fees),
        net: formatted(minus(realised, fees)),
      },
    });
    expect(row?.realisedPnl).toBe(formatted(realised));
    expect(row?.fees).toEqual([{ asset: 'USDT', amount: formatAmount(fees) }]);
  }
  const stranger = await hub.memberWithFunds('1000');
  const orderId = closing?.orderId ?? '';
  expect(await stranger.call('connextrade/GetOrderRpnl', { ...BINANCE, orderId })).toMatchObject({
    code: 3011,
  });
  // An order of a pair realises nothing: it is none of contracts.
  const pair = await stranger.call('connextrade/PlaceOrder', await bid('BTCUSDT'));
  const ofPair = { ...BINANCE, orderId: pair.data?.orderId ?? '' };
  expect(await stranger.call('connextrade/GetOrderRpnl', ofPair)).toMatchObject({ code: 3011 });
  const filter = { ...BINANCE, tinstType: 2 } as const;
  const { data: total } = await member.call('connextrade/v2/OrderHistorySubTotal', filter);
  expect(total).toMatchObject({ orders: 2, filled: 2, realisedPnl: closing?.realisedPnl });
});

const formatted = (value: bigint): string =>
  value < 0n ? `-${formatAmount(-value as typeof ZERO)}` : formatAmount(value as typeof ZERO);
const amountOf = (text: string) =>
  (text.startsWith('-') ? -amount(text.slice(1)) : amount(text)) as typeof ZERO;

test('orders that wait are listed while they wait, and in their history for ever', async () => {
  const member = await hub.memberWithFunds('10000');
  const { platformType } = BINANCE;
  const buy = {
    platformType,
    tinstType: 1,
    symbol: 'BTCUSDT',
    side: 1,
    orderType: 2,
    quantity: '0.02',
  } as const;
  await member.call('connextrade/PlaceOrder', buy);
  await settled(member, BINANCE);
  const stop = {
    platformType,
    tinstType: 1,
    symbol: 'BTCUSDT',
    side: 2,
    algoType: 'stop',
    quantity: '0.01',
  } as const;
  const placed = await member.call('connextrade/PlaceAlgoOrder', { ...stop, triggerPrice: '1000' });
  expect(placed, placed.msg).toMatchObject({ code: 1, data: { state: 'waiting' } });
  const algoId = placed.data?.algoId ?? '';
  const listed = async () =>
    ((await member.call('connextrade/CurAlgoOrderList', BINANCE)).data ?? []).map((row) => row.algoId);
  expect(await listed()).toEqual([algoId]);
  expect(await member.call('connextrade/CancelAlgoOrder', { platformType, algoId })).toMatchObject({
    code: 1,
  });
  await until(
    () => listed(),
    (rows) => rows.length === 0,
  );
  expect(await member.call('connextrade/AlgoOrderHistory', BINANCE)).toMatchObject({
    data: { rows: [{ algoId, state: 'cancelled' }] },
  });
});
