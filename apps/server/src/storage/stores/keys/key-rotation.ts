import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { userHandle } from '../../../accounts/factors/passkeys.ts';
import type { Database } from '../../postgres/database.ts';
import { sealToTheEnd } from '../audit-chain.ts';
import { appendAudit } from '../audit-log.ts';
import { createSeal, masterKeyName, sealedBy } from '../seal.ts';
import { auditKeysOf, knownKeys, MasterKeyRefused, retireKey } from './master-keys.ts';
import { SEALED_TABLES, type SealedTable, type TextRow } from './sealed-columns.ts';

/**
 * Changes the master key: everything that lies under the old one is sealed anew under the next one, in batches that each commit for
 * themselves. Both keys are known until the last row is over; every seal names its key, so that a change that was killed goes on by
 * looking at the rows. No hub runs meanwhile (`holdMasterKey`), and the database takes no seal of the old key any more.
 */

/** A master key and those that are made of it. */
export interface KeySet {
  readonly masterKey: Uint8Array;
  readonly auditKey: Uint8Array;
  readonly documentKey: Uint8Array;
  readonly codeKey: Uint8Array;
}

/** A change of the key. */
export interface KeyChange {
  readonly from: KeySet;
  readonly to: KeySet;
  /** The operator as his machine knows him. */
  readonly actor: string;
  readonly reason: string;
  readonly now: Millis;
  /** Told after each commit. */
  readonly step: (what: string) => void;
}

const BATCH_ROWS_MAX = 100;
/** Rows that came in while the change began are found in the second round; no hub is there to write a third time. */
const ROUNDS_MAX = 3;

const listOf = (columns: readonly string[]): string => columns.map((name) => `${name}::text`).join(', ');
const places = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `$${first + at}`).join(', ');

