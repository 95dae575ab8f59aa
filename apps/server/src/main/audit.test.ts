import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Millis } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAuditChain } from '../storage/stores/audit-chain.ts';
import { createJournalSeals } from '../storage/stores/journal-seals.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { auditKeeper, headFile } from './audit.ts';

const KEY = new Uint8Array(32);

let db: TestDatabase;
let folder: string;
let logged: string[];
let mails: string[];
let now: Millis;
let reads: number;
let writes: number;
let cuts: number;
beforeEach(async () => {
  db = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  logged = [];
  mails = [];
  now = 0 as Millis;
  reads = 0;
  writes = 0;
  cuts = 0;
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const keeper = () => {
  const chain = createAuditChain(db.database, { current: KEY });
  return auditKeeper({
    chain: {
      ...chain,
      verify(known) {
        reads += 1;
        return chain.verify(known);
      },
    },
    cut: async () => {
      cuts += 1;
    },
    journal: createJournalSeals(db.database, () => now),
    refusals: {
      async write() {
        writes += 1;
      },
    },
    steady: () => now,
    file: headFile(folder),
    log: { error: (_facts, event) => logged.push(event) },
    tellOperator: async ({ body }) => void mails.push(body),
  });
};
const close = () => db.owner.query(`select money_gate_close('by hand', 'ann', '[]')`);

test('the newest head lies beside the data, for its owner alone; nothing else is left there', async () => {
  expect(await headFile(folder).read()).toBeUndefined();
  await close();
  await keeper().seal();
  expect(await headFile(folder).read()).toMatchObject({
    seq: 1,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(readdirSync(folder)).toEqual(['audit-head.json']);
  expect(statSync(join(folder, 'audit-head.json')).mode & 0o077).toBe(0);
});

test('a tail that was cut off is an incident, mailed once', async () => {
  await close();
  const one = keeper();
  await one.seal();
  await one.verify();
  expect({ logged, mails, cuts }).toEqual({ logged: [], mails: [], cuts: 1 });
  await db.owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    await client.query('delete from audit_heads');
    await client.query('delete from audit_log');
  });
  await one.verify();
  await one.verify();
  // Nothing is let go of a log that was changed.
  expect(cuts).toBe(1);
  expect(logged).toEqual(['incident: the audit log was changed']);
  expect(mails).toEqual([expect.stringMatching(/^newest rows cut off: place 1\n/)]);
});

test('a database that is away is logged, and the next turn seals', async () => {
  await close();
  await db.owner.query('alter table audit_heads rename to elsewhere');
  const one = keeper();
  await one.seal();
  expect(logged).toEqual(['the audit log could not be sealed or verified']);
  await db.owner.query('alter table elsewhere rename to audit_heads');
  await one.seal();
  expect(await headFile(folder).read()).toMatchObject({ seq: 1 });
});

test('twenty who ask at once are answered by one reading; a later one who takes no old answer, by another', async () => {
  await close();
  const one = keeper();
  await one.seal();
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => one.verdict(0)));
  expect(first).toMatchObject({ head: { seq: 1 }, headKept: true });
  expect(new Set([first, ...others]).size).toBe(1);
  expect(reads).toBe(1);
  now = 59_999 as Millis;
  expect(await one.verdict(60_000)).toBe(first);
  expect(reads).toBe(1);
  expect(await one.verdict(0)).not.toBe(first);
  now = 119_999 as Millis;
  await one.verdict(60_000);
  expect(reads).toBe(3);
});

test("a verification that failed is nobody else's answer", async () => {
  await close();
  await db.owner.query('alter table audit_heads rename to elsewhere');
  const one = keeper();
  await expect(one.verdict(0)).rejects.toThrow();
  await db.owner.query('alter table elsewhere rename to audit_heads');
  expect(await one.verdict(60_000)).toMatchObject({ waiting: 1 });
});

describe('the journals of money', () => {
  const fund = () =>
    db.owner.query(`insert into test_funds values (gen_random_uuid(), 1, 'USDT', 1, 'x', 'pending', 5, 5)`);
  const seals = async () =>
    (await db.owner.query(`select 1 from audit_log where call = 'journal/sealed'`)).length;

  test('are sealed at the start, a minute later, and at the end', async () => {
    await fund();
    const one = keeper();
    await one.seal();
    await fund();
    now = 59_999 as Millis;
    await one.seal();
    expect(await seals()).toBe(1);
    now = 60_000 as Millis;
    await one.seal();
    expect(await seals()).toBe(2);
    await fund();
    expect(writes).toBe(3);
    await one.stop();
    expect([await seals(), writes]).toEqual([3, 4]);
    expect(await headFile(folder).read()).toMatchObject({ seq: 3 });
    expect(await one.verdict(0)).toMatchObject({ head: { seq: 3 }, waiting: 0 });
  });

  test('a row of theirs that was changed is an incident, told by its number and not by what it says', async () => {
    await fund();
    const one = keeper();
    await one.seal();
    await db.owner.withTransaction(async (client) => {
      await client.query('set local session_replication_role = replica');
      await client.query('update money_decisions set member = 99887766');
    });
    await one.verify();
    expect(logged).toEqual(['incident: the audit log was changed']);
    expect(mails).toEqual([expect.stringMatching(/^changed: row 1 of the journal of decisions\n/)]);
    expect(mails[0]).not.toContain('99887766');
    expect((await one.verdict(0)).broken).toMatchObject({ number: 1 });
  });
});
