import { type Amount, type Platform, parseSignedAmount, type UserId } from '@crossbook/domain';
import {
  type AccountRef,
  type CompanionWrite,
  holdId,
  type LedgerCommand,
  LedgerModel,
  type LedgerUnit,
  transferId,
} from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { ledgerBreaches } from './ledger-check.ts';
import type { PostgresLedgerStore } from './ledger-store.ts';

/** Few ids, members and amounts, so that replays, clashes and overdrafts are the rule. */
const amounts = fc.constantFrom(
  1n as Amount,
  5n as Amount,
  (10n ** 18n) as Amount,
  (10n ** 18n + 1n) as Amount,
  (3n * 10n ** 18n) as Amount,
  (6n * 10n ** 37n) as Amount,
);
const member = fc.integer({ min: 1, max: 3 }).map((id) => id as UserId);
const asset = fc.constantFrom('A', 'A', 'A', 'B');
const account: fc.Arbitrary<AccountRef> = fc.oneof(
  fc.record({ class: fc.constant('FUNDING' as const), user: member, asset }),
  fc.record({
    class: fc.constant('TRADING' as const),
    user: member,
    platform: fc.constant(1 as Platform),
    asset,
  }),
  fc.record({
    class: fc.constant('EXTERNAL' as const),
    counterparty: fc.constant('venue:1' as const),
    asset,
  }),
  fc.record({ class: fc.constant('HOUSE_FEE' as const), asset }),
);
const source: fc.Arbitrary<AccountRef> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constant<AccountRef>({ class: 'EXTERNAL', counterparty: 'venue:1', asset: 'A' }),
  },
  { weight: 3, arbitrary: account },
);
const transfer = fc.integer({ min: 1, max: 40 });
const hold = fc.integer({ min: 1, max: 4 });

type Draft = (run: number) => LedgerCommand;

const inRun = (ref: AccountRef, run: number): AccountRef => ({ ...ref, asset: `${ref.asset}${run}` });

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ id: transfer, from: source, to: account, amount: amounts }).map(
    ({ id, from, to, amount }): Draft =>
      (run) => ({
        do: 'post',
        id: transferId(run, id),
        from: inRun(from, run),
        to: inRun(to, run),
        amount,
        kind: 'universal-transfer',
      }),
  ),
  fc.record({ id: hold, account, amount: amounts }).map(
    ({ id, account: on, amount }): Draft =>
      (run) => ({ do: 'hold', id: holdId(run, id), account: inRun(on, run), amount, kind: 'order-hold' }),
  ),
  fc.record({ id: transfer, of: hold, to: account, amount: amounts }).map(
    ({ id, of, to, amount }): Draft =>
      (run) => ({
        do: 'post-held',
        id: transferId(run, id),
        hold: holdId(run, of),
        to: inRun(to, run),
        amount,
        kind: 'fill',
      }),
  ),
  hold.map(
    (of): Draft =>
      (run) => ({ do: 'release', hold: holdId(run, of) }),
  ),
);

interface UnitDraft {
  readonly commands: readonly Draft[];
  readonly notes: readonly number[];
}
const unitDraft: fc.Arbitrary<UnitDraft> = fc
  .record({
    commands: fc.array(draft, { maxLength: 3 }),
    notes: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  })
  .filter(({ commands, notes }) => commands.length + notes.length > 0);

const build = ({ commands, notes }: UnitDraft, run: number): LedgerUnit => ({
  commands: commands.map((make) => make(run)),
  writes: notes.map((id) => ({ table: 'notes.insert', row: { id: `${run}-${id}` } })),
});

/** The model's companion table: a set with unique keys. */
class NoteModel {
  readonly ids = new Set<string>();

  write = (writes: readonly CompanionWrite[]): boolean => {
    const ids = writes.map(({ row }) => String(row.id));
    if (new Set(ids).size < ids.length || ids.some((id) => this.ids.has(id))) return false;
    for (const id of ids) this.ids.add(id);
    return true;
  };
}

interface Model {
  readonly ledger: LedgerModel;
  readonly notes: NoteModel;
  readonly sent: LedgerUnit[];
}

interface Real {
  readonly run: number;
  readonly db: TestDatabase;
  readonly ledger: PostgresLedgerStore;
}

