import { amount, type Millis, ORDER_STATUS, type OrderId, type VenueClientId } from '@crossbook/domain';
import type { AmendOutcome, CancelOutcome, OrderName, SendOutcome } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { okxWallet } from '../orders/resting-venue.fixture.ts';
import {
  BTCUSDT,
  CALLER,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
  until,
} from '../trading-world.fixture.ts';

/** More than a member may have waiting at a venue. */
const ORDERS = 20;
const { CANCELLED } = ORDER_STATUS;
const NO_ROOM = { outcome: 'refused', venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent' } as const;

let world: TradingWorld;

/** A member with orders of a pair that rest: at Binance (43), which cancels one by one, or at OKX (41), twenty at once. */
async function openWith(platformType: 43 | 41, ladders = 1): Promise<void> {
  const platform = platformType === 43 ? 1 : 2;
  world = await openTradingWorld();
  world.second = 2;
  world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform });
  await world.account(CALLER.user, platform);
  await world.fund('USDT', '600', CALLER.user, platform);
  let made = 0;
  world.venue.answers.place = async (_credentials, { clientId }): Promise<SendOutcome> => {
    made += 1;
    const state = stateOf({ id: clientId as string as OrderId, symbol: 'BTCUSDT' }, OPEN, '0', String(made));
    return { outcome: 'accepted', state: { ...state, clientId }, fills: [] };
  };
  for (let ladder = 0; ladder < ladders; ladder += 1) {
    const placed = await world.desk.handlers['x/trade/PlaceScaled'](callerNow(), {
      ...{ platformType, tinstType: 1, symbol: 'BTCUSDT', side: 1, timeInForce: 1, skew: 0 },
      ...{ from: amount('100'), to: amount('90'), count: ORDERS, quantity: amount('2') },
      clientId: `01890000-0000-7000-8000-00000000abc${ladder}` as OrderId,
    });
    expect(placed.ok && placed.value.every(({ outcome }) => outcome === 'placed')).toBe(true);
  }
}
afterEach(() => world.close());

const callerNow = () => ({ ...CALLER, now: world.time.clock() });

/** Asks for all to end while the venue answers so; time goes on until the answer is there. */
async function cancelAll(answer: (asked: number) => Partial<CancelOutcome> | undefined) {
  const seen = { asked: 0, under: 0, underMax: 0 };
  world.venue.answers.cancel = async (_credentials, _instrument, clientId): Promise<CancelOutcome> => {
    seen.asked += 1;
    const other = answer(seen.asked);
    seen.under += 1;
    seen.underMax = Math.max(seen.underMax, seen.under);
    await new Promise((resolve) => setImmediate(resolve));
    seen.under -= 1;
    if (other !== undefined) return other as CancelOutcome;
    const state = stateOf({ id: clientId as string as OrderId, symbol: 'BTCUSDT' }, CANCELLED, '0');
    return { outcome: 'cancelled', state: { ...state, clientId } };
  };
  const done = await pressed();
  return { ...seen, ...done };
}

/** Asks for all to end; time goes on until the answer is there. */
async function pressed() {
  let answered = false;
  const began = world.time.clock();
  const asked = world.desk.handlers['connextrade/CancelAll'](callerNow(), {}).finally(() => {
    answered = true;
  });
  while (!answered) await world.pass(250);
  const all = await asked;
  return { rows: all.ok ? all.value : [], millis: (world.time.clock() - began) as Millis };
}

describe('where the exchange cancels one by one', () => {
  beforeEach(() => openWith(43));

  test('more orders than may be asked for at once all end, a few at a time; what finds no room is asked again', async () => {
    const tooMany = { outcome: 'refused', venueCode: '10006', message: 'Too many visits!' } as const;
    const { rows, asked, underMax } = await cancelAll((nth) =>
      nth <= 5 ? (nth < 3 ? tooMany : { ...NO_ROOM, retryAfterMillis: 900 }) : undefined,
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array.from({ length: ORDERS }, () => 'cancelled'));
    expect(asked).toBe(ORDERS + 5);
    expect(underMax).toBeLessThanOrEqual(8);
    expect(await world.wallet()).toEqual({ USDT: '600' });
  });

  test('a venue that has no room for long is not waited for: each row says so', async () => {
    const { rows, millis } = await cancelAll(() => ({ ...NO_ROOM, retryAfterMillis: 4_000 }));
    expect(rows).toHaveLength(ORDERS);
    expect(rows.filter(({ outcome }) => outcome !== 'refused')).toEqual([]);
    expect(rows[0]?.reason).toContain('4 seconds');
    expect(millis).toBeLessThan(15_000);
  });
});

