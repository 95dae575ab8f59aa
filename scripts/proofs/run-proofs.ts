import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Counts, type Ended, type Report, reportOf } from './reports.ts';
import { type Proof, type Stage, withReport } from './stages.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Failures that the last lines of the log name, so that thirty lines of it show them all and what each proof came to. */
const NAMED_FAILURES_MAX = 16;

/**
 * Runs stage by stage; one in which something failed is the last. Says at the end why a proof failed, what each came to
 * and, in the very last lines, every failure by name.
 */
export async function runProofs(
  root: string,
  stages: readonly Stage[],
  env: Environment,
  say: (line: string) => void = print,
): Promise<Counts> {
  const ended: Judged[] = [];
  const reports = mkdtempSync(join(tmpdir(), 'proofs '));
  try {
    for (const stage of stages) {
      say(`\n== ${stage.map(({ name }) => name).join(', ')}`);
      const ends = new Map<string, Promise<void>>();
      const run = async (proof: Proof): Promise<void> => {
        if (proof.after !== undefined) await ends.get(proof.after);
        const started = performance.now();
        const file = join(reports, `${proof.name.replaceAll('/', '-')}.json`);
        const prefix = stage.length > 1 ? `${proof.name}: ` : '';
        const report = await runOne({ root, proof, file, env, say: (line) => say(`${prefix}${line}`) });
        const judged = { name: proof.name, report, seconds: (performance.now() - started) / 1_000 };
        ended.push(judged);
        for (const line of verdict(judged).slice(0, 1)) say(line);
      };
      for (const proof of stage) ends.set(proof.name, run(proof));
      await Promise.all(ends.values());
      if (ended.some(({ report }) => report.counts.failed > 0)) break;
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  for (const line of ['', ...lastWords(root, ended)]) say(line);
  return sum(ended);
}

interface Judged {
  readonly name: string;
  readonly report: Report;
  readonly seconds: number;
}

function verdict({ name, report, seconds }: Judged): readonly string[] {
  const { counts, flaky } = report;
  const word = counts.failed === 0 ? 'ok  ' : 'FAIL';
  return [
    `${word} ${name}: ${sentence(counts)} (${seconds.toFixed(1)} s)`,
    ...flaky.map((claim) => `     only at the second try: ${claim}`),
  ];
}

function sum(ended: readonly Judged[]): Counts {
  const of = (count: keyof Counts) => ended.reduce((total, { report }) => total + report.counts[count], 0);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function lastWords(root: string, ended: readonly Judged[]): readonly string[] {
  const red = ended.filter(({ report }) => report.counts.failed > 0);
  const why = red.flatMap(({ name, report }) => [`-- why ${name} failed`, ...report.reasons, '']);
  const failures = red.flatMap(({ name, report }) => report.failures.map((said) => `FAIL ${name}: ${said}`));
  const named = failures.slice(0, NAMED_FAILURES_MAX).map((line) => line.replaceAll(`${root}/`, ''));
  const more = failures.length - named.length;
  return [
    ...[...why, ...ended.flatMap(verdict), ''],
    ...[...named, ...(more > 0 ? [`and ${more} more, above`] : [])],
    sentence(sum(ended)),
  ];
}

function sentence({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Run {
  readonly root: string;
  readonly proof: Proof;
  /** Where the runner leaves its report. */
  readonly file: string;
  readonly env: Environment;
  /** Gets each line that it prints. */
  readonly say: (line: string) => void;
}

async function runOne({ root, proof, file, env, say }: Run): Promise<Report> {
  const { command, env: own } = withReport(proof, file);
  const ended = await new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [...command], {
      cwd: root,
      env: { ...env, ...own, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        say(line);
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
  return reportOf(proof.runner, ended, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
}
