import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bootstrap: { readonly isInstalled: (folder: string) => boolean } = await import(
  join(root, 'scripts', 'bootstrap.mjs')
);

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Packages = Readonly<Record<string, object>>;

/** A folder with that lockfile and, where it was installed, npm's record of what it put there. */
function folderOf(locked: Packages, present: Packages | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap '));
  made.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }));
  if (present === undefined) return folder;
  mkdirSync(join(folder, 'node_modules'));
  const record = join(folder, 'node_modules', '.package-lock.json');
  writeFileSync(record, JSON.stringify({ packages: present }));
  return folder;
}

const left = { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-a' } };
const linked = { 'node_modules/@crossbook/domain': { resolved: 'packages/domain', link: true } };
const here = { version: '24.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
const elsewhere = { version: '24.0.0', optional: true, os: ['plan9'], cpu: ['pdp11'] };

describe('what somebody installed by hand', () => {
  test.each<readonly [string, Packages, Packages | undefined, boolean]>([
    ['nothing is installed', left, undefined, false],
    ['exactly the lockfile', { ...left, ...linked }, { ...left, ...linked }, true],
    ['a package is missing', { ...left, ...linked }, left, false],
    ['another version', left, { 'node_modules/left': { version: '1.0.1', integrity: 'sha512-a' } }, false],
    ['other contents', left, { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-b' } }, false],
    ['one too many', left, { ...left, 'node_modules/right': { version: '1.0.0' } }, false],
    ['another platform is absent', { ...left, 'node_modules/node-a': elsewhere }, left, true],
    ['this platform is absent', { ...left, 'node_modules/node-b': here }, left, false],
    [
      'what only another platform needs is absent',
      { ...left, 'node_modules/deep': { version: '1.0.0', optional: true } },
      left,
      true,
    ],
    [
      'the other C library is absent',
      { ...left, 'node_modules/musl': { ...here, libc: ['musl'] } },
      left,
      true,
    ],
  ])('%s', (...[, locked, present, installed]) => {
    expect(bootstrap.isInstalled(folderOf(locked, present))).toBe(installed);
  });

  test("this project's own installation is recognised", () => {
    expect(bootstrap.isInstalled(root)).toBe(true);
  });
});
