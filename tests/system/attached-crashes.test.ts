import { amount, formatAmount, platformFacts, plus, ZERO } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, priceAt } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, ordersOf } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { platformOf } from './venue-money.ts';

/** Take-profit and stop-loss that OKX and Bybit make of an order on a contract, and the hub killed meanwhile. */

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

/** While the order fills and its legs are made, and while one of them fires. */
const POINTS = {
  filled: [
    'after-hold',
    'after-send',
    'after-answer',
    'before-post',
    'after-post',
    'before-legs',
    'after-legs',
  ],
  fired: ['before-child', 'after-child', 'before-post', 'after-post'],
} as const;
type Step = keyof typeof POINTS;
/** Every point in the full tier; before, one row at each venue. */
const ORDINARY: Readonly<Record<string, string>> = { OKX: 'filled before-legs', Bybit: 'fired before-child' };

// Each venue has processes of its own, so that its rows wait beside those of the other.
describe.concurrent.each(CONTRACT_VENUES.filter(({ name }) => ORDINARY[name] !== undefined))(
  'an order whose legs $name makes',
  (venue) => {
    const pointsOf = <Name extends Step>(step: Name): readonly (typeof POINTS)[Name][number][] =>
      POINTS[step].filter((point) => FULL || ORDINARY[venue.name] === `${step} ${point}`);
    describe('whose hub is killed', { concurrent: false }, () => claimCrashes(venue, pointsOf));
  },
);

function claimCrashes(
  venue: ContractVenue,
  pointsOf: <Name extends Step>(step: Name) => readonly (typeof POINTS)[Name][number][],
): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

  const parts = () => ({ hub, simulator });
  const { platformType, symbol, size } = venue;
  const { slug } = platformFacts(platformOf(venue));
  const price = (factor: string) => priceAt(simulator, venue, { factor, market: 'perps' });
  const shock = (factor: number) =>
    simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor });

  /** An order with both targets, as its member asks for it. */
  async function bracket(member: TestBrowser) {
    const order = await orderAsSeen(member, venue, { clientId: crypto.randomUUID() });
    return { ...order, takeProfit: await price('1.2'), stopLoss: await price('0.99') };
  }

  /** Legs that cover the order on both sides wait, all of them its own; the position says that it is protected. */
  async function expectProtected(member: TestBrowser, orderId: string): Promise<void> {
    const rows = await until(
      () => algosOf(member),
      (found) =>
        found.length > 0 &&
        found.every(({ state }) => state === 'waiting') &&
        ['take-profit', 'stop'].every((kind) => coverOf(found, kind) === size),
    );
    expect([...new Set(rows.map(({ parentOrderId }) => parentOrderId))]).toEqual([orderId]);
    const open = await until(
      async () => (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [],
      (positions) => positions.length === 1 && positions[0]?.unprotected !== true,
    );
    expect(open).toHaveLength(1);
  }

  /** The stop has closed the position, once; the other leg is gone, and so is everything held. */
  async function expectClosedByItsStop(member: TestBrowser): Promise<void> {
    const rows = await until(
      () => algosOf(member),
      (found) => found.every(({ state }) => state === 'fired' || state === 'cancelled'),
    );
    expect(rows.filter(({ state }) => state === 'fired')).toHaveLength(1);
    expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    // Settled: the next process that is killed while it books has nothing else to book.
    const orders = await until(
      () => ordersOf(member, venue),
      (found) => found.every(({ settled }) => settled),
    );
    expect(orders.map(({ side, status, cumQuantity }) => [side, status, cumQuantity])).toEqual([
      [2, 4, size],
      [1, 4, size],
    ]);
  }

  test.each(pointsOf('filled'))('%s of its fill: what it filled has its legs, once', async (point) => {
    const member = await memberWithMargin(parts(), venue, '2000');
    const order = await bracket(member);
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    // Legs are made known after the answer: it may come before the end.
    await member.call('connextrade/PlaceOrder', order).catch(() => undefined);
    await expectKilled(hub);
    await hub.again();
    const [row] = await until(
      () => ordersOf(member, venue),
      ([found]) => found?.settled === true,
    );
    if (row?.status !== 4) {
      expect(['after-hold', 'after-send']).toContain(point);
      expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
      expect(await algosOf(member)).toEqual([]);
      return;
    }
    await expectProtected(member, order.clientId ?? '');
    const again = await member.call('connextrade/PlaceOrder', order);
    expect(again, again.msg).toMatchObject({ code: 1, data: { orderId: order.clientId } });
    expect(await expectBooksEqual(parts(), member, venue)).toHaveLength(1);
    await shock(0.98);
    await expectClosedByItsStop(member);
  });

  test.each(pointsOf('fired'))('%s of a leg that fires: the position is closed, once', async (point) => {
    const member = await memberWithMargin(parts(), venue, '2000');
    const order = await bracket(member);
    expect(await member.call('connextrade/PlaceOrder', order)).toMatchObject({ code: 1 });
    await expectProtected(member, order.clientId ?? '');
    // What was bought may be proved final later than its legs: then the start would book that, and die of it.
    await until(
      () => ordersOf(member, venue),
      ([bought]) => bought?.settled === true,
    );
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    await shock(0.98);
    await expectKilled(hub);
    await hub.again();
    await expectClosedByItsStop(member);
  });
}

/** How much the legs of one side of a bracket close; a pair of legs is of both sides. */
function coverOf(
  rows: readonly { readonly algoType: string; readonly quantity: string | null }[],
  kind: string,
): string {
  return formatAmount(
    rows
      .filter(({ algoType }) => algoType === kind || algoType === 'oco')
      .reduce((sum, { quantity }) => plus(sum, amount(quantity ?? '0')), ZERO),
  );
}
