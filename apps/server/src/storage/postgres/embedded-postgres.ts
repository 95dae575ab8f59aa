import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import { claimDataFolder, releaseDataFolder, stopLeftover } from './postmaster-leftover.ts';

/** How to reach one database: socket folder or host, and who we are there. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** What may be chosen about our own server. */
export interface EmbeddedPostgresOptions {
  /** Everything of the server lives below here: `data`, `run` (socket), `postgres.log`. May contain spaces. */
  readonly directory: string;
  /** Folder of the socket; by default below `directory`, or a fresh one where that path is too long for a socket. */
  readonly socketDirectory?: string;
  /** Programs to run; by default those from npm. */
  readonly binaries?: PostgresBinaries;
  /** Extra server settings, for tests and benches, such as `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Server and process end together, even by kill -9 (default; needs `setpriv`). Off only to test leftovers. */
  readonly diesWithParent?: boolean;
  /** Told in a few words what happens: for the progress lines of the start. */
  readonly progress?: (step: string) => void;
}

/** Our running server. */
export interface EmbeddedPostgres {
  /** Process id of the postmaster, for crash tests. */
  readonly pid: number;
  /** The database owner's way in (a superuser inside this private server). */
  connection(database: string, user?: string): ConnectionTarget;
  /** Resolves when the postmaster is gone, by `stop` or by accident (`code` null: a signal). */
  readonly exited: Promise<number | null>;
  /** Fast, clean shutdown; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * The owner's way into the server that runs in a folder, for tools beside the hub.
 * @returns `undefined` when none runs there: its lock file names the socket (PostgreSQL 18, "postmaster.pid").
 */
export function runningPostgres(directory: string, database: string): ConnectionTarget | undefined {
  try {
    const lines = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const [, , , port, host] = lines;
    return host === undefined || host === ''
      ? undefined
      : { host, port: Number(port), user: OWNER_ROLE, database };
  } catch {
    return undefined;
  }
}

/** Owner of everything inside our server. */
export const OWNER_ROLE = 'crossbook';

const SOCKET_PORT = 5432;
/** sun_path holds 108 bytes with its final zero. */
const SOCKET_PATH_BYTES_MAX = 107;
const LOG_BYTES_MAX = 8 * 1024 * 1024;
const READY_LOOK_EVERY_MILLIS = 25;
const READY_ROUNDS_MAX = 4800;
/** The kernel's "nobody": owns no file and may not read ours. */
const NOBODY = 65534;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // After a crash one call for the whole file system takes half the time of one for each of a thousand files.
  recovery_init_sync_method: 'syncfs',
  // Batches are short statements: compiling them costs more than running them.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** How this process may run PostgreSQL, which refuses to be root. */
interface RunAs {
  readonly prefix: readonly string[];
  readonly uid?: number;
}

function chooseRunAs(): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const prefix = ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  const [program, ...rest] = prefix;
  const trial = spawnSync(program ?? '', [...rest, 'true'], { stdio: 'ignore' });
  // User namespaces are closed in some containers: then we really become "nobody".
  return trial.status === 0 ? { prefix } : { prefix: [], uid: NOBODY };
}

/** `setpriv` ends the server when its starter dies, however it dies; PostgreSQL takes SIGINT as a clean stop. */
function deathPrefix(): readonly string[] {
  const prefix = ['setpriv', '--pdeathsig', 'INT', '--'];
  const [program, ...rest] = prefix;
  return spawnSync(program ?? '', [...rest, 'true'], { stdio: 'ignore' }).status === 0 ? prefix : [];
}

interface Launch {
  readonly options: EmbeddedPostgresOptions;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly root: string;
  readonly data: string;
  readonly socket: string;
  readonly log: string;
}

function ownFolder(path: string, runAs: RunAs): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  if (runAs.uid !== undefined) chownSync(path, runAs.uid, runAs.uid);
  return path;
}

