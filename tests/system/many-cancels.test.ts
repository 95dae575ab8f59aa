import type { CallInput, CallResponse } from '@crossbook/contract';
import { platformFacts, platformOfType } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { priceAt } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen } from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf } from './venue-money.ts';

/** Sixty orders of one market that are cancelled by one press, at each exchange, through the calls that a member makes. */

// Exchanges take so many orders a second; on a busy machine several times as long.
vi.setConfig({ testTimeout: 300_000 });

const SIXTY = 60;

/** Markets, and how the simulator calls the call that cancels several, for faults. */
const MARKETS = [
  { platformType: 43, market: 'spot' },
  { platformType: 43, market: 'perps', batch: 'fapi.orders.cancel' },
  { platformType: 41, market: 'spot', batch: 'order.cancel.batch' },
  { platformType: 41, market: 'perps', batch: 'order.cancel.batch' },
  { platformType: 42, market: 'spot', batch: 'order.cancel-batch' },
  { platformType: 42, market: 'perps', batch: 'order.cancel-batch' },
] as const;
type Market = (typeof MARKETS)[number];

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

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

/** Buys below the market, one ladder after the other. */
async function placeSixty(member: TestBrowser, of: Market): Promise<void> {
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
  const scaled = { ...seen, side: 1, from, to, count: 20, skew: 0, quantity, timeInForce: 1 };
  // What an exchange takes no more of in this second is asked for again.
  await until(
    async () => {
      const clientId = crypto.randomUUID();
      await member.call('x/trade/PlaceScaled', { ...scaled, clientId } as CallInput<'x/trade/PlaceScaled'>);
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
  const parts = { hub, simulator };
  if (of.market === 'spot') await expectEveryUnitInItsPlace(parts, member, of);
  else expect(await expectBooksEqual(parts, member, contractsOf(of))).toEqual([]);
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
    test('an answer that is lost leaves nothing resting and nothing held', async () => {
      const member = await memberAt(of);
      await placeSixty(member, of);
      await simulator.admin('faults', { kind: 'reset-after', match: of.batch, count: 1 });
      const { data: rows } = await member.call('connextrade/CancelAll', { platformType });
      expect(rows?.some(({ outcome }) => outcome === 'pending')).toBe(true);
      expect(await simulator.armedFaults()).toBe(0);
      await expectCleared(member, of);
    });
});
