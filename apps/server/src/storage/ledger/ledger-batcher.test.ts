import { amount, refused, type UserId } from '@crossbook/domain';
import { type LedgerUnit, transferId } from '@crossbook/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { LedgerBatcher } from './ledger-batcher.ts';

let made = 0;
function unit(user = 1): LedgerUnit {
  made += 1;
  return {
    commands: [
      {
        do: 'post',
        id: transferId('batcher', made),
        from: { class: 'EXTERNAL', counterparty: 'chain', asset: 'USDT' },
        to: { class: 'FUNDING', user: user as UserId, asset: 'USDT' },
        amount: amount('1'),
        kind: 'test-funds',
      },
    ],
  };
}
const many = (count: number): readonly LedgerUnit[] => Array.from({ length: count }, () => unit());

describe('ledger batcher', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  const open = (
    options: { unitsQueuedMax?: number; unitsPerBatchMax?: number; reconnectsMax?: number } = {},
  ) =>
    new LedgerBatcher({
      address: db.database.address,
      statements: new Map(),
      reconnectDelayMillis: 20,
      ...options,
    });

  test('callers that come together share batches, never more than the bound', async () => {
    const batcher = open({ unitsPerBatchMax: 50 });
    await Promise.all(many(500).map((one) => batcher.commit(one)));
    expect(batcher.stats()).toMatchObject({ units: 500, batches: 10, unitsQueued: 0 });
    await batcher.close();
  });

  test('a caller that comes as another leaves is not forgotten', async () => {
    const batcher = open();
    for (const one of many(50)) await batcher.commit(one);
    expect(batcher.stats().units).toBe(50);
    await batcher.close();
  });

  test('a full queue refuses by name and takes nothing', async () => {
    const batcher = open({ unitsQueuedMax: 5 });
    const answers = await Promise.all(many(8).map((one) => batcher.commit(one)));
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual([
      ...Array.from({ length: 5 }, () => 'ok'),
      ...Array.from({ length: 3 }, () => 'busy'),
    ]);
    await batcher.close();
  });

  test('closing writes what was queued and takes nothing new', async () => {
    const batcher = open({ unitsPerBatchMax: 2 });
    const waiting = Promise.all(many(9).map((one) => batcher.commit(one)));
    await Promise.all([batcher.close(), expect(waiting).resolves.toHaveLength(9)]);
    expect(await batcher.commit(unit())).toEqual(refused('unavailable'));
  });

  test('a connection cut under way is an unknown outcome; the next unit finds a new connection', async () => {
    const batcher = open();
    await batcher.commit(unit());
    // Holds the ledger's lock so that the batch is under way when its backend is ended.
    const client = await db.owner.pool.connect();
    await client.query('begin; select pg_advisory_xact_lock(7305418001)');
    const sent = unit();
    const cut = batcher.commit(sent);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await db.owner.query(waiting)).length, { timeout: 30_000 }).toBe(1);
    await db.owner.query(`select pg_terminate_backend(pid) from (${waiting}) w`);
    expect(await cut).toEqual({ ok: false, code: 'outcome-unknown' });
    await client.query('commit');
    client.release();
    expect(await batcher.commit(sent)).toEqual({ ok: true, value: { replayed: false } });
    expect(batcher.stats().connectionsLost).toBe(1);
    await batcher.close();
  });

  test('a connection cut before the batch was sent is no unknown outcome: nothing happened', async () => {
    const batcher = open();
    await batcher.commit(unit());
    // Holds the row that the unit's account would be, so that its ids are being learned when the backend is ended.
    const client = await db.owner.pool.connect();
    await client.query(
      `begin; insert into ledger_accounts (key, class, owner, asset) values ('FUNDING/77/USDT', 'FUNDING', 77, 'USDT')`,
    );
    const sent = batcher.commit(unit(77));
    const waiting = `select pid from pg_stat_activity where datname = current_database()
      and query like '%ledger_account_ids%' and wait_event = 'transactionid'`;
    await expect.poll(async () => (await db.owner.query(waiting)).length, { timeout: 30_000 }).toBe(1);
    await db.owner.query(`select pg_terminate_backend(pid) from (${waiting}) w`);
    expect(await sent).toEqual(refused('unavailable'));
    await client.query('rollback');
    client.release();
    await batcher.close();
  });

  test('what the server refuses for want of time or room is busy, and nothing happened', async () => {
    const batcher = open();
    await batcher.commit(unit());
    const client = await db.owner.pool.connect();
    await client.query('begin; select pg_advisory_xact_lock(7305418001)');
    const sent = unit();
    const cancelled = batcher.commit(sent);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await db.owner.query(waiting)).length, { timeout: 30_000 }).toBe(1);
    await db.owner.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
    expect(await cancelled).toEqual(refused('busy'));
    await client.query('commit');
    client.release();
    expect(await batcher.commit(sent)).toEqual({ ok: true, value: { replayed: false } });
    await batcher.close();
  });

  test('a database out of reach refuses what waits, and says that nothing was sent', async () => {
    const batcher = new LedgerBatcher({
      address: { ...db.ownerAddress, database: 'nowhere' },
      statements: new Map(),
      reconnectsMax: 2,
      reconnectDelayMillis: 1,
    });
    const answers = await Promise.all(many(3).map((one) => batcher.commit(one)));
    expect(answers).toEqual(Array.from({ length: 3 }, () => refused('unavailable')));
    await batcher.close();
  });

  test('closing does not wait for a database that is away', async () => {
    const batcher = new LedgerBatcher({
      address: { ...db.ownerAddress, database: 'nowhere' },
      statements: new Map(),
      reconnectsMax: 1_000_000,
      reconnectDelayMillis: 3_600_000,
    });
    const waiting = batcher.commit(unit());
    await batcher.close();
    expect(await waiting).toEqual(refused('unavailable'));
  });
});
