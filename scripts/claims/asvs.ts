import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NamedTest, namedTests, testProblem } from './test-claims.ts';

/**
 * Holds docs/asvs.md against OWASP ASVS 5.0.0: every requirement of level 1 and 2 has one row with a state, and what is
 * called met names the files that do it and the tests that would fail without it. `node scripts/claims/asvs.ts` checks.
 */

/** Ids of the requirements by level, as the standard numbers them. */
export type Levels = Readonly<Record<'1' | '2', readonly string[]>>;

/** One row of the page. */
export interface AsvsRow {
  readonly id: string;
  readonly level: string;
  readonly state: string;
  /** The requirement in our own words. */
  readonly text: string;
  readonly evidence: string;
}

const ROW = /^\| (\d+\.\d+\.\d+) \| (\S*) \| (.*?) \| (\S*) \| ?(.*?) ?\|$/;
const FILE = /`([^`]+)`/g;
const STATES = ['met', 'deviates', 'open', 'n/a'] as const;
const DEVIATION = /\bWhy: \S.*\bInstead: \S.*\bSigned: \S.*,? \d{4}-\d\d-\d\d\./;
/** The deviations that the founders signed. */
const SIGNED = ['5.4.3', '6.2.1', '6.2.5', '6.5.4', '6.5.5', '7.3.1', '13.3.1', '15.2.1'];
/** A shorter reason says nothing. */
const REASON_CHARACTERS_MIN = 20;

/** Reads the rows of the page. A line that begins like a row and cannot be read is a problem of its own. */
export function parseAsvs(markdown: string): {
  readonly rows: readonly AsvsRow[];
  readonly unread: readonly string[];
} {
  const rows: AsvsRow[] = [];
  const unread: string[] = [];
  for (const line of markdown.split('\n')) {
    if (!/^\|\s*\d/.test(line)) continue;
    const [, id, level = '', text = '', state = '', evidence = ''] = ROW.exec(line) ?? [];
    if (id === undefined) unread.push(line);
    else rows.push({ id, level, text, state, evidence });
  }
  return { rows, unread };
}

function metProblems(id: string, tests: readonly NamedTest[], files: readonly string[]): readonly string[] {
  return [
    ...(tests.length === 0 ? [`${id}: met without a test`] : []),
    ...(files.length === 0 ? [`${id}: met without a file that does it`] : []),
  ];
}

function reasonProblems({ id, state, evidence }: AsvsRow): readonly string[] {
  if (state === 'deviates' && !SIGNED.includes(id)) return [`${id}: a deviation that nobody has signed`];
  if (state === 'deviates' && !DEVIATION.test(evidence))
    return [`${id}: a deviation says "Why: ... Instead: ... Signed: who, yyyy-mm-dd."`];
  return evidence.length < REASON_CHARACTERS_MIN ? [`${id}: ${state} without a reason`] : [];
}

function rowProblems(row: AsvsRow, root: string): readonly string[] {
  const { id, state, text, evidence } = row;
  if (!STATES.some((known) => known === state)) return [`${id}: unknown state "${state}"`];
  const { tests, rest } = namedTests(evidence);
  const files = [...rest.matchAll(FILE)].map(([, file = '']) => file).filter((file) => file.includes('/'));
  const missing = files.filter((file) => !existsSync(join(root, file)));
  return [
    ...(text.length < REASON_CHARACTERS_MIN ? [`${id}: says nothing of what is asked`] : []),
    ...missing.map((file) => `${id}: ${file} does not exist`),
    ...tests.flatMap((test) => testProblem(id, test, root) ?? []),
    ...(state === 'met' ? metProblems(id, tests, files) : reasonProblems(row)),
  ];
}

/**
 * Judges the page: every requirement once and at its level, nothing else, states known, evidence that exists.
 * @returns one sentence per problem.
 */
export function asvsProblems(markdown: string, levels: Levels, root: string): readonly string[] {
  const { rows, unread } = parseAsvs(markdown);
  const levelOf = new Map(Object.entries(levels).flatMap(([level, ids]) => ids.map((id) => [id, level])));
  const problems = unread.map((row) => `not a readable row: ${row}`);
  const seen = new Set<string>();
  for (const row of rows) {
    const level = levelOf.get(row.id);
    if (seen.has(row.id)) problems.push(`${row.id}: the id is there twice`);
    seen.add(row.id);
    if (level === undefined) problems.push(`${row.id}: no requirement of level 1 or 2`);
    else if (level !== row.level) problems.push(`${row.id}: is of level ${level}, not "${row.level}"`);
    problems.push(...rowProblems(row, root));
  }
  for (const id of levelOf.keys()) if (!seen.has(id)) problems.push(`${id}: is not there`);
  return problems;
}

/** `N met, N deviate, N open of N applicable; N do not apply`, as the page itself says it. */
export function asvsSummary(markdown: string): string {
  const { rows } = parseAsvs(markdown);
  const count = (state: (typeof STATES)[number]): number => rows.filter((row) => row.state === state).length;
  const applicable = rows.length - count('n/a');
  const parts = `${count('met')} met, ${count('deviates')} deviate, ${count('open')} open`;
  return `${parts} of ${applicable} applicable; ${count('n/a')} do not apply`;
}

function main(): number {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
  const levels: Levels = JSON.parse(readFileSync(join(root, 'scripts/claims/asvs-levels.json'), 'utf8'));
  const problems = asvsProblems(page, levels, root);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${asvsSummary(page)}\n`);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