async function sameTotals({ ledger, notes }: Model, { db, run }: Real): Promise<void> {
  const rows = await db.database.query<{ key: string; posted: string; held: string }>(
    `select key, posted, held from ledger_accounts where asset in ($1, $2) and (posted <> 0 or held <> 0)`,
    [`A${run}`, `B${run}`],
  );
  const found = rows.map(({ key, posted, held }) => [
    key,
    parseSignedAmount(posted),
    parseSignedAmount(held),
  ]);
  const expected = [...ledger.accounts]
    .filter(([, { posted, held }]) => posted !== 0n || held !== 0n)
    .map(([key, { posted, held }]) => [key, posted, held]);
  expect(new Map(found.map((row) => [row[0], row]))).toEqual(new Map(expected.map((row) => [row[0], row])));
  const written = await db.database.query<{ id: string }>('select id from fuzz_notes where id like $1', [
    `${run}-%`,
  ]);
  expect(new Set(written.map(({ id }) => id))).toEqual(notes.ids);
  expect(await ledgerBreaches(db.database, 'figures')).toEqual([]);
}

/** Units sent by as many callers at the same moment; the batcher keeps their order, so the model can follow. */
class SendTogether implements fc.AsyncCommand<Model, Real> {
  readonly #drafts: readonly UnitDraft[];
  constructor(drafts: readonly UnitDraft[]) {
    this.#drafts = drafts;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    const units = this.#drafts.map((one) => build(one, real.run));
    await compare(units, model, real);
    model.sent.push(...units);
  }
  toString(): string {
    return JSON.stringify(
      this.#drafts.map((one) => build(one, 0)),
      (_key, value) => (typeof value === 'bigint' ? String(value) : value),
    );
  }
}

/** An earlier unit once more, as after an unknown outcome, perhaps with one amount changed. */
class SendAgain implements fc.AsyncCommand<Model, Real> {
  readonly #pick: number;
  readonly #copies: number;
  readonly #tampered: boolean;
  constructor(pick: number, copies: number, tampered: boolean) {
    this.#pick = pick;
    this.#copies = copies;
    this.#tampered = tampered;
  }
  check({ sent }: Readonly<Model>): boolean {
    return sent.length > 0;
  }
  async run(model: Model, real: Real): Promise<void> {
    const earlier = model.sent[this.#pick % model.sent.length];
    if (earlier === undefined) return;
    const again = this.#tampered ? tamper(earlier) : earlier;
    await compare(
      Array.from({ length: this.#copies }, () => again),
      model,
      real,
    );
  }
  toString(): string {
    return `again(${this.#pick}, ${this.#copies}, ${this.#tampered})`;
  }
}

function tamper(unit: LedgerUnit): LedgerUnit {
  return {
    ...unit,
    commands: unit.commands.map((command) =>
      command.do === 'release' ? command : { ...command, amount: (command.amount + 1n) as Amount },
    ),
  };
}

/** Every run begins with some money and two holds, else most of what is drawn would be refused for want of them. */
function beginning(run: number): LedgerUnit {
  const rich = [1, 2, 3].flatMap((id): AccountRef[] => [
    { class: 'FUNDING', user: id as UserId, asset: 'A' },
    { class: 'TRADING', user: id as UserId, platform: 1, asset: 'A' },
    { class: 'FUNDING', user: id as UserId, asset: 'B' },
  ]);
  const posts = rich.map((to, index): LedgerCommand => {
    const from: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: to.asset };
    const amount = (4n * 10n ** 18n) as Amount;
    const id = transferId(run, 'beginning', index);
    return { do: 'post', id, from: inRun(from, run), to: inRun(to, run), amount, kind: 'test-funds' };
  });
  const holds = rich.slice(0, 2).map((on, index): LedgerCommand => {
    const amount = (3n * 10n ** 18n) as Amount;
    return { do: 'hold', id: holdId(run, index + 1), account: inRun(on, run), amount, kind: 'order-hold' };
  });
  return { commands: [...posts, ...holds] };
}

async function compare(units: readonly LedgerUnit[], model: Model, real: Real): Promise<void> {
  const expected = units.map((unit) => model.ledger.apply(unit));
  const answers = await Promise.all(units.map((unit) => real.ledger.commit(unit)));
  expect(answers).toEqual(expected);
  await sameTotals(model, real);
}

class Begin implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }
  run(model: Model, real: Real): Promise<void> {
    return compare([beginning(real.run)], model, real);
  }
  toString(): string {
    return 'begin';
  }
}

let histories = 0;

