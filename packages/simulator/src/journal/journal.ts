import type { JournalRecord } from './records.ts';

/** Learns that a record is on disk, or that it may not be. */
export type Acknowledge = (failure?: Error) => void;

/** Where outcomes are kept before anybody is told of them. */
export interface Journal {
  /** Takes a record; acknowledgements come in the order of appending, each once. */
  append(record: JournalRecord, acknowledge: Acknowledge): void;
  /** Whether so much waits for the disk that nothing more should be started. */
  readonly overloaded: boolean;
  /** Whether a snapshot is due. */
  readonly snapshotDue: boolean;
  /** Replaces everything appended so far by these records, which say the same. */
  snapshot(records: readonly JournalRecord[]): Promise<void>;
  /** Resolves when everything appended so far is acknowledged. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing: for tests that need no second run. Acknowledges later all the same, as a disk does. */
export class MemoryJournal implements Journal {
  readonly overloaded = false;
  readonly snapshotDue = false;
  #last: Promise<void> = Promise.resolve();

  append(_record: JournalRecord, acknowledge: Acknowledge): void {
    this.#last = this.#last.then(() => acknowledge());
  }

  snapshot(): Promise<void> {
    return this.#last;
  }

  flushed(): Promise<void> {
    return this.#last;
  }

  close(): Promise<void> {
    return this.#last;
  }
}
