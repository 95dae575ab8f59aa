// npm test here, or from the root's test runner: installs this folder's own clients when one is missing, then runs them all.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const projectNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const node = existsSync(projectNode) ? projectNode : process.execPath;

function readJson(path) {
  const file = new URL(path, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Whether every client that this folder names is there in the version that it names. */
function installed() {
  const { dependencies } = readJson('package.json');
  return Object.entries(dependencies).every(
    ([name, version]) => readJson(`node_modules/${name}/package.json`)?.version === version,
  );
}

if (!installed()) {
  const run = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: 'inherit',
  });
  if (run.status !== 0) process.exit(run.status ?? 1);
}
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : readdirSync(here).filter((name) => name.endsWith('.test.mjs'));
// Each file has a simulator of its own and waits for it most of the time: two at once share what a core does not need.
// Some clients keep timers after they were closed: a file ends when its tests have ended.
const flags = ['--test', '--test-concurrency=2', '--test-force-exit'];
const reports = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
const reportFile = process.env.REPORT_FILE;
if (reportFile !== undefined) {
  reports.push('--test-reporter=./report.mjs', `--test-reporter-destination=${reportFile}`);
}
const run = spawnSync(node, [...flags, ...reports, ...files.sort()], {
  cwd: here,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
