// npm test here, or from the root's test runner: installs this folder's own clients when they are missing, then runs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const projectNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const node = existsSync(projectNode) ? projectNode : process.execPath;

if (!existsSync(new URL('node_modules/ccxt/package.json', import.meta.url))) {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: 'inherit',
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const run = spawnSync(node, ['--test', '--test-reporter=spec', 'ccxt.test.mjs'], {
  cwd: here,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
