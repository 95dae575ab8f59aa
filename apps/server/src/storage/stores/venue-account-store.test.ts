import type { UserId } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VenueAccountStore } from '../../trading/ports.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { createSeal } from './seal.ts';
import { createVenueAccountStore } from './venue-account-store.ts';

const THREE = { apiKey: 'the-key', secret: 'the-secret', passphrase: 'the-passphrase' } as const;
const TWO = { apiKey: 'another-key', secret: 'another-secret' } as const;
const [first, second] = [7 as UserId, 8 as UserId];

let database: TestDatabase;
let accounts: VenueAccountStore;

beforeAll(async () => {
  database = await openTestDatabase();
  accounts = createVenueAccountStore(database.database, createSeal(new Uint8Array(32)));
  for (const [user, platform, credentials] of [
    [first, 2, THREE],
    [first, 3, TWO],
    [second, 2, THREE],
  ] as const) {
    await accounts.begin(user, platform);
    await accounts.complete(user, platform, { accountId: `sub-${user}-${platform}`, credentials });
  }
});
afterAll(() => database?.close());

test('a key of three parts comes back whole; what is secret of it is nowhere readable', async () => {
  expect(await accounts.find(first, 2)).toEqual({
    state: 'ready',
    accountId: 'sub-7-2',
    credentials: THREE,
  });
  const stored = JSON.stringify(await database.owner.query('select * from venue_accounts'));
  expect(stored).toContain('the-key');
  expect(stored).not.toMatch(/the-secret|the-passphrase/);
});

test('a key of two parts has no passphrase, as every row before there was a column for it', async () => {
  expect(await accounts.find(first, 3)).toEqual({ state: 'ready', accountId: 'sub-7-3', credentials: TWO });
});

test('a passphrase opens neither as the secret nor in the row of another member', async () => {
  const swap = `update venue_accounts set sealed_secret = sealed_passphrase, sealed_passphrase = sealed_secret
    where platform = 2 and user_id = 7`;
  await database.owner.query(swap);
  await expect(accounts.find(first, 2)).rejects.toThrow();
  await database.owner.query(swap);
  const take = `update venue_accounts mine set sealed_passphrase = other.sealed_passphrase
    from venue_accounts other where mine.user_id = 8 and other.user_id = 7 and other.platform = 2`;
  await database.owner.query(take);
  await expect(accounts.find(second, 2)).rejects.toThrow();
  expect(await accounts.find(first, 2)).toMatchObject({ state: 'ready' });
});
