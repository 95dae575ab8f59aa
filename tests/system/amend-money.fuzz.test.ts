import { amount, floorTo, formatAmount, mulDown } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import {
  ordersOf as contractOrdersOf,
  expectBooksEqual,
  memberWithMargin,
  orderAsSeen,
} from './contract-books.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { type OrderRow, ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, RECEIPT_VENUES } from './venue-money.ts';

/** Orders that rest are changed at three venues, from the member's call to the venue's books, in real processes. */

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

const parts = () => ({ hub, simulator });
type Platform = 41 | 42 | 43;

async function replace(
  member: TestBrowser,
  platformType: Platform,
  part: { orderId: string; price?: string; quantity?: string },
) {
  return member.call('connextrade/ReplaceOrder', { platformType, ...part });
}

/** The order once nothing about it is open: its change is not pending any more, by its row. */
async function termsOf(member: TestBrowser, platformType: Platform, orderId: string, wanted: string) {
  return until(
    async () => (await ordersOf(member, platformType)).find((row) => row.orderId === orderId) as OrderRow,
    ({ price }) => price === wanted,
  );
}

/** What a change of a pair may meet, and whether it is carried out at the venue. */
const LOST = [
  ['timeout-after', true],
  ['silence-after', true],
  ['reset-before', false],
] as const;
const DEATHS = FULL ? (['after-hold', 'after-send', 'after-answer'] as const) : (['after-send'] as const);

describe.each(FULL ? RECEIPT_VENUES : RECEIPT_VENUES.slice(0, 1))('an order on a pair at $name', (venue) => {
  const { platformType, symbol } = venue;
  const resting = async (member: TestBrowser) => {
    const order = { platformType, tinstType: 1, symbol, side: 1, orderType: 1 } as const;
    const placed = await member.call('connextrade/PlaceOrder', {
      ...order,
      price: '50000',
      quantity: '0.001',
    });
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { status: 2 } });
    return placed.data?.orderId ?? '';
  };
  const gone = async (member: TestBrowser, orderId: string) => {
    const cancelled = await member.call('connextrade/CancelOrder', { platformType, orderId });
    expect(cancelled, cancelled.msg).toMatchObject({ code: 1 });
    await until(
      () => lockedOf(member, venue),
      (locked) => locked.length === 0,
    );
    await expectEveryUnitInItsPlace(parts(), member, venue);
  };

  test('is changed under its id; the hold follows, and the cancelled one leaves nothing', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const orderId = await resting(member);
    const more = await replace(member, platformType, { orderId, price: '52000', quantity: '0.002' });
    expect(more, more.msg).toMatchObject({
      code: 1,
      data: { outcome: 'amended', order: { orderId, price: '52000', quantity: '0.002' } },
    });
    expect(await lockedOf(member, venue)).toEqual(['104 USDT']);
    const less = await replace(member, platformType, { orderId, quantity: '0.001' });
    expect(less, less.msg).toMatchObject({ code: 1, data: { outcome: 'amended' } });
    expect(await lockedOf(member, venue)).toEqual(['52 USDT']);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    const off = await replace(member, platformType, { orderId, price: '52000.001' });
    expect(off.code).not.toBe(1);
    const dear = await replace(member, platformType, { orderId, quantity: '0.5' });
    expect(dear).toMatchObject({ code: 3010 });
    await gone(member, orderId);
  });

  test.each(FULL ? LOST : LOST.slice(0, 1))(
    'whose change meets %s has the terms that the venue shows',
    async (kind, done) => {
      const member = await hub.memberWithFunds('1000', platformType);
      const orderId = await resting(member);
      await simulator.admin('faults', { kind, match: 'order.amend', count: 1 });
      const asked = await replace(member, platformType, { orderId, price: '51000' });
      expect(asked, asked.msg).toMatchObject({ code: 1, data: { outcome: 'pending', order: { orderId } } });
      expect(await lockedOf(member, venue)).toEqual(['51 USDT']);
      await termsOf(member, platformType, orderId, done ? '51000' : '50000');
      await until(
        () => lockedOf(member, venue),
        ([locked]) => locked === (done ? '51 USDT' : '50 USDT'),
      );
      await gone(member, orderId);
    },
  );

  test.each(DEATHS)(
    'whose hub is killed %s of a change is what the venue shows, and nothing is sent again',
    async (point) => {
      const member = await hub.memberWithFunds('1000', platformType);
      const orderId = await resting(member);
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      await expect(replace(member, platformType, { orderId, price: '51000' })).rejects.toThrow();
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
      // Sent or not: the hold is that of the terms that the venue proves.
      const [locked] = await until(
        async () => {
          const [held] = await lockedOf(member, venue);
          const row = (await ordersOf(member, platformType)).find((one) => one.orderId === orderId);
          return [held, row?.price === '51000' ? '51 USDT' : '50 USDT'] as const;
        },
        ([held, due]) => held === due,
      );
      expect(point === 'after-hold' ? ['50 USDT'] : ['50 USDT', '51 USDT']).toContain(locked);
      await gone(member, orderId);
    },
  );
});

