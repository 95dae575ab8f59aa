import { amount, type Instrument, type OrderId, type VenueOrderState } from '@crossbook/domain';
import type { CountdownRequest, SettingOutcome } from '@crossbook/venues/trading';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TradingDesk } from '../desk.ts';
import { orderRow } from '../order-rows.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import {
  BTCUSDT,
  CALLER,
  CANCELLED,
  openTradingWorld,
  stateOf,
  type TradingWorld,
} from '../trading-world.fixture.ts';

let world: TradingWorld;
let desk: TradingDesk;
/** What the exchange was asked, with the second in which it was. */
let asked: string[];
let answers: (SettingOutcome | Promise<SettingOutcome>)[];
let began: number;

const OKX: Instrument = { ...BTCUSDT, platform: 2 };
const LOST: SettingOutcome = { outcome: 'unknown', why: 'lost' };
const seconds = () => Math.round((world.time.clock() - began) / 1_000);
/** Whatever it set going at once is over. */
async function set(choice: number) {
  const answer = await desk.handlers['x/trade/SetCountdown'](CALLER, { platformType: 41, seconds: choice });
  await world.pass(1, 1);
  return answer;
}
const shown = async () => {
  const answer = await desk.handlers['x/trade/Countdowns'](CALLER, {});
  return answer.ok ? answer.value.find(({ exchange }) => exchange === 2)?.state : answer.code.error;
};
const rest = async () => (await world.reserved({ instrument: OKX })).id;
const pass = (millis: number) => world.pass(millis);

beforeEach(async () => {
  world = await openTradingWorld();
  world.second = 2;
  await world.account(CALLER.user, 2);
  await world.fund('USDT', '300', CALLER.user, 2);
  asked = [];
  answers = [];
  began = world.time.clock();
  world.venue.countdown = {
    set: async (_credentials, request: CountdownRequest) => {
      asked.push(`${request.seconds} at ${seconds()}`);
      return answers.shift() ?? { outcome: 'done' };
    },
  };
  desk = world.desk;
  await desk.start();
});
afterEach(() => world.close());

async function end(id: OrderId, part: Partial<VenueOrderState> = {}): Promise<void> {
  const order = await world.order(id);
  const update = { state: { ...stateOf(order, CANCELLED, '0'), ...part }, fills: [], barrier: true };
  await onVenueEvent(world.deps, id, update);
}

test('it counts from the first order on, again after each third of its time, and ends with the last order', async () => {
  expect(await set(60)).toMatchObject({ ok: true, value: { seconds: 60, state: 'idle' } });
  await pass(30_000);
  expect(asked).toEqual([]);
  const first = await rest();
  expect(await shown()).toBe('waiting');
  await pass(2_000);
  expect([asked, await shown()]).toEqual([['60 at 31'], 'counting']);
  await rest();
  await pass(40_000);
  expect(asked).toEqual(['60 at 31', '60 at 51', '60 at 71']);
  await end(first);
  await pass(20_000);
  expect(asked.slice(3)).toEqual(['60 at 91']);
  for (const { id } of await world.orders.unsettled()) await end(id);
  await pass(60_000);
  expect(asked.slice(4)).toEqual(['0 at 93']);
  expect(await shown()).toBe('idle');
});

test('what the exchange does not take is asked for again, and before it would run out', async () => {
  answers = [LOST, { outcome: 'refused', venueCode: '50011', message: 'Too many.' }];
  await set(60);
  await rest();
  await pass(4_000);
  expect(await shown()).toBe('waiting');
  await pass(10_000);
  expect([asked, await shown()]).toEqual([['60 at 1', '60 at 6', '60 at 11'], 'counting']);
  answers = Array.from({ length: 20 }, () => LOST);
  await pass(45_000);
  expect(asked.slice(3)).toEqual(['60 at 31', '60 at 36', '60 at 41', '60 at 46', '60 at 51', '60 at 56']);
  expect(await shown()).toBe('counting');
  await pass(15_000);
  // It may have cancelled: nobody says any more that it counts.
  expect(await shown()).toBe('waiting');
});

test('turned off it ends at the exchange first, and is on until that has said so', async () => {
  await set(60);
  await rest();
  await pass(2_000);
  answers = [LOST];
  expect(await set(0)).toEqual({ ok: false, code: { error: 'countdown-goes-on', given: 'Binance' } });
  // He is told, as often as he asks; the log is not.
  expect(world.notes).not.toContain('a countdown was not set');
  await pass(3_000);
  expect([asked, await shown()]).toEqual([['60 at 1', '0 at 2', '60 at 3'], 'counting']);
  expect(await set(0)).toMatchObject({ ok: true, value: { seconds: 0, state: 'off' } });
  await pass(120_000);
  expect(asked.slice(3)).toEqual(['0 at 5']);
  expect(await world.deps.countdowns.all()).toEqual([]);
});

test('a renewal on its way does not outlive the end: that waits for it', async () => {
  await set(60);
  await rest();
  let answer: (outcome: SettingOutcome) => void = () => undefined;
  answers = [new Promise((resolve) => (answer = resolve))];
  await pass(2_000);
  const off = set(0);
  answer({ outcome: 'done' });
  expect(await off).toMatchObject({ ok: true, value: { state: 'off' } });
  await pass(60_000);
  expect(asked).toEqual(['60 at 1', '0 at 2']);
});

test('another process takes it up for what rests, and ends what it does not know of', async () => {
  await set(60);
  await rest();
  await pass(2_000);
  await desk.stop();
  desk = await world.restarted();
  expect(await shown()).toBe('waiting');
  await pass(1_000);
  expect([asked.slice(1), await shown()]).toEqual([['60 at 3'], 'counting']);
  await desk.stop();
  for (const { id } of await world.orders.unsettled()) await end(id);
  desk = await world.restarted();
  expect(await set(0)).toMatchObject({ ok: true, value: { state: 'off' } });
  expect(asked.slice(2)).toEqual(['0 at 3']);
});

test.each([
  [{ platformType: 41, seconds: 300 }, 'field-invalid'],
  [{ platformType: 41, seconds: 59 }, 'field-invalid'],
  // Nothing is open there: nothing could be cancelled.
  [{ platformType: 42, seconds: 60 }, 'platform-coming-soon'],
] as const)('%j is refused: %s', async (request, error) => {
  expect(await desk.handlers['x/trade/SetCountdown'](CALLER, request)).toMatchObject({ code: { error } });
  expect(await world.deps.countdowns.all()).toEqual([]);
});

test('where nothing is taken any more it cannot be turned on, and can be turned off', async () => {
  await set(60);
  world.platformState = 'coming-soon';
  expect(await set(120)).toMatchObject({ code: { error: 'platform-coming-soon' } });
  expect(await set(0)).toMatchObject({ ok: true, value: { seconds: 0 } });
});

test('an order that it ended says why, and another does not', async () => {
  const [counted, cancelled] = [await rest(), await rest()];
  await end(counted, { endedBy: 'countdown' });
  await end(cancelled);
  expect(orderRow(await world.order(counted)).refusal).toEqual({ cause: 'countdown', venueCode: null });
  expect(orderRow(await world.order(cancelled)).refusal).toBeNull();
  expect(await world.ledger.tradingBalances(CALLER.user, 2)).toMatchObject([{ held: amount('0') }]);
});
