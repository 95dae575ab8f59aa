import type { Millis, OrderId } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { createLookupQueue, type LookupQueue } from './lookup-queue.ts';
import { quiet, TIMES } from './scripted-intents.fixture.ts';
import type { LookupOutcome } from './step.ts';

const AGAIN: LookupOutcome = { outcome: 'again', why: 'absent' };
const DONE: LookupOutcome = { outcome: 'done' };
const [A, B, C, D, E, F] = ['a', 'b', 'c', 'd', 'e', 'f'] as unknown as OrderId[] as [
  ...[OrderId, OrderId, OrderId, OrderId, OrderId, OrderId],
];

let time: ScriptedTime;
let started: Millis;
let queue: LookupQueue;
/** Lookups as they began: whose, and how many milliseconds after the start. */
let began: [OrderId, number][];
/** What a lookup comes to; those without an outcome run until `end`. */
let outcome: LookupOutcome | Error | undefined;
let running: Map<OrderId, (outcome: LookupOutcome) => void>;
let reported: unknown[];

beforeEach(() => {
  time = new ScriptedTime();
  started = time.clock();
  began = [];
  reported = [];
  outcome = AGAIN;
  running = new Map();
  queue = createLookupQueue({
    ...{ clock: time.clock, after: time.after, times: TIMES },
    lookUp: async (id) => {
      began.push([id, time.clock() - started]);
      if (outcome instanceof Error) throw outcome;
      return outcome ?? new Promise((resolve) => running.set(id, resolve));
    },
    failed: (id, error) => reported.push(['failed', id, String(error)]),
    overdue: (id, age, why) => reported.push(['overdue', id, age, why]),
  });
});

const ago = (millis: number) => (time.clock() - millis) as Millis;

async function pass(millis: number): Promise<void> {
  time.advance(0);
  await quiet();
  for (let left = millis; left > 0; left -= 250) {
    time.advance(Math.min(250, left));
    await quiet();
  }
}

async function end(id: OrderId, as: LookupOutcome): Promise<void> {
  running.get(id)?.(as);
  await quiet();
  time.advance(0);
  await quiet();
}

const timesOf = (id: OrderId) => began.filter(([of]) => of === id).map(([, at]) => at);

describe('when a doubt is looked up', () => {
  test('soon, then at growing intervals, until a lookup says that it needs none', async () => {
    queue.soon(A, 'x');
    await pass(27_000);
    expect(timesOf(A)).toEqual([1_000, 3_000, 7_000, 17_000, 27_000]);
    expect(queue.waiting()).toBe(1);
    outcome = DONE;
    await pass(60_000);
    expect(timesOf(A)).toHaveLength(6);
    expect([queue.waiting(), time.waiting]).toEqual([0, 0]);
  });

  test('an old doubt waits a fortieth of its age, and five minutes at the most', async () => {
    queue.now(A, 'x', ago(2_000_000 - 6_000));
    queue.now(B, 'y', ago(100_000_000));
    await pass(700_000);
    expect(timesOf(A).slice(0, 5)).toEqual([0, 2_000, 6_000, 56_000, 107_250]);
    expect(timesOf(B)).toEqual([0, 2_000, 6_000, 306_000, 606_000]);
  });

  test('asked for again it begins anew, keeps the earlier time, and a wish leaves it as it is', async () => {
    queue.soon(A, 'x');
    queue.soon(B, 'x');
    queue.want(B, 'x');
    queue.want(C, 'x');
    queue.now(A, 'x');
    queue.soon(A, 'x');
    expect(time.waiting).toBe(1);
    await pass(8_000);
    expect(timesOf(A)).toEqual([0, 2_000, 6_000]);
    expect(timesOf(B)).toEqual([1_000, 3_000, 7_000]);
    expect(timesOf(C)).toEqual([0, 2_000, 6_000]);
    queue.now(B, 'x');
    await pass(7_000);
    expect(timesOf(B)).toEqual([1_000, 3_000, 7_000, 8_000, 10_000, 14_000]);
  });

  test('asked for while one runs it is looked up once more, whatever that one says', async () => {
    outcome = undefined;
    queue.now(A, 'x');
    await pass(250);
    queue.now(A, 'x');
    await end(A, DONE);
    expect(timesOf(A)).toEqual([0, 250]);
    queue.soon(A, 'x');
    await end(A, DONE);
    await pass(750);
    expect(timesOf(A)).toEqual([0, 250]);
    await pass(250);
    expect(timesOf(A)).toEqual([0, 250, 1_250]);
    await end(A, DONE);
    expect(queue.waiting()).toBe(0);
  });
});

describe('places', () => {
  beforeEach(() => {
    outcome = undefined;
  });

  test('of one share are bounded, those of another are free, and old doubts have their own', async () => {
    queue.now(A, 'x', ago(120_000));
    queue.now(B, 'x');
    queue.now(C, 'x');
    queue.now(D, 'y');
    queue.now(E, 'x', ago(120_001));
    queue.now(F, 'x', ago(500_000));
    await pass(250);
    expect(began.map(([id]) => id)).toEqual([A, B, D, E]);
    await end(A, DONE);
    expect(began.slice(4).map(([id]) => id)).toEqual([C]);
    await end(E, DONE);
    expect(began.slice(5).map(([id]) => id)).toEqual([F]);
    for (const id of [B, C, D, F]) await end(id, DONE);
    expect(queue.waiting()).toBe(0);
    for (const id of [A, B, C]) queue.now(id, 'x');
    await pass(250);
    expect(began.slice(6).map(([id]) => id)).toEqual([A, B]);
  });

  test('that become free are taken by whoever has waited longest', async () => {
    queue.now(A, 'x');
    queue.now(B, 'x');
    queue.soon(C, 'x');
    await pass(500);
    queue.now(D, 'x');
    await pass(2_000);
    expect(began.map(([id]) => id)).toEqual([A, B]);
    await end(A, DONE);
    expect(began.map(([id]) => id)).toEqual([A, B, D]);
    await end(B, DONE);
    expect(began.map(([id]) => id)).toEqual([A, B, D, C]);
  });

  test('are taken by a wish like by any other lookup', async () => {
    for (const id of [A, B, C]) queue.want(id, 'x');
    queue.want(D, 'y');
    await pass(250);
    expect(began.map(([id]) => id)).toEqual([A, B, D]);
  });
});

describe('what goes wrong', () => {
  test('a doubt that is open for more than ten minutes is reported of once', async () => {
    queue.now(A, 'x', ago(600_000));
    await pass(20_000);
    expect(reported).toEqual([['overdue', A, 602_000, 'absent']]);
  });

  test('a lookup that breaks is reported of and made again', async () => {
    outcome = new Error('no line');
    queue.now(A, 'x', ago(600_001));
    await pass(1_000);
    expect(reported).toEqual([
      ['failed', A, 'Error: no line'],
      ['overdue', A, 600_001, 'Error: no line'],
    ]);
    outcome = DONE;
    await pass(1_000);
    expect([timesOf(A), queue.waiting()]).toEqual([[0, 2_000], 0]);
  });
});

test('a queue that stops begins nothing further and waits for what runs', async () => {
  outcome = undefined;
  queue.now(A, 'x');
  queue.soon(B, 'x');
  await pass(250);
  let over = false;
  const stopping = queue.stop().then(() => {
    over = true;
  });
  expect(time.waiting).toBe(0);
  queue.now(C, 'x');
  await pass(5_000);
  expect([over, began]).toEqual([false, [[A, 0]]]);
  await end(A, AGAIN);
  await stopping;
  expect(began).toHaveLength(1);
});
