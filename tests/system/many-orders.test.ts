import type { CallInput, CallResponse } from '@crossbook/contract';
import { ORDER_STATUS, platformFacts, platformOfType } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL, MATRIX } from '../property-runs.ts';
import { expectKilled, priceAt } from './algo-rows.ts';
import {
  ordersOf as contractOrdersOf,
  expectBooksEqual,
  memberWithMargin,
  orderAsSeen,
} from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf } from './venue-money.ts';

/** Many orders of one market that are placed and cancelled by one press, at each exchange, through the calls that a member makes. */

// Exchanges take so many orders a second; on a busy machine several times as long.
vi.setConfig({ testTimeout: 300_000 });

const SIXTY = 60;

const BINANCE = { place: 'fapi.orders.place', cancel: 'fapi.orders.cancel' } as const;
const OKX = { place: 'order.place.batch', cancel: 'order.cancel.batch' } as const;
const BYBIT = { place: 'order.create-batch', cancel: 'order.cancel-batch' } as const;

/** Markets, and how the simulator calls the calls that place and cancel several, for faults. */
const MARKETS = [
  { platformType: 43, market: 'spot' },
  { platformType: 43, market: 'perps', batch: BINANCE },
  { platformType: 41, market: 'spot', batch: OKX },
  { platformType: 41, market: 'perps', batch: OKX },
  { platformType: 42, market: 'spot', batch: BYBIT },
  { platformType: 42, market: 'perps', batch: BYBIT },
] as const;
type Market = (typeof MARKETS)[number];

/** Orders of a ladder. */
const TWENTY = 20;
/** Where a process is killed that places a ladder: between two holds, with all of a call held, on its way, answered. */
const POINTS = ['after-hold', 'before-send', 'after-send', 'after-answer'] as const;
/**
 * At a market that has a call for several: the campaign kills at every point. The full tier does at one exchange, and at the
 * others at each point in one of their markets or two, in turn; `npm test` has one row.
 */
const KILLED = MARKETS.filter((of) => 'batch' in of).flatMap((of, at) =>
  POINTS.filter((point, turn) => {
    if (MATRIX || (FULL && of.platformType === 43)) return true;
    return FULL ? at % 2 === turn % 2 : of.platformType === 43 && point === 'after-send';
  }).map((point) => ({ ...of, point })),
);
/** Answers that are lost: to what was carried out, and to what was not. */
const LOST = FULL ? (['reset-after', 'timeout-before'] as const) : (['reset-after'] as const);

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
const parts = () => ({ hub, simulator });

/** So many requests have been let through to the exchange. */
async function asked(platformType: 43 | 41 | 42): Promise<number> {
  const { slug } = platformFacts(platformOfType(platformType)?.platform ?? 1);
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  const [, value] = new RegExp(`venue="${slug}",stat="granted"\\} (\\d+)`).exec(text) ?? [];
  return Number(value);
}

const contractsOf = ({ platformType }: Market) => {
  const found = CONTRACT_VENUES.find((venue) => venue.platformType === platformType);
  if (found === undefined) throw new Error('no such venue');
  return found;
};
const placeOf = (of: Market) => ({
  platformType: of.platformType,
  symbol: of.market === 'perps' ? contractsOf(of).symbol : of.platformType === 41 ? 'BTC-USDT' : 'BTCUSDT',
});

function memberAt(of: Market): Promise<TestBrowser> {
  const { platformType, market } = of;
  return market === 'spot'
    ? hub.memberWithFunds('20000', platformType)
    : memberWithMargin({ hub }, contractsOf(of), '20000');
}

/** Twenty buys below the market, without the id of their request. */
async function ladder(
  member: TestBrowser,
  of: Market,
): Promise<Omit<CallInput<'x/trade/PlaceScaled'>, 'clientId'>> {
  const { market } = of;
  const place = placeOf(of);
  const [from, to] = await Promise.all(
    ['0.97', '0.93'].map((factor) => priceAt(simulator, place, { factor, market })),
  );
  const { orderType: _type, ...seen } =
    market === 'spot'
      ? { ...place, tinstType: 1 as const, orderType: 1 }
      : await orderAsSeen(member, contractsOf(of), {});
  const quantity = market === 'spot' ? '0.02' : of.platformType === 41 ? '2' : '0.04';
  const scaled = { ...seen, side: 1, from, to, count: TWENTY, skew: 0, quantity, timeInForce: 1 };
  return scaled as Awaited<ReturnType<typeof ladder>>;
}

