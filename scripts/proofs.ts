import { stripVTControlCharacters } from 'node:util';

/** One proof: a command, and how to read how many claims it proved. */
export interface Proof {
  readonly name: string;
  /** Arguments for the project's Node. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Reads counts out of what the command printed; a proof without tests counts as one. */
  readonly count: 'vitest' | 'playwright' | 'one';
}

/** What a run of claims came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const BIN = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  playwright: 'node_modules/@playwright/test/cli.js',
  sizeLimit: 'node_modules/size-limit/bin.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** Style and boundaries, types, dead code: what `npm run check` adds the unit tests to. */
const STATIC_PROOFS: readonly Proof[] = [
  { name: 'style and import fences', command: [BIN.biome, 'check', '.'], count: 'one' },
  { name: 'types (server side)', command: [BIN.tsc, '-p', 'tsconfig.node.json'], count: 'one' },
  { name: 'types (browser side)', command: [BIN.tsc, '-p', 'apps/web/tsconfig.json'], count: 'one' },
  { name: 'types (browser tests)', command: [BIN.tsc, '-p', 'tests/e2e/tsconfig.json'], count: 'one' },
  { name: 'dead code', command: [BIN.knip, '--treat-config-hints-as-errors'], count: 'one' },
];

const UNIT_PROOF: Proof = {
  name: 'unit, property and system tests',
  command: [BIN.vitest, 'run', '--reporter=default'],
  count: 'vitest',
};

/** The fast tier: seconds to two minutes. */
export function checkProofs(): readonly Proof[] {
  return [
    ...STATIC_PROOFS,
    { ...UNIT_PROOF, command: [...UNIT_PROOF.command, 'packages', 'apps', 'scripts'] },
  ];
}

/** `npm test`, and with `full` everything that CI proves (decisions.md 33). */
export function testProofs(full: boolean): readonly Proof[] {
  const env = full ? { TEST_TIER: 'full', FUZZ_RUNS: '1000' } : { TEST_TIER: 'test' };
  if (full) {
    return [
      { ...UNIT_PROOF, name: 'long properties', command: [...UNIT_PROOF.command, '.fuzz.'], env },
      { name: 'every screen in the browser', command: [BIN.playwright, 'test'], count: 'playwright', env },
    ];
  }
  return [
    ...STATIC_PROOFS,
    { ...UNIT_PROOF, env },
    { name: 'size budgets', command: [BIN.sizeLimit], count: 'one' },
    {
      name: 'outside clients against the simulator',
      command: ['tests/clients/run.mjs'],
      count: 'vitest',
      env,
    },
    { name: 'flows in the browser', command: [BIN.playwright, 'test'], count: 'playwright', env },
  ];
}

function sum(text: string, word: string): number {
  let total = 0;
  for (const found of text.matchAll(new RegExp(`(\\d+) ${word}\\b`, 'g'))) total += Number(found[1]);
  return total;
}

/** Reads the counts of one proof from its output. */
export function countsOf(proof: Proof, output: string, succeeded: boolean): Counts {
  if (proof.count === 'one') return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  const plain = stripVTControlCharacters(output);
  const lines = plain.split('\n');
  const counted =
    proof.count === 'vitest'
      ? lines.filter((line) => /^\s*(?:Tests\s|ℹ (?:pass|fail|skipped))/.test(line)).join('\n')
      : lines.filter((line) => /^\s+\d+ (?:passed|failed|skipped|flaky|did not run)/.test(line)).join('\n');
  const node = (word: string) => Number(new RegExp(`ℹ ${word} (\\d+)`).exec(counted)?.[1] ?? 0);
  const counts = {
    passed: sum(counted, 'passed') + sum(counted, 'flaky') + node('pass'),
    failed: sum(counted, 'failed') + sum(counted, 'did not run') + node('fail'),
    skipped: sum(counted, 'skipped') + sum(counted, 'todo') + node('skipped'),
  };
  // A command that fails without a failed test has failed all the same, and one that ran no test proved nothing.
  if (!succeeded && counts.failed === 0) return { ...counts, failed: 1 };
  return succeeded && counts.passed === 0 ? { ...counts, failed: 1 } : counts;
}

const EXCERPT_LINES_MAX = 120;
const FAILURE_LINES_MAX = 30;

/** Where the story of one failure begins, per kind of proof. */
const FAILURE_STARTS: Readonly<Record<Proof['count'], RegExp>> = {
  playwright: /^ {2}\d+\) /,
  vitest: /^\s*(?:FAIL |not ok |✖ )/,
  one: /^/,
};

/**
 * The lines of a failed proof that tell why, to be said again at the very end: whoever sees only the end of a long log
 * must still learn the reason.
 */
export function excerptOf(proof: Proof, output: string): readonly string[] {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const told: string[] = [];
  let left = 0;
  for (const line of lines) {
    if (FAILURE_STARTS[proof.count].test(line)) left = FAILURE_LINES_MAX;
    if (left <= 0) continue;
    left -= 1;
    told.push(line);
    if (told.length === EXCERPT_LINES_MAX) break;
  }
  return told.length > 0 ? told : lines.slice(-FAILURE_LINES_MAX);
}

/** Browser flows that held only at the second try, by name. They count as passed and are named at the end of every run. */
export function flakyOf(proof: Proof, output: string): readonly string[] {
  if (proof.count !== 'playwright') return [];
  const lines = stripVTControlCharacters(output).split('\n');
  const head = lines.findLastIndex((line) => /^ {2}\d+ flaky/.test(line));
  if (head < 0) return [];
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('    '));
  return lines.slice(head + 1, end < 0 ? undefined : end).map((line) => line.trim());
}
