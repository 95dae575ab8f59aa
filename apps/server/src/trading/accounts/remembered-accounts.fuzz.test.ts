import type { Millis, UserId } from '@crossbook/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeal } from '../../storage/stores/seal.ts';
import { createVenueAccountStore } from '../../storage/stores/venue-account-store.ts';
import { openTestDatabase, type TestDatabase } from '../../storage/testing.ts';
import { rememberVenueAccounts } from './remembered-accounts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const accountOf = (key: number) => ({
  ...{ accountId: `sub-${key}`, credentials: { apiKey: `key-${key}`, secret: `secret-${key}` } },
});

test('a key that was replaced is used by nobody who asks afterwards, whatever is read meanwhile', async () => {
  let member = 0;
  const act = fc.record({ do: fc.constantFrom('find', 'find', 'replace'), platform: fc.constantFrom(1, 2) });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 24 }), async (acts) => {
      member += 1;
      const user = member as UserId;
      const plain = createVenueAccountStore(database.database, createSeal(new Uint8Array(32)));
      const accounts = rememberVenueAccounts(plain, () => 1 as Millis);
      const newest = { 1: 0, 2: 0 };
      const find = async (platform: 1 | 2): Promise<void> => {
        const from = newest[platform];
        const found = await accounts.find(user, platform);
        const key = found.state === 'ready' ? Number(found.credentials.apiKey.slice(4)) : 0;
        expect(key).toBeGreaterThanOrEqual(from);
      };
      for (const platform of [1, 2] as const) await accounts.begin(user, platform);
      let replacing = Promise.resolve();
      const acted = acts.map(async ({ do: what, platform: at }, index) => {
        const platform = at as 1 | 2;
        if (what === 'find') return find(platform);
        // Replacements come one after another, as the lane of an account has it; questions come whenever they like.
        replacing = replacing.then(async () => {
          await accounts.complete(user, platform, accountOf(index + 1));
          newest[platform] = index + 1;
          await find(platform);
        });
        return replacing;
      });
      await Promise.all(acted);
      for (const platform of [1, 2] as const)
        expect(await accounts.find(user, platform)).toEqual(await plain.find(user, platform));
    }),
    { numRuns: 25 },
  );
});
