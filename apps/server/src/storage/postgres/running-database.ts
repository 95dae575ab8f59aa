import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAddress } from './database.ts';
import { OWNER_ROLE } from './embedded-postgres.ts';

/** Lines of a postmaster.pid, counted from nought: where the server listens. */
const PORT_LINE = 3;
const SOCKET_FOLDER_LINE = 4;

/**
 * The database of a hub that is running, for commands beside it: `DATABASE_URL`, or the embedded server's socket as its
 * own pid file tells it. Starts nothing; `undefined` when there is no running server in the folder.
 * @param directory folder of the embedded server, below the data directory.
 */
export function runningDatabase(
  databaseUrl: string | undefined,
  directory: string,
): DatabaseAddress | undefined {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  const file = join(directory, 'data', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const host = lines[SOCKET_FOLDER_LINE];
  const port = Number(lines[PORT_LINE]);
  if (host === undefined || host === '' || !Number.isInteger(port)) return undefined;
  return { host, port, user: OWNER_ROLE, database: 'crossbook' };
}
