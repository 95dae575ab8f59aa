import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { migrate, readMigrations } from '../../../apps/server/src/storage/migrations/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../../../apps/server/src/storage/testing.ts';
import { type RunningChild, startChild } from '../../../scripts/child.ts';

/** Installations that an earlier version left behind, brought to life under this one. */

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ADMIN_TOKEN = 'system-test-admin-token';

/** What a database held when its process was killed. */
export interface KeptDatabase {
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Rows as `row_to_json` writes them, so that no digit of a number passes through a float. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

/** Where the folder of an installation lies. */
export function fixtureFolder(name: string): string {
  return join(root, 'tests/system/fixtures', name);
}

/** A file of such a folder. */
export function readFixture<Value>(name: string, file: string): Value {
  return JSON.parse(readFileSync(join(fixtureFolder(name), file), 'utf8'));
}

/** An empty database, brought to the migrations and rows that were kept. */
async function restore({ owner, ownerAddress }: TestDatabase, kept: KeptDatabase): Promise<void> {
  await owner.query(`drop schema public cascade`);
  await owner.query(`create schema public`);
  await owner.query(`grant usage on schema public to public`);
  const names = (kept.tables.schema_migrations ?? []).map((row): string => JSON.parse(row).name).sort();
  const then = readMigrations().filter(({ name }) => names.includes(name));
  expect(await migrate(ownerAddress, then)).toEqual(names);
  // Rows come in no order of their references, and triggers have judged them once already.
  await owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const [table, rows] of Object.entries(kept.tables)) {
      if (table === 'schema_migrations') continue;
      // What a migration wrote is there already.
      await client.query(`delete from ${table}`);
      await client.query(
        `insert into ${table} overriding system value
         select * from json_populate_recordset(null::${table}, $1::json)`,
        [`[${rows.join(',')}]`],
      );
    }
  });
  for (const { name, value } of kept.sequences) await owner.query('select setval($1, $2)', [name, value]);
}

/** The processes of an installation, on a data folder and a database. */
export interface Running {
  readonly simulator: RunningChild<{ readonly url: string; readonly admin: string }>;
  readonly hub: RunningChild<{ readonly url: string }>;
}

/** Starts them as `npm start` does. @param shiftMillis how far ahead their clocks run. */
export async function startInstallation(
  data: string,
  { ownerAddress }: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
  shiftMillis?: number,
): Promise<Running> {
  const shifted = join(root, 'tests/system/installations/shifted-clock.ts');
  const own = {
    ...{ cwd: root, say: () => undefined },
    ...(shiftMillis === undefined ? {} : { nodeArgs: ['--import', shifted] }),
  };
  const clock = { CLOCK_SHIFT_MILLIS: String(shiftMillis ?? 0) };
  const simulator = await startChild<Running['simulator']['ready']>({
    ...own,
    name: 'simulator',
    script: join(root, 'packages/simulator/src/main.ts'),
    args: ['--port', '0', '--seed', '7', '--data', join(data, 'simulator'), '--supervised'],
    env: { ...process.env, ...clock, SIM_ADMIN_TOKEN: ADMIN_TOKEN },
  });
  const { host, user, database: name, port } = ownerAddress;
  const at = `host=${encodeURIComponent(host)}&port=${port}`;
  const hub = await startChild<Running['hub']['ready']>({
    ...own,
    name: 'server',
    script: join(root, 'apps/server/src/main.ts'),
    args: ['--supervised'],
    env: {
      NEW_DEVICE_CODE: '0',
      ...process.env,
      ...clock,
      ...{ APP_ENV: 'test', DATA_DIR: data, DATABASE_URL: `postgresql://${user}@localhost/${name}?${at}` },
      ...{ PORT: '0', SIMULATOR_URL: simulator.ready.url, SIMULATOR_ADMIN: simulator.ready.admin },
      ...{ CAPTCHA_WORK_MAX: '100', ADDRESS_LIMIT_FACTOR: '1000' },
      ...environment,
    },
  });
  return { simulator, hub };
}

/** An installation of a fixture that runs. */
export interface Installation extends Running {
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

/** @param before gets the restored database before anything is started. */
export async function openInstallation(
  name: string,
  {
    before,
    environment,
    shiftMillis,
  }: {
    readonly before: (database: TestDatabase) => Promise<void>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly shiftMillis?: number;
  },
): Promise<Installation> {
  const data = mkdtempSync(join(tmpdir(), 'crossbook upgrade '));
  cpSync(fixtureFolder(name), data, { recursive: true });
  // Git keeps no such mode.
  chmodSync(join(data, 'master.key'), 0o600);
  const database = await openTestDatabase();
  await restore(database, readFixture(name, 'database.json'));
  await before(database);
  const running = await startInstallation(data, database, environment, shiftMillis);
  return {
    ...running,
    database,
    async stop() {
      await running.hub.stop();
      await running.simulator.stop();
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
