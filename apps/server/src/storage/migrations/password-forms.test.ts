import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Passwords, passwords } from '../../accounts/factors/passwords.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { migrate, readMigrations } from './migrations.ts';

/** The last migration of a version that made accents one form before hashing. */
const THEN = '0081-devices-of-admins';
const COMPOSED = 'Caf\u00e9-7aB';
const DECOMPOSED = 'Cafe\u0301-7aB';

const hasher: Passwords = passwords(randomBytes, { cost: { memoryKib: 64, passes: 1, lanes: 1 } });
let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
  const { owner, ownerAddress } = database;
  await owner.query('drop schema public cascade');
  await owner.query('create schema public');
  await owner.query('grant usage on schema public to public');
  const all = readMigrations();
  await migrate(ownerAddress, all.slice(0, all.findIndex(({ name }) => name === THEN) + 1));
});
afterEach(() => database.close());

async function hashed(password: string): Promise<string> {
  const answer = await hasher.hash(password);
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

const matches = async (password: string, stored: string) => {
  const verdict = await hasher.verify(password, stored);
  return verdict.ok && verdict.value.matches;
};

test('passwords of the version before open their accounts from either keyboard; one that is set now is compared as it came', async () => {
  const { owner, ownerAddress } = database;
  await owner.query(
    `insert into members (email, password_hash, nickname, referral_code, created_at) values ('ada@example.org', $1, 'ada', 'AAAAAA', 0)`,
    [await hashed(COMPOSED)],
  );
  await owner.query(
    `insert into admins (email, roles, password_hash, otp_secret, created_at) values ('admin@example.org', '{admin}', $1, 'sealed', 0)`,
    [await hashed(COMPOSED)],
  );
  await migrate(ownerAddress, readMigrations());
  const stored = await owner.query<{ password_hash: string }>(
    'select password_hash from members union all select password_hash from admins',
  );
  expect(stored).toHaveLength(2);
  for (const { password_hash } of stored) {
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1,f=nfc\$/);
    expect([await matches(COMPOSED, password_hash), await matches(DECOMPOSED, password_hash)]).toEqual([
      true,
      true,
    ]);
    expect(await matches(`${COMPOSED} `, password_hash)).toBe(false);
  }
  const now = await hashed(DECOMPOSED);
  expect(now).not.toContain('nfc');
  expect([await matches(DECOMPOSED, now), await matches(COMPOSED, now)]).toEqual([true, false]);
});
