import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
const foreign = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

/** Every dependency that one of our packages names itself, with its version. */
const named = Object.keys(lock.packages)
  .filter((path) => !path.includes('node_modules/'))
  .flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const groups = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
    return groups.flatMap((group: Readonly<Record<string, string>> = {}) => Object.entries(group));
  })
  .filter(([name]) => !name.startsWith('@crossbook/'));

describe('packages of others', () => {
  test('the lockfile names each package with its hash, none by an address of its own', () => {
    expect(foreign.length).toBeGreaterThan(100);
    expect(foreign.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(foreign.filter(([, { version }]) => !/^\d+\.\d+\.\d+/.test(version ?? ''))).toEqual([]);
    // Parts of platforms that nobody here installed have no hash (decision 0001).
    const unhashed = foreign.filter(
      ([, { integrity, optional }]) => integrity === undefined && optional !== true,
    );
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  test('each one that we name is exact and has its line in decision 0002', () => {
    const page = readFileSync(join(root, 'docs/decisions/0002-dependencies.md'), 'utf8');
    const isThere = (name: string): boolean => {
      const [scope, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
      return (
        page.includes(name) ||
        (scope !== undefined && page.includes(`${scope}/`) && page.includes(short ?? name))
      );
    };
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter(([, version]) => !/^(?:npm:.*@)?\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version)),
    ).toEqual([]);
    const unexplained = named
      .map(([name]) => name)
      .filter((name) => !name.startsWith('@types/') && !isThere(name));
    expect([...new Set(unexplained)]).toEqual([]);
  });

  test('nothing of theirs runs when it is installed', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });

  test('each severity has a time within which a fault of a library is mended', () => {
    const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const section = page.split('\n## Libraries\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('|'));
    const days = rows
      .slice(2)
      .map((row) => row.match(/(\d+) days/g)?.map((text) => Number.parseInt(text, 10)));
    expect(rows.map((row) => /critical|high|medium|low|no known/.exec(row)?.[0]).slice(2)).toEqual([
      ...['critical', 'high', 'medium', 'low', 'no known'],
    ]);
    // Worse is mended sooner, and what members reach before the rest.
    const first = days.map((each) => each?.[0] ?? 0);
    expect(first.every((count) => count > 0)).toBe(true);
    expect(first).toEqual(first.toSorted((one, other) => one - other));
    expect(days.every((each) => each?.[1] === undefined || each[1] > (each[0] ?? 0))).toBe(true);
  });
});
