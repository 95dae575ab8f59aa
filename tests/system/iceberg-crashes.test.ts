import type { CallInput } from '@crossbook/contract';
import { amount, formatAmount, platformFacts, plus, ZERO } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, newestEnded, priceAt } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, ordersOf } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';

/** Icebergs on OKX's contracts, whose orders the exchange makes one after another, and the process that books them killed. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const POINTS = [
  'after-hold',
  'after-send',
  'before-child',
  'after-child',
  'before-post',
  'after-post',
] as const;

describe('an iceberg of a contract', () => {
  const venue = CONTRACT_VENUES.find(({ name }) => name === 'OKX') as ContractVenue;
  const { slug } = platformFacts(2);
  let simulator: SimulatorProcess;
  let hub: HubProcess;
  beforeAll(async () => {
    simulator = await startSimulatorProcess();
    hub = await startHubProcess(simulator);
  });
  afterAll(async () => {
    await hub?.stop();
    await simulator?.stop();
  });
  const parts = () => ({ hub, simulator });
  const { symbol, platformType } = venue;
  const shock = (factor: number) =>
    simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor });

  const asked = async (member: TestBrowser): Promise<CallInput<'connextrade/PlaceAlgoOrder'>> => {
    const { orderType: _type, ...terms } = await orderAsSeen(member, venue, {});
    return {
      ...{ ...terms, side: 1, algoType: 'iceberg', quantity: venue.size, clientId: crypto.randomUUID() },
      visibleQuantity: formatAmount((amount(venue.size) / 4n) as typeof ZERO),
      ...{
        behindRatio: '0.0005',
        price: await priceAt(simulator, venue, { factor: '1.02', market: 'perps' }),
      },
    };
  };
  /** Its orders, over, and all that is booked of them. */
  async function bookedOnce(member: TestBrowser): Promise<string> {
    const orders = await until(
      () => ordersOf(member, venue),
      (found) => found.every(({ settled }) => settled),
    );
    expect(await expectBooksEqual(parts(), member, venue)).toBeDefined();
    return formatAmount(
      orders.reduce((sum, { cumQuantity }) => plus(sum, amount(String(cumQuantity))), ZERO),
    );
  }

  // The same points within one process are asked at every run (trading/algos/icebergs.test.ts).
  test.runIf(FULL).each(POINTS)(
    'killed %s: its orders are booked once, those of a time without a hub too',
    async (point) => {
      const member = await memberWithMargin(parts(), venue, '2000');
      const request = await asked(member);
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      const sent = member.call('connextrade/PlaceAlgoOrder', request).catch(() => undefined);
      if (!point.startsWith('after-')) await sent;
      for (const factor of [0.998, 0.998]) await shock(factor).catch(() => undefined);
      await expectKilled(hub);
      // Slices come and go while nobody listens.
      for (const factor of [0.998, 0.998, 0.998]) await shock(factor);
      await hub.again();
      const row = await until(
        async () => (await algosOf(member))[0] ?? (await newestEnded(member)),
        (found) => found !== undefined && found.state !== 'placing' && !found.unknown,
      );
      if (row?.state === 'refused') return expect(await bookedOnce(member)).toBe('0');
      const cancelled = await member.call('connextrade/CancelAlgoOrder', {
        platformType,
        algoId: request.clientId ?? '',
      });
      expect([1, 3012]).toContain(cancelled.code);
      const ended = await newestEnded(member);
      expect(['cancelled', 'fired']).toContain(ended?.state);
      const booked = await bookedOnce(member);
      expect(ended).toMatchObject({ algoType: 'iceberg', executed: booked });
      expect(amount(booked)).toBeLessThanOrEqual(amount(venue.size));
      expect(amount(booked)).toBeGreaterThan(ZERO);
    },
  );
});
