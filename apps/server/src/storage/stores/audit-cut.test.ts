import { randomUUID } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { openTestDatabase } from '../testing.ts';
import { cutChain } from './audit-cut.ts';
import { auditFile, verifyAuditFile } from './audit-file.ts';
import { appendAudit } from './audit-log.ts';
import { createJournalSeals, JOURNAL_BEGIN, type JournalPlace, verifyJournals } from './journal-seals.ts';

const db = openedForEach(openTestDatabase);
const KEYS = { current: new Uint8Array(32).fill(7) };
const [YEAR, DAY] = [365.25 * 86_400_000, 86_400_000];
let now = 0 as Millis;
beforeEach(() => goTo('2030-01-01'));

const old = (keys = KEYS) => cutChain(db.database, keys, () => now);

/** The day is one, by every clock. */
async function goTo(day: string): Promise<void> {
  now = Date.parse(`${day}T00:00:00Z`) as Millis;
  await db.owner.query(
    `create or replace function db_clock() returns timestamptz language sql as 'select timestamptz ''${day} 00:00+00'''`,
  );
}

async function notes(count: number, call = 'a/call'): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await db.database.withTransaction((client) =>
      appendAudit(client, {
        ...{ at: now, actor: { kind: 'member', id: '100001' }, call, outcome: 'rate-limited' },
        details: { more: 12 },
      }),
    );
  }
}

/** A movement of the ledger and a decision of a member, sealed. */
async function money(): Promise<void> {
  await db.owner.query(`insert into ledger_accounts (key, class, counterparty, owner, asset) values
    ('EXTERNAL/chain/USDT', 'EXTERNAL', 'chain', null, 'USDT'), ('FUNDING/100001/USDT', 'FUNDING', null, 100001, 'USDT')
    on conflict do nothing`);
  await db.owner.query(`insert into ledger_transfers (id, unit, from_account, to_account, asset, amount, kind)
    select '${randomUUID()}', 1, f.id, t.id, 'USDT', 5, 'test-funds' from ledger_accounts f, ledger_accounts t
    where f.key = 'EXTERNAL/chain/USDT' and t.key = 'FUNDING/100001/USDT'`);
  await db.owner.query(
    `insert into test_funds values ('${randomUUID()}', 100001, 'USDT', 5, 'asked', 'pending', 5, 5)`,
  );
  const seals = createJournalSeals(db.database, () => now);
  while ((await seals.seal()) !== 'nothing');
}

async function seal(): Promise<void> {
  const { chain } = old();
  while ((await chain.seal()) !== undefined);
}

/** Both verifications, as the command makes them. */
async function verified(keys = KEYS) {
  const { head, broken, cut, waiting } = await old(keys).chain.verify();
  if (broken !== undefined) return { broken };
  const journals = await verifyJournals(db.database, JOURNAL_BEGIN, {
    rowsMax: Number.POSITIVE_INFINITY,
    carried: cut?.carried,
  });
  if (journals.broken !== undefined) return { broken: journals.broken };
  return { first: cut?.seq ?? 0, last: head.seq, waiting, until: journals.place.until };
}
const places = async () =>
  (await db.owner.query<{ seq: string }>('select seq from audit_heads order by seq')).map(({ seq }) =>
    Number(seq),
  );

/** As somebody with all rights in the database, and without the key. */
async function behindItsBack(...texts: readonly string[]): Promise<void> {
  await db.owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const text of texts) await client.query(text);
  });
}

/** Three years with rows of every kind; the first one is older than seven years on 2037-06-01. */
async function history(): Promise<void> {
  await goTo('2030-01-01');
  await notes(2);
  await money();
  await notes(1, 'refusals/counted');
  await seal();
  await goTo('2031-01-01');
  await notes(1);
  await money();
  await seal();
  await goTo('2036-01-01');
  await notes(2);
  await money();
  await seal();
}

