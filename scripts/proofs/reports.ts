import { stripVTControlCharacters } from 'node:util';
import type { Runner } from './stages.ts';

/** What the runners' own JSON reports say: counts, why each failure failed, what needed a second try. */

/** What a run of claims came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One proof's result. */
export interface Report {
  readonly counts: Counts;
  /** Lines that tell why it failed, to be said again at the end of the log; empty where it held. */
  readonly reasons: readonly string[];
  /** One line for each failure, its name and the first line of its message: what the very last lines of the log say. */
  readonly failures: readonly string[];
  /** What held only at the second try (docs/decisions/0018); it counts as passed. */
  readonly flaky: readonly string[];
}

/** One test as a runner reports it. */
interface Claim {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'flaky';
  /** Why it failed, with the place. */
  readonly why?: string;
}

/** How a command ended, and everything it printed. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

const REASON_LINES_MAX = 120;
const FAILURE_LINES_MAX = 30;
const FAILURE_CHARS_MAX = 240;

/**
 * Judges a proof by its report. A command that failed without a failed test has failed all the same, and one that ran
 * no test, or left no report, proved nothing.
 * @param text what stands in the report's file; `undefined` = there is none.
 */
export function reportOf(runner: Runner, ended: Ended, text: string | undefined): Report {
  const held = ended.code === 0;
  if (runner === 'none') {
    const counts = { passed: held ? 1 : 0, failed: held ? 0 : 1, skipped: 0 };
    const reasons = held ? [] : lastLines(ended.output);
    return { counts, reasons, failures: held ? [] : [failureOf('', ended.output)], flaky: [] };
  }
  const claims = claimsOf(runner, text);
  const count = (...outcomes: readonly Claim['outcome'][]) =>
    claims.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const passed = count('passed', 'flaky');
  const failed = count('failed');
  const blind = failed === 0 && (!held || passed === 0);
  const red = claims.filter(({ outcome }) => outcome === 'failed');
  const reasons = blind ? lastLines(ended.output) : reasonsOf(red);
  return {
    counts: { passed, failed: blind ? 1 : failed, skipped: count('skipped') },
    reasons,
    failures: blind
      ? [failureOf('no failed test, and yet', reasons.at(-1) ?? '')]
      : red.map(({ name, why = '' }) => failureOf(name, why)),
    flaky: claims.filter(({ outcome }) => outcome === 'flaky').map(({ name }) => name),
  };
}

function failureOf(name: string, why: string): string {
  const said = [name, linesOf(why)[0]?.trim() ?? ''].filter((part) => part !== '').join(': ');
  return said.length > FAILURE_CHARS_MAX ? `${said.slice(0, FAILURE_CHARS_MAX)} …` : said;
}

function reasonsOf(red: readonly Claim[]): readonly string[] {
  return red
    .flatMap(({ name, why = '' }) => [
      `FAIL ${name}`,
      ...linesOf(why)
        .slice(0, FAILURE_LINES_MAX)
        .map((line) => `  ${line}`),
    ])
    .slice(0, REASON_LINES_MAX);
}

function linesOf(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function lastLines(output: string): readonly string[] {
  return linesOf(output).slice(-FAILURE_LINES_MAX);
}

/** The claims of a report; none where it is missing, cut off or of another shape, which counts as a failure above. */
function claimsOf(runner: Exclude<Runner, 'none'>, text: string | undefined): readonly Claim[] {
  if (text === undefined) return [];
  try {
    if (runner === 'vitest') return vitestClaims(JSON.parse(text));
    // tests/clients/report.mjs writes claims as they are.
    return runner === 'playwright' ? playwrightClaims(JSON.parse(text)) : JSON.parse(text);
  } catch {
    return [];
  }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function vitestClaims({ testResults }: VitestReport): readonly Claim[] {
  return testResults.flatMap((file) => {
    const claims = file.assertionResults.map(({ fullName, status, failureMessages }): Claim => {
      const failures = failureMessages ?? [];
      // What failed before it passed was tried once more.
      const passed = failures.length === 0 ? 'passed' : 'flaky';
      const outcome = status === 'passed' ? passed : status === 'failed' ? status : 'skipped';
      return { name: `${file.name} > ${fullName}`, outcome, why: failures.join('\n') };
    });
    // A file that cannot be loaded has no tests to fail.
    const unread = file.status === 'failed' && !claims.some(({ outcome }) => outcome === 'failed');
    return unread ? [...claims, { name: file.name, outcome: 'failed' as const, why: file.message }] : claims;
  });
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly errors?: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

const PLAYWRIGHT_OUTCOMES = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
} as const;

function playwrightClaims({ suites, errors }: PlaywrightReport): readonly Claim[] {
  const claims = (suite: PlaywrightSuite): readonly Claim[] => [
    ...(suite.suites ?? []).flatMap(claims),
    ...suite.specs.flatMap((spec) =>
      spec.tests.map(({ status, results }): Claim => {
        const why = results.flatMap((result) => result.errors ?? []).map(({ message = '' }) => message);
        const name = `${spec.file}:${spec.line} > ${spec.title}`;
        return { name, outcome: PLAYWRIGHT_OUTCOMES[status], why: why.join('\n') };
      }),
    ),
  ];
  const broken = errors.map(
    ({ message = '' }): Claim => ({ name: 'the run', outcome: 'failed', why: message }),
  );
  return [...suites.flatMap(claims), ...broken];
}
