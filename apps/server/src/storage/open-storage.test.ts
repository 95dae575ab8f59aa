import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { amount, type UserId } from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryFolder } from '../../../../tests/memory-folder.ts';
import { PostgresLedgerStore } from './ledger/ledger-store.ts';
import { MoneyModeRefused } from './migrations/migrations.ts';
import { openStorage, type Storage } from './open-storage.ts';
import { openTestDatabase } from './testing.ts';

const fund = {
  commands: [
    {
      do: 'post',
      id: transferId('open-storage'),
      from: { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' },
      to: { class: 'FUNDING', user: 1 as UserId, asset: 'USDT' },
      amount: amount('5'),
      kind: 'test-funds',
    },
  ],
} as const;

async function commitOnce(storage: Storage): Promise<unknown> {
  const ledger = new PostgresLedgerStore(storage.database);
  try {
    return await ledger.commit(fund);
  } finally {
    await ledger.close();
  }
}

describe('open storage', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(memoryFolder(), 'crossbook storage '));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test('an empty folder becomes a database; the next start finds it and keeps its money mode', async () => {
    const first = await openStorage({ directory, money: 'paper' });
    expect(await commitOnce(first)).toEqual({ ok: true, value: { replayed: false } });
    expect(await first.database.query('select current_user as me')).toEqual([{ me: 'crossbook_app' }]);
    await first.close();
    await expect(openStorage({ directory, money: 'live' })).rejects.toBeInstanceOf(MoneyModeRefused);
    const second = await openStorage({ directory, money: 'paper' });
    expect(await commitOnce(second)).toEqual({ ok: true, value: { replayed: true } });
    await second.close();
  });

  test('DATABASE_URL takes another server, where the role is put on after logging in', async () => {
    const db = await openTestDatabase();
    const { host, user, database } = db.ownerAddress;
    const url = `socket://${user}@${encodeURI(host)}?db=${database}`;
    const storage = await openStorage({ databaseUrl: url, directory, money: 'paper' });
    expect(storage.embedded).toBeUndefined();
    expect(await commitOnce(storage)).toEqual({ ok: true, value: { replayed: false } });
    expect(await storage.database.query('select current_user as me')).toEqual([{ me: 'crossbook_app' }]);
    await storage.close();
    await db.close();
  });
});
