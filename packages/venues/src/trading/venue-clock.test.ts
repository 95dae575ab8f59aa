import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { SendHttp } from '../transport.ts';
import { asCounter, asObject } from '../wire/guards.ts';
import { ScriptedTime } from './scripted-transport.fixture.ts';
import { VenueClock } from './venue-clock.ts';

const readTime = (answer: unknown) => asCounter(asObject(answer)?.serverTime);

/** A venue whose clock is `ahead` of ours and whose answers take `travel` there and back, a share of it on the way there. */
function setup(ahead: number, travel: { millis: number; there?: number } = { millis: 0 }) {
  const time = new ScriptedTime();
  const sendHttp: SendHttp = async () => {
    const { millis, there = 0.5 } = travel;
    time.advance(millis * there);
    const serverTime = time.clock() + ahead;
    time.advance(millis * (1 - there));
    return { status: 200, headers: {}, text: JSON.stringify({ serverTime }) };
  };
  return {
    time,
    clock: new VenueClock({ timeUrl: 'http://v/time', readTime, clock: time.clock, timers: time, sendHttp }),
  };
}
const settled = () => new Promise<void>((done) => setImmediate(done));

test('the offset is what the venue said, halfway through the round trip', async () => {
  const { time, clock } = setup(-7_000, { millis: 400 });
  expect(clock.now()).toBe(time.clock());
  clock.measure();
  await settled();
  expect(clock.now()).toBe(time.clock() - 7_000);
  expect(clock.toVenue(50_000 as Millis)).toBe(43_000);
});

test('a deadline is told in our own time: window and margin after the timestamp, whatever the offset', async () => {
  const { time, clock } = setup(30_000);
  const unmeasured = clock.deadlineAt(clock.now(), 5_000);
  expect(unmeasured - time.clock()).toBe(65_000);
  clock.measure();
  await settled();
  expect(clock.deadlineAt(clock.now(), 5_000) - time.clock()).toBe(8_000);
});

test('a slow sample does not replace a good one', async () => {
  const travel = { millis: 0 };
  const { time, clock } = setup(1_000, travel);
  clock.measure();
  await settled();
  travel.millis = 4_001;
  clock.measure();
  await settled();
  expect(clock.now() - time.clock()).toBe(1_000);
});

test.each([0, 0.5, 1])(
  'a slow first sample never puts us a second ahead of the venue (%d of it there)',
  async (there) => {
    const travel = { millis: 2_600, there };
    const { time, clock } = setup(0, travel);
    clock.measure();
    await settled();
    const ahead = clock.now() - time.clock();
    expect(ahead).toBeGreaterThanOrEqual(-travel.millis);
    expect(ahead).toBeLessThanOrEqual(500);
  },
);

test('a slow first sample is measured again soon, not in a minute', async () => {
  const travel = { millis: 2_600, there: 1 };
  const { time, clock } = setup(0, travel);
  clock.measure();
  await settled();
  travel.millis = 0;
  time.advance(2_000);
  await settled();
  expect(clock.now()).toBe(time.clock());
});

test('it measures again by itself, and no more after closing', async () => {
  const { time, clock } = setup(0);
  clock.measure();
  await settled();
  expect(time.waiting).toBe(1);
  clock.close();
  expect(time.waiting).toBe(0);
  clock.measure();
  await settled();
  expect(time.waiting).toBe(0);
});