/** The socket beside the data when its path is short and plain enough, else in a fresh private folder. */
function socketFolder(root: string, runAs: RunAs): string {
  const near = join(root, 'run');
  const longest = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`));
  if (longest <= SOCKET_PATH_BYTES_MAX && !/[,"']/.test(near)) return ownFolder(near, runAs);
  return ownFolder(mkdtempSync(join(tmpdir(), 'crossbook-')), runAs);
}

function command(launch: Launch, program: string, args: readonly string[]): [string, string[]] {
  const words = [...launch.runAs.prefix, join(launch.binaries.directory, program), ...args];
  return [words[0] ?? '', words.slice(1)];
}

function identity(launch: Launch): { uid?: number; gid?: number } {
  const { uid } = launch.runAs;
  return uid === undefined ? {} : { uid, gid: uid };
}

/** Creates the cluster in a folder of its own and moves it into place, so that a killed start leaves no half of one. */
function createCluster(launch: Launch): void {
  const partial = `${launch.data}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const args = ['-D', partial, '-U', OWNER_ROLE, '--locale=C', '-E', 'UTF8', '-k', '--auth=trust'];
  const [program, words] = command(launch, 'initdb', [...args, '--no-instructions']);
  const made = spawnSync(program, words, { encoding: 'utf8', cwd: launch.root, ...identity(launch) });
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${(made.stderr || made.error?.message || made.stdout || '').trim()}`);
  }
  renameSync(partial, launch.data);
}

function checkVersion(launch: Launch): void {
  const found = readFileSync(join(launch.data, 'PG_VERSION'), 'utf8').trim();
  if (found === String(launch.binaries.major)) return;
  throw new Error(
    `${launch.data} was made by PostgreSQL ${found}, this is ${launch.binaries.major}: dump and restore it, or set DATABASE_URL`,
  );
}

function logTail(launch: Launch): string {
  try {
    return readFileSync(launch.log, 'utf8').trim().split('\n').slice(-8).join('\n');
  } catch {
    return '';
  }
}

function spawnPostmaster(launch: Launch): ChildProcess {
  const tooLong = existsSync(launch.log) && statSync(launch.log).size > LOG_BYTES_MAX;
  if (tooLong) renameSync(launch.log, `${launch.log}.1`);
  const settings = { ...SETTINGS, ...launch.options.settings, unix_socket_directories: launch.socket };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, words] = command(launch, 'postgres', ['-D', launch.data, ...flags]);
  const death = launch.options.diesWithParent === false ? [] : deathPrefix();
  // Inside the user namespace, right before the server: entering one would clear the death signal again.
  const at = launch.runAs.prefix.length;
  const line = [program, ...words];
  line.splice(at, 0, ...death);
  const log = openSync(launch.log, 'a', 0o600);
  try {
    return spawn(line[0] ?? '', line.slice(1), {
      cwd: launch.root,
      stdio: ['ignore', log, log],
      // Its own group: Ctrl-C in the terminal is ours to pass on, after the connections are closed.
      detached: true,
      ...identity(launch),
    });
  } finally {
    closeSync(log);
  }
}

async function answers(target: ConnectionTarget): Promise<boolean> {
  const client = new pg.Client({ ...target });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function waitUntilReady(launch: Launch, child: ChildProcess, target: ConnectionTarget): Promise<void> {
  for (let round = 0; round < READY_ROUNDS_MAX; round += 1) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL did not start:\n${logTail(launch)}`);
    }
    if (existsSync(join(launch.socket, `.s.PGSQL.${SOCKET_PORT}`)) && (await answers(target))) return;
    await delay(READY_LOOK_EVERY_MILLIS);
  }
  throw new Error(`PostgreSQL did not become ready:\n${logTail(launch)}`);
}

function prepare(options: EmbeddedPostgresOptions): Launch {
  const runAs = chooseRunAs();
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const root = realpathSync(options.directory);
  if (runAs.uid !== undefined) chownSync(root, runAs.uid, runAs.uid);
  return {
    options,
    binaries: options.binaries ?? findPostgres(),
    runAs,
    root,
    data: join(root, 'data'),
    socket: options.socketDirectory ?? socketFolder(root, runAs),
    log: join(root, 'postgres.log'),
  };
}

function handle(launch: Launch, child: ChildProcess, ownerFile: string): EmbeddedPostgres {
  const exited = new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    child.once('exit', (code) => resolve(code));
  });
  return {
    pid: child.pid ?? 0,
    connection: (database, user = OWNER_ROLE) => ({
      host: launch.socket,
      port: SOCKET_PORT,
      user,
      database,
    }),
    exited,
    stop: async () => {
      child.kill('SIGINT');
      await exited;
      // A postmaster that was killed leaves children that end a moment later.
      await stopLeftover(launch.data, launch.socket);
      if (!launch.socket.startsWith(launch.root)) rmSync(launch.socket, { recursive: true, force: true });
      releaseDataFolder(ownerFile);
    },
  };
}

/**
 * Starts the real PostgreSQL on a Unix socket that only this user can reach: creates the cluster the first time,
 * ends what a killed run left behind, recovers what it had acknowledged. No TCP port, no password.
 * @throws Error with the server's last log lines when it does not start; when another living process owns the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const launch = prepare(options);
  const ownerFile = join(launch.root, 'owner.json');
  claimDataFolder(ownerFile);
  try {
    const leftover = await stopLeftover(launch.data, launch.socket);
    if (leftover) options.progress?.('stopped the PostgreSQL of an earlier run');
    if (!existsSync(launch.data)) {
      options.progress?.('creating the database');
      createCluster(launch);
    }
    checkVersion(launch);
    options.progress?.('starting PostgreSQL');
    const child = spawnPostmaster(launch);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const server = handle(launch, child, ownerFile);
    await waitUntilReady(launch, child, server.connection('postgres')).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return server;
  } catch (error) {
    releaseDataFolder(ownerFile);
    throw error;
  }
}
