import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often and how long a dying postmaster is looked at. */
const LOOK_EVERY_MILLIS = 50;
const FAST_STOP_ROUNDS_MAX = 600;
const ORPHAN_ROUNDS_MAX = 20;
const IMMEDIATE_STOP_ROUNDS_MAX = 200;

/** Who runs the server on a data folder: a process id and the boot-relative tick at which it started. */
interface Owner {
  readonly pid: number;
  readonly startedTick: string;
}

/**
 * Field 22 of /proc/<pid>/stat: tells a process from a later one that got the same id. A killed process whose last thread
 * is gone runs no more, even while nobody has asked for its exit code (state Z, field 20 = 1): `undefined`, as for none.
 */
function startedTick(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' && Number(fields[17]) <= 1 ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Whether a process with this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Processes that work in `dataDirectory`: the postmaster and its children, which all change into it.
 * Needs /proc; without it only the pid file is known.
 */
export function processesIn(dataDirectory: string): readonly number[] {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  } catch {
    return [];
  }
  return names.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === dataDirectory;
    } catch {
      return false;
    }
  });
}

function postmasterPid(dataDirectory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It went away by itself, which is what we want.
  }
}

async function gone(dataDirectory: string, roundsMax: number): Promise<boolean> {
  for (let round = 0; round < roundsMax; round += 1) {
    if (processesIn(dataDirectory).length === 0) return true;
    await delay(LOOK_EVERY_MILLIS);
  }
  return false;
}

/**
 * Refuses a data folder that a living process of ours runs a server on, and writes us down as its owner.
 * @throws Error naming the owner's process id.
 */
export function claimDataFolder(ownerFile: string, self: number = process.pid): void {
  let owner: Owner | undefined;
  try {
    owner = JSON.parse(readFileSync(ownerFile, 'utf8'));
  } catch {
    owner = undefined;
  }
  if (owner !== undefined && owner.pid !== self && startedTick(owner.pid) === owner.startedTick) {
    throw new Error(`the database folder is in use by process ${owner.pid}; stop it first`);
  }
  writeFileSync(ownerFile, JSON.stringify({ pid: self, startedTick: startedTick(self) ?? '' }));
}

/** Gives the data folder back. */
export function releaseDataFolder(ownerFile: string): void {
  rmSync(ownerFile, { force: true });
}

/**
 * Ends a postmaster that a killed run left on our data folder (decision 0030.32) and clears lock files whose
 * process id now belongs to somebody else: PostgreSQL would refuse to start on those, as happens in containers,
 * where ids are small and repeat. Never clears while any process still works in the folder.
 * @returns whether a server was found running.
 * @throws Error when it does not end.
 */
export async function stopLeftover(dataDirectory: string, socketDirectory: string): Promise<boolean> {
  const running = processesIn(dataDirectory);
  const pid = postmasterPid(dataDirectory);
  if (running.length > 0) {
    // Without their postmaster children end by themselves, but not those in the middle of something: nothing of it counts.
    const orphans = pid === undefined || !running.includes(pid);
    if (orphans) for (const child of running) signal(child, 'SIGQUIT');
    else signal(pid, 'SIGINT');
    if (!(await gone(dataDirectory, orphans ? ORPHAN_ROUNDS_MAX : FAST_STOP_ROUNDS_MAX))) {
      for (const child of processesIn(dataDirectory)) signal(child, orphans ? 'SIGKILL' : 'SIGQUIT');
      if (!(await gone(dataDirectory, IMMEDIATE_STOP_ROUNDS_MAX))) {
        throw new Error(`a PostgreSQL left on ${dataDirectory} (process ${pid ?? 'unknown'}) does not stop`);
      }
    }
  }
  if (pid !== undefined) rmSync(join(dataDirectory, 'postmaster.pid'), { force: true });
  rmSync(join(socketDirectory, '.s.PGSQL.5432.lock'), { force: true });
  rmSync(join(socketDirectory, '.s.PGSQL.5432'), { force: true });
  return running.length > 0;
}
