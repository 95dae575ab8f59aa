import { amount, type Millis, type OrderId } from '@crossbook/domain';
import type { CancelOutcome, SendOutcome } from '@crossbook/venues/trading';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CALLER, OPEN, openTradingWorld, stateOf, type TradingWorld } from '../trading-world.fixture.ts';

/** More than a member may have waiting at a venue. */
const ORDERS = 20;
const CANCELLED = 3;
const NO_ROOM = { outcome: 'refused', venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent' } as const;

let world: TradingWorld;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  let made = 0;
  world.venue.answers.place = async (_credentials, { clientId }): Promise<SendOutcome> => {
    made += 1;
    const state = stateOf({ id: clientId as string as OrderId, symbol: 'BTCUSDT' }, OPEN, '0', String(made));
    return { outcome: 'accepted', state: { ...state, clientId }, fills: [] };
  };
  const placed = await world.desk.handlers['x/trade/PlaceScaled'](callerNow(), {
    ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, timeInForce: 1, skew: 0 },
    ...{ from: amount('100'), to: amount('90'), count: ORDERS, quantity: amount('2') },
    clientId: '01890000-0000-7000-8000-00000000abcd' as OrderId,
  });
  expect(placed.ok && placed.value.every(({ outcome }) => outcome === 'placed')).toBe(true);
});
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
  let answered = false;
  const began = world.time.clock();
  const asked = world.desk.handlers['connextrade/CancelAll'](callerNow(), {}).finally(() => {
    answered = true;
  });
  while (!answered) await world.pass(250);
  const all = await asked;
  return { ...seen, rows: all.ok ? all.value : [], millis: (world.time.clock() - began) as Millis };
}

test('more orders than may be asked for at once all end, a few at a time; what finds no room is asked again', async () => {
  const tooMany = { outcome: 'refused', venueCode: '10006', message: 'Too many visits!' } as const;
  const { rows, asked, underMax } = await cancelAll((nth) =>
    nth <= 5 ? (nth < 3 ? tooMany : { ...NO_ROOM, retryAfterMillis: 900 }) : undefined,
  );
  expect(rows.map(({ outcome }) => outcome)).toEqual(Array.from({ length: ORDERS }, () => 'cancelled'));
  expect(asked).toBe(ORDERS + 5);
  expect(underMax).toBeLessThanOrEqual(8);
  expect(await world.wallet()).toEqual({ USDT: '300' });
});

test('a venue that has no room for long is not waited for: each row says so', async () => {
  const { rows, millis } = await cancelAll(() => ({ ...NO_ROOM, retryAfterMillis: 4_000 }));
  expect(rows).toHaveLength(ORDERS);
  expect(rows.filter(({ outcome }) => outcome !== 'refused')).toEqual([]);
  expect(rows[0]?.reason).toContain('4 seconds');
  expect(millis).toBeLessThan(15_000);
});
