import type { CallInput } from '@crossbook/contract';
import { amount, formatAmount, lesser, minus, platformFacts, plus, ZERO } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, priceAt, shocked } from './algo-rows.ts';
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
/** What the order brings along: a target and a stop, two targets and a stop, or a trailing stop. */
type Brings = 'a target' | 'several targets' | 'a trailing stop';
/** Every point in the full tier; before, one row of each kind at each venue. */
const ORDINARY: Readonly<Record<string, Readonly<Partial<Record<Brings, string>>>>> = {
  OKX: {
    'a target': 'filled before-legs',
    'several targets': 'fired before-child',
    'a trailing stop': 'filled after-legs',
  },
  Bybit: { 'a target': 'fired before-child' },
};

// Each venue has processes of its own, so that its rows wait beside those of the other.
describe.concurrent.each(CONTRACT_VENUES.filter(({ name }) => ORDINARY[name] !== undefined))(
  'an order whose legs $name makes',
  (venue) => {
    const played = playedHub({ PLATFORM_3: 'live' });
    const kinds = Object.entries(ORDINARY[venue.name] ?? {}) as [Brings, string][];
    describe.each(kinds)('of %s', { concurrent: false }, (brings, ordinary) => {
      const pointsOf = <Name extends Step>(step: Name): readonly (typeof POINTS)[Name][number][] =>
        POINTS[step].filter((point) => FULL || ordinary === `${step} ${point}`);
      claimCrashes(played, { venue, brings, pointsOf });
    });
  },
);

/** Parts of the two contracts of an order with several targets. */
const [FIRST, SECOND] = ['0.5', '1.5'];