/** Goes through a table by its key, a bounded number of rows in each transaction. */
async function inBatches(
  database: Database,
  {
    table,
    key,
    selected,
    where,
  }: Record<'table' | 'selected' | 'where', string> & { key: readonly string[] },
  work: (client: PoolClient, rows: readonly TextRow[]) => Promise<void>,
  step: () => void,
): Promise<void> {
  // By the columns themselves: the same name without its table would be the text that is selected.
  const order = key.map((name) => `${table}.${name}`).join(', ');
  let after: readonly string[] = [];
  while (true) {
    const beyond = after.length === 0 ? '' : `and (${order}) > (${places(1, key.length)})`;
    const rows = await database.withTransaction(async (client) => {
      const found = await client.query<TextRow>(
        `select ${selected} from ${table} where (${where}) ${beyond}
         order by ${order} limit ${BATCH_ROWS_MAX} for update`,
        [...after],
      );
      await work(client, found.rows);
      return found.rows;
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    step();
    if (rows.length < BATCH_ROWS_MAX) return;
    after = key.map((name) => last[name] ?? '');
  }
}

/** The columns of a row that change, with what they become. */
function renewed(
  row: TextRow,
  table: SealedTable,
  { from, to }: KeyChange,
): Readonly<Record<string, string>> {
  const seal = createSeal(to.masterKey, from.masterKey);
  const begin = sealedBy(masterKeyName(to.masterKey));
  const changes: Record<string, string> = {};
  for (const [column, context] of Object.entries(table.columns)) {
    const sealed = row[column];
    if (sealed === null || sealed === undefined || sealed.startsWith(begin)) continue;
    const opened = seal.open(sealed, context(row));
    changes[column] = seal.seal(opened, context(row));
    Object.assign(changes, table.also?.(opened, to.documentKey));
  }
  return changes;
}

async function sealAnew(database: Database, change: KeyChange): Promise<void> {
  for (const table of SEALED_TABLES) {
    const { key, needs, columns } = table;
    const sealed = Object.keys(columns);
    const read = {
      ...{ table: table.table, key, selected: listOf([...key, ...needs, ...sealed]) },
      where: sealed.map((column) => `${column} is not null`).join(' or '),
    };
    const work = async (client: PoolClient, rows: readonly TextRow[]) => {
      for (const row of rows) {
        const changes = Object.entries(renewed(row, table, change));
        if (changes.length === 0) continue;
        const set = changes.map(([column], at) => `${column} = $${key.length + at + 1}`).join(', ');
        await client.query(
          `update ${table.table} set ${set} where (${key.join(', ')}) = (${places(1, key.length)})`,
          [...key.map((name) => row[name]), ...changes.map(([, value]) => value)],
        );
      }
    };
    await inBatches(database, read, work, () => change.step(table.table));
  }
}

/** What authenticators were told is kept: the hash that it was made by has another key from now on. */
async function keepUserHandles(database: Database, { from, step }: KeyChange): Promise<void> {
  const read = {
    table: 'passkeys',
    key: ['id'],
    selected: listOf(['id', 'member']),
    where: 'user_handle is null',
  };
  const work = async (client: PoolClient, rows: readonly TextRow[]) => {
    for (const { id, member } of rows)
      await client.query('update passkeys set user_handle = $2 where id = $1', [
        id,
        userHandle(from.codeKey, Number(member) as Parameters<typeof userHandle>[1]),
      ]);
  };
  await inBatches(database, read, work, () => step('passkeys'));
}

async function note(client: PoolClient, change: KeyChange, call: string): Promise<void> {
  const { from, to, actor, reason, now } = change;
  await appendAudit(client, {
    ...{ at: now, actor: { kind: 'operator', id: actor }, call, outcome: 'ok', reason },
    details: { from: masterKeyName(from.masterKey), to: masterKeyName(to.masterKey) },
  });
}

async function begin(database: Database, change: KeyChange): Promise<void> {
  await database.withTransaction(async (client) => {
    await client.query(
      `insert into master_keys (name, generation, state, begun_at)
       select $1, max(generation) + 1, 'next', $2 from master_keys`,
      [masterKeyName(change.to.masterKey), change.now],
    );
    await note(client, change, 'master-key/change-begun');
  });
  change.step('begun');
}

/** Ends the change, if no row lies under the old key any more. */
function finish(database: Database, change: KeyChange): Promise<boolean> {
  const { from, to, now } = change;
  const [oldName, newName] = [masterKeyName(from.masterKey), masterKeyName(to.masterKey)];
  return database.withTransaction(async (client) => {
    for (const { table, columns } of SEALED_TABLES) {
      await client.query(`lock table ${table} in share row exclusive mode`);
      for (const column of Object.keys(columns)) {
        const left = await client.query(
          `select from ${table} where ${column} is not null and not starts_with(${column}, $1) limit 1`,
          [sealedBy(newName)],
        );
        if (left.rowCount !== 0) return false;
      }
    }
    const without = await client.query('select from passkeys where user_handle is null limit 1');
    if (without.rowCount !== 0) return false;
    // Those of earlier keys lie under the new one by now.
    const { former } = await auditKeysOf(client, to);
    const until = await sealToTheEnd(client, { current: from.auditKey, former: former ?? [] });
    const kept = { audit: Buffer.from(from.auditKey).toString('hex'), until };
    await retireKey(client, { name: oldName, kept, seal: createSeal(to.masterKey), now });
    await client.query(`update master_keys set state = 'current' where name = $1`, [newName]);
    await note(client, change, 'master-key/changed');
    return true;
  });
}

/** Whether the change may begin or go on; `done` where it has ended. */
async function standingOf(database: Database, { from, to }: KeyChange): Promise<'begin' | 'go on' | 'done'> {
  const [oldName, newName] = [masterKeyName(from.masterKey), masterKeyName(to.masterKey)];
  const keys = await knownKeys(database);
  const stateOf = (name: string) => keys.find((key) => key.name === name)?.state;
  const next = keys.find(({ state }) => state === 'next')?.name;
  if (oldName === newName) throw new MasterKeyRefused('the next master key is the one in use');
  if (stateOf(newName) === 'current') return 'done';
  if (stateOf(newName) === 'retired')
    throw new MasterKeyRefused(`the master key ${newName} was used before and retired: take a new one`);
  if (stateOf(oldName) !== 'current')
    throw new MasterKeyRefused(`${oldName} is not the master key that this database is sealed under`);
  if (next !== undefined && next !== newName)
    throw new MasterKeyRefused(
      `a change to the master key ${next} has begun: it is needed to go on, and ${newName} was given`,
    );
  return next === undefined ? 'begin' : 'go on';
}

/**
 * Changes the key, or goes on with a change that was interrupted. Needs the owner's connection and `holdMasterKey(..., 'alone')`.
 * @throws MasterKeyRefused when these are not the keys of this database, or it holds what neither opens.
 */
export async function changeMasterKey(database: Database, change: KeyChange): Promise<void> {
  const standing = await standingOf(database, change);
  if (standing === 'done') return;
  if (standing === 'begin') await begin(database, change);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await sealAnew(database, change);
    await keepUserHandles(database, change);
    if (await finish(database, change)) {
      change.step('ended');
      return;
    }
  }
  throw new MasterKeyRefused('rows come in under the old key: another program writes to this database');
}
