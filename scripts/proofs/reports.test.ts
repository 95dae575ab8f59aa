import { describe, expect, test } from 'vitest';
import { reportOf } from './reports.ts';
import type { Runner } from './stages.ts';

// Shapes as vitest 5, Playwright 1.65 and tests/clients/report.mjs write them, shortened.
const UNITS = {
  testResults: [
    {
      name: 'a.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { fullName: 'one', status: 'passed', failureMessages: [] },
        { fullName: 'two', status: 'failed', failureMessages: ['AssertionError: 1\n\n    at a.test.ts:9'] },
        { fullName: 'three', status: 'skipped', failureMessages: [] },
        { fullName: 'four', status: 'todo', failureMessages: [] },
        { fullName: 'five', status: 'passed', failureMessages: ['Error: still []'] },
      ],
    },
    { name: 'b.test.ts', status: 'failed', message: 'SyntaxError: no', assertionResults: [] },
  ],
};

const flow = (title: string, line: number, status: string, ...messages: readonly string[]) => ({
  title,
  file: 'a.test.ts',
  line,
  tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
});

const FLOWS = {
  errors: [],
  suites: [
    {
      specs: [flow('one', 1, 'expected'), flow('two', 9, 'unexpected', '\u001b[31mexpected 1\u001b[39m')],
      suites: [{ specs: [flow('three', 20, 'flaky', 'late'), flow('four', 30, 'skipped')] }],
    },
  ],
};

const CLIENTS = [
  { name: 'c.test.mjs > one', outcome: 'passed' },
  { name: 'c.test.mjs > two', outcome: 'failed', why: 'Error: no' },
];

const passing = {
  testResults: [
    {
      ...UNITS.testResults[0],
      status: 'passed',
      assertionResults: [{ fullName: 'one', status: 'passed', failureMessages: null }],
    },
  ],
};

describe('counts', () => {
  test.each<readonly [string, Runner, number, unknown, object]>([
    [
      'of unit tests, and a file that cannot be read',
      'vitest',
      1,
      UNITS,
      { passed: 2, failed: 2, skipped: 2 },
    ],
    ['of browser flows', 'playwright', 1, FLOWS, { passed: 2, failed: 1, skipped: 1 }],
    ['of outside clients', 'node', 1, CLIENTS, { passed: 1, failed: 1, skipped: 0 }],
    ['of a check', 'none', 0, undefined, { passed: 1, failed: 0, skipped: 0 }],
    ['of a check that failed', 'none', 2, undefined, { passed: 0, failed: 1, skipped: 0 }],
    ['without a report nothing is proven', 'vitest', 0, undefined, { passed: 0, failed: 1, skipped: 0 }],
    [
      'a run without a test proved nothing',
      'vitest',
      0,
      { testResults: [] },
      { passed: 0, failed: 1, skipped: 0 },
    ],
    [
      'a report of another shape proves nothing',
      'playwright',
      0,
      UNITS,
      { passed: 0, failed: 1, skipped: 0 },
    ],
    ['a command failed without a failed test', 'vitest', 1, passing, { passed: 1, failed: 1, skipped: 0 }],
  ])('%s', (...[, runner, code, report, counts]) => {
    const text = report === undefined ? undefined : JSON.stringify(report);
    expect(reportOf(runner, { code, output: '' }, text).counts).toEqual(counts);
  });

  test('a report that was cut off proves nothing', () => {
    const cut = JSON.stringify(CLIENTS).slice(0, -5);
    expect(reportOf('node', { code: 0, output: '' }, cut).counts.failed).toBe(1);
  });
});

test('what held only at the second try is named', () => {
  const flaky = (runner: Runner, report: unknown) =>
    reportOf(runner, { code: 0, output: '' }, JSON.stringify(report)).flaky;
  expect(flaky('playwright', FLOWS)).toEqual(['a.test.ts:20 > three']);
  expect(flaky('vitest', UNITS)).toEqual(['a.test.ts > five']);
});

describe('the very last lines name each failure with the first line of its message', () => {
  const failures = (runner: Runner, report: unknown, output = '', code = 1) =>
    reportOf(runner, { code, output }, JSON.stringify(report)).failures;

  test.each<readonly [string, Runner, unknown, readonly string[]]>([
    ['flows', 'playwright', FLOWS, ['a.test.ts:9 > two: expected 1']],
    [
      'tests and files that cannot be read',
      'vitest',
      UNITS,
      ['a.test.ts > two: AssertionError: 1', 'b.test.ts: SyntaxError: no'],
    ],
    ['outside clients', 'node', CLIENTS, ['c.test.mjs > two: Error: no']],
    [
      'a run that failed without a failed test',
      'vitest',
      passing,
      ['no failed test, and yet: out of memory'],
    ],
    ['a check', 'none', undefined, ['src/a.ts(1,2): error']],
  ])('of %s', (...[, runner, report, lines]) => {
    expect(failures(runner, report, 'src/a.ts(1,2): error\n\nout of memory\n')).toEqual(lines);
  });

  test('where nothing failed there is none, and a long message is cut', () => {
    expect(failures('none', undefined, 'fine', 0)).toEqual([]);
    const long = failures('node', [{ ...CLIENTS[1], why: 'x'.repeat(1000) }]);
    expect(long.map((line) => line.length)).toEqual([242]);
  });
});

describe('the end of a failed run tells why', () => {
  const reasons = (runner: Runner, report: unknown, output = '') =>
    reportOf(runner, { code: 1, output }, JSON.stringify(report)).reasons;

  test.each<readonly [string, Runner, unknown, readonly string[]]>([
    ['each failed flow', 'playwright', FLOWS, ['FAIL a.test.ts:9 > two', '  expected 1']],
    [
      'each failed test',
      'vitest',
      UNITS,
      [
        'FAIL a.test.ts > two',
        '  AssertionError: 1',
        '      at a.test.ts:9',
        'FAIL b.test.ts',
        '  SyntaxError: no',
      ],
    ],
    ['each failed client', 'node', CLIENTS, ['FAIL c.test.mjs > two', '  Error: no']],
  ])('by %s', (...[, runner, report, lines]) => {
    expect(reasons(runner, report)).toEqual(lines);
  });
  test('by its last lines where no failure is named', () => {
    expect(reasons('vitest', passing, 'noise\nout of memory\n')).toEqual(['noise', 'out of memory']);
    expect(reasons('none', undefined, 'out of memory\n')).toEqual(['out of memory']);
  });
  test('within a bound', () => {
    const many = Array.from({ length: 200 }, () => CLIENTS[1]);
    expect(reasons('node', many)).toHaveLength(120);
    expect(reasons('node', [{ ...CLIENTS[1], why: 'x\n'.repeat(1000) }])).toHaveLength(31);
    expect(reasons('none', undefined, 'x\n'.repeat(1000))).toHaveLength(30);
  });
});
