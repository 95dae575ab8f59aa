import { AMOUNT_MAX, type Amount, amount, type UserId } from '@crossbook/domain';
import {
  type AccountRef,
  accountKey,
  holdId,
  type LedgerCommand,
  type LedgerUnit,
  type TransferKind,
  transferId,
} from '@crossbook/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemPostgres } from '../postgres/postgres-binaries.ts';
import {
  openTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
  testServer,
} from '../testing.ts';
import { ledgerBreaches } from './ledger-check.ts';
import type { PostgresLedgerStore } from './ledger-store.ts';

const outside: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
const applied = { ok: true, value: { replayed: false } };
const replayed = { ok: true, value: { replayed: true } };

let members = 1000;
const nextMember = (): UserId => {
  members += 1;
  return members as UserId;
};
const fundingOf = (user: UserId, asset = 'USDT'): AccountRef => ({ class: 'FUNDING', user, asset });
const tradingOf = (user: UserId, asset = 'USDT'): AccountRef => ({
  class: 'TRADING',
  user,
  platform: 1,
  asset,
});

let made = 0;
function post(
  from: AccountRef,
  to: AccountRef,
  sum: string,
  kind: TransferKind = 'universal-transfer',
): LedgerCommand {
  made += 1;
  return { do: 'post', id: transferId('test', made), from, to, amount: amount(sum), kind };
}
const unit = (...commands: LedgerCommand[]): LedgerUnit => ({ commands });

const debian = systemPostgres(15);
const SERVERS = [
  { name: 'PostgreSQL from npm', binaries: undefined },
  ...(debian === undefined ? [] : [{ name: 'PostgreSQL 15 of the distribution', binaries: debian }]),
];