/** Buys below the market, one ladder after the other. */
async function placeSixty(member: TestBrowser, of: Market): Promise<void> {
  const scaled = await ladder(member, of);
  // What an exchange takes no more of in this second is asked for again.
  await until(
    async () => {
      const clientId = crypto.randomUUID();
      await member.call('x/trade/PlaceScaled', { ...scaled, clientId });
      return openOf(member, of);
    },
    (rows) => rows.length >= SIXTY,
  );
}

/** Time ran out before there was room for it, here or at the exchange: it is left to another press. */
const foundNoRoom = ({ reason, venueCode }: CallResponse<'connextrade/CancelAll'>[number]) =>
  reason?.startsWith('We may not ask this exchange more at the moment.') ||
  ['-1015', '50011', '50061', '10006'].includes(venueCode ?? '');

const openOf = async (member: TestBrowser, { platformType, market }: Market) =>
  (await member.call('connextrade/CurOrderList', { platformType, tinstType: market === 'spot' ? 1 : 2 }))
    .data ?? [];

type Ladder = CallInput<'x/trade/PlaceScaled'>;

/** What became of each order of a ladder, once the market's prices are heard. */
async function placedBy(member: TestBrowser, asked: Ladder) {
  const { data } = await until(
    () => member.call('x/trade/PlaceScaled', asked),
    (answer) => answer.data !== null,
  );
  return data ?? [];
}

/** The member's orders once there are so many and it is known of each that it rests or is over. */
const proved = (member: TestBrowser, of: Market, orders: number) =>
  until(
    async () =>
      of.market === 'spot' ? ordersOf(member, of.platformType) : contractOrdersOf(member, contractsOf(of)),
    (rows) =>
      rows.length === orders && rows.every(({ status, settled }) => settled || status === ORDER_STATUS.OPEN),
  );

/** The same request again sends what is missing, and no order twice; then all of it ends. */
async function expectCompleted(member: TestBrowser, of: Market, asked: Ladder): Promise<void> {
  const rows = await until(
    () => placedBy(member, asked),
    (found) => found.every(({ order, outcome }) => order !== null && outcome !== 'unknown'),
  );
  const known = await proved(member, of, TWENTY);
  const resting = rows.filter(({ outcome }) => outcome === 'placed');
  expect(known.filter(({ status }) => status === ORDER_STATUS.OPEN)).toHaveLength(resting.length);
  await expectCleared(member, of);
}

/** Nothing rests or is held any more, and the books of hub and exchange are alike. */
async function expectCleared(member: TestBrowser, of: Market): Promise<void> {
  await until(
    async () => {
      const rows = await openOf(member, of);
      // What found no room on a busy machine is left to another press.
      if (rows.some(({ cancelPending }) => !cancelPending)) await member.call('connextrade/CancelAll', {});
      return rows;
    },
    (rows) => rows.length === 0,
  );
  // What has ended is booked a moment later.
  await until(
    () => lockedOf(member, of),
    (locked) => locked.length === 0,
  );
  if (of.market === 'perps') expect(await expectBooksEqual(parts(), member, contractsOf(of))).toEqual([]);
  else {
    await expectEveryUnitInItsPlace(parts(), member, of);
    const { platform = 1 } = platformOfType(of.platformType) ?? {};
    const there = await simulator.balancesOf(member.tid ?? 0, platform);
    expect([...there.values()].filter(({ locked }) => Number(locked) !== 0)).toEqual([]);
  }
}

