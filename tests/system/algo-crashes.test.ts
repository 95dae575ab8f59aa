import type { CallInput } from '@crossbook/contract';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, newestEnded, priceAt, shocked } from './algo-rows.ts';
import {
  ordersOf as contractOrdersOf,
  expectBooksEqual,
  memberWithMargin,
  orderAsSeen,
  trade,
} from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, RECEIPT_VENUES, settled } from './venue-money.ts';

/**
 * Orders that wait at OKX and Bybit, and the process that knows of them killed; Binance's are in
 * `algo-money.fuzz.test.ts`.
 */

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

/** Every point in the full tier; before, one row at each venue. */
const POINTS = {
  placed: ['after-hold', 'after-send', 'after-answer'],
  changed: ['before-hold', 'after-hold', 'after-send', 'after-answer'],
  cancelled: ['after-send', 'after-answer', 'before-end', 'after-end'],
  fired: ['before-child', 'after-child', 'before-post', 'after-post'],
  closes: ['before-child', 'after-child', 'before-post', 'after-post'],
} as const;
type Step = keyof typeof POINTS;
const ORDINARY: Readonly<Record<string, string>> = { OKX: 'fired before-child', Bybit: 'fired before-post' };

// Each venue has processes of its own, so that its rows wait beside those of the other.
describe.concurrent.each(RECEIPT_VENUES)('an order that waits at $name', (venue) => {
  const pointsOf = <Name extends Step>(step: Name): readonly (typeof POINTS)[Name][number][] =>
    POINTS[step].filter((point) => FULL || ORDINARY[venue.name] === `${step} ${point}`);
  describe('whose hub is killed', { concurrent: false }, () => claimCrashes(venue, pointsOf));
});

