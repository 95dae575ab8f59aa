import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BREACHED_PASSWORDS } from '../../apps/server/src/accounts/factors/breached-passwords.ts';
import { commonPasswords } from '../../apps/server/src/accounts/factors/known-passwords.ts';
import { breachedModule, isChoosable, sourcePasswords } from './breached-passwords.ts';

const passwords = sourcePasswords();

test('of a million breached passwords each that our rules let through is refused', () => {
  const isKnown = commonPasswords([], BREACHED_PASSWORDS);
  const choosable = passwords.filter(isChoosable);
  expect(choosable.length).toBeGreaterThan(10_000);
  expect(choosable.filter((password) => !isKnown(password, []))).toEqual([]);
});

test('the set is the one that its script makes', () => {
  const file = join(import.meta.dirname, '../../apps/server/src/accounts/factors/breached-passwords.ts');
  expect(readFileSync(file, 'utf8')).toBe(breachedModule(passwords));
});
