import type { CallInput } from '@crossbook/contract';
import { type Amount, amount, formatAmount, ORDER_STATUS, plus } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, priceAt, shocked } from './algo-rows.ts';
import { ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, platformOf, settled } from './venue-money.ts';

/**
 * A buy of a pair that goes out with its legs, as one list at Binance and for what it fills at OKX, and the hub away or killed
 * meanwhile.
 */

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const VENUES = [
  {
    name: 'Binance',
    platformType: 43,
    symbol: 'BTCUSDT',
    call: 'orderList.place.otoco',
    changed: 'replaced',
  },
  { name: 'OKX', platformType: 41, symbol: 'BTC-USDT', call: 'order.place', changed: 'amended' },
] as const;
const SIZE = '0.02';
/** What the legs sell at Binance: a thousandth is the largest fee. At OKX they sell all that has arrived. */
const SOLD = '0.01998';

const { simulator, hub } = playedHub();
const parts = () => ({ hub, simulator });

type Legs = 'stop' | 'oco';

describe.each(VENUES)('at $name', (VENUE) => {
  const { platformType } = VENUE;
  /** A bid so much of the price, with a stop below it and, of a pair, a target above. */
  async function bracket(legs: Legs, factor: string): Promise<CallInput<'connextrade/PlaceOrder'>> {
    const at = (wanted: string) => priceAt(simulator, VENUE, { factor: wanted, market: 'spot' });
    return {
      ...{ platformType, tinstType: 1, symbol: VENUE.symbol, side: 1, orderType: 1, quantity: SIZE },
      ...{ price: await at(factor), stopLoss: await at('0.9'), clientId: crypto.randomUUID() },
      ...(legs === 'oco' ? { takeProfit: await at('1.1') } : {}),
    };
  }

  let before: number;
  const now = async () => Number(await priceAt(simulator, VENUE, { factor: '1', market: 'spot' }));

  beforeEach(async () => {
    before = await now();
  });

  // Prices of orders are bounded by the average of minutes: each test leaves the market where it found it.
  afterEach(async () => {
    const factor = before / (await now());
    await (await shocked(simulator, VENUE, { factor, market: 'spot' }))();
  });

  /** A member whose bid rests. */
  async function bidder(legs: Legs) {
    const member = await hub.memberWithFunds('10000', platformType);
    const order = await bracket(legs, '0.96');
    const placed = await member.call('connextrade/PlaceOrder', order);
    expect(placed, placed.msg).toMatchObject({ code: 1, data: { status: ORDER_STATUS.OPEN } });
    expect(await algosOf(member)).toEqual([]);
    return {
      member,
      order,
      there: (factor: number) => shocked(simulator, VENUE, { factor, market: 'spot' }),
    };
  }

  /** What is left once a stop has sold: nothing held, every unit as the exchange has it, each order once. */
  async function expectSoldByItsStop(member: TestBrowser): Promise<void> {
    const [row] = await until(
      () => algosOf(member),
      ([found]) => found?.state === 'fired',
    );
    const sold = VENUE.name === 'Binance' ? SOLD : row?.quantity;
    expect(row).toMatchObject({ quantity: sold });
    const orders = await settled(member, VENUE);
    expect(orders.map(({ side, status, cumQuantity }) => [side, status, cumQuantity])).toEqual([
      [2, ORDER_STATUS.FILLED, sold],
      [1, ORDER_STATUS.FILLED, SIZE],
    ]);
    expect(await algosOf(member)).toHaveLength(1);
    expect(await lockedOf(member, VENUE)).toEqual([]);
    if (VENUE.name === 'OKX') expect(await coinsAtVenue(member)).toBe(0n);
    await expectEveryUnitInItsPlace(parts(), member, VENUE);
  }

  /** What the member has at the exchange, held or free. */
  async function coinsAtVenue(member: TestBrowser): Promise<Amount> {
    const { free, locked } = (await simulator.balancesOf(member.tid ?? 0, platformOf(VENUE))).get('BTC') ?? {
      free: '0',
      locked: '0',
    };
    return plus(amount(free), amount(locked));
  }

  /** Every point in the full tier; before, one row of the step that is new. */
  const POINTS = {
    placed: ['after-hold', 'after-send', 'after-answer'],
    cancelled: ['after-hold', 'after-send', 'after-answer', 'before-post', 'after-post'],
    filled: ['before-post', 'before-legs', 'after-legs', 'after-post'],
    fired: ['before-child', 'after-child', 'before-post', 'after-post'],
  } as const;
  const ORDINARY = 'filled before-legs';
  const pointsOf = <Name extends keyof typeof POINTS>(step: Name): readonly (typeof POINTS)[Name][number][] =>
    POINTS[step].filter((point) => FULL || ORDINARY === `${step} ${point}`);
  const killedAt = async (point: string) => {
    await hub.kill();
    await hub.again({ CRASH_AT: point });
  };

  describe('a hub that is away', () => {
    test.each(['stop', 'oco'] as const)(
      'while its bid fills wholly and the price crosses the stop: the exchange has sold by the %s, and the next start books it',
      async (legs) => {
        const { member, there } = await bidder(legs);
        await hub.kill();
        await (await there(0.94))();
        await (await there(0.92))();
        // Nobody here had a hand in it.
        await until(
          () => coinsAtVenue(member),
          (coins) => coins < amount('0.001'),
        );
        await hub.again();
        await expectSoldByItsStop(member);
      },
    );

    test.each(FULL ? (['stop', 'oco'] as const) : [])(
      'while its bid fills wholly: the %s stands, and its coins are held from the start on',
      async (legs) => {
        const { member, there } = await bidder(legs);
        await hub.kill();
        await (await there(0.94))();
        await hub.again();
        await expectStands(member);
        await (await there(0.92))();
        await expectSoldByItsStop(member);
      },
    );
  });

  /** Its leg waits at the exchange, and holds just what it sells. */
  async function expectStands(member: TestBrowser): Promise<void> {
    const [row] = await until(
      () => algosOf(member),
      ([found]) => found?.state === 'waiting',
    );
    const sold = VENUE.name === 'Binance' ? SOLD : formatAmount(await coinsAtVenue(member));
    expect(row).toMatchObject({ quantity: sold, unknown: false });
    expect(await lockedOf(member, VENUE)).toEqual([`${sold} BTC`]);
    await expectEveryUnitInItsPlace(parts(), member, VENUE);
  }

  describe('a hub that is killed', () => {
    test.each(pointsOf('placed'))(
      '%s of the placement: the list is found, or proved absent, and once',
      async (point) => {
        const member = await hub.memberWithFunds('10000', platformType);
        const order = await bracket('oco', '0.96');
        await killedAt(point);
        await expect(member.call('connextrade/PlaceOrder', order)).rejects.toThrow();
        await expectKilled(hub);
        await hub.again();
        const [row] = await until(
          () => ordersOf(member, platformType),
          ([found]) => found?.status === ORDER_STATUS.OPEN || found?.settled === true,
        );
        if (point === 'after-answer') expect(row?.status).toBe(ORDER_STATUS.OPEN);
        if (point === 'after-hold') expect(row?.status).toBe(ORDER_STATUS.FAIL);
        expect(await member.call('connextrade/PlaceOrder', order)).toMatchObject({ code: 1 });
        expect(await ordersOf(member, platformType)).toHaveLength(1);
        await expectEveryUnitInItsPlace(parts(), member, VENUE);
        if (row?.status !== ORDER_STATUS.OPEN) return expect(await lockedOf(member, VENUE)).toEqual([]);
        await (await shocked(simulator, VENUE, { factor: 0.94, market: 'spot' }))();
        await expectStands(member);
      },
    );

    test.each(pointsOf('cancelled'))(
      '%s of a cancel: nothing rests, nothing waits, nothing is held',
      async (point) => {
        const { member, order } = await bidder('oco');
        await killedAt(point);
        const cancel = { platformType, orderId: order.clientId ?? '' } as const;
        await member.call('connextrade/CancelOrder', cancel).catch(() => undefined);
        await expectKilled(hub);
        await hub.again();
        await until(
          () => member.call('connextrade/CancelOrder', cancel),
          ({ code }) => code !== 1,
        );
        const [row] = await settled(member, VENUE);
        expect(row?.status).toBe(ORDER_STATUS.CANCELLED);
        expect([await algosOf(member), await lockedOf(member, VENUE)]).toEqual([[], []]);
        await expectEveryUnitInItsPlace(parts(), member, VENUE);
      },
    );

    test.each(pointsOf('filled'))(
      '%s of its last fill: the leg stands with the hold that it needs',
      async (point) => {
        const { member, there } = await bidder('oco');
        await killedAt(point);
        const back = await there(0.94);
        await expectKilled(hub);
        await back();
        await hub.again();
        await expectStands(member);
        await (await there(0.92))();
        await expectSoldByItsStop(member);
      },
    );

    test.each(pointsOf('fired'))('%s of what its leg sells: that is booked once', async (point) => {
      const { member, there } = await bidder('stop');
      await (await there(0.94))();
      await expectStands(member);
      await settled(member, VENUE);
      await killedAt(point);
      const back = await there(0.92);
      await expectKilled(hub);
      await back();
      await hub.again();
      await expectSoldByItsStop(member);
    });
  });

  test.each(
    FULL ? (['timeout-after', 'reset-before', 'silence-after'] as const) : (['reset-after'] as const),
  )('a list whose answer is lost (%s) is looked up and never sent again', async (kind) => {
    const member = await hub.memberWithFunds('10000', platformType);
    const order = await bracket('oco', '0.96');
    await simulator.admin('faults', { kind, match: VENUE.call, count: 1 });
    const answer = member.call('connextrade/PlaceOrder', order);
    await until(
      () => simulator.armedFaults(),
      (left) => left === 0,
    );
    expect(await answer).toMatchObject({ code: 1, data: { orderId: order.clientId } });
    const arrived = kind !== 'reset-before';
    await until(
      () => ordersOf(member, platformType),
      ([found]) => found?.status === (arrived ? ORDER_STATUS.OPEN : ORDER_STATUS.FAIL),
    );
    await expectEveryUnitInItsPlace(parts(), member, VENUE);
    if (!arrived) return expect(await lockedOf(member, VENUE)).toEqual([]);
    await (await shocked(simulator, VENUE, { factor: 0.94, market: 'spot' }))();
    await expectStands(member);
  });

  test.each(VENUE.name === 'OKX' ? ['a bid', 'a market order'] : ['a bid'])(
    '%s that takes the market at once has its leg at once, and cancelling that leaves the coins',
    async (kind) => {
      const member = await hub.memberWithFunds('10000', platformType);
      const bid = await bracket('oco', '1.01');
      const { price: _none, ...market } = bid;
      const order = kind === 'a bid' ? bid : { ...market, orderType: 2 };
      expect(await member.call('connextrade/PlaceOrder', order)).toMatchObject({ code: 1 });
      await settled(member, VENUE);
      await expectStands(member);
      const [row] = await algosOf(member);
      const price = await priceAt(simulator, VENUE, { factor: '0.99', market: 'spot' });
      const { tinstType, symbol, orderType } = bid;
      const sold = {
        platformType,
        tinstType,
        symbol,
        orderType,
        side: 2,
        quantity: row?.quantity ?? SOLD,
        price,
      } as const;
      expect(await member.call('connextrade/PlaceOrder', sold)).toMatchObject({ code: 3010 });
      const cancelled = await member.call('connextrade/CancelAlgoOrder', {
        platformType,
        algoId: row?.algoId ?? '',
      });
      expect(cancelled, cancelled.msg).toMatchObject({ code: 1, data: { state: 'cancelled' } });
      expect(await lockedOf(member, VENUE)).toEqual([]);
      expect(await member.call('connextrade/PlaceOrder', sold)).toMatchObject({ code: 1 });
      await settled(member, VENUE);
      expect(await algosOf(member)).toHaveLength(1);
      await expectEveryUnitInItsPlace(parts(), member, VENUE);
    },
  );

  test('one leg behind an order: changed, it is placed anew, and sells once', async () => {
    const member = await hub.memberWithFunds('10000', platformType);
    const order = await bracket('stop', '1.01');
    expect(await member.call('connextrade/PlaceOrder', order)).toMatchObject({ code: 1 });
    await settled(member, VENUE);
    await expectStands(member);
    const [row] = await algosOf(member);
    const triggerPrice = await priceAt(simulator, VENUE, { factor: '0.95', market: 'spot' });
    const change = { platformType, algoId: row?.algoId ?? '', triggerPrice } as const;
    const changed = await member.call('connextrade/ReplaceAlgoOrder', change);
    expect(changed, changed.msg).toMatchObject({ code: 1 });
    await expectStands(member);
    await (await shocked(simulator, VENUE, { factor: 0.93, market: 'spot' }))();
    await expectSoldByItsStop(member);
  });

  test('an order that is changed has its leg all the same', async () => {
    const { member, order, there } = await bidder('oco');
    const price = await priceAt(simulator, VENUE, { factor: '0.97', market: 'spot' });
    const replaced = await member.call('connextrade/ReplaceOrder', {
      ...{ platformType, orderId: order.clientId ?? '', price },
    });
    expect(replaced, replaced.msg).toMatchObject({ code: 1, data: { outcome: VENUE.changed } });
    await (await there(0.94))();
    await expectStands(member);
    // One of them goes out as another list, the other is changed in its place.
    const { FILLED, CANCELLED } = ORDER_STATUS;
    const ends = VENUE.changed === 'replaced' ? [FILLED, CANCELLED] : [FILLED];
    const orders = await settled(member, VENUE);
    expect(orders.map(({ status }) => status).toSorted()).toEqual(ends.toSorted());
  });
});
