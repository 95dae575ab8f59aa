import { assert } from '@crossbook/domain';
import type { Journal } from '../../journal/journal.ts';
import type { JournalRecord } from '../../journal/records.ts';

/** Something whose state lies in the journal. */
export interface Kept {
  /** Its whole state. @param last trading is over: no id is skipped. */
  records(last: boolean): JournalRecord[];
}

/** The one journal of a venue: spot and contracts keep in it, so that a crash never parts them. */
export class Keeper {
  readonly journal: Journal;
  readonly #onFatal: (fault: unknown) => void;
  readonly #kept: Kept[] = [];
  #snapshot: Promise<void> = Promise.resolve();
  #closing = false;
  #fatal = false;

  /** @param onFatal hears once that the disk failed: what is not acknowledged is unknown, and the process should end. */
  constructor(journal: Journal, onFatal: (fault: unknown) => void) {
    this.journal = journal;
    this.#onFatal = onFatal;
  }

  /** From now on its records are part of every snapshot. */
  join(kept: Kept): void {
    this.#kept.push(kept);
  }

  /** Whether anything may be changed now. */
  get open(): boolean {
    return !this.#closing && !this.journal.overloaded;
  }

  /** @param allowed what the change needs besides. @throws Error when it may not be made now. */
  assertOpen(allowed = true): void {
    if (!this.open || !allowed) throw new Error('the exchange takes no commands now');
  }

  /** Writes a record that changes no account. */
  append(record: JournalRecord, onDisk: () => void): void {
    this.journal.append(record, (failure) => {
      if (failure === undefined) onDisk();
      else this.failed(failure);
    });
  }

  /** Tells of a fault of the disk, once. */
  failed(fault: unknown): void {
    if (this.#fatal) return;
    this.#fatal = true;
    this.#onFatal(fault);
  }

  snapshotIfDue(): void {
    if (!this.journal.snapshotDue) return;
    this.#snapshot = this.journal.snapshot(this.#records(false)).catch((fault) => this.failed(fault));
  }

  /** Ends all changes, writes a snapshot and closes the journal. */
  async close(): Promise<void> {
    assert(!this.#closing, 'a journal is closed once');
    this.#closing = true;
    try {
      await this.#snapshot;
      await this.journal.snapshot(this.#records(true));
    } finally {
      await this.journal.close();
    }
  }

  #records(last: boolean): JournalRecord[] {
    return this.#kept.flatMap((kept) => kept.records(last));
  }
}
