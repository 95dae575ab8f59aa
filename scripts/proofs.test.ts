import { describe, expect, test } from 'vitest';
import { countsOf, excerptOf, flakyOf, type Proof } from './proofs.ts';

const browser: Proof = { name: 'flows', command: [], count: 'playwright' };
const units: Proof = { name: 'units', command: [], count: 'vitest' };
const check: Proof = { name: 'types', command: [], count: 'one' };

const BROWSER_FAILED = `Running 3 tests using 1 worker
  ✓  1 a.test.ts:1:1 › one (1.0s)
  ✘  2 a.test.ts:9:1 › two (2.0s)

  1) a.test.ts:9:1 › two ─────────

    Error: expected 1

    - Expected
  1 failed
    a.test.ts:9:1 › two ──
  1 flaky
    b.test.ts:3:1 › three ──
  1 passed (2.2m)
`;

describe('counts', () => {
  test.each<readonly [string, Proof, string, boolean, object]>([
    ['of browser flows', browser, BROWSER_FAILED, false, { passed: 2, failed: 1, skipped: 0 }],
    [
      'of unit tests',
      units,
      ' Tests  7 passed | 2 skipped (9)\n',
      true,
      { passed: 7, failed: 0, skipped: 2 },
    ],
    ['of a check', check, 'whatever', true, { passed: 1, failed: 0, skipped: 0 }],
    ['a command that ran no test proved nothing', units, '', true, { passed: 0, failed: 1, skipped: 0 }],
    [
      'a command that failed without a failed test has failed',
      units,
      ' Tests  7 passed (7)\n',
      false,
      { passed: 7, failed: 1, skipped: 0 },
    ],
  ])('%s', (...[, proof, output, succeeded, counts]) => {
    expect(countsOf(proof, output, succeeded)).toEqual(counts);
  });
});

test('flows that held only at the second try are named', () => {
  expect(flakyOf(browser, BROWSER_FAILED)).toEqual(['b.test.ts:3:1 › three ──']);
  expect(flakyOf(browser, '  3 passed (1s)\n')).toEqual([]);
  expect(flakyOf(units, BROWSER_FAILED)).toEqual([]);
});

describe('the end of a failed run tells why', () => {
  test('by the story of each failed flow', () => {
    expect(excerptOf(browser, BROWSER_FAILED).slice(0, 2)).toEqual([
      '  1) a.test.ts:9:1 › two ─────────',
      '    Error: expected 1',
    ]);
  });
  test('by each failed test', () => {
    expect(excerptOf(units, 'noise\n FAIL  a.test.ts > one\nAssertionError: 1\n')).toEqual([
      ' FAIL  a.test.ts > one',
      'AssertionError: 1',
    ]);
  });
  test('by its last lines where no failure is named', () => {
    expect(excerptOf(units, 'out of memory\n')).toEqual(['out of memory']);
  });
  test('within a bound', () => {
    expect(excerptOf(check, 'x\n'.repeat(1000))).toHaveLength(120);
  });
});