describe.each(FULL ? CONTRACT_VENUES : CONTRACT_VENUES.slice(0, 1))(
  'an order on a contract at $name',
  (venue) => {
    const { platformType, symbol } = venue;
    const PATHS = {
      43: `/fapi/v1/ticker/price?symbol=${symbol}`,
      41: `/api/v5/market/ticker?instId=${symbol}`,
      42: `/v5/market/tickers?category=linear&symbol=${symbol}`,
    } as const;
    const below = async (factor: string): Promise<string> => {
      const text = await (await fetch(`${simulator.url}${PATHS[platformType]}`)).text();
      const price = /"(?:price|last|lastPrice)":"([0-9.]+)"/.exec(text)?.[1] ?? '0';
      const whole = price.includes('.') ? price.replace(/\.?0+$/, '') : price;
      return formatAmount(floorTo(mulDown(amount(whole), amount(factor)), amount('1')));
    };
    const orderOf = async (member: TestBrowser, orderId: string) =>
      (await contractOrdersOf(member, venue)).find((row) => row.orderId === orderId);

    test.each([
      undefined,
      ...(FULL ? (['timeout-after', 'reset-before'] as const) : (['timeout-after'] as const)),
    ])('is changed under its id though the answer meets %s, and leaves nothing held', async (kind) => {
      const member = await memberWithMargin(parts(), venue, '2000');
      const [low, lower] = [await below('0.9'), await below('0.88')];
      const asked = await orderAsSeen(member, venue, { orderType: 1, price: low });
      const placed = await member.call('connextrade/PlaceOrder', asked);
      expect(placed, placed.msg).toMatchObject({ code: 1 });
      const orderId = placed.data?.orderId ?? '';
      await until(
        () => orderOf(member, orderId),
        (row) => row?.status === 2,
      );
      if (kind !== undefined) await simulator.admin('faults', { kind, match: venue.calls.amend, count: 1 });
      const changed = await replace(member, platformType, { orderId, price: lower });
      expect(changed, changed.msg).toMatchObject({
        code: 1,
        data: { outcome: kind === undefined ? 'amended' : 'pending', order: { orderId } },
      });
      const row = await until(
        () => orderOf(member, orderId),
        (found) => found?.price === (kind === 'reset-before' ? low : lower),
      );
      expect(row).toMatchObject({ orderId, status: 2 });
      const cancelled = await member.call('connextrade/CancelOrder', { platformType, orderId });
      expect(cancelled, cancelled.msg).toMatchObject({ code: 1 });
      await until(
        () => lockedOf(member, venue),
        (locked) => locked.length === 0,
      );
      await expectBooksEqual(parts(), member, venue);
      expect(await contractOrdersOf(member, venue)).toHaveLength(1);
    });
  },
);

test('an order on a pair at Binance, which changes none, is cancelled and placed anew, and the answer says so', async () => {
  const member = await hub.memberWithFunds('1000');
  const order = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1 } as const;
  const placed = await member.call('connextrade/PlaceOrder', { ...order, price: '50000', quantity: '0.001' });
  const orderId = placed.data?.orderId ?? '';
  const clientId = crypto.randomUUID();
  const changed = await member.call('connextrade/ReplaceOrder', {
    platformType: 43,
    orderId,
    price: '51000',
    clientId,
  });
  expect(changed, changed.msg).toMatchObject({
    code: 1,
    data: { outcome: 'replaced', order: { orderId: clientId, price: '51000', status: 2 } },
  });
  expect(await lockedOf(member, { platformType: 43 })).toEqual(['51 USDT']);
  await expectEveryUnitInItsPlace(parts(), member, { platformType: 43 });
});
