import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACCOUNT_BUDGETS } from './budgets.ts';

test('docs/security.md states the budgets that are in force', () => {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  const stated = [...page.matchAll(/^\| ([a-zA-Z]+) \| (\d+) \| (\d+) \|$/gm)].map((match) => [
    match[1],
    { usesMax: Number(match[2]), windowMillis: Number(match[3]) * 60_000 },
  ]);
  expect(Object.fromEntries(stated)).toEqual(ACCOUNT_BUDGETS);
});
