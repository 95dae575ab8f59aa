import { amount, formatAmount, minus, ORDER_STATUS, plus, ZERO } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import { playedHub } from '../played-hub.ts';
import { type HubProcess, ordersOf, until } from './hub-process.ts';
import {
  expectEveryUnitInItsPlace,
  expectFundingInCustody,
  lockedOf,
  RECEIPT_VENUES,
  settled,
} from './venue-money.ts';

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

const parts = () => ({ hub, simulator });

describe.each(RECEIPT_VENUES)('orders at $name and their money', (venue) => {
  const { platformType, symbol, calls } = venue;
  const BUY = { platformType, tinstType: 1, symbol, side: 1 } as const;
  const RESTING = { ...BUY, orderType: 1, price: '50000', quantity: '0.0004' } as const;
  const MARKET = { ...BUY, orderType: 2, quoteQuantity: '250' } as const;
  const balanceOf = async (member: Awaited<ReturnType<HubProcess['memberWithFunds']>>) =>
    (await member.call('connexfunding/tradingbalance', { platformType })).data ?? [];

  test('a market buy by amount fills, settles and leaves nothing held', async () => {
    const member = await hub.memberWithFunds('10000', platformType);
    expect(await member.call('connextrade/PlaceOrder', MARKET)).toMatchObject({ code: 1 });
    expect(await settled(member, venue)).toMatchObject([{ status: ORDER_STATUS.FILLED }]);
    const { data: fills } = await member.call('x/trade/Fills', { platformType });
    const spent = (fills?.rows ?? []).reduce((sum, row) => plus(sum, amount(row.quoteQuantity)), ZERO);
    expect(spent > ZERO && spent <= amount('250')).toBe(true);
    const usdt = (await balanceOf(member)).find((row) => row.asset === 'USDT');
    expect(usdt?.total).toBe(formatAmount(minus(amount('10000'), spent)));
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('a market buy by quantity is bounded and gives back what it did not need; all of it can be sold', async () => {
    const member = await hub.memberWithFunds('10000', platformType);
    await member.call('connextrade/PlaceOrder', { ...BUY, orderType: 2, quantity: '0.01' });
    expect(await settled(member, venue)).toMatchObject([
      { status: ORDER_STATUS.FILLED, cumQuantity: '0.01' },
    ]);
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    await member.call('connextrade/PlaceOrder', { ...BUY, side: 2, orderType: 2, quantity: '0.009' });
    expect(await settled(member, venue)).toMatchObject([
      { status: ORDER_STATUS.FILLED, cumQuantity: '0.009' },
      {},
    ]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('a limit order that meets the book is filled by what the venue tells later', async () => {
    const member = await hub.memberWithFunds('10000', platformType);
    const request = { ...BUY, orderType: 1, timeInForce: 2, quantity: '0.002' } as const;
    const bought = await member.call('connextrade/PlaceOrder', { ...BUY, orderType: 2, quantity: '0.002' });
    await settled(member, venue);
    const { data: fills } = await member.call('x/trade/Fills', {
      platformType,
      orderId: bought.data?.orderId ?? '',
    });
    const paid = Number(fills?.rows[0]?.price);
    const price = String(Math.round(paid * 1.005));
    await member.call('connextrade/PlaceOrder', { ...request, price });
    expect(await settled(member, venue)).toMatchObject([
      { status: ORDER_STATUS.FILLED, cumQuantity: '0.002' },
      {},
    ]);
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
    const over = { ...request, timeInForce: 4, price } as const;
    // Post-only and over the book: the venue takes it and ends it at once.
    expect(await member.call('connextrade/PlaceOrder', over)).toMatchObject({ code: 1 });
    expect((await settled(member, venue))[0]).toMatchObject({
      status: ORDER_STATUS.CANCELLED,
      cumQuantity: '0',
    });
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('a resting order holds its price times quantity until it is cancelled', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const placed = await member.call('connextrade/PlaceOrder', RESTING);
    expect(placed).toMatchObject({ code: 1, data: { status: ORDER_STATUS.OPEN } });
    expect(await lockedOf(member, venue)).toEqual(['20 USDT']);
    const { data: open } = await member.call('connextrade/CurOrderList', { platformType });
    expect(open?.map((row) => row.orderId)).toEqual([placed.data?.orderId]);
    const orderId = placed.data?.orderId ?? '';
    expect(await member.call('connextrade/CancelOrder', { platformType, orderId })).toMatchObject({
      code: 1,
    });
    const [row] = await settled(member, venue);
    expect(row).toMatchObject({ status: ORDER_STATUS.CANCELLED, cumQuantity: '0' });
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('too small an order, and one beyond the balance, are refused with nothing held', async () => {
    const member = await hub.memberWithFunds('100', platformType);
    const small = await member.call('connextrade/PlaceOrder', { ...RESTING, quantity: '0.0000001' });
    expect(small.code).not.toBe(1);
    const large = await member.call('connextrade/PlaceOrder', { ...RESTING, quantity: '0.01' });
    expect(large.code).toBe(3010);
    expect(await lockedOf(member, venue)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('the same clientId places one order, however often and however parallel it is sent', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const clientId = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => member.call('connextrade/PlaceOrder', { ...RESTING, clientId })),
    );
    expect(new Set(answers.map((answer) => answer.data?.orderId))).toEqual(new Set([clientId]));
    expect(await ordersOf(member, platformType)).toHaveLength(1);
    expect(await lockedOf(member, venue)).toEqual(['20 USDT']);
    const changed = await member.call('connextrade/PlaceOrder', { ...RESTING, price: '50001', clientId });
    expect(changed.code).toBe(3013);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('funds go there and come back; a lost answer is found again and nothing moves twice', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const request = { platformType, asset: 'USDT' } as const;
    const move = async (direction: 1 | 2, sum: string) => {
      await simulator.admin('faults', { kind: 'reset-after', match: calls.transfer, count: 1 });
      const clientId = crypto.randomUUID();
      const moved = await member.call('connexfunding/UniversalTransfer', {
        ...request,
        clientId,
        direction,
        amount: sum,
      });
      expect(moved.code).toBe(1);
      expect(await simulator.armedFaults()).toBe(0);
      await until(
        async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
        (rows) => rows.every((row) => row.state === 'done'),
      );
    };
    await move(1, '500.5');
    await move(2, '1200.25');
    const { data: funding } = await member.call('connexfunding/fundingbalance', {});
    expect(funding).toMatchObject([{ asset: 'USDT', total: '49699.75', locked: '0' }]);
    expect(await balanceOf(member)).toMatchObject([{ asset: 'USDT', total: '300.25' }]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });

  test('transfers at the same moment do not take each other’s funds', async () => {
    const member = await hub.memberWithFunds('1000', platformType);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        member.call('connexfunding/UniversalTransfer', {
          ...{ platformType, direction: at % 2 === 0 ? 1 : 2, asset: 'USDT' },
          amount: at % 2 === 0 ? '10000' : '100',
        }),
      ),
    );
    expect(answers.map((answer) => answer.code)).toEqual(answers.map(() => 1));
    const rows = await until(
      async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
      (found) => found.every((row) => row.state === 'done' || row.state === 'refused'),
    );
    expect(rows.filter((row) => row.state !== 'done')).toEqual([]);
    expect(await balanceOf(member)).toMatchObject([{ asset: 'USDT', total: '40600' }]);
    await expectEveryUnitInItsPlace(parts(), member, venue);
  });
});

test('what is in funding wallets lies in the operator’s account at the first venue, to the unit', () =>
  expectFundingInCustody(parts()));

describe('a platform that is coming soon', () => {
  const venue = { platformType: 42 } as const;
  const BUY = { platformType: 42, tinstType: 1, symbol: 'BTCUSDT', side: 1 } as const;
  const RESTING = { ...BUY, orderType: 1, price: '50000', quantity: '0.0004' } as const;

  test('takes no order and no funds; what is there can be read, cancelled and taken out', async () => {
    const member = await hub.memberWithFunds('1000', 42);
    const placed = await member.call('connextrade/PlaceOrder', RESTING);
    const orderId = placed.data?.orderId ?? '';
    await hub.kill();
    await hub.again({ PLATFORM_3: 'coming-soon' });
    const refused = await member.call('connextrade/PlaceOrder', RESTING);
    expect(refused).toMatchObject({ data: null, msg: expect.stringContaining('Bybit') });
    const transfer = { platformType: 42, asset: 'USDT', amount: '10' } as const;
    expect(await member.call('connexfunding/UniversalTransfer', { ...transfer, direction: 1 })).toMatchObject(
      { code: 4006, msg: expect.stringContaining('Bybit') },
    );
    expect(await member.call('x/paper/TestFunds', { platformType: 42, tradingAmount: '10' })).toMatchObject({
      code: 4006,
    });
    expect(await lockedOf(member, venue)).toEqual(['20 USDT']);
    expect(await member.call('connextrade/CancelOrder', { platformType: 42, orderId })).toMatchObject({
      code: 1,
    });
    await settled(member, venue);
    expect(await member.call('connexfunding/UniversalTransfer', { ...transfer, direction: 2 })).toMatchObject(
      { code: 1, data: { state: 'done' } },
    );
    await expectEveryUnitInItsPlace(parts(), member, venue);
    await hub.kill();
    await hub.again();
  });
});
