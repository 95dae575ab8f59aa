import type { Millis } from '@crossbook/domain';
import pg, { type PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { clientConfig, type Database, type DatabaseAddress } from '../../postgres/database.ts';
import type { TakesStatements } from '../audit-log.ts';
import type { AuditKeys } from '../audit-start.ts';
import { createSeal, masterKeyName, type Seal } from '../seal.ts';
import { keptContext, SEALED_TABLES, type TextRow } from './sealed-columns.ts';

/** The master key that was given cannot be used with this database; the message says what to do. */
export class MasterKeyRefused extends Error {
  override readonly name = 'MasterKeyRefused';
}

/** A key that the database was sealed under. */
interface KnownKey {
  readonly name: string;
  readonly state: 'next' | 'current' | 'retired';
}

/** What outlives a retired key: it verifies the places of the audit log up to one of them. */
interface KeptOfKey {
  /** Hex. */
  readonly audit: string;
  readonly until: number;
}

/** The keys that a database knows by name, oldest first. */
export async function knownKeys(database: Database): Promise<readonly KnownKey[]> {
  return database.query<KnownKey>('select name, state from master_keys order by generation');
}

/** Writes what must outlive a key beside its name, in the transaction that retires it. */
export async function retireKey(
  client: TakesStatements,
  { name, kept, seal, now }: { readonly name: string; readonly kept: KeptOfKey; seal: Seal; now: Millis },
): Promise<void> {
  await client.query(`update master_keys set state = 'retired', retired_at = $2, kept = $3 where name = $1`, [
    ...[name, now],
    seal.seal(JSON.stringify(kept), keptContext(name)),
  ]);
}

/** The first sealed text of each table, if any: where no key has a name yet, they tell whether it is the right one. */
async function firstThatStaysShut(database: Database, seal: Seal): Promise<string | undefined> {
  for (const { table, key, needs, columns } of SEALED_TABLES) {
    for (const [column, context] of Object.entries(columns)) {
      const selected = [...key, ...needs, column].map((name) => `${name}::text`).join(', ');
      const [row] = await database.query<TextRow>(
        `select ${selected} from ${table} where ${column} is not null limit 1`,
      );
      try {
        if (row !== undefined) seal.open(row[column] ?? '', context(row));
      } catch {
        return `${column} of ${table}`;
      }
    }
  }
  return undefined;
}

/**
 * Names the key in a database that knows none; afterwards only checks it. Needs the owner's connection.
 * @throws MasterKeyRefused when it is not the current one, or a change has begun and not ended.
 */
export async function claimMasterKey(database: Database, masterKey: Uint8Array, now: Millis): Promise<void> {
  const name = masterKeyName(masterKey);
  const before = await knownKeys(database);
  if (before.length === 0) {
    const shut = await firstThatStaysShut(database, createSeal(masterKey));
    if (shut !== undefined)
      throw new MasterKeyRefused(
        `the master key is not the one that ${shut} was sealed under: restore it from your backup`,
      );
    await database.query(
      `insert into master_keys (name, generation, state, begun_at) values ($1, 1, 'current', $2)
       on conflict do nothing`,
      [name, now],
    );
  }
  const keys = before.length === 0 ? await knownKeys(database) : before;
  if (keys.some(({ state }) => state === 'next'))
    throw new MasterKeyRefused(
      'a change of the master key has begun and not ended: npm run rotate-key goes on where it stopped',
    );
  const current = keys.find(({ state }) => state === 'current')?.name ?? 'none';
  if (current !== name)
    throw new MasterKeyRefused(
      `this database is sealed under the master key ${current}, and the one given is ${name}: if npm run rotate-key has just changed it, run it once more or put the new one in HUB_MASTER_KEY; else restore it from your backup`,
    );
}

/** The keys of the audit log, those of retired master keys among them. */
export async function auditKeysOf(
  client: Pick<PoolClient, 'query'>,
  { masterKey, auditKey }: { readonly masterKey: Uint8Array; readonly auditKey: Uint8Array },
): Promise<AuditKeys> {
  const seal = createSeal(masterKey);
  const { rows } = await client.query<{ name: string; kept: string }>(
    `select name, kept from master_keys where state = 'retired' order by generation`,
  );
  const former = rows.map(({ name, kept }) => {
    const { audit, until } = JSON.parse(seal.open(kept, keptContext(name))) as KeptOfKey;
    return { key: Buffer.from(audit, 'hex'), until };
  });
  return { current: auditKey, former };
}

/** A hold on the key, for as long as its connection lives. */
export interface KeyHold {
  /** Resolves when the connection is gone, and with it the hold. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/**
 * Keeps the key from being changed (`shared`: hubs), or hubs from running (`alone`: who changes it).
 * @returns undefined while the other kind holds it.
 */
export async function holdMasterKey(
  address: DatabaseAddress,
  kind: 'shared' | 'alone',
): Promise<KeyHold | undefined> {
  const client = new pg.Client(clientConfig(address));
  const lost = Promise.withResolvers<void>();
  client.on('error', () => lost.resolve());
  client.on('end', () => lost.resolve());
  await client.connect();
  const lock = kind === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query<{ got: boolean }>(`select ${lock}($1) as got`, [
    ADVISORY_LOCKS.masterKey,
  ]);
  if (rows[0]?.got === true) return { lost: lost.promise, release: () => client.end() };
  await client.end();
  return undefined;
}
