import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyFileRefused, loadSecrets } from './secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook keys '));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the master key', () => {
  test('is made once, for its owner alone, and found again', () => {
    const first = loadSecrets(undefined, join(folder, 'new'), randomBytes);
    expect(statSync(join(folder, 'new', 'master.key')).mode & 0o777).toBe(0o600);
    expect(loadSecrets(undefined, join(folder, 'new'), randomBytes)).toEqual(first);
  });

  test('every purpose has a key of its own', () => {
    const keys: readonly Uint8Array[] = Object.values(loadSecrets('a'.repeat(64), folder, randomBytes));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(keys.length);
  });

  test('a file that others may read, or that is damaged, stops the start and says what to do', () => {
    const path = join(folder, 'master.key');
    writeFileSync(path, `${'b'.repeat(64)}\n`, { mode: 0o600 });
    expect(() => loadSecrets(undefined, folder, randomBytes)).not.toThrow();
    chmodSync(path, 0o644);
    expect(() => loadSecrets(undefined, folder, randomBytes)).toThrow(/chmod 600/);
    chmodSync(path, 0o600);
    writeFileSync(path, 'short\n');
    expect(() => loadSecrets(undefined, folder, randomBytes)).toThrow(KeyFileRefused);
  });
});
