import { spawn } from 'node:child_process';
import { type Counts, countsOf, excerptOf, flakyOf, type Proof } from './proofs.ts';

/** Runs proofs one after another (two cores bear no two suites at once); all of them, even after a failure. */
export async function runProofs(
  root: string,
  proofs: readonly Proof[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Counts> {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines: string[] = [];
  const reasons: string[] = [];
  for (const proof of proofs) {
    process.stdout.write(`\n== ${proof.name}\n`);
    const started = performance.now();
    const { code, output } = await runOne(root, proof, env);
    const counts = countsOf(proof, output, code === 0);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const said = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
    lines.push(`${code === 0 ? 'ok  ' : 'FAIL'} ${proof.name}: ${said} (${seconds} s)`);
    for (const name of flakyOf(proof, output)) lines.push(`     only at the second try: ${name}`);
    if (code !== 0) reasons.push(`-- why ${proof.name} failed`, ...excerptOf(proof, output), '');
  }
  process.stdout.write(`\n${reasons.join('\n')}\n${lines.join('\n')}\n\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total;
}

function runOne(
  root: string,
  proof: Proof,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...proof.command], {
      cwd: root,
      env: { ...env, ...proof.env, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.on('exit', (code) => resolve({ code: code ?? 1, output }));
  });
}