describe.each(SERVERS)('ledger store on $name', ({ binaries }) => {
  let own: TestServer | undefined;
  let db: TestDatabase;
  let ledger: PostgresLedgerStore;
  let user: UserId;

  beforeAll(async () => {
    own = binaries === undefined ? undefined : await startTestServer(binaries);
    db = await openTestDatabase(own?.target ?? testServer());
    await db.owner.query(`create table test_notes (id text primary key, seen int not null default 0, note text,
      check (seen < 3))`);
    ledger = db.openLedger();
    ledger.register({
      'notes.insert': `insert into test_notes (id, note) select id, note
        from jsonb_to_recordset($1) as r(id text, note text)`,
      'notes.seen': `update test_notes n set seen = r.seen from jsonb_to_recordset($1) as r(id text, seen int)
        where n.id = r.id`,
      'notes.must-exist': `with r as (select * from jsonb_to_recordset($1) as r(id text)),
        w as (update test_notes n set note = 'found' from r where n.id = r.id returning 1)
        select ledger_expect((select count(*) from w), jsonb_array_length($1))`,
    });
  });
  afterAll(async () => {
    await db.close();
    await own?.stop();
  });
  beforeEach(async () => {
    user = nextMember();
    expect(await ledger.commit(unit(post(outside, fundingOf(user), '100', 'test-funds')))).toEqual(applied);
  });

  const funding = () => ledger.fundingBalances(user);

  test('a movement is booked once however often it is sent, and reads show it at once', async () => {
    const move = unit(post(fundingOf(user), tradingOf(user), '60.000000000000000001'));
    expect(await ledger.commit(move)).toEqual(applied);
    expect(await ledger.commit(move)).toEqual(replayed);
    expect(await funding()).toEqual([
      {
        asset: 'USDT',
        total: amount('39.999999999999999999'),
        available: amount('39.999999999999999999'),
        held: 0n,
      },
    ]);
    expect((await ledger.tradingBalances(user, 1))[0]?.total).toBe(amount('60.000000000000000001'));
    expect(await ledger.tradingBalances(user, 2)).toEqual([]);
  });

  test('refusals are named, and a refused unit leaves nothing of itself', async () => {
    const mine = fundingOf(user);
    const first = post(mine, tradingOf(user), '10');
    const held = {
      do: 'hold',
      id: holdId('r', made),
      account: mine,
      amount: amount('40'),
      kind: 'order-hold',
    } as const;
    const paid = {
      do: 'post-held',
      id: transferId('p', made),
      hold: held.id,
      to: outside,
      kind: 'fill',
    } as const;
    const rows: readonly [LedgerUnit, unknown][] = [
      [unit(first), 'applied'],
      [unit({ ...first, amount: amount('11') } as LedgerCommand), 'id-reused'],
      [unit({ ...first, kind: 'correction' } as LedgerCommand), 'id-reused'],
      [unit(post(mine, fundingOf(user, 'BTC'), '1')), 'asset-mismatch'],
      [unit(post(mine, tradingOf(user), '90.000000000000000001')), 'insufficient-funds'],
      [unit(post(mine, tradingOf(user), '1'), post(mine, tradingOf(user), '90')), 'insufficient-funds'],
      [unit({ ...paid, amount: amount('1') }), 'unknown-hold'],
      [unit({ do: 'release', hold: holdId('never', made) }), 'unknown-hold'],
      [unit(held), 'applied'],
      [unit({ ...held, amount: amount('41') }), 'id-reused'],
      [unit(post(mine, tradingOf(user), '51')), 'insufficient-funds'],
      [unit({ ...paid, amount: amount('40.1') }), 'hold-exceeded'],
      [unit({ ...paid, amount: amount('15') }), 'applied'],
      [unit({ ...paid, amount: amount('15') }), 'replayed'],
      [unit({ ...paid, id: transferId('q', made), amount: amount('25.5') }), 'hold-exceeded'],
      [unit({ do: 'release', hold: held.id }), 'applied'],
      [unit({ do: 'release', hold: held.id }), 'replayed'],
      [unit({ ...paid, id: transferId('s', made), amount: amount('1') }), 'hold-resolved'],
      [unit({ ...paid, amount: amount('15') }), 'replayed'],
      [unit(post(outside, mine, '99999999999999999999')), 'balance-out-of-range'],
    ];
    for (const [sent, expected] of rows) {
      const answer = await ledger.commit(sent);
      const code = answer.ok ? (answer.value.replayed ? 'replayed' : 'applied') : answer.code;
      expect([sent.commands, code]).toEqual([sent.commands, expected]);
    }
    expect(await funding()).toEqual([
      { asset: 'USDT', total: amount('75'), available: amount('75'), held: 0n },
    ]);
  });

  test('one bad unit refuses nobody else in its batch, and the order of units is kept', async () => {
    const others = Array.from({ length: 60 }, nextMember);
    const units = others.flatMap((other) => [
      unit(post(outside, fundingOf(other), '1')),
      unit(post(fundingOf(other), tradingOf(other), '2')),
      unit(post(fundingOf(other), tradingOf(other), '1')),
    ]);
    const answers = await Promise.all(units.map((one) => ledger.commit(one)));
    answers.forEach((answer, index) => {
      expect(answer).toEqual(index % 3 === 1 ? { ok: false, code: 'insufficient-funds' } : applied);
    });
  });

  test('the same unit sent by many callers at once takes effect once', async () => {
    const move = unit(post(fundingOf(user), tradingOf(user), '1'));
    const answers = await Promise.all(Array.from({ length: 64 }, () => ledger.commit(move)));
    expect(answers.filter((answer) => answer.ok && !answer.value.replayed)).toHaveLength(1);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(64);
    expect((await funding())[0]?.total).toBe(amount('99'));
  });

  test('two writers cannot spend the same money', async () => {
    const second = db.openLedger();
    const spend = () => unit(post(fundingOf(user), tradingOf(user), '7'));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? ledger : second).commit(spend())),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(14);
    expect((await funding())[0]?.total).toBe(amount('2'));
  });

  test('companion rows are written with the money or not at all', async () => {
    const note = (id: string) => ({
      table: 'notes.insert',
      row: { id, note: `it's "quoted" \\ {1,2}\n\t\u0001\u2028é\\" ${id}` },
    });
    const id = `n${user}`;
    const ok = { ...unit(post(fundingOf(user), tradingOf(user), '1')), writes: [note(id)] };
    expect(await ledger.commit(ok)).toEqual(applied);
    expect(await ledger.commit(ok)).toEqual(replayed);
    const taken = {
      ...unit(post(fundingOf(user), tradingOf(user), '1')),
      writes: [note(`${id}b`), note(id)],
    };
    const fine = { ...unit(post(fundingOf(user), tradingOf(user), '2')), writes: [note(`${id}c`)] };
    const lost = {
      ...unit(post(fundingOf(user), tradingOf(user), '4')),
      writes: [{ table: 'notes.must-exist', row: { id: 'nobody' } }],
    };
    expect(await Promise.all([taken, fine, lost].map((one) => ledger.commit(one)))).toEqual([
      { ok: false, code: 'write-refused' },
      applied,
      { ok: false, code: 'write-refused' },
    ]);
    const rows = await db.database.query<{ id: string; note: string }>(
      `select id, note from test_notes where id like $1 order by id`,
      [`${id}%`],
    );
    expect(rows).toEqual([note(id).row, note(`${id}c`).row]);
    expect((await funding())[0]?.total).toBe(amount('97'));
  });

  test('updates of one row in one batch happen in the order of their units', async () => {
    const id = `u${user}`;
    const seen = (value: number) => ({
      commands: [],
      writes: [{ table: 'notes.seen', row: { id, seen: value } }],
    });
    const sent = [
      { commands: [], writes: [{ table: 'notes.insert', row: { id, note: null } }] },
      seen(1),
      seen(2),
      seen(3),
      seen(0),
      seen(2),
    ];
    const answers = await Promise.all(sent.map((one) => ledger.commit(one)));
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual([
      'ok',
      'ok',
      'ok',
      'write-refused',
      'ok',
      'ok',
    ]);
    expect(await db.database.query('select seen from test_notes where id = $1', [id])).toEqual([{ seen: 2 }]);
  });

  test('a unit that breaks the contract is rejected alone', async () => {
    const good = unit(post(fundingOf(user), tradingOf(user), '1'));
    const bad: LedgerUnit[] = [
      unit({ ...post(fundingOf(user), tradingOf(user), '1'), amount: 0n as Amount } as LedgerCommand),
      unit({
        ...post(fundingOf(user), tradingOf(user), '1'),
        amount: (AMOUNT_MAX + 1n) as Amount,
      } as LedgerCommand),
      unit({ ...post(fundingOf(user), tradingOf(user), '1'), id: 'x' } as unknown as LedgerCommand),
      unit(post(fundingOf(user, 'A/B'), tradingOf(user), '1')),
      unit({ ...post(fundingOf(user), tradingOf(user), '1'), kind: 'gift' } as unknown as LedgerCommand),
      unit(post({ ...outside, counterparty: 'moon' } as unknown as AccountRef, fundingOf(user), '1')),
      { commands: [], writes: [{ table: 'nothing', row: {} }] },
      { commands: [], writes: [{ table: 'notes.insert', row: { id: 'nul', note: '\u0000' } }] },
      { commands: [], writes: [{ table: 'notes.insert', row: { id: 'half', note: '\ud800' } }] },
      { commands: [], writes: [{ table: 'notes.insert', row: { id: null } }] },
      { commands: [] },
    ];
    const answers = await Promise.allSettled([...bad, good].map((one) => ledger.commit(one)));
    expect(answers.map(({ status }) => status)).toEqual([...bad.map(() => 'rejected'), 'fulfilled']);
  });

  test('a statement pages without gaps and adds up to the balance', async () => {
    for (let n = 1; n <= 11; n += 1) {
      await ledger.commit(unit(post(fundingOf(user), tradingOf(user), `${n}`)));
      await ledger.commit(unit(post(tradingOf(user), fundingOf(user), '0.5')));
    }
    const rows = [];
    let page = await ledger.statement(fundingOf(user), 5);
    for (;;) {
      rows.push(...page.rows);
      if (page.next === undefined) break;
      page = await ledger.statement(fundingOf(user), 5, page.next);
    }
    expect(rows).toHaveLength(23);
    let sum = 0n;
    for (const row of rows.toReversed()) {
      sum += row.change;
      expect(row.balanceAfter).toBe(sum);
    }
    expect(sum).toBe((await ledger.balanceOf(fundingOf(user))).total);
    expect(await ledger.statement(fundingOf(nextMember()), 5)).toEqual({ rows: [] });
  });

  test('the server cannot change the books past the functions, nor anyone the journal', async () => {
    for (const attempt of [
      'update ledger_accounts set posted = posted + 1',
      'insert into ledger_transfers default values',
      'delete from ledger_holds',
      'truncate ledger_transfers',
      `update meta set value = 'live'`,
      'alter table ledger_transfers disable trigger all',
    ]) {
      await expect(db.database.query(attempt), attempt).rejects.toThrow(/permission denied|must be owner/);
    }
    for (const attempt of [
      'update ledger_transfers set amount = amount + 1',
      'delete from ledger_transfers',
      `update ledger_accounts set asset = 'BTC'`,
      'delete from ledger_accounts',
      'update ledger_holds set amount = amount + 1',
      'update ledger_holds set paid = paid - 0.1, released = false',
    ]) {
      await expect(db.owner.query(attempt), attempt).rejects.toThrow(/append-only|may not change so/);
    }
    const forged = (to: AccountRef, hold: string) => `insert into ledger_transfers
      (id, unit, from_account, to_account, asset, amount, kind, hold)
      select gen_random_uuid(), 1, f.id, t.id, f.asset, 1, 'fill', ${hold} from ledger_accounts f, ledger_accounts t
      where f.key = '${accountKey(fundingOf(user))}' and t.key = '${accountKey(to)}'`;
    await ledger.commit(unit(post({ ...outside, asset: 'BTC' }, fundingOf(user, 'BTC'), '1', 'test-funds')));
    await expect(db.owner.query(forged(fundingOf(user, 'BTC'), 'null'))).rejects.toThrow(/different assets/);
    const strange = `(select id from ledger_holds limit 1)`;
    await expect(db.owner.query(forged(outside, strange))).rejects.toThrow(/another hold/);
    await expect(db.owner.query('update ledger_accounts set posted = -1')).rejects.toThrow(/not_negative/);
  });

  test('the checker finds the books clean, and says where they are not', async () => {
    expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
    const client = await db.owner.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update ledger_accounts set posted = posted + 1, held = held + 1 where key = $1`, [
        `FUNDING/${user}/USDT`,
      ]);
      const inside = {
        ...db.owner,
        query: async (text: unknown) => (await client.query(text as string)).rows,
      };
      const found = await ledgerBreaches(inside as never, 'fold');
      expect(found.map(({ invariant, subject }) => [invariant, subject])).toEqual([
        ['I1', 'USDT'],
        ['I3', `FUNDING/${user}/USDT`],
        ['I5', `FUNDING/${user}/USDT`],
      ]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
