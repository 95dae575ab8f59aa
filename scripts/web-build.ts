import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything the browser's bundle is made from. */
const SOURCES = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/index.html',
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

/**
 * Builds the browser's bundle unless the one that is there was made from these very sources.
 * @param say told when a build starts and how long it took.
 * @throws Error with the build's output when it fails.
 */
export async function ensureWebBuilt(root: string, say: (text: string) => void): Promise<void> {
  const stamp = join(root, 'apps/web/dist/.built-from');
  const digest = sourceDigest(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  say('Building the web interface ...');
  const started = performance.now();
  await run(
    join(root, 'node_modules/vite/bin/vite.js'),
    ['build', '--logLevel', 'warn'],
    join(root, 'apps/web'),
  );
  writeFileSync(stamp, digest);
  say(`Built the web interface in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
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
