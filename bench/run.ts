import { readdirSync } from 'node:fs';
import type { Bench, Figure } from './harness.ts';

const NOT_BENCHES = new Set([
  'run.ts',
  'harness.ts',
  'order-hub.ts',
  'order-load.ts',
  'api-load.ts',
  'naive-venue.ts',
]);

function names(): readonly string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('.ts') && !NOT_BENCHES.has(file))
    .map((file) => file.slice(0, -3))
    .sort();
}

function line(figure: Figure): string {
  const value = figure.value.toLocaleString('en', { maximumFractionDigits: 2 });
  const ratio = figure.against === undefined ? '' : `   ${figure.ratio} x ${figure.against}`;
  return `${figure.figure.padEnd(44)} ${value.padStart(12)} ${figure.unit.padEnd(12)}${ratio}`;
}

const json = process.argv.includes('--json');
const name = process.argv.slice(2).find((word) => !word.startsWith('--'));
if (name === undefined || !names().includes(name)) {
  console.error(`usage: npm run bench -- <name> [--json]\nbenches: ${names().join(', ')}`);
  process.exit(2);
}
const { bench }: { bench: Bench } = await import(`./${name}.ts`);
const report = json ? () => undefined : (text: string) => console.log(text);
report(bench.about);
for (const figure of await bench.run(report)) {
  console.log(json ? JSON.stringify({ bench: name, ...figure }) : line(figure));
}
process.exit(0);
