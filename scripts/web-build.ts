import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** Everything the browser's bundle is made from. */
const SOURCES = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/index.html',
  'apps/web/admin.html',
  'apps/web/vite.config.ts',
  'packages/domain/src',
  'packages/contract/src',
  'packages/venues/src',
  'package-lock.json',
];

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A digest of the sources: the bundle is stale when it was made from others. */
function sourceDigest(root: string): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(root, source);
    const files = /\.[a-z]+$/.test(source) ? [path] : filesBelow(path);
    for (const file of [...files].filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/** Builds that are kept: a hub goes on serving the one it began with while newer ones are made beside it. */
const KEPT_BUILDS_MAX = 5;

/** Where builds lie below the project's folder, each in a folder named after its sources. */
const BUILDS = 'apps/web/dist';
/** The link to the build that the next hub serves. */
const CURRENT = 'current';

/**
 * Builds the browser's bundle unless there is one of these very sources, and has the link lead to it. A build appears
 * whole or not at all, and none that is served is written to.
 * @param say told when a build starts and how long it took.
 * @throws Error with the build's output when it fails; the link then leads where it led.
 */
export async function ensureWebBuilt(root: string, say: (text: string) => void): Promise<void> {
  const builds = join(root, BUILDS);
  const digest = sourceDigest(root);
  if (!existsSync(join(builds, digest))) {
    say('Building the web interface ...');
    const started = performance.now();
    await build(root, builds, digest);
    say(`Built the web interface in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  }
  if (leadsTo(builds, digest)) return;
  lead(builds, digest);
  for (const old of newestFirst(builds).slice(KEPT_BUILDS_MAX)) {
    if (old !== digest) rmSync(join(builds, old), { recursive: true, force: true });
  }
}

async function build(root: string, builds: string, digest: string): Promise<void> {
  const unfinished = join(builds, `.unfinished-${process.pid}`);
  mkdirSync(builds, { recursive: true });
  try {
    const vite = (outDir: string, ...more: readonly string[]): Promise<void> =>
      run(
        join(root, 'node_modules/vite/bin/vite.js'),
        ['build', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir', ...more],
        join(root, 'apps/web'),
      );
    await vite(unfinished);
    // The back office is a bundle of its own.
    await vite(join(unfinished, 'admin'), '--mode', 'admin');
    // Somebody else may have built the same meanwhile.
    if (!existsSync(join(builds, digest))) renameSync(unfinished, join(builds, digest));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function leadsTo(builds: string, digest: string): boolean {
  const link = join(builds, CURRENT);
  return existsSync(link) && readlinkSync(link) === digest;
}

function lead(builds: string, digest: string): void {
  const next = join(builds, `.${CURRENT}-${process.pid}`);
  rmSync(next, { force: true });
  symlinkSync(digest, next);
  renameSync(next, join(builds, CURRENT));
}

function newestFirst(builds: string): readonly string[] {
  const age = (name: string) => statSync(join(builds, name)).mtimeMs;
  return readdirSync(builds, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort((left, right) => age(right) - age(left));
}

function run(script: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the web build failed:\n${output}`)),
    );
  });
}
