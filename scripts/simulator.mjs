// Runs the simulator alone: npm run simulator -- --port P --seed S [--data DIR] [--supervised]
// It prints one JSON line {"url","admin"} when it is ready; progress goes to stderr.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'packages/simulator/src/main.ts');
const major = Number(process.versions.node.split('.')[0]);

if (major >= NODE_MAJOR_MIN) {
  await import(main);
} else {
  // The project carries its own Node; an older one on the path only starts it.
  const node = join(root, 'node_modules/.bin/node');
  if (!existsSync(node)) {
    process.stderr.write(`simulator: Node ${NODE_MAJOR_MIN} is needed; run npm install first\n`);
    process.exit(1);
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
