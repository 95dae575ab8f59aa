import type { CallInput } from '@crossbook/contract';
import { amount, floorTo, formatAmount, mulDown } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { shocked } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, trade } from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, settled } from './venue-money.ts';

/** Orders that wait at Binance, from the member's call to the booked fills of what they became, in real processes. */

/** Every point in the full tier; before, one of each half. */
// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const PAIR = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT' } as const;
const BINANCE = { platformType: 43 } as const;
const [PERPS] = CONTRACT_VENUES.filter(({ name }) => name === 'Binance');

const { simulator, hub } = playedHub();

const parts = () => ({ hub, simulator });

/** A price so much of what the market is at now, on the step of the pair. */
async function priceAt(factor: string, path = '/api/v3/ticker/price'): Promise<string> {
  const answer = await fetch(`${simulator.url}${path}?symbol=BTCUSDT`);
  const { price } = (await answer.json()) as { price: string };
  return formatAmount(floorTo(mulDown(amount(formatted(price)), amount(factor)), amount('0.1')));
}

const formatted = (price: string): string => price.replace(/\.?0+$/, '');

const algosOf = async (member: TestBrowser) =>
  (await member.call('connextrade/AlgoOrderHistory', {})).data?.rows ?? [];
const newest = (member: TestBrowser) =>
  until(
    async () => (await algosOf(member))[0],
    (row) => row !== undefined && !['placing', 'waiting', 'firing'].includes(row.state),
  );

/** A member with a little BTC. */
async function holder(): Promise<TestBrowser> {
  const member = await hub.memberWithFunds('10000');
  const buy = { ...PAIR, side: 1, orderType: 2, quantity: '0.02' } as const;
  expect(await member.call('connextrade/PlaceOrder', buy)).toMatchObject({ code: 1, data: { status: 4 } });
  await settled(member, BINANCE);
  return member;
}

const stop = async (): Promise<CallInput<'connextrade/PlaceAlgoOrder'>> => ({
  ...{ ...PAIR, side: 2, algoType: 'stop', quantity: '0.01' },
  triggerPrice: await priceAt('0.97'),
  clientId: crypto.randomUUID(),
});
const shock = (market: 'spot' | 'perps', factor: number) =>
  simulator.admin('shock', { venue: 'binance', market, symbol: 'BTCUSDT', factor });

describe('a stop on a pair', () => {
  test('holds, fires, is booked once and leaves nothing held', async () => {
    const member = await holder();
    const placed = await member.call('connextrade/PlaceAlgoOrder', await stop());
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { state: 'waiting' } });
    expect(await lockedOf(member, BINANCE)).toEqual(['0.01 BTC']);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
    await shock('spot', 0.94);
    expect(await newest(member)).toMatchObject({ state: 'fired', unknown: false });
    const [child] = await settled(member, BINANCE);
    expect(child).toMatchObject({ status: 4, cumQuantity: '0.01', side: 2 });
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('is changed under its id, and cancelled', async () => {
    const member = await holder();
    const { data } = await member.call('connextrade/PlaceAlgoOrder', await stop());
    const algoId = data?.algoId ?? '';
    const triggerPrice = await priceAt('0.9');
    const change = { platformType: 43, algoId, triggerPrice, quantity: '0.005' } as const;
    const changed = await member.call('connextrade/ReplaceAlgoOrder', change);
    expect(changed, changed.msg).toMatchObject({
      code: 1,
      data: { algoId, state: 'waiting', quantity: '0.005' },
    });
    expect(await lockedOf(member, BINANCE)).toEqual(['0.005 BTC']);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
    const cancel = { platformType: 43, algoId } as const;
    expect(await member.call('connextrade/CancelAlgoOrder', cancel)).toMatchObject({
      code: 1,
      data: { state: 'cancelled' },
    });
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test.each(FULL ? (['after-hold', 'after-send', 'after-answer'] as const) : (['after-send'] as const))(
    'whose hub is killed %s is found by the next one',
    async (point) => {
      const member = await holder();
      const asked = await stop();
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      await expect(member.call('connextrade/PlaceAlgoOrder', asked)).rejects.toThrow();
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
      const [row] = await until(
        () => algosOf(member),
        ([found]) => found?.state === 'waiting' || found?.state === 'refused',
      );
      expect(await lockedOf(member, BINANCE)).toEqual(row?.state === 'waiting' ? ['0.01 BTC'] : []);
      await expectEveryUnitInItsPlace(parts(), member, BINANCE);
    },
  );

  test.each(
    FULL
      ? (['before-child', 'after-child', 'before-post', 'after-post'] as const)
      : (['after-post'] as const),
  )('that fires while the hub is killed %s is booked once', async (point) => {
    const member = await holder();
    const placed = await member.call('connextrade/PlaceAlgoOrder', await stop());
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { state: 'waiting' } });
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    const there = await shocked(simulator, PAIR, { factor: 0.94, market: 'spot' });
    expect(await hub.ended()).toBe('signal SIGKILL');
    await hub.again();
    expect(await newest(member)).toMatchObject({ state: 'fired' });
    await settled(member, BINANCE);
    // Else the stop of the next claim, which is near, fires before it is meant to.
    await there();
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });
});

