import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attacks } from '../../../../../tests/attack-sizes.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { type AuditChain, createAuditChain } from './audit-chain.ts';
import { appendAudit, type TakesStatements } from './audit-log.ts';
import type { AuditHead } from './audit-start.ts';

const KEY = new Uint8Array(32).fill(7);

let db: TestDatabase;
let chain: AuditChain;
beforeEach(async () => {
  db = await openTestDatabase();
  chain = createAuditChain(db.database, { current: KEY });
});
afterEach(() => db.close());

const entry = (text: string) => ({
  ...({ at: 1_800_000_000_000 as Millis, actor: { kind: 'member', id: '100001' }, call: 'a/call' } as const),
  ...{ outcome: 'ok', reason: text, details: { text, amount: '0.1', list: [1, 2] } },
});
/** A pool speaks of one statement as a client does. */
const statements = (): TakesStatements => ({ query: (text, values) => db.database.query(text, values) });

async function sealAll(): Promise<AuditHead> {
  let newest: AuditHead | undefined;
  for (let head = await chain.seal(); head !== undefined; head = await chain.seal()) newest = head;
  if (newest === undefined) throw new Error('nothing was sealed');
  return newest;
}

/** As somebody with all rights in the database, and without the key. */
async function behindItsBack(...texts: readonly string[]): Promise<void> {
  await db.owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const text of texts) await client.query(text);
  });
}

/** Two rows change places, all columns but their ids. */
const COLUMNS = 'at, actor_kind, actor, address, call, subject, outcome, reason, details';
const swapped = (a: number, b: number) =>
  `update audit_log l set (${COLUMNS}) = (select ${COLUMNS} from audit_log o where o.id = ${a} + ${b} - l.id)
   where l.id in (${a}, ${b})`;

describe('the audit chain', () => {
  test('finds any change, removal, swap and addition behind its back, at its place', async () => {
    const kind = fc.constantFrom(
      ...['change', 'remove', 'remove both', 'swap rows', 'swap places', 'slip in', 'cut', 'hide'],
    );
    const story = fc.record({
      texts: fc.array(fc.string({ maxLength: 20 }), { minLength: 2, maxLength: 12 }),
      kind,
      column: fc.constantFrom(
        ...['at = at + 1', "actor = actor || 'x'", "address = 'x'", "call = 'x'", "subject = 'x'"],
        ...["outcome = 'no'", "reason = reason || ' '", "details = '{}'", "actor_kind = 'system'"],
      ),
      at: fc.nat(),
      other: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ texts, kind: how, column, at, other }) => {
        await behindItsBack('truncate audit_log, audit_heads, audit_unsealed restart identity');
        for (const [index, text] of texts.entries())
          await appendAudit(statements(), entry(`${index} ${text.replaceAll('\0', '')}`));
        const known = await sealAll();
        expect(await chain.verify(known)).toEqual({ head: known, waiting: 0 });
        const n = texts.length;
        const a = (at % n) + 1;
        const b = ((a + (other % (n - 1))) % n) + 1;
        const gone = (where: string) => [`delete from audit_heads where ${where}`];
        const spoil: Readonly<Record<string, readonly string[]>> = {
          change: [`update audit_log set ${column} where id = ${a}`],
          remove: [`delete from audit_log where id = ${a}`],
          'remove both': [...gone(`entry = ${a}`), `delete from audit_log where id = ${a}`],
          'swap rows': [swapped(a, b)],
          'swap places': [
            `update audit_heads set entry = -entry where entry in (${a}, ${b})`,
            `update audit_heads set entry = ${a} + ${b} + entry where entry < 0`,
          ],
          'slip in': [
            `insert into audit_log (${COLUMNS}) select ${COLUMNS} from audit_log where id = ${a}`,
            `insert into audit_heads select ${n} + 1, max(id), repeat('0', 64) from audit_log`,
          ],
          cut: [...gone(`seq > ${n - 1}`), `delete from audit_log where id = ${n}`],
          hide: [`insert into audit_log (${COLUMNS}) select ${COLUMNS} from audit_log where id = ${a}`],
        };
        await behindItsBack(...(spoil[how] ?? []));
        const { broken } = await chain.verify(known);
        expect(broken).toBeDefined();
        const place = { change: a, remove: a, 'remove both': a, 'swap rows': Math.min(a, b) }[how];
        if (place !== undefined) expect(broken?.seq).toBe(place);
      }),
      { numRuns: attacks(runs(60, 5), 10_000) },
    );
  });

  test('a whole chain that is made anew without the key does not verify', async () => {
    await appendAudit(statements(), entry('one'));
    const known = await sealAll();
    await behindItsBack('delete from audit_heads', `update audit_log set reason = 'two'`);
    await behindItsBack('insert into audit_unsealed select id from audit_log on conflict do nothing');
    await createAuditChain(db.database, { current: new Uint8Array(32) }).seal();
    expect((await chain.verify(known)).broken).toMatchObject({ seq: 1, what: 'changed or swapped' });
  });

  test('many writers and sealers at once make one chain with every row of what committed, and none else', async () => {
    const write = (n: number) =>
      db.database
        .withTransaction(async (client) => {
          await appendAudit(client, entry(`first ${n}`));
          await appendAudit(client, entry(`second ${n}`));
          if (n % 5 === 0) throw new Error('undone');
        })
        .catch(() => undefined);
    const others = createAuditChain(db.owner, { current: KEY });
    await Promise.all(Array.from({ length: 40 }, (_, n) => [write(n), chain.seal(), others.seal()]).flat());
    await chain.seal();
    const { head, waiting, broken } = await chain.verify();
    expect({ seq: head.seq, waiting, broken }).toEqual({ seq: 64, waiting: 0, broken: undefined });
  });

  test('a sealer that dies between two rows leaves a chain that verifies and is gone on with', async () => {
    await appendAudit(statements(), entry('one'));
    const one = await sealAll();
    await appendAudit(statements(), entry('two'));
    await appendAudit(statements(), entry('three'));
    await db.owner.query(`create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
    await db.owner.query(`create trigger dies before insert on audit_heads for each row
      when (new.seq = 3) execute function die()`);
    await expect(chain.seal()).rejects.toThrow();
    expect(await chain.verify(one)).toEqual({ head: one, waiting: 2 });
    await db.owner.query('drop trigger dies on audit_heads');
    expect((await sealAll()).seq).toBe(3);
    expect((await chain.verify(one)).broken).toBeUndefined();
  });

  test('a row that was taken off the list of the sealer is found', async () => {
    await appendAudit(statements(), entry('one'));
    await db.database.query('delete from audit_unsealed');
    expect((await chain.verify()).broken).toMatchObject({ what: 'never sealed' });
  });
});

describe('who may do what', () => {
  test('neither the server nor the owner changes, removes or empties the log or the chain', async () => {
    await appendAudit(statements(), entry('one'));
    await chain.seal();
    for (const table of ['audit_log', 'audit_heads']) {
      const own = table === 'audit_log' ? 'reason' : 'hash';
      for (const text of [`update ${table} set ${own} = ${own}`, `delete from ${table}`]) {
        await expect(db.database.query(text)).rejects.toThrow(/permission denied/);
        // What may go, and how, is audit-cut.test.ts.
        await expect(db.owner.query(text)).rejects.toThrow(/append-only|seven years|go by a cut/);
      }
      await expect(db.owner.query(`truncate ${table} cascade`)).rejects.toThrow(/append-only/);
    }
    await expect(db.database.query('insert into audit_unsealed values (1)')).rejects.toThrow(/permission/);
  });
});
