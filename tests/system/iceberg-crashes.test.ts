import type { CallInput } from '@crossbook/contract';
import { amount, formatAmount, platformFacts, plus, ZERO } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, newestEnded, priceAt } from './algo-rows.ts';
import {
  ordersOf as contractOrdersOf,
  expectBooksEqual,
  memberWithMargin,
  orderAsSeen,
} from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import { type HubProcess, ordersOf, type SimulatorProcess, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf } from './venue-money.ts';

/** Icebergs of OKX, whose orders the exchange makes one after another, and the process that books them killed. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const POINTS = [
  'after-hold',
  'after-send',
  'before-child',
  'after-child',
  'before-post',
  'after-post',
] as const;

interface Parts {
  readonly hub: HubProcess;
  readonly simulator: SimulatorProcess;
}

/** A market of OKX, and how what a member did there is seen and compared with the exchange. */
interface Market {
  readonly name: string;
  readonly market: 'spot' | 'perps';
  readonly symbol: string;
  readonly size: string;
  readonly member: (parts: Parts) => Promise<TestBrowser>;
  /** The part of a request that says which market and on what terms. */
  readonly terms: (member: TestBrowser) => Promise<Partial<CallInput<'connextrade/PlaceAlgoOrder'>>>;
  readonly orders: (
    member: TestBrowser,
  ) => Promise<readonly { readonly settled: boolean; readonly cumQuantity: string }[]>;
  readonly equal: (parts: Parts, member: TestBrowser) => Promise<unknown>;
}

const CONTRACT = CONTRACT_VENUES.find(({ name }) => name === 'OKX') as ContractVenue;
const PAIR = { platformType: 41, symbol: 'BTC-USDT' } as const;
const MARKETS: readonly Market[] = [
  {
    ...{ name: 'a contract', market: 'perps', symbol: CONTRACT.symbol, size: CONTRACT.size },
    member: (parts) => memberWithMargin(parts, CONTRACT, '2000'),
    terms: async (member) => {
      const { orderType: _type, ...terms } = await orderAsSeen(member, CONTRACT, {});
      return terms;
    },
    orders: (member) => contractOrdersOf(member, CONTRACT),
    equal: (parts, member) => expectBooksEqual(parts, member, CONTRACT),
  },
  {
    ...{ name: 'a pair', market: 'spot', symbol: PAIR.symbol, size: '0.02' },
    member: ({ hub }) => hub.memberWithFunds('10000', PAIR.platformType),
    terms: async () => ({ ...PAIR, tinstType: 1 }),
    orders: (member) => ordersOf(member, PAIR.platformType),
    // What the parts did not cost of the one hold is free again.
    equal: async (parts, member) => {
      expect(await lockedOf(member, PAIR)).toEqual([]);
      await expectEveryUnitInItsPlace(parts, member, PAIR);
    },
  },
];

describe.each(MARKETS)('an iceberg of $name', ({ market, symbol, size, ...at }) => {
  const { platformType } = PAIR;
  const { slug } = platformFacts(2);
  const { simulator, hub } = playedHub();
  const parts = () => ({ hub, simulator });
  const shock = (factor: number) => simulator.admin('shock', { venue: slug, market, symbol, factor });

  const asked = async (member: TestBrowser): Promise<CallInput<'connextrade/PlaceAlgoOrder'>> => {
    const { quantity: _size, ...terms } = await at.terms(member);
    const price = await priceAt(simulator, { platformType, symbol }, { factor: '1.02', market });
    return {
      ...{ ...terms, side: 1, algoType: 'iceberg', quantity: size, clientId: crypto.randomUUID() },
      visibleQuantity: formatAmount((amount(size) / 4n) as typeof ZERO),
      ...{ behindRatio: '0.0005', price },
    } as CallInput<'connextrade/PlaceAlgoOrder'>;
  };
  /** Its orders, over, and all that is booked of them. */
  async function bookedOnce(member: TestBrowser): Promise<string> {
    const orders = await until(
      () => at.orders(member),
      (found) => found.every(({ settled }) => settled),
    );
    await at.equal(parts(), member);
    return formatAmount(
      orders.reduce((sum, { cumQuantity }) => plus(sum, amount(String(cumQuantity))), ZERO),
    );
  }

  // The same points within one process are asked at every run (trading/algos: icebergs.test.ts, pair-icebergs.fuzz.test.ts).
  test.runIf(FULL).each(POINTS)(
    'killed %s: its orders are booked once, those of a time without a hub too',
    async (point) => {
      const member = await at.member(parts());
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
      expect(amount(booked)).toBeLessThanOrEqual(amount(size));
      expect(amount(booked)).toBeGreaterThan(ZERO);
    },
  );
});
