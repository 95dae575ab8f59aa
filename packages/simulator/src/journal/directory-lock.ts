import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const LOCK_FILE = 'lock';
const ATTEMPTS_MAX = 3;

/** Another living process works in the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

/**
 * Claims a directory for this process. The claim of a process that was killed is recognised and replaced: the file
 * holds the owner's pid and, where the system tells it, the moment the owner started, so that a pid used again does not count.
 * @returns gives the claim back.
 * @throws DirectoryInUse when its owner lives; `owner` names it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, LOCK_FILE);
  const mine = identityOf(process.pid);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, mine);
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      // A link appears whole or not at all, and never over another.
      if (await linked(draft, file)) return () => rm(file, { force: true });
      const owner = await readFile(file, 'utf8').catch(() => '');
      if (lives(owner)) throw new DirectoryInUse(`${directory} is in use by process ${pidOf(owner)}`);
      await removeStale(file, owner);
    }
    throw new DirectoryInUse(`${directory} is being claimed by another process`);
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

// Two processes may find the same stale claim: whoever moved a fresh one by mistake puts it back.
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.stale.${process.pid}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, file);
  await rm(aside, { force: true });
}

function pidOf(owner: string): number {
  return Number.parseInt(owner, 10);
}

function lives(owner: string): boolean {
  const pid = pidOf(owner);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return identityOf(pid) === owner && !isZombie(pid);
}

/** Killed and with its last thread gone, so that it writes no more; only nobody has asked for its exit code yet. */
function isZombie(pid: number): boolean {
  const fields = statOf(pid);
  return fields !== undefined && fields[0] === 'Z' && Number(fields[17]) <= 1;
}

/** Fields of /proc/<pid>/stat from the third on; `undefined` where there is none. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may contain anything; fields count from behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Pid, start time in clock ticks since boot and boot id; the latter two only on Linux. */
function identityOf(pid: number): string {
  const fields = statOf(pid);
  if (fields === undefined) return `${pid}`;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${pid} ${fields[19]} ${boot}`;
  } catch {
    return `${pid}`;
  }
}
