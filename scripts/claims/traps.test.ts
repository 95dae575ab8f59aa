import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { namedTests, testProblem } from './test-claims.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TRAPS = 24;
const rows = readFileSync(join(ROOT, 'docs/traps.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('every trap of trade pages stands on its page once, in order', () => {
  expect(rows.map(([number]) => number)).toEqual(Array.from({ length: TRAPS }, (_, at) => String(at + 1)));
});

test.each(rows)('trap %s (%s) has tests, and each of them exists', (number, _trap, cell) => {
  const { tests, rest } = namedTests(cell ?? '');
  expect(tests.length).toBeGreaterThan(0);
  expect(rest.replaceAll(/[; ]/g, '')).toBe('');
  expect(tests.flatMap((named) => testProblem(`trap ${number}`, named, ROOT) ?? [])).toEqual([]);
});
