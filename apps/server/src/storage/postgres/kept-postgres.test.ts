import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryFolder } from '../../../../../tests/memory-folder.ts';
import { type Database, openDatabase } from './database.ts';
import { type KeptPostgres, keepPostgres } from './kept-postgres.ts';

let folder: string;
let server: KeptPostgres;
let database: Database;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook kept '));
  said = [];
});
afterEach(async () => {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(directory = folder): Promise<void> {
  server = await keepPostgres({ directory, progress: (step) => said.push(step) });
  database = openDatabase({ address: server.connection('postgres'), connectionsMax: 2 });
}

/** Kills the postmaster and waits until another one has taken its place. */
async function killPostmaster(): Promise<void> {
  const before = server.pid;
  process.kill(before, 'SIGKILL');
  await expect.poll(() => server.pid, { timeout: 30_000 }).not.toBe(before);
}

describe('PostgreSQL that is kept running', () => {
  test('killed, it is back on the same socket with every acknowledged row, and the pool finds it again', async () => {
    await start();
    await database.query('create table kept (id int primary key)');
    const where = server.connection('postgres');
    for (let round = 1; round <= 2; round += 1) {
      await database.query('insert into kept values ($1)', [round]);
      // In the middle of something, so that a child outlives its postmaster.
      const cut = expect(database.query('select pg_sleep(60)')).rejects.toThrow();
      await expect
        .poll(() => database.query(`select from pg_stat_activity where query like 'select pg_sleep%'`))
        .toHaveLength(1);
      await killPostmaster();
      await cut;
      expect(server.connection('postgres')).toEqual(where);
      expect(await database.query('select id from kept')).toHaveLength(round);
    }
    console.log(said.filter((step) => step.includes('back after')).join('; '));
  }, 120_000);

  test('a socket that lies elsewhere stays where it is', async () => {
    await start(join(folder, 'x'.repeat(100)));
    const { host } = server.connection('postgres');
    await killPostmaster();
    expect(server.connection('postgres').host).toBe(host);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  }, 120_000);

  test('one that dies again and again is given up, and said so', async () => {
    await start();
    for (let deaths = 0; deaths < 5; deaths += 1) await killPostmaster();
    process.kill(server.pid, 'SIGKILL');
    expect(await server.lost).toBe('the database ended 6 times in a minute');
  }, 120_000);
});
