import pg from 'pg';
import { claimMoneyMode, type MoneyMode, migrate } from './migrations/migrations.ts';
import { clientConfig, type Database, type DatabaseAddress, openDatabase } from './postgres/database.ts';
import { runningPostgres } from './postgres/embedded-postgres.ts';
import { type KeptPostgres, keepPostgres } from './postgres/kept-postgres.ts';

/** The role the server acts as: it may change money only through the ledger's functions. */
export const APP_ROLE = 'crossbook_app';

/** Name of our database in the embedded server. */
const EMBEDDED_DATABASE = 'crossbook';

/** What the start knows about storage. */
export interface StorageOptions {
  /** `DATABASE_URL`; without it our own server runs in `directory`. */
  readonly databaseUrl?: string;
  /** Folder of the embedded server. */
  readonly directory: string;
  readonly money: MoneyMode;
  readonly connectionsMax?: number;
  readonly progress?: (step: string) => void;
}

/** An open, migrated database. */
export interface Storage {
  readonly database: Database;
  /** The owner's way in, for migrations and the dump; the server's requests never use it. */
  readonly ownerAddress: DatabaseAddress;
  /** Our own server, when there is one: watch `lost`. */
  readonly embedded?: KeptPostgres;
  /** Closes the pool, then the embedded server. Close ledger stores first. */
  close(): Promise<void>;
}

async function ask<Row extends object>(address: DatabaseAddress, text: string): Promise<readonly Row[]> {
  const client = new pg.Client(clientConfig(address));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function embeddedDatabase(server: KeptPostgres): Promise<DatabaseAddress> {
  const found = await ask(
    server.connection('postgres'),
    `select 1 from pg_database where datname = '${EMBEDDED_DATABASE}'`,
  );
  if (found.length === 0) await ask(server.connection('postgres'), `create database ${EMBEDDED_DATABASE}`);
  return server.connection(EMBEDDED_DATABASE);
}

/** The owner's way into the database of an installation that runs; `undefined` when its own server does not run. */
export function ownerAddressOf(
  installation: Pick<StorageOptions, 'databaseUrl' | 'directory'>,
): DatabaseAddress | undefined {
  const { databaseUrl, directory } = installation;
  return databaseUrl === undefined
    ? runningPostgres(directory, EMBEDDED_DATABASE)
    : { connectionString: databaseUrl };
}

/** Whether the owner may act as the server's role; not everywhere may roles be made. */
async function mayActAsApp(owner: DatabaseAddress): Promise<boolean> {
  const [row] = await ask<{ may: boolean }>(
    owner,
    `select coalesce((select pg_has_role(oid, 'member') from pg_roles where rolname = '${APP_ROLE}'), false) as may`,
  );
  return row?.may === true;
}

/**
 * Opens the database of this installation: starts the embedded server unless `databaseUrl` is given, migrates, and
 * claims the money mode.
 * @throws MigrationRefused, MoneyModeRefused, or an Error saying why the server did not start.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { progress = () => undefined, databaseUrl } = options;
  const embedded =
    databaseUrl === undefined ? await keepPostgres({ directory: options.directory, progress }) : undefined;
  try {
    const ownerAddress =
      embedded === undefined ? { connectionString: databaseUrl ?? '' } : await embeddedDatabase(embedded);
    const applied = await migrate(ownerAddress);
    if (applied.length > 0) progress(`migrated the database: ${applied.join(', ')}`);
    await claimMoneyMode(ownerAddress, options.money);
    const asApp = await mayActAsApp(ownerAddress);
    const database = openDatabase({
      // In our own server the role is logged in directly and cannot climb back to the owner.
      address: embedded?.connection(EMBEDDED_DATABASE, asApp ? APP_ROLE : undefined) ?? ownerAddress,
      ...(embedded === undefined && asApp ? { role: APP_ROLE } : {}),
      ...(options.connectionsMax === undefined ? {} : { connectionsMax: options.connectionsMax }),
    });
    return {
      database,
      ownerAddress,
      ...(embedded === undefined ? {} : { embedded }),
      close: async () => {
        await database.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