describe('a stop that protects a position', () => {
  test.each(
    FULL ? ([undefined, 'before-child', 'after-child', 'before-post'] as const) : (['after-child'] as const),
  )('closes it though the hub is killed: %s', async (point) => {
    if (PERPS === undefined) throw new Error('no Binance');
    const member = await memberWithMargin(parts(), PERPS, '2000');
    await trade(member, PERPS);
    const { quantity, ...seen } = await orderAsSeen(member, PERPS, {});
    const { orderType: _type, ...terms } = seen;
    const placed = await member.call('connextrade/PlaceAlgoOrder', {
      ...{ ...terms, side: 2, algoType: 'stop', quantity, reduceOnly: true },
      triggerPrice: await priceAt('0.99', '/fapi/v1/ticker/price'),
    });
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { state: 'waiting', reduceOnly: true } });
    if (point !== undefined) {
      await hub.kill();
      await hub.again({ CRASH_AT: point });
    }
    await shock('perps', 0.98);
    if (point !== undefined) {
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
    }
    expect(await newest(member)).toMatchObject({ state: 'fired' });
    await expectBooksEqual(parts(), member, PERPS);
    const { data } = await member.call('connextrade/CurPositionList', { platformType: 43 });
    expect(data?.positions.filter(({ quantity: open }) => open !== '0')).toEqual([]);
  });
});

describe('an order that brings take-profit and stop-loss along', () => {
  test.each(
    FULL ? ([undefined, 'before-legs', 'after-legs', 'after-answer'] as const) : (['after-legs'] as const),
  )('is protected though the hub is killed: %s; one leg ends the other', async (point) => {
    if (PERPS === undefined) throw new Error('no Binance');
    const member = await memberWithMargin(parts(), PERPS, '2000');
    const order = await orderAsSeen(member, PERPS, {});
    const path = '/fapi/v1/ticker/price';
    const targets = { takeProfit: await priceAt('1.2', path), stopLoss: await priceAt('0.99', path) };
    if (point !== undefined) {
      await hub.kill();
      await hub.again({ CRASH_AT: point });
    }
    const clientId = crypto.randomUUID();
    const placed = member.call('connextrade/PlaceOrder', { ...order, ...targets, clientId });
    // Legs are placed after the answer: it may come before the end.
    await placed.catch(() => undefined);
    if (point !== undefined) {
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
    }
    await until(
      async () => (await member.call('connextrade/CurAlgoOrderList', {})).data ?? [],
      (rows) => rows.filter(({ state }) => state === 'waiting').length === 2,
    );
    const rows = await algosOf(member);
    expect(rows.map(({ parentOrderId }) => parentOrderId)).toEqual([clientId, clientId]);
    expect(rows.map(({ quantity }) => quantity)).toEqual([order.quantity, order.quantity]);
    // The position is read from the exchange after its fill is booked.
    await until(
      async () =>
        (await member.call('connextrade/CurPositionList', { platformType: 43 })).data?.positions ?? [],
      (positions) => positions.length === 1 && positions[0]?.unprotected !== true,
    );
    await shock('perps', 0.98);
    await until(
      () => algosOf(member),
      (legs) => legs.every(({ state }) => state === 'fired' || state === 'cancelled'),
    );
    expect((await algosOf(member)).map(({ algoType, state }) => `${algoType} ${state}`).sort()).toEqual([
      'stop fired',
      'take-profit cancelled',
    ]);
    await expectBooksEqual(parts(), member, PERPS);
  });
});
