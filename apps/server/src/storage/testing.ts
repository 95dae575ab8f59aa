import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type LedgerStoreOptions, PostgresLedgerStore } from './ledger/ledger-store.ts';
import { migrate } from './migrations/migrations.ts';
import { APP_ROLE } from './open-storage.ts';
import { clientConfig, type Database, openDatabase } from './postgres/database.ts';
import { type ConnectionTarget, startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import type { PostgresBinaries } from './postgres/postgres-binaries.ts';

/** Environment variable through which the test run's global set-up tells workers where its PostgreSQL is. */
export const TEST_POSTGRES_VARIABLE = 'CROSSBOOK_TEST_POSTGRES';

/** Name of the migrated database that test databases are copied from. */
const TEMPLATE = 'crossbook_template';

/** A fresh, migrated database of one test. */
export interface TestDatabase {
  /** As the server sees it (role `crossbook_app`). */
  readonly database: Database;
  /** As the owner, for looking behind the ledger's back. */
  readonly owner: Database;
  /** The owner's address, for migrations and crash tests. */
  readonly ownerAddress: ConnectionTarget;
  /** A ledger on it; companion statements are registered by the test. */
  openLedger(options?: LedgerStoreOptions): PostgresLedgerStore;
  /** Closes every connection opened here and drops the database. */
  close(): Promise<void>;
}

async function onServer(server: ConnectionTarget, statement: string): Promise<void> {
  const client = new pg.Client(clientConfig({ ...server, database: 'postgres' }));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A server for tests and its way in. */
export interface TestServer {
  readonly target: ConnectionTarget;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Its databases need not survive a power cut; kill -9 they survive all the same. */
const FORGETFUL = { fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB' };

/**
 * Starts a PostgreSQL for tests with a migrated template in it; crash tests start a server of their own.
 * @param binaries another version than the one from npm.
 * @param where the folder that its data lie below.
 * @param durable whether it writes to the disk as the server of a hub does, for figures.
 */
export async function startTestServer(
  binaries?: PostgresBinaries,
  where = tmpdir(),
  durable = false,
): Promise<TestServer> {
  const folder = mkdtempSync(join(where, 'crossbook test '));
  const server = await startEmbeddedPostgres({
    directory: folder,
    settings: { ...(durable ? {} : FORGETFUL), max_connections: '200' },
    ...(binaries === undefined ? {} : { binaries }),
  });
  const target = server.connection('postgres');
  await onServer(target, `create database ${TEMPLATE}`);
  await migrate({ ...target, database: TEMPLATE });
  return {
    target,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server of this test run. */
export function testServer(): ConnectionTarget {
  const text = process.env[TEST_POSTGRES_VARIABLE];
  if (text === undefined)
    throw new Error(`${TEST_POSTGRES_VARIABLE} is not set: this project has no database (vitest.config.ts)`);
  return JSON.parse(text);
}

/**
 * A fresh database with every migration applied, in a fraction of a second: a copy of the run's template.
 * @param server where; by default the one of the test run.
 */
export async function openTestDatabase(server: ConnectionTarget = testServer()): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // File by file: the default way writes every page of the copy to the log, for twice the work.
  await onServer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const ownerAddress = { ...server, database: name };
  const owner = openDatabase({ address: ownerAddress, connectionsMax: 3 });
  const database = openDatabase({ address: { ...ownerAddress, user: APP_ROLE }, connectionsMax: 5 });
  const ledgers: PostgresLedgerStore[] = [];
  return {
    database,
    owner,
    ownerAddress,
    openLedger: (options) => {
      const ledger = new PostgresLedgerStore(database, options);
      ledgers.push(ledger);
      return ledger;
    },
    close: async () => {
      for (const ledger of ledgers) await ledger.close();
      await database.close();
      await owner.close();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}
