import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { clientConfig, type DatabaseAddress } from '../postgres/database.ts';

/** One numbered folder `NNNN-name/up.sql`. */
export interface Migration {
  readonly number: number;
  /** Folder name, such as `0001-ledger`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, hex. */
  readonly checksum: string;
}

/** What a database holds: paper money or real money, never both (decision 0030.1). */
export type MoneyMode = 'paper' | 'live';

/** The database does not fit this version of the program; the message names the migration and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/** A start with the wrong `MONEY` for this database. */
export class MoneyModeRefused extends Error {
  override readonly name = 'MoneyModeRefused';
}

/** The migrations of this project. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('.', import.meta.url));

const FOLDER = /^([0-9]{4})-[a-z0-9-]+$/;

/** Reads the numbered folders in order. @throws MigrationRefused when two have one number. */
export function readMigrations(directory: string = MIGRATIONS_DIRECTORY): readonly Migration[] {
  const found = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .map((entry) => {
      const sql = readFileSync(join(directory, entry.name, 'up.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number: Number(entry.name.slice(0, 4)), name: entry.name, sql, checksum };
    })
    .sort((left, right) => left.number - right.number);
  found.forEach((migration, index) => {
    const next = found[index + 1];
    if (next?.number === migration.number) {
      throw new MigrationRefused(`${migration.name} and ${next.name} have the same number`);
    }
  });
  return found;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** What is still to do; refuses a database that went another way. */
function pending(all: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  for (const past of applied) {
    const ours = all.find((migration) => migration.number === past.number);
    if (ours === undefined) {
      throw new MigrationRefused(
        `the database has ${past.name}, which this version does not know: update it`,
      );
    }
    if (ours.checksum !== past.checksum) {
      throw new MigrationRefused(
        `${ours.name} was changed after it had been applied (as ${past.name}): restore the file and add a new migration`,
      );
    }
  }
  const newest = Math.max(0, ...applied.map((past) => past.number));
  const open = all.filter((migration) => !applied.some((past) => past.number === migration.number));
  const late = open.find((migration) => migration.number < newest);
  if (late !== undefined) {
    throw new MigrationRefused(`${late.name} comes before an applied migration: give it the next number`);
  }
  return open;
}

async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(address));
  // A connection that breaks rejects its query; unheard, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Applies what is missing, in order, each in its own transaction, under an advisory lock, so that several nodes may
 * start at once. Needs the owner's connection.
 * @returns the names applied now.
 * @throws MigrationRefused when an applied file was changed, or the database is newer than the program.
 */
export async function migrate(
  address: DatabaseAddress,
  migrations: readonly Migration[] = readMigrations(),
): Promise<readonly string[]> {
  const client = await connect(address);
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    await client.query(`
      create table if not exists schema_migrations (
        number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
      create table if not exists meta (key text primary key, value text not null)`);
    const { rows } = await client.query<AppliedMigration>(
      'select number, name, checksum from schema_migrations order by number',
    );
    const open = pending(migrations, rows);
    for (const migration of open) await applyOne(client, migration);
    return open.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/**
 * Writes the money mode into a new database; afterwards only checks it. Needs the owner's connection.
 * @throws MoneyModeRefused when the database belongs to the other mode.
 */
export async function claimMoneyMode(address: DatabaseAddress, mode: MoneyMode): Promise<void> {
  const client = await connect(address);
  try {
    await client.query(`insert into meta (key, value) values ('MONEY', $1) on conflict (key) do nothing`, [
      mode,
    ]);
    const { rows } = await client.query<{ value: string }>(`select value from meta where key = 'MONEY'`);
    const found = rows[0]?.value;
    if (found === mode) return;
    throw new MoneyModeRefused(
      `this database holds MONEY=${found ?? 'nothing'} and was started with MONEY=${mode}: they never mix, use another database`,
    );
  } finally {
    await client.end();
  }
}
