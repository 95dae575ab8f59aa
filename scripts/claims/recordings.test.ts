import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { namedTests, testProblem } from './test-claims.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const rows = readFileSync(join(ROOT, 'docs/venues/recordings.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| `([^`]+\.test\.ts)` \| (.*) \|$/.exec(line))
  .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const]));

test('every file with tests that are skipped without recordings stands on their page once', () => {
  const files = execFileSync('git', ['ls-files', 'packages/**/*.test.ts', 'scripts/**/*.test.ts'], {
    cwd: ROOT,
  });
  const reading = files
    .toString('utf8')
    .trim()
    .split('\n')
    .filter((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      return /\.skipIf\(/.test(source) && /RECORDINGS_DIR\b|\brecorded(?:Json)?\(/.test(source);
    });
  expect(rows.map(([file]) => file).toSorted()).toEqual(reading.toSorted());
});

test.each(rows)('what %s reads is proven without recordings too, by tests that exist', (file, cell) => {
  const { tests, rest } = namedTests(cell);
  expect(tests.length).toBeGreaterThan(0);
  expect(rest.replaceAll(/[; ]/g, '')).toBe('');
  expect(tests.flatMap((named) => testProblem(file, named, ROOT) ?? [])).toEqual([]);
});
