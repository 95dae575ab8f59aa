import { open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFrames } from './framing.ts';
import { decodeRecord, type JournalRecord } from './records.ts';

const NAME = /^(snapshot|journal)-([0-9]{8})$/;

/** Ending of a snapshot that is still being written. */
export const DRAFT = '.draft';

/** A file of the directory that cannot be trusted; nothing was changed. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** What a directory holds: generation n is a snapshot and the journal that follows it. */
export interface Recovered {
  /** The state so far, in order of applying. */
  readonly records: readonly JournalRecord[];
  /** The newest generation in use; 0 when the directory is new. */
  readonly generation: number;
}

/** Path of a generation's snapshot or journal. */
export function generationFile(directory: string, kind: 'snapshot' | 'journal', generation: number): string {
  return join(directory, `${kind}-${generation.toString().padStart(8, '0')}`);
}

/** Makes the names in a directory durable: a new file is not there after a power cut until its directory is synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the newest snapshot and every journal from there on, cuts a torn tail off the last journal, and removes what is
 * older. A newer journal without its snapshot is normal: the process ended while the snapshot was being written.
 * @throws JournalDamaged when anything but the tail of the last journal is not whole.
 */
export async function recoverDirectory(directory: string): Promise<Recovered> {
  const snapshots: number[] = [];
  const journals: number[] = [];
  for (const name of await readdir(directory)) {
    const match = NAME.exec(name);
    if (match !== null) (match[1] === 'snapshot' ? snapshots : journals).push(Number(match[2]));
  }
  const base = Math.max(0, ...snapshots);
  const records = base === 0 ? [] : await readWhole(generationFile(directory, 'snapshot', base));
  const following = journals.filter((generation) => generation >= base).sort((a, b) => a - b);
  for (const generation of following) {
    const file = generationFile(directory, 'journal', generation);
    const last = generation === following.at(-1);
    for (const record of await (last ? readCut(file) : readWhole(file))) records.push(record);
  }
  await removeOlder(directory, base);
  return { records, generation: following.at(-1) ?? base };
}

/** Removes the snapshots and journals before a generation, and snapshots that were never finished. */
export async function removeOlder(directory: string, generation: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const match = NAME.exec(name);
    const older = match !== null && Number(match[2]) < generation;
    if (older || name.endsWith(DRAFT)) await rm(join(directory, name), { force: true });
  }
}

async function readWhole(file: string): Promise<JournalRecord[]> {
  const bytes = await readFile(file);
  const { payloads, validBytes } = decodeFrames(bytes);
  if (validBytes !== bytes.length) {
    throw new JournalDamaged(`${file} is damaged at byte ${validBytes} of ${bytes.length}`);
  }
  return payloads.map(decodeRecord);
}

async function readCut(file: string): Promise<JournalRecord[]> {
  const bytes = await readFile(file);
  const { payloads, validBytes } = decodeFrames(bytes);
  if (validBytes < bytes.length) await truncate(file, validBytes);
  return payloads.map(decodeRecord);
}