function claimCrashes(
  venue: (typeof RECEIPT_VENUES)[number],
  pointsOf: <Name extends Step>(step: Name) => readonly (typeof POINTS)[Name][number][],
): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

  const parts = () => ({ hub, simulator });
  const { platformType, symbol } = venue;
  const contracts = CONTRACT_VENUES.find(({ name }) => name === venue.name);
  const PAIR = { platformType, tinstType: 1, symbol } as const;
  const killedAt = async (point: string) => {
    await hub.kill();
    await hub.again({ CRASH_AT: point });
  };

  /** A member with a little BTC. */
  async function holder(): Promise<TestBrowser> {
    const member = await hub.memberWithFunds('10000', platformType);
    const bought = await member.call('connextrade/PlaceOrder', {
      ...{ ...PAIR, side: 1, orderType: 2, quantity: '0.02' },
    });
    expect(bought, bought.msg).toMatchObject({ code: 1 });
    await settled(member, venue);
    return member;
  }

  const stop = async (): Promise<CallInput<'connextrade/PlaceAlgoOrder'>> => ({
    ...{ ...PAIR, side: 2, algoType: 'stop', quantity: '0.01', clientId: crypto.randomUUID() },
    triggerPrice: await priceAt(simulator, venue, { factor: '0.97', market: 'spot' }),
  });
  async function waiting(member: TestBrowser): Promise<string> {
    const placed = await member.call('connextrade/PlaceAlgoOrder', await stop());
    expect(placed, placed.msg).toMatchObject({ code: 1 });
    await until(
      () => algosOf(member),
      ([row]) => row?.state === 'waiting',
    );
    expect(await lockedOf(member, venue)).toEqual(['0.01 BTC']);
    return placed.data?.algoId ?? '';
  }
  /** Whatever became of it, it is cancelled now; nothing stays held and no order came of it. */
  async function cancelledWithoutTrace(member: TestBrowser, algoId: string): Promise<void> {
    await until(
      () => member.call('connextrade/CancelAlgoOrder', { platformType, algoId }),
      ({ code }) => code === 1 || code === 3012,
    );
    const row = await newestEnded(member);
    expect(['cancelled', 'refused']).toContain(row?.state);
    expect(await lockedOf(member, venue)).toEqual([]);
    expect(await algosOf(member)).toHaveLength(1);
    expect(await ordersOf(member, platformType)).toHaveLength(1);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  }

  test.each(pointsOf('placed'))('%s of its placement: found or proved absent, and once', async (point) => {
    const member = await holder();
    const asked = await stop();
    await killedAt(point);
    await expect(member.call('connextrade/PlaceAlgoOrder', asked)).rejects.toThrow();
    await expectKilled(hub);
    await hub.again();
    const [row] = await until(
      () => algosOf(member),
      ([found]) => found?.state === 'waiting' || found?.state === 'refused',
    );
    if (point === 'after-answer') expect(row?.state).toBe('waiting');
    expect(await lockedOf(member, venue)).toEqual(row?.state === 'waiting' ? ['0.01 BTC'] : []);
    const again = await member.call('connextrade/PlaceAlgoOrder', asked);
    // The same request again is answered with what became of it.
    const answer = row?.state === 'waiting' ? { code: 1, data: { algoId: asked.clientId } } : { code: 3017 };
    expect(again, again.msg).toMatchObject(answer);
    expect(await algosOf(member)).toHaveLength(1);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    await cancelledWithoutTrace(member, asked.clientId ?? '');
  });

  test.each(pointsOf('changed'))('%s of a change: it waits as the venue shows it', async (point) => {
    const member = await holder();
    const algoId = await waiting(member);
    const triggerPrice = await priceAt(simulator, venue, { factor: '0.9', market: 'spot' });
    await killedAt(point);
    const change = { platformType, algoId, triggerPrice, quantity: '0.005' } as const;
    await expect(member.call('connextrade/ReplaceAlgoOrder', change)).rejects.toThrow();
    await expectKilled(hub);
    await hub.again();
    const [row] = await until(
      () => algosOf(member),
      ([found]) => found?.state === 'waiting' && !found.unknown,
    );
    const held = await until(
      () => lockedOf(member, venue),
      ([one]) => one === `${row?.quantity} BTC`,
    );
    if (point === 'after-answer') expect(held).toEqual(['0.005 BTC']);
    if (point.endsWith('-hold')) expect(held).toEqual(['0.01 BTC']);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    await cancelledWithoutTrace(member, algoId);
  });

  test.each(pointsOf('cancelled'))('%s of its cancel: nothing waits, nothing is held', async (point) => {
    const member = await holder();
    const algoId = await waiting(member);
    await killedAt(point);
    const asked = member.call('connextrade/CancelAlgoOrder', { platformType, algoId });
    await expect(asked).rejects.toThrow();
    await expectKilled(hub);
    await hub.again();
    const [row] = await until(
      () => algosOf(member),
      ([found]) => found?.state === 'cancelled' || (found?.state === 'waiting' && !found.cancelPending),
    );
    if (point !== 'after-send') expect(row?.state).toBe('cancelled');
    await cancelledWithoutTrace(member, algoId);
  });

  test.each(pointsOf('fired'))('%s of what it became: that is booked once', async (point) => {
    const member = await holder();
    await waiting(member);
    await killedAt(point);
    const there = await shocked(simulator, venue, { factor: 0.94, market: 'spot' });
    await expectKilled(hub);
    await hub.again();
    expect(await newestEnded(member)).toMatchObject({ state: 'fired' });
    const [child] = await settled(member, venue);
    expect(child).toMatchObject({ status: 4, cumQuantity: '0.01', side: 2 });
    await there();
    expect(await ordersOf(member, platformType)).toHaveLength(2);
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test.each(pointsOf('closes'))('%s of what closes a position: the position is gone, once', async (point) => {
    if (contracts === undefined) throw new Error(`${venue.name} trades no contracts`);
    const member = await memberWithMargin(parts(), contracts, '2000');
    await trade(member, contracts);
    const { orderType: _type, ...terms } = await orderAsSeen(member, contracts, {});
    const placed = await member.call('connextrade/PlaceAlgoOrder', {
      ...{ ...terms, side: 2, algoType: 'stop', reduceOnly: true, quantity: contracts.size },
      triggerPrice: await priceAt(simulator, contracts, { factor: '0.99', market: 'perps' }),
    });
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { reduceOnly: true } });
    await until(
      () => algosOf(member),
      ([row]) => row?.state === 'waiting',
    );
    await killedAt(point);
    const there = await shocked(simulator, contracts, { factor: 0.98, market: 'perps' });
    await expectKilled(hub);
    await hub.again();
    await there();
    expect(await newestEnded(member)).toMatchObject({ state: 'fired' });
    expect(await expectBooksEqual(parts(), member, contracts)).toEqual([]);
    const orders = await until(
      () => contractOrdersOf(member, contracts),
      (found) => found.every(({ settled: over }) => over),
    );
    expect(orders.map(({ side, status }) => [side, status])).toEqual([
      [2, 4],
      [1, 4],
    ]);
  });
}
