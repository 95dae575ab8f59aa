import { randomUUID } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import { openTestDatabase } from '../testing.ts';
import { createAuditChain } from './audit-chain.ts';
import { createJournalSeals, JOURNAL_BEGIN, type JournalSeals, newestSeals } from './journal-seals.ts';

const db = openedForEach(openTestDatabase);
const KEY = { current: new Uint8Array(32).fill(7) };
const EVERYTHING = Number.MAX_SAFE_INTEGER;

const clock = () => 1_800_000_000_000 as Millis;
const sealsOf = () => createJournalSeals(db.database, clock);

/** As somebody with all rights in the database. */
async function behindItsBack(...texts: readonly string[]): Promise<void> {
  await db.owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const text of texts) await client.query(text);
  });
}

const fund = (amount: number, client: { query(text: string): unknown } = db.owner) =>
  client.query(`insert into test_funds values
    ('${randomUUID()}', 100001, 'USDT', ${amount}, 'asked', 'pending', 5, 5)`);

async function open(): Promise<void> {
  await db.owner.query(`insert into ledger_accounts (key, class, counterparty, owner, asset) values
    ('EXTERNAL/chain/USDT', 'EXTERNAL', 'chain', null, 'USDT'), ('FUNDING/100001/USDT', 'FUNDING', null, 100001, 'USDT')
    on conflict do nothing`);
}
const move = (amount: number) =>
  db.owner.query(`insert into ledger_transfers (id, unit, from_account, to_account, asset, amount, kind)
    select '${randomUUID()}', 1, f.id, t.id, 'USDT', ${amount}, 'test-funds' from ledger_accounts f, ledger_accounts t
    where f.key = 'EXTERNAL/chain/USDT' and t.key = 'FUNDING/100001/USDT'`);

async function sealAll(seals: JournalSeals = sealsOf()): Promise<void> {
  while ((await seals.seal()) !== 'nothing');
}
const verified = (seals = sealsOf()) => seals.verify(JOURNAL_BEGIN, EVERYTHING);
const sealedRows = () =>
  db.owner.query<{ details: Record<string, { after: number; until: number; rows: number }> }>(
    `select details from audit_log where call = 'journal/sealed' order by id`,
  );

const TABLES = {
  decisions: ['money_decisions', 'id', 'at, member, kind, subject, facts'],
  transfers: ['ledger_transfers', 'seq', 'id, unit, from_account, to_account, asset, amount, kind, hold, at'],
} as const;
/** One change of each column that a row has. */
const CHANGES = {
  decisions: [
    ...[
      'at = at + 1',
      'member = member + 1',
      "kind = 'order'",
      "subject = '00000000-0000-7000-8000-000000000000'",
    ],
    `facts = facts || '{"amount": 9}'`,
  ],
  transfers: [
    ...["id = '00000000-0000-7000-8000-000000000000'", 'unit = unit + 1', 'from_account = to_account'],
    ...['to_account = from_account', "asset = 'BTC'", 'amount = amount + 1e-18', "kind = 'correction'"],
    ...["hold = '00000000-0000-7000-8000-000000000000'", "at = at + interval '1 microsecond'"],
  ],
} as const;

