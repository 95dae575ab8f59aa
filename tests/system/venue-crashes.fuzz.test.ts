import { ORDER_STATUS } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { ordersOf, until } from './hub-process.ts';
import {
  expectEveryUnitInItsPlace,
  expectFundingInCustody,
  expectUnknownOutcomesProved,
  lockedOf,
  RECEIPT_VENUES,
  settled,
} from './venue-money.ts';

const POINTS = [
  'before-hold',
  'after-hold',
  'after-send',
  'after-answer',
  'before-post',
  'after-post',
] as const;
/** All of them at both venues in the full tier, before it one at OKX; Binance has its own in `order-money.test.ts`. */
const TRIED = FULL ? POINTS : (['after-answer'] as const);
const VENUES = RECEIPT_VENUES.filter(({ name }) => FULL || name === 'OKX');
/** A request that was carried out and never answered, and, taking longer to prove, one that never arrived. */
const LOST_TRANSFERS = FULL ? (['silence-after', 'timeout-before'] as const) : (['silence-after'] as const);

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

const parts = () => ({ hub, simulator });

describe.each(VENUES)('a process killed while it trades at $name', (venue) => {
  const { platformType, symbol } = venue;
  const BUY = { platformType, tinstType: 1, symbol, side: 1 } as const;
  const MARKET = { ...BUY, orderType: 2, quoteQuantity: '250' } as const;
  const RESTING = { ...BUY, orderType: 1, price: '50000', quantity: '0.0004' } as const;

  test.each(TRIED)('%s: the next start finds every unit where it belongs', async (point) => {
    const member = await hub.memberWithFunds('1000', platformType);
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    const clientId = crypto.randomUUID();
    await expect(member.call('connextrade/PlaceOrder', { ...MARKET, clientId })).rejects.toThrow();
    expect(await hub.ended()).toBe('signal SIGKILL');
    await hub.again();
    if (point !== 'before-hold') {
      const [row] = await settled(member, venue);
      expect(row?.orderId).toBe(clientId);
      const expected =
        point === 'after-hold' ? [ORDER_STATUS.FAIL] : [ORDER_STATUS.FILLED, ORDER_STATUS.FAIL];
      expect(expected).toContain(row?.status);
    }
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    const replayed = await member.call('connextrade/PlaceOrder', { ...MARKET, clientId });
    expect(replayed, replayed.msg).toMatchObject({ code: 1, data: { orderId: clientId } });
    await settled(member, venue);
    expect(await ordersOf(member, platformType)).toHaveLength(1);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test.each(LOST_TRANSFERS)(
    'a transfer under way whose request meets %s: found or given back, and nothing moves twice',
    async (kind) => {
      const member = await hub.memberWithFunds('1000', platformType);
      await simulator.admin('faults', { kind, match: venue.calls.transfer, count: 1 });
      const clientId = crypto.randomUUID();
      const request = { platformType, direction: 1, asset: 'USDT', amount: '250.5', clientId } as const;
      const asked = member.call('connexfunding/UniversalTransfer', request).catch(() => undefined);
      await until(
        () => simulator.armedFaults(),
        (left) => left === 0,
      );
      await hub.kill();
      await asked;
      await hub.again();
      const [row] = await until(
        async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
        (rows) => rows.length === 2 && rows.every(({ state }) => state === 'done' || state === 'refused'),
        // OKX alone has to be waited out for three quarters of a minute before "not found" is a proof.
        200_000,
      );
      const moved = kind === 'silence-after';
      expect(row).toMatchObject({ transferId: clientId, state: moved ? 'done' : 'refused' });
      const again = await member.call('connexfunding/UniversalTransfer', request);
      expect(again).toMatchObject(
        moved ? { code: 1, data: { transferId: clientId, state: 'done' } } : { code: 4007, data: null },
      );
      const { data: funding } = await member.call('connexfunding/fundingbalance', {});
      expect(funding).toMatchObject([{ total: moved ? '48749.5' : '49000', locked: '0' }]);
      await expectEveryUnitInItsPlace(parts(), member, venue);
      await expectFundingInCustody(parts());
    },
  );

  // Binance shows it in `order-money.test.ts`.
  if (FULL)
    test('an unknown outcome of any kind is held until there is proof, and is never sent again', () =>
      expectUnknownOutcomesProved(parts(), venue, MARKET, venue.calls.place));

  test('the venue is killed and comes back: resting orders and balances are the same', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const { data } = await member.call('connextrade/PlaceOrder', RESTING);
    await simulator.kill();
    await simulator.again();
    const orderId = data?.orderId ?? '';
    await until(
      async () => await member.call('connextrade/CancelOrder', { platformType, orderId }),
      (answer) => answer.code === 1 || answer.code === 3012,
    );
    const [row] = await settled(member, venue);
    expect(row).toMatchObject({ status: ORDER_STATUS.CANCELLED });
    await expectEveryUnitInItsPlace(parts(), member, venue);
    await expectFundingInCustody(parts());
  });
});
