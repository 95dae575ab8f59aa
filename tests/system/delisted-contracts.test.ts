import { platformFacts } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, priceAt } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, ordersOf, trade } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue, otherContract } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { platformOf } from './venue-money.ts';

/**
 * Contracts that their exchange delists: positions are settled there at a price of its own, by an order (Binance), by a trade without an
 * order (Bybit), by a bill alone (OKX); the hub books each as any other closing, to the unit.
 */

vi.setConfig({ testTimeout: 300_000 });

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(CONTRACT_VENUES.filter(({ name }) => FULL || name === 'Bybit'))(
  'a contract that $name delists',
  (venue) => {
    describe('is settled', { concurrent: false }, () => claimSettled(venue));
  },
);

function claimSettled(venue: ContractVenue): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
  const parts = () => ({ hub, simulator });
  const { platformType, symbol } = venue;
  const { slug } = platformFacts(platformOf(venue));
  const eth = otherContract(venue);
  const delist = (one: string) => simulator.admin('delist', { venue: slug, symbol: one });

  /** The orders of a member, as whose hand closed what. */
  async function expectSettled(member: TestBrowser, of: ContractVenue, closings: readonly object[]) {
    expect(await expectBooksEqual(parts(), member, of)).toEqual([]);
    const rows = (await ordersOf(member, of)).filter(
      (row) => row.symbol === of.symbol && row.cause !== 'order',
    );
    expect(rows.toSorted((a, b) => a.effect - b.effect)).toMatchObject(closings);
    const { data } = await member.call('connextrade/PositionHistory', {});
    const ends = data?.rows.filter((row) => row.symbol === of.symbol).map(({ ended }) => ended);
    expect(ends).toEqual(closings.map(() => 'closed'));
  }

  test('while the hub listens, and while it does not: booked as any closing, to the unit', async () => {
    const [one, legs, waits, listens] = (await Promise.all(
      ['2000', '2000', '2000', '2000'].map((usdt) => memberWithMargin(parts(), venue, usdt)),
    )) as [TestBrowser, TestBrowser, TestBrowser, TestBrowser];
    await trade(one, venue);
    const hedge = { platformType, symbol, positionMode: 'hedge' } as const;
    expect(await legs.call('connextrade/ChangePositionMode', hedge)).toMatchObject({ code: 1 });
    await trade(legs, venue, { side: 1, effect: 1 });
    await trade(legs, venue, { side: 2, effect: 2 });
    // An order and a stop that wait for prices that never come.
    const [far, low] = [
      await priceAt(simulator, venue, { factor: '0.97', market: 'perps' }),
      await priceAt(simulator, venue, { factor: '0.9', market: 'perps' }),
    ];
    await trade(waits, venue);
    const { orderType: _type, ...terms } = await orderAsSeen(waits, venue, {});
    const rests = await waits.call('connextrade/PlaceOrder', { ...terms, orderType: 1, price: far });
    expect(rests, rests.msg).toMatchObject({ code: 1 });
    const stop = { ...terms, side: 2, algoType: 'stop', reduceOnly: true, triggerPrice: low } as const;
    const placed = await waits.call('connextrade/PlaceAlgoOrder', stop);
    expect(placed, placed.msg).toMatchObject({ code: 1 });
    await trade(listens, eth);

    await delist(eth.symbol);
    const closed = { cause: 'venue', status: 4, settled: true } as const;
    await expectSettled(listens, eth, [{ ...closed, side: 2, quantity: eth.size }]);

    await hub.kill();
    expect(await delist(symbol)).toMatchObject({ positions: 4 });
    await hub.again();
    await expectSettled(one, venue, [{ ...closed, side: 2, effect: 0, quantity: venue.size }]);
    await expectSettled(legs, venue, [
      { ...closed, side: 2, effect: 1, quantity: venue.size },
      { ...closed, side: 1, effect: 2, quantity: venue.size },
    ]);
    await until(
      () => ordersOf(waits, venue),
      (rows) => rows.every(({ settled }) => settled),
    );
    await expectSettled(waits, venue, [{ ...closed, side: 2 }]);
    await until(
      () => algosOf(waits),
      (rows) => rows.every(({ state }) => state === 'cancelled' || state === 'expired'),
    );
  });
}
