import { amount, type UserId } from '@crossbook/domain';
import { type AccountRef, holdId, type LedgerCommand, type LedgerUnit, transferId } from '@crossbook/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { ledgerBreaches } from './ledger-check.ts';
import type { PostgresLedgerStore } from './ledger-store.ts';

const applied = { ok: true, value: { replayed: false } };
const replayed = { ok: true, value: { replayed: true } };
const refusedBy = (code: string) => ({ ok: false, code });
const wallet: AccountRef = { class: 'TRADING', user: 1 as UserId, platform: 1, asset: 'USDT' };
const outside: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };

let db: TestDatabase;
let ledger: PostgresLedgerStore;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.owner.query('create table lone_notes (id text primary key, way text not null, note text)');
  ledger = db.openLedger();
  ledger.register({
    'notes.insert': {
      sql: `insert into lone_notes select id, 'set', note from jsonb_to_recordset($1) as r(id text, note text)`,
      one: {
        columns: ['id', 'note'],
        sql: `insert into lone_notes (id, way, note) select $1, 'one', $2 where true`,
      },
    },
    'notes.change': {
      sql: `update lone_notes set way = 'set', note = r.note from jsonb_to_recordset($1) as r(id text, note text)
        where lone_notes.id = r.id`,
      one: { columns: ['id', 'note'], sql: `update lone_notes set way = 'one', note = $2 where id = $1` },
    },
  });
  await ledger.commit({
    commands: [
      {
        do: 'post',
        id: transferId('lone'),
        from: outside,
        to: wallet,
        amount: amount('10'),
        kind: 'test-funds',
      },
    ],
  });
});
afterAll(() => db.close());

const hold = (name: string, sum = '1'): LedgerCommand => ({
  ...{ do: 'hold', id: holdId('lone', name), account: wallet, amount: amount(sum), kind: 'order-hold' },
});
const release = (name: string): LedgerCommand => ({ do: 'release', hold: holdId('lone', name) });
const insert = (id: string, note?: string) => ({ table: 'notes.insert', row: { id, note } });
const change = (id: string, note: string) => ({ table: 'notes.change', row: { id, note } });

async function rows(): Promise<object> {
  const notes = await db.database.query<{ id: string; way: string; note: string | null }>(
    'select id, way, note from lone_notes order by id',
  );
  return Object.fromEntries(notes.map(({ id, way, note }) => [id, note === null ? way : `${way} ${note}`]));
}

describe('a unit of one row', () => {
  /** In order: each finds what those before left. What is held is in all. */
  test.each<[string, LedgerUnit, { answer: object; held: string; seen: object }]>([
    [
      'with a hold is one statement',
      { commands: [hold('a')], writes: [insert('a')] },
      { answer: applied, held: '1', seen: { a: 'one' } },
    ],
    [
      'alone is one',
      { commands: [], writes: [change('a', 'x')] },
      { answer: applied, held: '1', seen: { a: 'one x' } },
    ],
    [
      'sent again took effect once',
      { commands: [hold('a')], writes: [insert('a')] },
      { answer: replayed, held: '1', seen: { a: 'one x' } },
    ],
    [
      'with more than there is leaves nothing',
      { commands: [hold('b', '9.1')], writes: [insert('b')] },
      { answer: refusedBy('insufficient-funds'), held: '1', seen: { a: 'one x' } },
    ],
    [
      'whose hold has another amount leaves nothing',
      { commands: [hold('a', '2')], writes: [insert('b')] },
      { answer: refusedBy('id-reused'), held: '1', seen: { a: 'one x' } },
    ],
    [
      'that is there already holds nothing',
      { commands: [hold('c')], writes: [insert('a')] },
      { answer: refusedBy('write-refused'), held: '1', seen: { a: 'one x' } },
    ],
    [
      'with a release is one statement',
      { commands: [release('a')], writes: [change('a', 'y')] },
      { answer: applied, held: '0', seen: { a: 'one y' } },
    ],
    [
      'released before changes no row',
      { commands: [release('a')], writes: [change('a', 'z')] },
      { answer: replayed, held: '0', seen: { a: 'one y' } },
    ],
    [
      'of no hold is refused',
      { commands: [release('none')], writes: [change('a', 'z')] },
      { answer: refusedBy('unknown-hold'), held: '0', seen: { a: 'one y' } },
    ],
    [
      'that has all there is is one',
      { commands: [hold('d', '10')], writes: [insert('d')] },
      { answer: applied, held: '10', seen: { d: 'one' } },
    ],
    [
      'that is not there is released all the same',
      { commands: [release('d')], writes: [change('nobody', 'z')] },
      { answer: applied, held: '0', seen: {} },
    ],
    [
      'that is not there changes nothing',
      { commands: [], writes: [change('nobody', 'z')] },
      { answer: applied, held: '0', seen: {} },
    ],
    [
      'beside another goes with its set',
      { commands: [hold('e')], writes: [insert('e'), insert('f', '"1"')] },
      { answer: applied, held: '1', seen: { e: 'set', f: 'set "1"' } },
    ],
    [
      'has the text it was given',
      { commands: [], writes: [insert('g', '{"a\\",\n}')] },
      { answer: applied, held: '1', seen: { g: 'one {"a\\",\n}' } },
    ],
  ])('%s', async (_name, unit, { answer, held, seen }) => {
    expect(await ledger.commit(unit)).toEqual(answer);
    expect((await ledger.balanceOf(wallet)).held).toBe(amount(held));
    expect(await rows()).toMatchObject(seen);
    expect(await rows()).not.toHaveProperty('b');
    expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
  });

  test('that comes with others goes with them', async () => {
    const units = ['h', 'i'].map((id) => ({ commands: [hold(id)], writes: [insert(id)] }));
    expect(await Promise.all(units.map((unit) => ledger.commit(unit)))).toEqual([applied, applied]);
    expect(await rows()).toMatchObject({ h: 'set', i: 'set' });
  });
});
