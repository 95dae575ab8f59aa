import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { runProofs } from './run-proofs.ts';
import type { Proof } from './stages.ts';

const root = dirname(dirname(import.meta.dirname));

/** A proof that is a program of one line. */
const proof = (name: string, program: string, after?: string): Proof => ({
  ...{ name, command: ['-e', program], runner: 'none' },
  ...(after === undefined ? {} : { after }),
});
const failing = (name: string, said: string) =>
  proof(name, `console.log(${JSON.stringify(said)}); process.exit(1)`);

async function run(...stages: readonly (readonly Proof[])[]) {
  const lines: string[] = [];
  const counts = await runProofs(root, stages, process.env, (line) => lines.push(line));
  return { counts, lines };
}

test('all of a stage are run whatever fails, and a stage in which something failed is the last', async () => {
  const { counts, lines } = await run(
    [failing('style', 'a.ts: no'), proof('types', '')],
    [proof('tests', 'console.log("never said")')],
  );
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(lines.join()).not.toContain('tests');
});

test('the last lines name what failed without the path of the project, then count', async () => {
  const { lines } = await run([failing('style', `${root}/a.ts: no`), failing('types', 'b.ts(1,2): no')]);
  expect(lines.slice(-3).sort()).toEqual([
    '0 passed, 2 failed, 0 skipped',
    'FAIL style: a.ts: no',
    'FAIL types: b.ts(1,2): no',
  ]);
  expect(lines.at(-1)).toBe('0 passed, 2 failed, 0 skipped');
});

test('more failures than the last lines hold are counted', async () => {
  const many = Array.from({ length: 18 }, (_none, at) => failing(`proof ${at}`, 'no'));
  expect((await run(many)).lines.slice(-2)).toEqual(['and 2 more, above', '0 passed, 18 failed, 0 skipped']);
});

test('a proof begins after the one that it names has ended', async () => {
  const { lines } = await run([
    proof('first', 'setTimeout(() => console.log("said last"), 100)'),
    proof('second', 'console.log("begun")', 'first'),
  ]);
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(at('first: said last')).toBeGreaterThan(-1);
  expect(at('ok   first')).toBeLessThan(at('second: begun'));
});
