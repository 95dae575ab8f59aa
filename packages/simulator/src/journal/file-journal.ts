import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { assert } from '@crossbook/domain';
import { lockDirectory } from './directory-lock.ts';
import { encodeFrame } from './framing.ts';
import { DRAFT, generationFile, recoverDirectory, removeOlder, syncDirectory } from './generations.ts';
import type { Acknowledge, Journal } from './journal.ts';
import { encodeRecord, type JournalRecord } from './records.ts';

const SNAPSHOT_CHUNK_RECORDS = 64;
/** The files hold API secrets: for their owner only. */
const PRIVATE = 0o600;

/** Bounds of a journal, all with defaults. */
export interface JournalLimits {
  /** Bytes waiting for the disk beyond which the journal calls itself overloaded. */
  readonly backlogBytesMax: number;
  /** Bytes in one journal file beyond which a snapshot is due. */
  readonly journalBytesMax: number;
}

const DEFAULT_LIMITS: JournalLimits = {
  backlogBytesMax: 64 * 1024 * 1024,
  journalBytesMax: 16 * 1024 * 1024,
};

interface Waiting {
  readonly frame: Buffer;
  readonly acknowledge: Acknowledge;
}

/**
 * Opens a data directory: claims it, reads what it holds, and continues in its newest journal.
 * @throws DirectoryInUse, JournalDamaged.
 */
export async function openFileJournal(
  directory: string,
  limits: Partial<JournalLimits> = {},
): Promise<{ readonly journal: Journal; readonly records: readonly JournalRecord[] }> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(directory);
  try {
    const { records, generation } = await recoverDirectory(directory);
    const current = generation === 0 ? 1 : generation;
    const handle = await open(generationFile(directory, 'journal', current), 'a', PRIVATE);
    await syncDirectory(directory);
    const { size } = await handle.stat();
    const journal = new FileJournal(directory, { ...DEFAULT_LIMITS, ...limits }, unlock);
    journal.begin(handle, current, size);
    return { journal, records };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Group commit: what gathers while one fdatasync runs goes to disk with the next one, in order. */
class FileJournal implements Journal {
  readonly #directory: string;
  readonly #limits: JournalLimits;
  readonly #unlock: () => Promise<void>;
  #handle: FileHandle | undefined;
  #generation = 0;
  #fileBytes = 0;
  /** The batch that still takes records; it closes when its writing begins or a snapshot seals it. */
  #open: Waiting[] | undefined;
  #backlogBytes = 0;
  #failure: Error | undefined;
  /** Writing of the batches and changes of the file, strictly one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #snapshotting = false;

  constructor(directory: string, limits: JournalLimits, unlock: () => Promise<void>) {
    this.#directory = directory;
    this.#limits = limits;
    this.#unlock = unlock;
  }

  begin(handle: FileHandle, generation: number, fileBytes: number): void {
    this.#handle = handle;
    this.#generation = generation;
    this.#fileBytes = fileBytes;
  }

  get overloaded(): boolean {
    return this.#failure !== undefined || this.#backlogBytes > this.#limits.backlogBytesMax;
  }

  get snapshotDue(): boolean {
    const grown = this.#fileBytes + this.#backlogBytes > this.#limits.journalBytesMax;
    return grown && !this.#snapshotting && this.#failure === undefined;
  }

  append(record: JournalRecord, acknowledge: Acknowledge): void {
    const frame = encodeFrame(encodeRecord(record));
    this.#backlogBytes += frame.length;
    const batch = this.#open ?? this.#openBatch();
    batch.push({ frame, acknowledge });
  }

  async snapshot(records: readonly JournalRecord[]): Promise<void> {
    assert(!this.#snapshotting, 'one snapshot at a time');
    this.#snapshotting = true;
    try {
      const generation = this.#generation + 1;
      // The records stand for everything appended until now: the file must change exactly here.
      this.#open = undefined;
      this.#turn = this.#turn.then(() => this.#changeFile(generation));
      await this.flushed();
      await this.#writeSnapshot(generation, records);
      await removeOlder(this.#directory, generation);
    } finally {
      this.#snapshotting = false;
    }
  }

  async flushed(): Promise<void> {
    await this.#turn;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#handle?.close();
    this.#handle = undefined;
    await this.#unlock();
  }

  #openBatch(): Waiting[] {
    const batch: Waiting[] = [];
    this.#open = batch;
    this.#turn = this.#turn.then(() => {
      if (this.#open === batch) this.#open = undefined;
      return this.#write(batch);
    });
    return batch;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.concat(batch.map((one) => one.frame));
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await writeAll(this.#opened(), bytes);
      await this.#opened().datasync();
      this.#fileBytes += bytes.length;
    } catch (error) {
      // After a failed write nobody knows what the file holds: nothing is acknowledged any more.
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
    this.#backlogBytes -= bytes.length;
    for (const one of batch) one.acknowledge(this.#failure);
  }

  async #changeFile(generation: number): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const handle = await open(generationFile(this.#directory, 'journal', generation), 'a', PRIVATE);
      await syncDirectory(this.#directory);
      await this.#handle?.close();
      this.begin(handle, generation, 0);
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  async #writeSnapshot(generation: number, records: readonly JournalRecord[]): Promise<void> {
    const file = generationFile(this.#directory, 'snapshot', generation);
    const draft = `${file}${DRAFT}`;
    const handle = await open(draft, 'w', PRIVATE);
    try {
      // Chunk by chunk, so that orders are matched in between.
      for (let at = 0; at < records.length; at += SNAPSHOT_CHUNK_RECORDS) {
        const chunk = records.slice(at, at + SNAPSHOT_CHUNK_RECORDS);
        await writeAll(handle, Buffer.concat(chunk.map((record) => encodeFrame(encodeRecord(record)))));
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncDirectory(this.#directory);
  }

  #opened(): FileHandle {
    if (this.#handle === undefined) throw new Error('the journal is closed');
    return this.#handle;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += (await handle.write(bytes, at)).bytesWritten;
}
