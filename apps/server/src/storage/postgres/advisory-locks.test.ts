import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

const SOURCE = join(import.meta.dirname, '../..');
/** Where migrations name a lock by its number. */
const IN_MIGRATIONS: readonly number[] = [ADVISORY_LOCKS.ledger, ADVISORY_LOCKS.gate];

test('no two locks are one', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('a lock has its number here and nowhere else in the program; migrations name two', () => {
  const numbered = (pattern: string) =>
    globSync(pattern, { cwd: SOURCE }).flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      const found = text.match(/\b(?:7_305_418_\d{3}|7305418\d{3})\b/g) ?? [];
      return found.map((number) => [file, Number(number.replaceAll('_', ''))] as const);
    });
  const elsewhere = numbered('**/*.ts').filter(([file]) => !/advisory-locks\.|\.test\.ts$/.test(file));
  expect(elsewhere).toEqual([]);
  const named = numbered('**/*.sql').map(([, number]) => number);
  expect([...new Set(named)].toSorted()).toEqual(IN_MIGRATIONS.toSorted());
});
