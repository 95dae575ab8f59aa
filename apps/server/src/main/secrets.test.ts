import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyFileRefused, loadSecrets } from './secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook keys '));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCES = join(import.meta.dirname, '..');
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/test|fixture/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SOURCES, file), 'utf8') }));
const page = readFileSync(join(SOURCES, '../../../docs/security.md'), 'utf8');
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('docs/security.md', () => {
  test('lists every key that is derived, and no other', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const derived = [...all.matchAll(/\bderive\('([^']+)'\)|'crossbook ([^']+)', 32\)/g)];
    const purposes = derived.map(([, first, second]) => first ?? second ?? '');
    expect(purposes.length).toBeGreaterThan(7);
    const rows = section('Keys')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)]);
    expect(listed.map(([, name]) => name).sort()).toEqual(purposes.sort());
    // Wherever a key is derived, it is by one of these two files.
    expect(
      sources
        .filter(({ text }) => text.includes('hkdfSync('))
        .map(({ file }) => file)
        .sort(),
    ).toEqual(['main/secrets.ts', 'storage/stores/seal.ts']);
  });

  test('lists every algorithm that the sources name', () => {
    const keys = section('Keys');
    const used = new Set(
      sources
        .flatMap(({ text }) => [
          ...text.matchAll(/\b(?:createHash|createHmac|hash|createCipheriv|createDecipheriv)\(\s*'([^']+)'/g),
        ])
        .map(([, name]) => name),
    );
    const NAMES: Readonly<Record<string, string>> = {
      sha256: 'SHA-256',
      sha1: 'HMAC-SHA-1',
      'aes-256-gcm': 'AES-256-GCM',
    };
    expect([...used].filter((name) => !keys.includes(NAMES[name ?? ''] ?? 'none'))).toEqual([]);
    expect(used.has('sha256')).toBe(true);
  });

  test('lists every place that logs go to: nothing but these files writes to disk or to a stream', () => {
    const WRITES =
      /\b(?:appendFile|createWriteStream|writeFile|writeFileSync|writeSync)\(|process\.std(?:out|err)\b|\bconsole\./;
    const writing = sources.filter(({ text }) => WRITES.test(text)).map(({ file }) => file);
    expect(writing.filter((file) => !file.startsWith('main/commands/')).sort()).toEqual([
      'main.ts',
      'main/audit.ts',
      'main/secrets.ts',
      'operator.ts',
      'storage/postgres/postmaster-leftover.ts',
    ]);
    const logs = section('Logs');
    for (const place of [
      'standard error',
      '`audit_log`',
      '`DATA_DIR/audit-head.json`',
      '`operator_audit`',
      '`sessions`',
    ])
      expect(logs).toContain(place);
  });
});

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