describe('rows of the audit log that are older than seven years', () => {
  test('go up to a signed place, from which the verification begins; nothing goes a day before', async () => {
    await history();
    const whole = await verified();
    expect(whole).toMatchObject({ first: 0, last: 9 });
    await goTo('2036-12-31');
    expect(await old().cut()).toBe(0);
    await goTo('2037-01-02');
    expect(await old().cut()).toBe(4);
    expect(await places()).toEqual([5, 6, 7, 8, 9]);
    await seal();
    // What was cut is told by a row of the log itself.
    expect(await verified()).toMatchObject({
      first: 4,
      last: 10,
      waiting: 0,
      until: { decisions: 3, transfers: 3 },
    });
    const entries = await db.owner.query(
      `select subject, details ->> 'rows' as rows from audit_log where call = 'audit/cut'`,
    );
    expect(entries).toEqual([{ subject: 'place 4', rows: '4' }]);
    expect(await db.owner.query(`select 1 from audit_log where call = 'refusals/counted'`)).toEqual([]);
  });

  test('go once more a year later, and once, however many hubs cut at the same moment', async () => {
    await history();
    await goTo('2037-01-02');
    const first = await Promise.all(Array.from({ length: 6 }, () => old().cut()));
    expect(first.reduce((sum, rows) => sum + rows)).toBe(4);
    await goTo('2038-06-01');
    await old().cut();
    await seal();
    expect(await verified()).toMatchObject({ first: 6, until: { decisions: 3, transfers: 3 } });
    expect(await old().cut()).toBe(0);
  });

  test('never go with the newest place, nor with one that is not as it was sealed', async () => {
    await goTo('2030-01-01');
    await notes(3);
    await seal();
    await goTo('2039-01-01');
    await behindItsBack(
      `update audit_log set reason = 'another' where id = (select entry from audit_heads where seq = 2)`,
    );
    expect(await old().cut()).toBe(0);
    expect((await verified()).broken).toMatchObject({ seq: 2, what: 'changed or swapped' });
    await behindItsBack(
      `update audit_log set reason = '' where id = (select entry from audit_heads where seq = 2)`,
    );
    expect(await old().cut()).toBe(2);
    expect(await places()).toEqual([3]);
  });

  test('go in parts where they are many, and what is left goes on from there', async () => {
    await goTo('2030-01-01');
    await db.owner.query(
      `insert into audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
       select $1, 'member', '1', '', 'a/call', '', 'ok', n::text, '{}' from generate_series(1, 5200) n`,
      [now],
    );
    await seal();
    await goTo('2038-01-01');
    await notes(1);
    await seal();
    // Who verifies meanwhile takes no cut for an attack.
    const verdicts = Array.from({ length: 6 }, () => old().chain.verify());
    expect(await old().cut()).toBe(5_200);
    for (const verdict of verdicts) expect((await verdict).broken).toBeUndefined();
    await seal();
    // One row for each of the two parts.
    expect(await verified()).toMatchObject({ first: 5_200, last: 5_203 });
  });
});

describe('behind the back of who has the key', () => {
  beforeEach(async () => {
    await history();
    await goTo('2037-01-02');
  });

  test.each([
    [
      'a younger beginning',
      `update audit_cuts set seq = 5, hash = (select hash from audit_heads where seq = 5)`,
    ],
    ['another hash', `update audit_cuts set hash = repeat('a', 64)`],
    ['seals that went further', `update audit_cuts set transfers_until = transfers_until + 1`],
    ['another digest of seals', `update audit_cuts set decisions_digest = repeat('b', 64)`],
    ['another signature', `update audit_cuts set signature = repeat('c', 64)`],
  ])('a cut that says %s is not signed', async (_what, change) => {
    await old().cut();
    await behindItsBack(change);
    expect((await verified()).broken).toMatchObject({ what: 'beginning not signed' });
    // Nobody goes on from there.
    expect(await old().cut()).toBe(0);
  });

  test('a cut that is taken away, or older rows that are, show', async () => {
    await old().cut();
    await behindItsBack('delete from audit_cuts');
    expect((await verified()).broken).toMatchObject({ seq: 1, what: 'place missing' });
  });

  test('a cut of somebody else’s key is not signed', async () => {
    await cutChain(db.database, { current: new Uint8Array(32).fill(8) }, () => now).cut();
    expect(await places()).toContain(1);
    await db.owner.query(
      `select audit_cut(4, (select hash from audit_heads where seq = 4), 9, 0, '', 0, '', repeat('0', 64))`,
    );
    expect((await verified()).broken).toMatchObject({ seq: 4, what: 'beginning not signed' });
  });

  test.each([
    [`update ledger_transfers set amount = 6 where seq = 1`, 'transfers', 'changed'],
    [`update money_decisions set member = member + 1 where id = 1`, 'decisions', 'changed'],
    [`delete from money_decisions where id = 1`, 'decisions', 'removed'],
    [
      `update journal_seals set marks = '\\x00' where after = 0 and journal = 'transfers'`,
      'transfers',
      'marks of a seal changed',
    ],
  ])('of a journal whose seal went with the rows: %s is found', async (change, journal, what) => {
    await old().cut();
    await seal();
    await behindItsBack(change);
    expect((await verified()).broken).toMatchObject({ journal, what });
  });

  test('marks and row changed together are found too: the cut has signed a digest of all seals', async () => {
    await old().cut();
    await seal();
    await behindItsBack(
      'update ledger_transfers set amount = 6 where seq = 1',
      `update journal_seals s set marks = (
         select int8send(x.seq) || substring(sha256(convert_to(json_build_array(x.id::text, x.seq::text, x.unit::text, f.key,
           t.key, x.from_account::text, x.to_account::text, x.asset, x.amount::text, x.kind, x.hold::text,
           (extract(epoch from x.at) * 1000000)::bigint::text)::text, 'UTF8')) from 1 for 16)
         from ledger_transfers x join ledger_accounts f on f.id = x.from_account join ledger_accounts t on t.id = x.to_account
         where x.seq = 1)
       where s.journal = 'transfers' and s.after = 0`,
    );
    expect((await verified()).broken).toMatchObject({
      journal: 'transfers',
      what: 'marks of a seal changed',
    });
  });

  test('a verification of a few rows at a time comes to the same end', async () => {
    await old().cut();
    await seal();
    const { cut } = await old().chain.verify();
    let place: JournalPlace = JOURNAL_BEGIN;
    let turns = 0;
    for (let done = false; !done; turns += 1) {
      const verdict = await verifyJournals(db.database, place, { rowsMax: 1, carried: cut?.carried });
      expect(verdict.broken).toBeUndefined();
      ({ place, done } = verdict);
    }
    expect(turns).toBeGreaterThan(1);
    expect(place.until).toEqual({ decisions: 3, transfers: 3 });
  });
});

