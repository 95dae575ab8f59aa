import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { type Database, OutcomeUnknown, openDatabase } from './database.ts';

describe('database', () => {
  let db: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    db = await openTestDatabase();
    database = openDatabase({ address: db.ownerAddress, readTimeoutMillis: 200 });
    await database.query('create table ledger_like (n numeric(38,18), big bigint)');
  });
  afterAll(async () => {
    await database.close();
    await db.close();
  });

  test('numbers of 128 bits come back digit for digit', async () => {
    const row = { n: '99999999999999999999.999999999999999999', big: '9223372036854775807' };
    await database.query('insert into ledger_like values ($1, $2)', [row.n, row.big]);
    expect(await database.query('select n, big from ledger_like')).toEqual([row]);
  });

  test('a named statement is prepared once and takes new values', async () => {
    const statement = { name: 'double', text: 'select $1::int * 2 as twice' };
    expect(await database.query(statement, [3])).toEqual([{ twice: 6 }]);
    expect(await database.query(statement, [4])).toEqual([{ twice: 8 }]);
  });

  test('a transaction is kept whole or not at all, and a slow read is ended', async () => {
    await expect(
      database.withTransaction(async (client) => {
        await client.query('insert into ledger_like values (1, 1)');
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await database.withTransaction((client) => client.query('insert into ledger_like values (2, 2)'));
    expect(await database.query('select big from ledger_like where big < 3')).toEqual([{ big: '2' }]);
    await expect(database.query('select pg_sleep(20)')).rejects.toThrow(/statement timeout/);
  });

  test('a connection lost during COMMIT is an unknown outcome, before it a plain error', async () => {
    await database.query(`create function cut() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
    await database.query(`create constraint trigger cut after insert on ledger_like deferrable initially deferred
      for each row when (new.big = 99) execute function cut()`);
    const lose = (big: number) =>
      database.withTransaction((client) => client.query('insert into ledger_like values (1, $1)', [big]));
    await expect(lose(99)).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(
      database.withTransaction((client) => client.query('select pg_terminate_backend(pg_backend_pid())')),
    ).rejects.not.toBeInstanceOf(OutcomeUnknown);
    expect(await database.health()).toEqual({ ok: true });
  });

  test('a database that is away is unhealthy, not an exception', async () => {
    const away = openDatabase({ address: { ...db.ownerAddress, database: 'nowhere' } });
    expect(await away.health()).toMatchObject({ ok: false, reason: expect.stringContaining('nowhere') });
    await away.close();
  });
});
