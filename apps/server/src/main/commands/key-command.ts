import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Millis } from '@crossbook/domain';
import { type DatabaseAddress, openDatabase } from '../../storage/postgres/database.ts';
import { startEmbeddedPostgres } from '../../storage/postgres/embedded-postgres.ts';
import { changeMasterKey } from '../../storage/stores/keys/key-rotation.ts';
import { claimMasterKey, holdMasterKey, MasterKeyRefused } from '../../storage/stores/keys/master-keys.ts';
import { masterKeyName } from '../../storage/stores/seal.ts';
import { KeyFileRefused, loadSecrets, nextSecrets, type Secrets, takeNextKey } from '../secrets.ts';
import { type Installation, notAsked, say, thisInstallation } from './installation.ts';

/**
 * `npm run rotate-key -- --reason "..."`: changes the master key while no hub runs; run once more, it goes on where it was
 * interrupted. Answers 0 when the change has ended, 1 when it was refused, 2 when nothing was asked.
 */

const USAGE = `usage: npm run rotate-key -- --reason "..."
Changes the master key: everything that is sealed in the database is sealed anew, and every session ends. Stop the hub and
make a backup first. Interrupted, it goes on when it is run again. The key is the file master.key of the data directory, or
HUB_MASTER_KEY; then HUB_MASTER_KEY_NEXT is what it is changed to. The reason has ten letters at least.`;

/**
 * `CRASH_AT=<step>` kills this process with SIGKILL after the step: the crash tests' way to stand between any two. Works in the test
 * environment only.
 */
function crashAfter(step: string): void {
  if (process.env.APP_ENV === 'test' && process.env.CRASH_AT === step) process.kill(process.pid, 'SIGKILL');
}

interface Keys {
  readonly from: Secrets;
  readonly to: Secrets;
  /** What is left to do when the database has changed over. */
  finish(): string;
}

/** Both keys; the old one has to be there, for it is never made here. */
function keysOf({ dataDir, masterKey, nextMasterKey }: Installation): Keys {
  if (masterKey !== undefined) {
    if (nextMasterKey === undefined || !/^[0-9a-f]{64}$/i.test(nextMasterKey))
      throw new MasterKeyRefused(
        'the master key is HUB_MASTER_KEY: put 64 hex digits (openssl rand -hex 32) in HUB_MASTER_KEY_NEXT',
      );
    const from = loadSecrets(masterKey, dataDir, randomBytes);
    const to = loadSecrets(nextMasterKey, dataDir, randomBytes);
    const end =
      'Now put what HUB_MASTER_KEY_NEXT says in HUB_MASTER_KEY, and keep the old one with older backups.';
    return { from, to, finish: () => end };
  }
  if (!existsSync(join(dataDir, 'master.key')))
    throw new MasterKeyRefused(
      `there is no master.key in ${dataDir}: set DATA_DIR, or restore it from your backup`,
    );
  const from = loadSecrets(undefined, dataDir, randomBytes);
  const finish = () =>
    `The old key is ${takeNextKey(dataDir, masterKeyName(from.masterKey))}: keep it with older backups, and nowhere else.`;
  return { from, to: nextSecrets(dataDir, randomBytes), finish };
}

async function change(address: DatabaseAddress, reason: string, installation: Installation): Promise<void> {
  const held = await holdMasterKey(address, 'alone');
  if (held === undefined) throw new MasterKeyRefused('a hub runs on this database: stop it first');
  const database = openDatabase({ address, connectionsMax: 1, readTimeoutMillis: 600_000 });
  try {
    const [{ known }] = (await database.query<{ known: boolean }>(
      `select to_regclass('master_keys') is not null as known`,
    )) as [{ known: boolean }];
    if (!known) throw new MasterKeyRefused('this database is of an older version: start the hub once first');
    const { from, to, finish } = keysOf(installation);
    const now = Date.now() as Millis;
    const [named] = await database.query('select from master_keys limit 1');
    if (named === undefined) await claimMasterKey(database, from.masterKey, now);
    const step = (what: string): void => {
      say(what);
      crashAfter(what);
    };
    step('both keys are there');
    await changeMasterKey(database, { from, to, actor: installation.actor, reason, now, step });
    say(finish());
    crashAfter('key in place');
    say(`The master key is ${masterKeyName(to.masterKey)}. Make a backup of the database and the key now.`);
  } finally {
    await database.close();
    await held.release();
  }
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { reason: { type: 'string' } } });
  const reason = values.reason?.trim() ?? '';
  if (reason.length < 10 || reason.length > 500) return notAsked(USAGE);
  const installation = thisInstallation();
  const { databaseUrl, dataDir } = installation;
  try {
    if (databaseUrl !== undefined) {
      await change({ connectionString: databaseUrl }, reason, installation);
      return 0;
    }
    // Refused while a hub runs: the folder is its own.
    const directory = join(dataDir, 'postgres');
    if (!existsSync(directory))
      throw new MasterKeyRefused(`there is no database in ${dataDir}: set DATA_DIR`);
    const server = await startEmbeddedPostgres({ directory });
    try {
      await change(server.connection('crossbook'), reason, installation);
      return 0;
    } finally {
      await server.stop();
    }
  } catch (error) {
    const expected = error instanceof MasterKeyRefused || error instanceof KeyFileRefused;
    say(`refused: ${expected ? error.message : String(error)}`);
    return 1;
  }
}

process.exitCode = await run();
