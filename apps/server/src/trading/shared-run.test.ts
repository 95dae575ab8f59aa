import { expect, test } from 'vitest';
import { sharedRun } from './shared-run.ts';

test('who asks while one runs shares the next; each key has its own; a run that fails stops nobody', async () => {
  const shared = sharedRun<number>();
  const ends: ((failed: boolean) => void)[] = [];
  const run = () =>
    new Promise<number>((resolve, reject) => {
      const mine = ends.length;
      ends.push((failed) => (failed ? reject(new Error('gone')) : resolve(mine)));
    });
  const first = shared('a', run);
  const waiting = [1, 2, 3].map(() => shared('a', run));
  const other = shared('b', run);
  expect(ends).toHaveLength(2);
  ends[0]?.(true);
  await expect(first).rejects.toThrow('gone');
  await new Promise(setImmediate);
  expect(ends).toHaveLength(3);
  ends[2]?.(false);
  ends[1]?.(false);
  expect(await Promise.all([...waiting, other])).toEqual([2, 2, 2, 1]);
  const again = shared('a', run);
  ends[3]?.(false);
  expect(await again).toBe(3);
});
