import { type Amount, amount, formatAmount } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, newestEnded, priceAt, shocked } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, ordersOf, trade } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';

/** Orders that wait at an exchange and end without becoming one, and the hub killed as it writes that. */

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const POINTS = ['before-end', 'after-end'] as const;
const ENDS = ['cancelled by its member', 'refused as it fires', 'over with its position'] as const;
/** Every point of every end in the full tier; before, one at each venue. */
const ORDINARY: Readonly<Record<string, string>> = {
  Binance: 'over with its position before-end',
  OKX: 'refused as it fires before-end',
  Bybit: 'cancelled by its member after-end',
};

interface Place {
  readonly hub: HubProcess;
  readonly simulator: SimulatorProcess;
  readonly venue: ContractVenue;
}

/** What waits, and what the exchange or its member then does to it. */
interface Story {
  readonly member: TestBrowser;
  readonly asked: Parameters<TestBrowser['call']>[1];
  readonly ends: () => Promise<unknown>;
  readonly states: readonly string[];
}

async function stopOf(
  { simulator, venue }: Place,
  member: TestBrowser,
  { factor, ...part }: { readonly factor: string; readonly side: 1 | 2 } & Readonly<Record<string, unknown>>,
) {
  const { orderType: _type, quantity: _size, ...terms } = await orderAsSeen(member, venue, {});
  const triggerPrice = await priceAt(simulator, venue, { factor, market: 'perps' });
  return { ...terms, algoType: 'stop' as const, triggerPrice, ...part };
}

/** One that would open far more than there is margin for: it holds nothing, and is taken until it fires. */
async function refusedAsItFires(place: Place): Promise<Story> {
  const { hub, simulator, venue } = place;
  const member = await memberWithMargin({ hub }, venue, '20');
  const quantity = formatAmount((amount(venue.size) * 50n) as Amount);
  return {
    member,
    asked: await stopOf(place, member, { side: 1, factor: '1.01', quantity }),
    ends: () => shocked(simulator, venue, { factor: 1.02, market: 'perps' }),
    states: ['refused'],
  };
}

async function overWithItsPosition(place: Place): Promise<Story> {
  const { hub, venue } = place;
  const { platformType, symbol } = venue;
  const member = await memberWithMargin({ hub }, venue, '2000');
  await trade(member, venue);
  const reduces = { side: 2, factor: '0.8', reduceOnly: true, whole: true } as const;
  return {
    member,
    asked: await stopOf(place, member, reduces),
    ends: () =>
      member
        .call('connextrade/ClosePosition', { platformType, symbol, effect: 0, marginMode: 'cross' })
        .catch(() => undefined),
    // By the hub, or by the exchange itself.
    states: ['cancelled', 'expired'],
  };
}

async function cancelledByItsMember(place: Place): Promise<Story> {
  const { hub, venue } = place;
  const { platformType, size } = venue;
  const member = await memberWithMargin({ hub }, venue, '2000');
  return {
    member,
    asked: await stopOf(place, member, { side: 1, factor: '1.2', quantity: size }),
    async ends() {
      const [row] = await algosOf(member);
      const named = { platformType, algoId: row?.algoId ?? '' };
      await member.call('connextrade/CancelAlgoOrder', named).catch(() => undefined);
    },
    states: ['cancelled'],
  };
}

const STORIES: Readonly<Record<(typeof ENDS)[number], (place: Place) => Promise<Story>>> = {
  'cancelled by its member': cancelledByItsMember,
  'refused as it fires': refusedAsItFires,
  'over with its position': overWithItsPosition,
};

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(CONTRACT_VENUES)('an order that waits at $name and becomes none', (venue) => {
  describe('whose hub is killed', { concurrent: false }, () => {
    let simulator: SimulatorProcess;
    let hub: HubProcess;
    beforeAll(async () => {
      simulator = await startSimulatorProcess();
      hub = await startHubProcess(simulator, { PLATFORM_3: 'live' });
    });
    afterAll(async () => {
      await hub?.stop();
      await simulator?.stop();
    });

    const rows = ENDS.flatMap((end) => POINTS.map((point) => ({ end, point }))).filter(
      ({ end, point }) => FULL || ORDINARY[venue.name] === `${end} ${point}`,
    );
    test.each(rows)('$point of its end, $end: the next one says so, once', async ({ end, point }) => {
      const place = { hub, simulator, venue };
      const { member, asked, ends, states } = await STORIES[end](place);
      const placed = await member.call('connextrade/PlaceAlgoOrder', asked as never);
      expect(placed, placed.msg).toMatchObject({ code: 1 });
      await until(
        () => algosOf(member),
        ([row]) => row?.state === 'waiting',
      );
      const before = (await ordersOf(member, venue)).length;
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      await ends();
      await expectKilled(hub);
      await hub.again();
      const row = await newestEnded(member);
      expect(states).toContain(row?.state);
      expect(row).toMatchObject({ unknown: false, cancelPending: false, children: [] });
      if (end === 'refused as it fires') expect(row?.placed).toBe(true);
      expect(await algosOf(member)).toHaveLength(1);
      expect(await expectBooksEqual({ hub, simulator }, member, venue)).toEqual([]);
      const closes = end === 'over with its position' ? 1 : 0;
      expect(await ordersOf(member, venue)).toHaveLength(before + closes);
    });
  });
});
