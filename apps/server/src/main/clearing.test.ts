import type { UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createClearing } from './clearing.ts';

const users = (...ids: readonly number[]) => ids as readonly UserId[];

test('members whose exchange is silent keep another one waiting no longer than they are few', async () => {
  const cleared: UserId[] = [];
  const silent = Promise.withResolvers<void>();
  const clearing = createClearing({
    uncleared: async () => users(1, 2, 3),
    clear: async (user) => {
      if (user !== 3) return silent.promise;
      cleared.push(user);
    },
    log: { warn: () => undefined },
  });
  clearing.clearWith({} as never);
  const swept = clearing.sweep();
  await expect.poll(() => cleared).toEqual([3]);
  silent.resolve();
  await swept;
});