describe('where the exchange cancels several by one call', () => {
  const stateNamed = (name: OrderName, status = CANCELLED, executed = '0') => {
    const clientId = ('clientId' in name ? name.clientId : '') as VenueClientId;
    return {
      ...stateOf({ id: clientId as string as OrderId, symbol: 'BTCUSDT' }, status, executed),
      clientId,
    };
  };
  const cancelled = (name: OrderName): CancelOutcome => ({ outcome: 'cancelled', state: stateNamed(name) });
  /** Answers calls that name several; keeps how many each named. */
  function answered(answer: (name: OrderName, at: number, call: number) => CancelOutcome): number[] {
    const calls: number[] = [];
    world.venue.answers.cancelSeveral = async (_credentials, _instrument, names) => {
      calls.push(names.length);
      return names.map((name, at) => answer(name, at, calls.length));
    };
    return calls;
  }

  test('forty orders end by two calls, and their money is free', async () => {
    await openWith(41, 2);
    const calls = answered(cancelled);
    const { rows } = await pressed();
    expect(calls).toEqual([20, 20]);
    expect(world.venue.count('cancel')).toBe(0);
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 40 }, () => 'cancelled'));
    expect(await okxWallet(world)).toEqual({ USDT: '600' });
  });

  const refused = { outcome: 'refused', venueCode: '50113', message: 'Invalid Sign' } as const;
  const fates: readonly (readonly [string, CancelOutcome | undefined, string, number])[] = [
    ['cancelled', undefined, 'cancelled', CANCELLED],
    ['unknown', { outcome: 'unknown', why: 'lost' }, 'pending', CANCELLED],
    ['no longer open', { outcome: 'gone' }, 'pending', CANCELLED],
    ['refused', refused, 'refused', OPEN],
  ];
  test.each(fates)('one that is %s among them is told, booked and looked up by itself', async (...of) => {
    const [, fate, outcome, status] = of;
    await openWith(41);
    answered((name, at) => (at === 7 ? (fate ?? cancelled(name)) : cancelled(name)));
    // Asked for again it is alone.
    world.venue.answers.cancel = async () => refused;
    // What a lookup finds of one that was cancelled after all.
    world.venue.answers.find = async (_credentials, _instrument, clientId) => ({
      outcome: 'found',
      value: stateNamed({ clientId }),
    });
    const { rows } = await pressed();
    const others = rows.filter((row) => row.outcome === 'cancelled').length;
    expect([others, rows.length]).toEqual([outcome === 'cancelled' ? 20 : 19, 20]);
    const row = rows.find((one) => one.outcome !== 'cancelled') ?? rows[0];
    expect(row?.outcome).toBe(outcome);
    await world.pass(5_000);
    const order = await world.orders.byId(row?.orderId as OrderId);
    expect(order).toMatchObject({ status, cancelPending: false });
    expect(world.venue.count('find')).toBe(outcome === 'pending' ? 1 : 0);
  });

  test.each([
    ['lost', () => Promise.reject(new Error('reset'))],
    ['of none of them', async () => []],
  ])('an answer that is %s leaves all held until each is looked up', async (_says, answer) => {
    await openWith(41);
    world.venue.answers.cancelSeveral = answer;
    world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'lost' });
    const { rows } = await pressed();
    expect(rows.filter(({ outcome }) => outcome === 'cancelled')).toEqual([]);
    const held = await okxWallet(world);
    expect(held).toEqual({ USDT: expect.stringContaining('held') });
    world.venue.answers.find = async (_credentials, _instrument, clientId) => ({
      outcome: 'found',
      value: stateNamed({ clientId }),
    });
    while ((await okxWallet(world)).USDT !== '600') await world.pass(1_000);
  });

  test('what finds no room is asked for again together', async () => {
    await openWith(41, 2);
    const calls = answered((name, _at, call) =>
      call <= 2 ? { ...NO_ROOM, retryAfterMillis: 900 } : cancelled(name),
    );
    const { rows } = await pressed();
    expect(calls).toEqual([20, 20, 20, 20]);
    expect(rows.every(({ outcome }) => outcome === 'cancelled')).toBe(true);
  });

  test('one that is held up by another act does not hold up the rest, and goes by itself', async () => {
    await openWith(41);
    const calls = answered(cancelled);
    const [first] = await world.orders.openOf(CALLER.user, 2);
    const amended = Promise.withResolvers<AmendOutcome>();
    world.venue.answers.amend = () => amended.promise;
    world.venue.answers.cancel = async (_credentials, _instrument, clientId) => {
      return cancelled({ clientId });
    };
    const amending = world.desk.handlers['connextrade/ReplaceOrder'](callerNow(), {
      ...{ platformType: 41, orderId: first?.id as OrderId, price: amount('95') },
    } as never);
    await until(() => world.venue.count('amend') === 1);
    const pressing = pressed();
    await until(() => calls.length === 1);
    amended.resolve({ outcome: 'refused', venueCode: '51000', message: 'no' });
    await amending;
    expect((await pressing).rows.every(({ outcome }) => outcome === 'cancelled')).toBe(true);
    expect([calls, world.venue.count('cancel')]).toEqual([[19], 1]);
  });
});