function claimCrashes(
  { simulator, hub }: ReturnType<typeof playedHub>,
  {
    venue,
    brings,
    pointsOf,
  }: {
    readonly venue: ContractVenue;
    readonly brings: Brings;
    readonly pointsOf: <Name extends Step>(step: Name) => readonly (typeof POINTS)[Name][number][];
  },
): void {
  const parts = () => ({ hub, simulator });
  const { platformType, symbol, size } = venue;
  const { slug } = platformFacts(platformOf(venue));
  const price = (factor: string) => priceAt(simulator, venue, { factor, market: 'perps' });
  const shock = (factor: number) =>
    simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor });
  /** The market goes against the order, beyond its stop. */
  const falls = () => shock(brings === 'a target' ? 0.98 : 0.92);

  async function targets(): Promise<Partial<CallInput<'connextrade/PlaceOrder'>>> {
    if (brings === 'a trailing stop') return { trailingRatio: '0.03' };
    if (brings === 'a target') return { takeProfit: await price('1.2'), stopLoss: await price('0.99') };
    const takeProfits = [
      [await price('1.03'), FIRST],
      [await price('1.2'), SECOND],
    ];
    return { takeProfits: JSON.stringify(takeProfits), stopLoss: await price('0.97') };
  }

  /** An order with its targets, as its member asks for it. */
  async function bracket(member: TestBrowser) {
    const order = await orderAsSeen(member, venue, { clientId: crypto.randomUUID() });
    return { ...order, ...(await targets()) };
  }

  const sides = brings === 'a trailing stop' ? ['trailing'] : ['take-profit', 'stop'];

  /** Legs that cover the order on both sides wait, all of them its own; the position says that it is protected. */
  async function expectProtected(member: TestBrowser, orderId: string): Promise<void> {
    const rows = await until(
      () => algosOf(member),
      (found) =>
        found.length > 0 &&
        found.every(({ state }) => state === 'waiting') &&
        sides.every((kind) => coverOf(found, kind) === size),
    );
    expect([...new Set(rows.map(({ parentOrderId }) => parentOrderId))]).toEqual([orderId]);
    const open = await until(
      async () => (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [],
      (positions) => positions.length === 1 && positions[0]?.unprotected !== true,
    );
    expect(open).toHaveLength(1);
  }

  /** The stop has closed the position, once; the other leg is gone, and so is everything held. */
  async function expectClosedByItsStop(member: TestBrowser, before: readonly string[] = []): Promise<void> {
    const rows = await until(
      () => algosOf(member),
      (found) => found.every(({ state }) => state === 'fired' || state === 'cancelled'),
    );
    expect(rows.filter(({ state }) => state === 'fired')).toHaveLength(1 + before.length);
    expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    // Settled: the next process that is killed while it books has nothing else to book.
    const orders = await until(
      () => ordersOf(member, venue),
      (found) => found.every(({ settled }) => settled),
    );
    const rest = before.reduce((left, sold) => minus(left, amount(sold)), amount(size));
    expect(orders.map(({ side, status, cumQuantity }) => [side, status, cumQuantity])).toEqual([
      [2, 4, formatAmount(rest)],
      ...before.map((sold) => [2, 4, sold]),
      [1, 4, size],
    ]);
  }

  /** The first of two targets has closed its part; the other one waits, and the stop is for as much. */
  async function expectFirstClosed(member: TestBrowser): Promise<void> {
    const left = [`stop waiting ${SECOND}`, `take-profit fired ${FIRST}`, `take-profit waiting ${SECOND}`];
    await until(
      async () => (await algosOf(member)).map((row) => `${row.algoType} ${row.state} ${row.quantity}`).sort(),
      (found) => found.join() === left.join(),
    );
    expect(await expectBooksEqual(parts(), member, venue)).toHaveLength(1);
    // What the target sent is settled: the next process that is killed has nothing else to book.
    await until(
      () => ordersOf(member, venue),
      (found) => found.every(({ settled }) => settled),
    );
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
    await falls();
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
    await (brings === 'several targets' ? shock(1.06) : falls());
    await expectKilled(hub);
    await hub.again();
    if (brings !== 'several targets') return expectClosedByItsStop(member);
    await expectFirstClosed(member);
    await shock(0.88);
    await expectClosedByItsStop(member, [FIRST]);
  });

  test.each(brings === 'several targets' ? [brings] : [])(
    'while it is away an order with %s fills, then a target fires: each is known with the next start',
    async () => {
      const member = await memberWithMargin(parts(), venue, '2000');
      const goes = async (factor: number) => (await shocked(simulator, venue, { factor, market: 'perps' }))();
      const bid = { orderType: 1, price: await price('0.97') } as const;
      const pairs = [
        [await price('1.01'), FIRST],
        [await price('1.2'), SECOND],
      ];
      const order = {
        ...(await orderAsSeen(member, venue, { clientId: crypto.randomUUID() })),
        ...{ ...bid, takeProfits: JSON.stringify(pairs), stopLoss: await price('0.9') },
      };
      const placed = await member.call('connextrade/PlaceOrder', order);
      expect(placed, placed.msg).toMatchObject({ code: 1, data: { cumQuantity: '0' } });
      const change = { platformType, orderId: order.clientId ?? '' } as const;
      const larger = await member.call('connextrade/ReplaceOrder', { ...change, quantity: '3' });
      expect(larger).toMatchObject({
        code: 3014,
        msg: expect.stringContaining('cancel it and place another'),
      });
      const moved = await member.call('connextrade/ReplaceOrder', { ...change, price: await price('0.968') });
      expect(moved, moved.msg).toMatchObject({ code: 1, data: { outcome: 'amended' } });
      await hub.kill();
      await goes(0.95);
      await hub.again();
      await expectProtected(member, order.clientId ?? '');
      await hub.kill();
      await goes(1.09);
      await hub.again();
      await expectFirstClosed(member);
      await goes(0.85);
      await expectClosedByItsStop(member, [FIRST]);
    },
  );

  test.each(FULL && brings === 'several targets' ? [brings] : [])(
    'an order with %s that ends with a part filled: that part has pairs of the hub’s, each for its target',
    async () => {
      const member = await memberWithMargin(parts(), venue, '45000');
      /** One that takes what the market has near its price, and is over; again where that is nothing. */
      const takes = async () => {
        // Contracts of a hundredth of a coin for half a million: more than lies near the price, whose margin is there at any price.
        const count = Math.floor(50_000_000 / Number(await price('1')));
        const pairs = [
          [await price('1.1'), '1'],
          [await price('1.2'), `${count - 1}`],
        ];
        const order = {
          ...(await orderAsSeen(member, venue, { clientId: crypto.randomUUID() })),
          ...{ orderType: 1, timeInForce: 2, price: await price('1.0002'), quantity: `${count}` },
          ...{ takeProfits: JSON.stringify(pairs), stopLoss: await price('0.97') },
        } as const;
        const placed = await member.call('connextrade/PlaceOrder', order);
        expect(placed, placed.msg).toMatchObject({ code: 1 });
        const [over] = await until(
          () => ordersOf(member, venue),
          ([found]) => found?.settled === true,
        );
        return over;
      };
      const bought = await until(takes, (order) => order?.cumQuantity !== '0');
      const all = amount(bought?.cumQuantity ?? '0');
      const waiting = async () => (await algosOf(member)).filter(({ state }) => state === 'waiting');
      const stand = await until(
        waiting,
        (found) => sides.every((kind) => coverOf(found, kind) === formatAmount(all)),
        180_000,
      );
      // Where the market had all of it the exchange makes one stop.
      const first = lesser(all, amount('1'));
      const sizes = [first, minus(all, first)].filter((part) => part > 0n).map(formatAmount);
      const stops = bought?.status === 4 ? [formatAmount(all)] : sizes;
      const pairs = [...stops.map((part) => `stop ${part}`), ...sizes.map((part) => `take-profit ${part}`)];
      expect(stand.map(({ algoType, quantity }) => `${algoType} ${quantity}`).sort()).toEqual(pairs.sort());
      expect(new Set(stand.map(({ parentOrderId }) => parentOrderId))).toEqual(new Set([bought?.orderId]));
      await shock(0.94);
      await until(waiting, (found) => found.length === 0);
      expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    },
  );
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
