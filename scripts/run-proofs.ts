import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Proof, type Stage, withReport } from './proofs.ts';
import { type Counts, type Ended, type Report, reportOf } from './reports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs every stage, also after a failure, and says at the end what each proof came to and why one failed. */
export async function runProofs(root: string, stages: readonly Stage[], env: Environment): Promise<Counts> {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines: string[] = [];
  const reasons: string[] = [];
  const reports = mkdtempSync(join(tmpdir(), 'proofs '));
  try {
    for (const stage of stages) {
      process.stdout.write(`\n== ${stage.map(({ name }) => name).join(', ')}\n`);
      const said = stage.length > 1 ? (proof: Proof) => `${proof.name}: ` : () => '';
      await Promise.all(
        stage.map(async (proof, index) => {
          const started = performance.now();
          const file = join(reports, `${lines.length}-${index}.json`);
          const report = await runOne(root, { proof, file, prefix: said(proof) }, env);
          const seconds = ((performance.now() - started) / 1_000).toFixed(1);
          const { counts } = report;
          total.passed += counts.passed;
          total.failed += counts.failed;
          total.skipped += counts.skipped;
          const verdict = `${counts.failed === 0 ? 'ok  ' : 'FAIL'} ${proof.name}`;
          lines.push(`${verdict}: ${sentence(counts)} (${seconds} s)`);
          process.stdout.write(`${lines.at(-1)}\n`);
          for (const name of report.flaky) lines.push(`     only at the second try: ${name}`);
          if (counts.failed > 0) reasons.push(`-- why ${proof.name} failed`, ...report.reasons, '');
        }),
      );
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  process.stdout.write(`\n${reasons.join('\n')}\n${lines.join('\n')}\n\n${sentence(total)}\n`);
  return total;
}

function sentence({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

interface Run {
  readonly proof: Proof;
  /** Where the runner leaves its report. */
  readonly file: string;
  /** What each printed line begins with, so that proofs which run at the same time can be told apart. */
  readonly prefix: string;
}

async function runOne(root: string, { proof, file, prefix }: Run, env: Environment): Promise<Report> {
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
        process.stdout.write(`${prefix}${line}\n`);
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
  return reportOf(proof.runner, ended, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
}
