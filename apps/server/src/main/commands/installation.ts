import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ownerAddressOf } from '../../storage/open-storage.ts';
import { type Database, openDatabase } from '../../storage/postgres/database.ts';

/** This installation, as a command beside the running hub sees it. */
export interface Installation {
  readonly dataDir: string;
  /** `HUB_MASTER_KEY`, where it is set. */
  readonly masterKey: string | undefined;
  /** `HUB_MASTER_KEY_NEXT`, where it is set: what the master key is being changed to. */
  readonly nextMasterKey: string | undefined;
  /** `DATABASE_URL`, where it is set; else the database is our own server's, below the data directory. */
  readonly databaseUrl: string | undefined;
  /** The operator as this machine knows him. */
  readonly actor: string;
  /** Where the pages are: the public address, or this machine's. */
  readonly origin: string;
  /** The owner's connection; `undefined` when no database runs here. */
  openOwner(): Database | undefined;
}

/** Says a line to who gave the command. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The end of a command that asked for nothing, or for nothing that can be: says how it is given. */
export function notAsked(usage: string): 2 {
  say(usage);
  return 2;
}

/** Does what was asked on the owner's connection. @returns the command's answer; 2 when no database runs here. */
export async function onDatabase(
  act: (database: Database, installation: Installation) => Promise<number>,
): Promise<number> {
  const installation = thisInstallation();
  const database = installation.openOwner();
  if (database === undefined)
    return notAsked('No database runs here: start the hub first, or set DATA_DIR or DATABASE_URL.');
  try {
    return await act(database, installation);
  } finally {
    await database.close();
  }
}

/** Where the hub of a data directory said that it is, when it last started. */
function runningUrl(dataDir: string): string | undefined {
  const file = join(dataDir, 'running.json');
  if (!existsSync(file)) return undefined;
  const said: { url?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return said.url;
}

/** Reads environment and `.env` as the hub does. */
export function thisInstallation(): Installation {
  const root = resolve(import.meta.dirname, '../../../../..');
  const file = join(root, '.env');
  const { ADMIN_URL, DATABASE_URL, DATA_DIR, HUB_MASTER_KEY, HUB_MASTER_KEY_NEXT, PORT, PUBLIC_URL } = {
    ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}),
    ...process.env,
  };
  const dataDir = resolve(root, DATA_DIR || '.data');
  return {
    dataDir,
    masterKey: HUB_MASTER_KEY || undefined,
    nextMasterKey: HUB_MASTER_KEY_NEXT || undefined,
    databaseUrl: DATABASE_URL || undefined,
    origin:
      ADMIN_URL || PUBLIC_URL
        ? new URL(ADMIN_URL || PUBLIC_URL || '').origin
        : (runningUrl(dataDir) ?? `http://localhost:${PORT || 3_000}`),
    actor: `${userInfo().username}@${hostname()}`,
    openOwner() {
      const address = ownerAddressOf({
        directory: join(dataDir, 'postgres'),
        ...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}),
      });
      return address === undefined ? undefined : openDatabase({ address, connectionsMax: 1 });
    },
  };
}
