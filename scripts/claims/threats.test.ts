import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesWithAttacks } from '../proofs/stages.ts';
import { namedTests, testProblem } from './test-claims.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/threats.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| T\d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')));

/** T25 and T26 are of a separate signer. */
const NUMBERS = Array.from({ length: 35 }, (_, at) => at + 1).filter(
  (number) => number !== 25 && number !== 26,
);

test('every threat of the table stands on the page once, in order', () => {
  expect(rows.map(([id]) => id)).toEqual(NUMBERS.map((number) => `T${number}`));
});

test.each(rows)('%s (%s) names tests, and each of them exists', (id, _threat, cell) => {
  const { tests, rest } = namedTests(cell ?? '');
  expect(tests.length).toBeGreaterThan(0);
  expect(rest.replaceAll(/[; ]/g, '')).toBe('');
  expect(tests.flatMap((named) => testProblem(String(id), named, ROOT) ?? [])).toEqual([]);
});

/** A number, what it counts, and the files that try so many in the campaign. */
const CAMPAIGN = /([\d,]+) [^`]*in the campaign: ((?:`[^`]+`(?:, )?)+)/;
const sized = rows.flatMap(([id = '', , , size = '']) => {
  const [, number = '', files = ''] = CAMPAIGN.exec(size) ?? [];
  return [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => [id, file, number] as const);
});

test.each(sized)('%s: %s tries as many as the page says', (_id, file, number) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  expect(source).toMatch(new RegExp(`\\battacks\\([^;]*\\b${number.replaceAll(',', '_')}\\)`));
});

test('the page names every file with a part in the campaign', () => {
  expect([...new Set(sized.map(([, file]) => file))].sort()).toEqual(filesWithAttacks());
});

const rules = page
  .split('\n')
  .filter((line) => /^\| R\d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('the ten rules of the accounts stand on the page once, in order', () => {
  expect(rules.map(([id]) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `R${at + 1}`));
});

test.each(rules)('%s (%s) is kept by tests that exist', (id, _rule, cell) => {
  const { tests, rest } = namedTests(cell ?? '');
  expect(tests.length).toBeGreaterThan(1);
  expect(rest.replaceAll(/[; ]/g, '')).toBe('');
  expect(tests.flatMap((named) => testProblem(String(id), named, ROOT) ?? [])).toEqual([]);
});

const traps = page
  .split('\n')
  .filter((line) => /^\| A\d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('the traps of accounts stand on the page once, in order', () => {
  expect(traps.map(([id]) => id)).toEqual(Array.from({ length: 18 }, (_, at) => `A${at + 1}`));
});

test.each(traps)('%s (%s) is kept out by tests that exist', (id, _trap, cell) => {
  const { tests, rest } = namedTests(cell ?? '');
  expect(tests.length).toBeGreaterThan(0);
  expect(rest.replaceAll(/[; ]/g, '')).toBe('');
  expect(tests.flatMap((named) => testProblem(String(id), named, ROOT) ?? [])).toEqual([]);
});

/** Beginnings that only keys of real services and private keys have. */
const KEYS = new RegExp(
  [
    '-----BEGIN [A-Z ]*PRIVATE',
    ' KEY-----|\\bAKIA[0-9A-Z]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{36}|\\bsk_live_[A-Za-z0-9]{16}|\\bxox[abprs]-[0-9]{8}',
  ].join(''),
);

test('no file of the project holds a key of somebody, and browsers get no source maps', () => {
  const files = execFileSync('git', ['ls-files', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16_000_000,
  })
    .split('\0')
    .filter((file) =>
      /\.(?:[cm]?[jt]sx?|json|md|sql|ya?ml|env|example|html|css|sh|txt)$|^\.[a-z]/.test(file),
    );
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((file) => KEYS.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
  // The judge is not blind.
  expect(KEYS.test(`-----BEGIN ${'PRIVATE'} KEY-----`)).toBe(true);
  expect(KEYS.test(`AKIA${'ABCDEFGHIJKLMNOP'}`)).toBe(true);
  expect(readFileSync(join(ROOT, 'apps/web/vite.config.ts'), 'utf8')).not.toMatch(/sourcemap: (?!false)/);
});
