import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { claimMoneyMode, type Migration, migrate, readMigrations } from './migrations.ts';

describe('migrations', () => {
  let db: TestDatabase;
  let folder: string;
  let base: readonly Migration[];

  beforeEach(async () => {
    db = await openTestDatabase();
    base = readMigrations();
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    write('9001-first', 'create table first_table (n int)');
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, sql: string): void {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'up.sql'), sql);
  }
  const all = () => [...base, ...readMigrations(folder)];

  test('a fresh database has every migration of the project, in order', async () => {
    const applied = await db.owner.query<{ name: string }>(
      'select name from schema_migrations order by number',
    );
    expect(applied.map(({ name }) => name)).toEqual(base.map(({ name }) => name));
    expect(await migrate(db.ownerAddress)).toEqual([]);
  });

  test('several nodes starting at once apply each migration once', async () => {
    const lists = await Promise.all(Array.from({ length: 5 }, () => migrate(db.ownerAddress, all())));
    expect(lists.flat()).toEqual(['9001-first']);
  });

  test('a migration that fails leaves nothing of itself, and is named', async () => {
    write('9002-broken', 'create table half (n int); select 1 / 0');
    await expect(migrate(db.ownerAddress, all())).rejects.toThrow(/9002-broken failed: division by zero/);
    expect(
      await db.owner.query(`select to_regclass('half') as half, to_regclass('first_table')::text as first`),
    ).toEqual([{ half: null, first: 'first_table' }]);
  });

  test('a changed, a missing and a late migration are refused by name', async () => {
    await migrate(db.ownerAddress, all());
    write('9001-first', 'create table first_table (n bigint)');
    await expect(migrate(db.ownerAddress, all())).rejects.toThrow(/9001-first was changed/);
    await expect(migrate(db.ownerAddress, base)).rejects.toThrow(
      /has 9001-first, which this version does not know/,
    );
    write('9001-first', 'create table first_table (n int)');
    write('9000-late', 'select 1');
    await expect(migrate(db.ownerAddress, all())).rejects.toThrow(/9000-late comes before/);
  });

  test('two migrations with one number are refused', () => {
    write('9001-second', 'select 1');
    expect(() => readMigrations(folder)).toThrow(/9001-first and 9001-second/);
  });

  test('the money mode is fixed by the first start', async () => {
    await claimMoneyMode(db.ownerAddress, 'paper');
    await claimMoneyMode(db.ownerAddress, 'paper');
    await expect(claimMoneyMode(db.ownerAddress, 'live')).rejects.toThrow(
      /holds MONEY=paper and was started with MONEY=live/,
    );
  });
});
