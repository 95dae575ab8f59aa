import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLanes } from './lanes.ts';

test('work of one lane runs in turn and work of others beside it, whatever order it ends in', async () => {
  const job = fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(job, { maxLength: 12 }), async (scheduler, jobs) => {
      const lanes = createLanes();
      const begun: string[] = [];
      const inside = new Set<string>();
      const ended = jobs.map(({ key, fails }, index) =>
        lanes.run(key, async () => {
          expect(inside.has(key)).toBe(false);
          inside.add(key);
          begun.push(`${key}${index}`);
          await scheduler.schedule(Promise.resolve());
          inside.delete(key);
          if (fails) throw new Error(`job ${index}`);
          return index;
        }),
      );
      const results = Promise.allSettled(ended);
      await scheduler.waitFor(lanes.idle());
      const outcomes = (await results).map((result) =>
        result.status === 'fulfilled' ? result.value : String(result.reason),
      );
      expect(outcomes).toEqual(jobs.map(({ fails }, index) => (fails ? `Error: job ${index}` : index)));
      for (const key of ['a', 'b', 'c']) {
        const mine = jobs.flatMap((each, index) => (each.key === key ? [`${key}${index}`] : []));
        expect(begun.filter((name) => name.startsWith(key))).toEqual(mine);
      }
    }),
  );
});

test('a lane is idle only when what was added while waiting is done too', async () => {
  const lanes = createLanes();
  const done: string[] = [];
  void lanes.run('a', async () => {
    void lanes.run('a', async () => {
      done.push('second');
    });
    done.push('first');
  });
  await lanes.idle();
  expect(done).toEqual(['first', 'second']);
});

test('work that comes while its lane is busy waits for what runs, though what came before that is over', async () => {
  const lanes = createLanes();
  const done: string[] = [];
  const job = (name: string) => async () => {
    done.push(name);
  };
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  void lanes.run('a', job('first'));
  await new Promise<void>((begun) => {
    void lanes.run('a', async () => {
      begun();
      await gate;
      done.push('second');
    });
  });
  const third = lanes.run('a', job('third'));
  await lanes.run('b', job('beside'));
  release();
  await third;
  await lanes.idle();
  expect(done).toEqual(['first', 'beside', 'second', 'third']);
});