describe.each(MARKETS)('$platformType, $market', { concurrent: false }, (of) => {
  const { platformType, market } = of;
  const size = venueProfile(platformOfType(platformType)?.platform ?? 1).trading.cancelsAtOnce;

  test('sixty orders end by one press, by few requests, while another member places and cancels', async () => {
    const [member, other] = [await memberAt(of), await hub.memberWithFunds('1000', platformType)];
    await placeSixty(member, of);
    const resting = (await openOf(member, of)).length;
    const place = {
      ...placeOf(MARKETS.find((one) => one.platformType === platformType) ?? of),
      tinstType: 1,
    } as const;
    const price = await priceAt(simulator, place, { factor: '0.95', market: 'spot' });
    const before = await asked(platformType);
    const pressing = member.call('connextrade/CancelAll', { platformType });
    const order = { ...place, side: 1, orderType: 1, timeInForce: 1, price, quantity: '0.001' } as const;
    const placed = await other.call('connextrade/PlaceOrder', order);
    expect(placed.code, placed.msg).toBe(1);
    const orderId = placed.data?.orderId ?? '';
    expect(await other.call('connextrade/CancelOrder', { platformType, orderId })).toMatchObject({ code: 1 });
    const { data: rows } = await pressing;
    const requests = (await asked(platformType)) - before;
    expect(rows?.filter((row) => row.outcome === 'refused' && !foundNoRoom(row))).toEqual([]);
    expect(rows).toHaveLength(resting);
    if (size[market === 'spot' ? 'SPOT' : 'SWAP'] > 1)
      expect(requests).toBeLessThan(resting * (platformType === 43 ? 1 : 1.5));
    await expectCleared(member, of);
  });

  if ('batch' in of)
    test.each(LOST)('a ladder of which one answer meets %s: each is proved, and once', async (kind) => {
      const member = await memberAt(of);
      const asked = { ...(await ladder(member, of)), clientId: crypto.randomUUID() };
      await simulator.admin('faults', { kind, match: of.batch.place, count: 1 });
      const rows = await placedBy(member, asked);
      expect(await simulator.armedFaults()).toBe(0);
      const unknown = rows.filter(({ outcome }) => outcome === 'unknown');
      expect(unknown.length).toBeGreaterThan(1);
      expect(rows.slice(unknown.length).every(({ order }) => order === null)).toBe(true);
      const known = await proved(member, of, unknown.length);
      const status = kind === 'reset-after' ? ORDER_STATUS.OPEN : ORDER_STATUS.FAIL;
      expect(known.map((row) => row.status)).toEqual(unknown.map(() => status));
      await expectCompleted(member, of, asked);
    });

  if ('batch' in of)
    test('an answer that is lost leaves nothing resting and nothing held', async () => {
      const member = await memberAt(of);
      await placeSixty(member, of);
      await simulator.admin('faults', { kind: 'reset-after', match: of.batch.cancel, count: 1 });
      const { data: rows } = await member.call('connextrade/CancelAll', { platformType });
      expect(rows?.some(({ outcome }) => outcome === 'pending')).toBe(true);
      expect(await simulator.armedFaults()).toBe(0);
      await expectCleared(member, of);
    });
});

test.each(KILLED)(
  'a hub that is killed $point of a ladder ($platformType, $market): each order is found, or proved absent, and once',
  async ({ point, ...of }) => {
    const member = await memberAt(of);
    const asked = { ...(await ladder(member, of)), clientId: crypto.randomUUID() };
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    // The next process may hear the market's prices a moment after it began.
    const ask = () => member.call('x/trade/PlaceScaled', asked).catch(() => undefined);
    await until(ask, (answer) => answer === undefined);
    await expectKilled(hub);
    await hub.again();
    const { placesAtOnce } = venueProfile(platformOfType(of.platformType)?.platform ?? 1).trading;
    const size = Math.min(10, placesAtOnce[of.market === 'spot' ? 'SPOT' : 'SWAP']);
    const rows = await proved(member, of, point === 'after-hold' ? 1 : size);
    const statuses = new Set(rows.map(({ status }) => status));
    if (point === 'after-hold' || point === 'before-send')
      expect(statuses).toEqual(new Set([ORDER_STATUS.FAIL]));
    if (point === 'after-answer') expect(statuses).toEqual(new Set([ORDER_STATUS.OPEN]));
    await expectCompleted(member, of, asked);
  },
);