describe('the seals over the journals of money', () => {
  test('find any change, removal, swap and addition behind their back, and name the row', async () => {
    const story = fc.record({
      rounds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
      journal: fc.constantFrom('decisions' as const, 'transfers' as const),
      how: fc.constantFrom('change', 'remove', 'swap', 'slip in', 'slip in first', 'marks', 'forget'),
      change: fc.nat(),
      at: fc.nat(),
      other: fc.nat(),
    });
    await open();
    await fc.assert(
      fc.asyncProperty(story, async ({ rounds, journal, how, change, at, other }) => {
        await behindItsBack(
          ...[
            'truncate test_funds, money_decisions, ledger_transfers, journal_seals, audit_log, audit_heads, audit_unsealed',
          ],
        );
        const seals = sealsOf();
        for (const count of rounds) {
          for (let made = 0; made < count; made += 1) {
            await fund(made + 1);
            await move(made + 1);
          }
          await sealAll(seals);
        }
        expect(await verified()).toMatchObject({ done: true });
        expect((await verified()).broken).toBeUndefined();

        const [table, number, columns] = TABLES[journal];
        const rows = await db.owner.query<{ n: string }>(
          `select ${number}::text as n from ${table} order by ${number}`,
        );
        const a = Number(rows[at % rows.length]?.n);
        const b = Number(rows[(at + 1 + (other % Math.max(1, rows.length - 1))) % rows.length]?.n);
        const copied = (to: string) =>
          `insert into ${table} (${number}, ${columns}) overriding system value
           select ${to}, ${columns.replace(/^id/, 'gen_random_uuid()')} from ${table} where ${number} = ${a}`;
        const free = Number(rows[0]?.n) - 1;
        const columnOf = CHANGES[journal];
        const spoil = {
          change: [`update ${table} set ${columnOf[change % columnOf.length]} where ${number} = ${a}`],
          remove: [`delete from ${table} where ${number} = ${a}`],
          swap: [
            `create temp table two on commit drop as select * from ${table} where ${number} in (${a}, ${b})`,
            `delete from ${table} where ${number} in (${a}, ${b})`,
            `insert into ${table} (${number}, ${columns}) overriding system value
             select ${a} + ${b} - ${number}, ${columns} from two`,
          ],
          'slip in': [copied(String(free))],
          'slip in first': [copied('-5')],
          marks: [
            `update journal_seals set marks = set_byte(marks, 19, 255 - get_byte(marks, 19)) where journal = '${journal}'`,
          ],
          forget: [`delete from journal_seals where journal = '${journal}'`],
        }[how];
        await behindItsBack(...spoil);
        const { broken } = await verified();
        fc.pre(how !== 'swap' || a !== b);
        expect(broken).toMatchObject({ journal });
        const place = { change: a, remove: a, swap: Math.min(a, b), 'slip in': free, 'slip in first': -5 }[
          how as 'change'
        ];
        if (place !== undefined) expect(broken?.number).toBe(place);
      }),
      { numRuns: runs(80, 5) },
    );
  });

  test('say nothing where nothing is new', async () => {
    await sealAll();
    expect(await sealedRows()).toEqual([]);
    await fund(1);
    await sealAll();
    await sealAll();
    expect(await sealedRows()).toMatchObject([{ details: { decisions: { after: 0, until: 1, rows: 1 } } }]);
  });

  test('say how far they reach, and what is not sealed yet', async () => {
    const reach = () => newestSeals(db.database);
    expect(await reach()).toEqual({ at: undefined, decisions: 0, transfers: 0, waiting: 0 });
    await open();
    await fund(1);
    await move(1);
    await move(2);
    expect(await reach()).toMatchObject({ at: undefined, waiting: 3 });
    await sealAll();
    await fund(2);
    expect(await reach()).toEqual({ at: clock(), decisions: 1, transfers: 2, waiting: 1 });
  });

  test('wait for a row that has its number and is not there yet, however many come after it', async () => {
    const client = await db.owner.pool.connect();
    try {
      await client.query('begin');
      await fund(1, client);
      await fund(2);
      const seals = sealsOf();
      expect(await seals.seal()).toBe('neighbours');
      await fund(3);
      expect(await seals.seal()).toBe('neighbours');
      expect(await sealedRows()).toEqual([]);
      await client.query('commit');
      await sealAll(seals);
      await sealAll(seals);
    } finally {
      client.release();
    }
    expect((await sealedRows()).map(({ details }) => details.decisions)).toMatchObject([
      { after: 0, until: 2, rows: 2 },
      { after: 2, until: 3, rows: 1 },
    ]);
    expect((await verified()).broken).toBeUndefined();
  });

  test('go on over a number that was given and never written', async () => {
    await db.owner
      .withTransaction(async (client) => {
        await fund(1, client);
        throw new Error('undone');
      })
      .catch(() => undefined);
    await fund(2);
    await sealAll();
    expect(await sealedRows()).toMatchObject([{ details: { decisions: { after: 0, until: 2, rows: 1 } } }]);
    expect((await verified()).broken).toBeUndefined();
  });

  test('a sealer that dies at any of its statements leaves what verifies and is gone on with', async () => {
    await open();
    for (const table of ['journal_seals', 'audit_log', 'audit_unsealed']) {
      await fund(1);
      await move(1);
      await db.owner.query(`create or replace function die() returns trigger language plpgsql as $$
        begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
      await db.owner.query(
        `create trigger dies before insert on ${table} for each row execute function die()`,
      );
      await expect(sealsOf().seal()).rejects.toThrow();
      await db.owner.query(`drop trigger dies on ${table}`);
      expect((await verified()).broken).toBeUndefined();
      await sealAll();
    }
    const rows = await sealedRows();
    expect(rows.map(({ details }) => details.decisions?.until)).toEqual([1, 2, 3]);
    expect((await verified()).broken).toBeUndefined();
    const chain = createAuditChain(db.database, KEY);
    await chain.seal();
    expect(await chain.verify()).toMatchObject({ head: { seq: 3 }, waiting: 0 });
  });

  test('two sealers at once seal each row once', async () => {
    for (let made = 0; made < 30; made += 1) await fund(1);
    const seals = Array.from({ length: 6 }, sealsOf);
    await Promise.all(seals.map((each) => each.seal()));
    await sealAll();
    const ranges = (await sealedRows()).map(({ details }) => details.decisions?.rows ?? 0);
    expect(ranges.reduce((sum, rows) => sum + rows)).toBe(30);
    expect((await verified()).broken).toBeUndefined();
  });

  test('a row of the chain that seals once more, or past the end, is found', async () => {
    await fund(1);
    await sealAll();
    const again = (after: number) =>
      db.database.query(
        `insert into audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
         select at, actor_kind, actor, address, call, subject, outcome, reason,
           jsonb_build_object('decisions', details -> 'decisions' || '{"after": ${after}}') from audit_log limit 1`,
      );
    await again(5);
    expect((await verified()).broken).toEqual({ journal: 'decisions', number: 2, what: 'never sealed' });
    await again(0);
    await behindItsBack(`delete from audit_log where details -> 'decisions' -> 'after' = '5'`);
    expect((await verified()).broken).toEqual({ journal: 'decisions', number: 1, what: 'sealed twice' });
  });

  test('a long journal is sealed in ranges and verified in parts', async () => {
    await db.owner.query(
      `insert into test_funds select gen_random_uuid(), 1, 'USDT', n, 'x', 'pending', n, n from generate_series(1, 9000) n`,
    );
    await sealAll();
    expect((await sealedRows()).map(({ details }) => details.decisions?.rows)).toEqual([4096, 4096, 808]);
    for (let made = 0; made < 250; made += 1) {
      await fund(1);
      await sealAll();
    }
    const seals = sealsOf();
    const first = await seals.verify(JOURNAL_BEGIN, 1);
    expect(first).toMatchObject({ done: false, place: { until: { decisions: 9_197 } } });
    expect(await seals.verify(first.place, 1)).toMatchObject({
      done: true,
      place: { until: { decisions: 9_250 } },
    });
    await behindItsBack(`update money_decisions set member = 2 where id = 9240`);
    expect(await seals.verify(first.place, EVERYTHING)).toMatchObject({
      broken: {
        journal: 'decisions',
        number: 9_240,
        what: 'changed',
        row: expect.stringContaining('test-funds'),
      },
    });
  });
});

test('neither the server nor the owner changes, removes or empties the journal of decisions or its seals', async () => {
  await fund(1);
  await sealAll();
  for (const [table, column] of [
    ['money_decisions', 'member'],
    ['journal_seals', 'marks'],
  ] as const) {
    for (const text of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await expect(db.database.query(text)).rejects.toThrow(/permission denied/);
      await expect(db.owner.query(text)).rejects.toThrow(/append-only/);
    }
  }
  await expect(
    db.database.query(`insert into money_decisions (at, member, kind, subject, facts)
      values (1, 1, 'order', gen_random_uuid(), '{}')`),
  ).rejects.toThrow(/permission denied/);
});