describe('nothing else deletes', () => {
  beforeEach(history);

  test('the server may not, not even what is old enough', async () => {
    await goTo('2039-01-01');
    for (const table of ['audit_log', 'audit_heads', 'audit_cuts'])
      await expect(db.database.query(`delete from ${table}`)).rejects.toThrow('permission denied');
    await expect(db.database.query(`insert into audit_cuts values (1)`)).rejects.toThrow('permission denied');
  });

  test.each([
    ['delete from audit_log', 'keeps every row for seven years'],
    ['delete from audit_heads', 'places of the audit log go by a cut'],
    ['truncate audit_log cascade', 'append-only'],
    ['truncate audit_cuts', 'append-only'],
    ['delete from audit_cuts', 'append-only'],
    [`update audit_log set reason = 'x'`, 'append-only'],
  ])('the owner is refused: %s', async (text, why) => {
    await expect(db.owner.query(text)).rejects.toThrow(why);
  });

  test('a cut of what is younger is refused by the database, whoever asks', async () => {
    await goTo('2037-01-02');
    const cut = (seq: number) =>
      db.database.query(
        `select audit_cut($1, (select hash from audit_heads where seq = $1), 9, 0, '', 0, '', repeat('0', 64))`,
        [seq],
      );
    await expect(cut(5)).rejects.toThrow('keeps every row for seven years');
    await expect(
      db.database.query(`select audit_cut(4, repeat('0', 64), 9, 0, '', 0, '', repeat('0', 64))`),
    ).rejects.toThrow('has another hash');
    expect(await places()).toHaveLength(9);
  });
});

test('a file of the log begins where the log does, and one from before stays sound', async () => {
  await history();
  const fileFrom = async (after: number): Promise<string> =>
    new TextDecoder().decode((await db.database.withTransaction((client) => auditFile(client, after))).bytes);
  const before = await fileFrom(0);
  await goTo('2037-01-02');
  await old().cut();
  await seal();
  for (const after of [0, 2, 4])
    expect(verifyAuditFile(await fileFrom(after), KEYS)).toMatchObject({ after: 4, head: { seq: 10 } });
  expect(verifyAuditFile(await fileFrom(6), KEYS)).toEqual({
    ...{ after: 6, head: expect.objectContaining({ seq: 10 }) },
  });
  expect(verifyAuditFile(before, KEYS).broken).toBeUndefined();
  expect(now - Date.parse('2030-01-01T00:00:00Z')).toBeGreaterThan(7 * YEAR - DAY);
});