describe('ledger store against the plain model', () => {
  let db: TestDatabase;
  let ledger: PostgresLedgerStore;
  let second: PostgresLedgerStore;
  let asSet: PostgresLedgerStore;
  const NOTES = {
    'notes.insert': {
      sql: 'insert into fuzz_notes select id from jsonb_to_recordset($1) as r(id text)',
      one: { columns: ['id'], sql: 'insert into fuzz_notes (id) select $1 where true' },
    },
  };
  beforeAll(async () => {
    db = await openTestDatabase();
    await db.owner.query('create table fuzz_notes (id text primary key)');
    ledger = db.openLedger();
    second = db.openLedger();
    asSet = db.openLedger({ shortCommandsMax: 0 });
    for (const one of [ledger, second, asSet]) one.register(NOTES);
  });
  afterAll(() => db.close());

  test('every answer and every figure agree, whatever is sent, repeated or tampered with', async () => {
    const commands = fc.commands(
      [
        fc.array(unitDraft, { minLength: 1, maxLength: 1 }).map((drafts) => new SendTogether(drafts)),
        fc.array(unitDraft, { minLength: 2, maxLength: 12 }).map((drafts) => new SendTogether(drafts)),
        fc
          .tuple(fc.nat(99), fc.integer({ min: 1, max: 3 }), fc.boolean())
          .map(([pick, copies, tampered]) => new SendAgain(pick, copies, tampered)),
      ],
      { maxCommands: 25 },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        histories += 1;
        const run = histories;
        const notes = new NoteModel();
        const setup = () => ({
          model: { ledger: new LedgerModel(notes.write), notes, sent: [] },
          real: { run, db, ledger },
        });
        await fc.asyncModelRun(setup, [new Begin(), ...list]);
      }),
      { numRuns: runs(15, 10) },
    );
    expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
  }, 1_200_000);

  /** Every row of a run, with the run's own number taken out of names and ids that tell runs apart. */
  async function rowsOf(run: number): Promise<object> {
    const assets = [`A${run}`, `B${run}`];
    const [row] = await db.database.query<object>(
      `with known as (select id, rtrim(key, '0123456789') as key, posted, held from ledger_accounts where asset = any ($1))
      select
        (select jsonb_agg(to_jsonb(a) - 'id' order by a.key) from known a) as accounts,
        (select jsonb_agg(jsonb_build_array(a.key, h.amount, h.kind, h.paid, h.released, h.released_at is null)
           order by a.key, h.amount, h.kind, h.paid, h.released) from ledger_holds h join known a on a.id = h.account) as holds,
        (select jsonb_agg(jsonb_build_array(f.key, o.key, t.amount, t.kind, t.hold is null) order by t.seq)
           from ledger_transfers t join known f on f.id = t.from_account join known o on o.id = t.to_account) as transfers,
        (select jsonb_agg(split_part(n.id, '-', 2) order by n.id collate "C") from fuzz_notes n where n.id like $2) as notes`,
      [assets, `${run}-%`],
    );
    return row ?? {};
  }

  test('the short way and the set-based one give the same answers and leave the same rows', async () => {
    const units = fc.array(fc.oneof({ weight: 4, arbitrary: unitDraft }, fc.nat(20)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(units, async (drafts) => {
        const runsOf = [ledger, asSet].map((store) => {
          histories += 1;
          return { store, run: histories };
        });
        for (const { store, run } of runsOf) await store.commit(beginning(run));
        for (const [at, one] of drafts.entries()) {
          // A number sends an earlier unit once more.
          const draft = typeof one === 'number' ? drafts[one % Math.max(1, at)] : one;
          if (draft === undefined || typeof draft === 'number') continue;
          const [short, whole] = await Promise.all(
            runsOf.map(({ store, run }) => store.commit(build(draft, run))),
          );
          expect(short).toEqual(whole);
        }
        const [short, whole] = await Promise.all(runsOf.map(({ run }) => rowsOf(run)));
        expect(short).toEqual(whole);
      }),
      { numRuns: runs(10, 20) },
    );
    expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
  }, 1_200_000);

  test('two writers at once break no invariant, and every unit has the same answer when sent again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(unitDraft, { minLength: 10, maxLength: 40 }), async (drafts) => {
        histories += 1;
        const units = drafts.map((one) => build(one, histories));
        const send = () =>
          Promise.all(units.map((unit, index) => (index % 2 === 0 ? ledger : second).commit(unit)));
        const first = await send();
        const again = await send();
        again.forEach((answer, index) => {
          const before = first[index];
          const moved = (units[index]?.commands.length ?? 0) > 0;
          if (before?.ok === true && moved) expect(answer).toEqual({ ok: true, value: { replayed: true } });
        });
        expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
      }),
      { numRuns: runs(8, 12) },
    );
  }, 1_200_000);
});
