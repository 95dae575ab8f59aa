import { BOOK_LEVELS_PER_SIDE_MAX, Book, type BookChange, type Millis } from '@crossbook/domain';
import type { BookWitness, VenuePublic } from './venue-public.ts';

/**
 * How far a local book can be trusted.
 * SYNCING: there is no book, deltas are kept until a snapshot joins them. LIVE: every update up to `lastSeq` is in it.
 * STALE: it was live, but its stream has gone or fallen silent; it may be shown as old and never be traded on.
 */
export type BookState = 'SYNCING' | 'LIVE' | 'STALE';

/**
 * What a message did. `applied`: the book changed and is live. `kept`: it waits for a snapshot. `dropped`: the book
 * contains it already. `needs-snapshot`: the book was or is unusable and a (new) snapshot must be fetched; the caller
 * limits how often. Venues that send snapshots on the socket need a new subscription instead.
 */
export type BookStep = 'applied' | 'kept' | 'dropped' | 'needs-snapshot';

/** Counted since creation. `resyncs` is the number of times a live or half-joined book was thrown away. */
export interface BookSyncCounters {
  readonly applied: number;
  readonly gaps: number;
  readonly duplicates: number;
  readonly malformed: number;
  /** A book that crossed itself after a message. */
  readonly crossed: number;
  /** Update ids that contradict those seen before. */
  readonly contradictions: number;
  /** Snapshots older than the first delta that was kept. */
  readonly snapshotsTooOld: number;
  /** Times the buffer of kept deltas ran over. */
  readonly overflows: number;
  /** Messages whose checksum was compared with the book, and how many of them it contradicted. */
  readonly checksumsCompared: number;
  readonly checksumsWrong: number;
  readonly resyncs: number;
}

/** What a BookSync needs to know of its venue, and its bounds. */
export interface BookSyncOptions {
  readonly venue: Pick<VenuePublic, 'continuity' | 'socketSendsSnapshots' | 'bookWitness'>;
  readonly symbol: string;
  /** Deltas kept while a snapshot is awaited; on overflow all are dropped and a new snapshot is asked for. */
  readonly keptChangesMax?: number;
  readonly levelsPerSideMax?: number;
}

const KEPT_CHANGES_MAX = 2_000;
/** Applied deltas whose update ids are remembered, to tell a repeated message from a contradictory one. */
const REMEMBERED_CHANGES_MAX = 256;

/**
 * Joins a snapshot and deltas into one book by the venue's own rule, and throws the book away on any doubt:
 * a gap, a crossed book, a checksum that differs, update ids that contradict each other. Never throws, never shows a book with a hole in it.
 * Pure: no socket, no clock, no timer. The owner calls `apply` for everything it decodes, `malformed` for what it
 * could not read, `disconnected` when the socket has gone, and fetches a snapshot whenever `needsSnapshot` is true.
 */
export class BookSync {
  readonly symbol: string;
  readonly #venue: BookSyncOptions['venue'];
  readonly #keptChangesMax: number;
  readonly #book: Book;
  readonly #witness: BookWitness | undefined;
  #kept: BookChange[] = [];
  #state: BookState = 'SYNCING';
  #streaming = true;
  // The first delta after a snapshot may overlap it; every later one must begin exactly where the last ended.
  #joining = false;
  #lastChangeAt = 0 as Millis;
  readonly #starts = new Float64Array(REMEMBERED_CHANGES_MAX);
  readonly #ends = new Float64Array(REMEMBERED_CHANGES_MAX);
  #remembered = 0;
  #forgottenEnd = 0;
  readonly #counters = {
    applied: 0,
    gaps: 0,
    duplicates: 0,
    malformed: 0,
    crossed: 0,
    contradictions: 0,
    snapshotsTooOld: 0,
    overflows: 0,
    checksumsCompared: 0,
    checksumsWrong: 0,
    resyncs: 0,
  };

  constructor(options: BookSyncOptions) {
    this.symbol = options.symbol;
    this.#venue = options.venue;
    this.#witness = options.venue.bookWitness?.();
    this.#keptChangesMax = options.keptChangesMax ?? KEPT_CHANGES_MAX;
    this.#book = new Book(options.levelsPerSideMax ?? BOOK_LEVELS_PER_SIDE_MAX);
  }

  /** The book; empty while SYNCING. Belongs to this object: read it, never apply to it. */
  get book(): Book {
    return this.#book;
  }

  get state(): BookState {
    return this.#state;
  }

  get counters(): BookSyncCounters {
    return this.#counters;
  }

  /** True while the book waits for a snapshot and its stream runs. */
  get needsSnapshot(): boolean {
    return this.#streaming && this.#state === 'SYNCING';
  }

  /** When the last message that belongs to this book arrived; 0 before the first. For the age shown beside it. */
  get lastChangeAt(): Millis {
    return this.#lastChangeAt;
  }

  /** Takes one decoded snapshot or delta, from the socket or from REST, in the order of arrival. */
  apply(change: BookChange): BookStep {
    // Without a running stream a late answer would make a live book that nothing keeps up to date.
    if (change.symbol !== this.symbol || !this.#streaming) return 'dropped';
    if (change.kind === 'snapshot') return this.#snapshot(change);
    this.#lastChangeAt = change.receivedAt;
    if (this.#state === 'SYNCING') return this.#keep(change);
    return this.#delta(change);
  }

  /** A message of this book's stream could not be read: what it said is missing from the book. */
  malformed(): BookStep {
    this.#counters.malformed += 1;
    return this.#resync();
  }

  /** The stream has gone. The last book may still be shown as old; it is live again only after a new snapshot. */
  disconnected(): void {
    this.#streaming = false;
    this.#kept = [];
    if (this.#state === 'LIVE') this.#state = 'STALE';
  }

  /** The stream is back: whatever was missed in between makes the old book worthless. */
  reconnected(): BookStep {
    this.#streaming = true;
    return this.#resync();
  }

  /**
   * Marks a live book STALE when nothing has arrived for `silenceMillisMax`. The next delta that continues it makes
   * it live again, because an unbroken chain of update ids proves that nothing was missed.
   */
  checkAge(now: Millis, silenceMillisMax: number): BookState {
    if (this.#state === 'LIVE' && now - this.#lastChangeAt > silenceMillisMax) this.#state = 'STALE';
    return this.#state;
  }

  #keep(change: BookChange): BookStep {
    if (this.#kept.length >= this.#keptChangesMax) {
      this.#counters.overflows += 1;
      this.#kept = [];
      return 'needs-snapshot';
    }
    const previous = this.#kept.at(-1);
    // A hole among the kept deltas makes those before it useless.
    if (previous !== undefined && this.#venue.continuity(previous.lastSeq, change) === 'gap') {
      this.#counters.gaps += 1;
      this.#kept = [];
    }
    this.#kept.push(change);
    return 'kept';
  }

  #snapshot(change: BookChange): BookStep {
    // A REST answer that was overtaken by the stream would only take the book back in time.
    const overtaken = this.#state !== 'SYNCING' && change.lastSeq < this.#book.lastSeq;
    if (overtaken && !this.#venue.socketSendsSnapshots) return 'dropped';
    // On the socket a snapshot comes in its order: whatever was kept is older, also where the ids began anew.
    if (this.#venue.socketSendsSnapshots) this.#kept = [];
    const first = this.#kept[0];
    if (first !== undefined && this.#venue.continuity(change.lastSeq, first) === 'gap') {
      this.#counters.snapshotsTooOld += 1;
      return 'needs-snapshot';
    }
    const kept = this.#kept;
    this.#kept = [];
    this.#lastChangeAt = Math.max(this.#lastChangeAt, change.receivedAt) as Millis;
    this.#book.apply(change);
    this.#state = 'LIVE';
    this.#joining = true;
    this.#remembered = 0;
    this.#forgottenEnd = change.lastSeq;
    if (this.#book.isCrossed()) return this.#doubt('crossed');
    if (this.#isContradicted(change)) return this.#doubt('checksumsWrong');
    for (const delta of kept) {
      // Deltas that the snapshot contains were not sent twice: they are no duplicates.
      if (delta.lastSeq <= change.lastSeq) continue;
      if (this.#delta(delta) === 'needs-snapshot') return 'needs-snapshot';
    }
    this.#counters.applied += 1;
    return 'applied';
  }

  #delta(change: BookChange): BookStep {
    const continuity = this.#venue.continuity(this.#book.lastSeq, change);
    if (continuity === 'gap') {
      this.#doubt('gaps');
      // It is sound in itself: a snapshot from now on will join it.
      this.#kept.push(change);
      return 'needs-snapshot';
    }
    if (continuity === 'already-applied') return this.#repeated(change);
    if (!this.#joining && change.firstSeq <= this.#book.lastSeq) return this.#doubt('contradictions');
    this.#book.apply(change);
    this.#joining = false;
    this.#remember(change);
    if (this.#book.isCrossed()) return this.#doubt('crossed');
    if (this.#isContradicted(change)) return this.#doubt('checksumsWrong');
    this.#state = 'LIVE';
    this.#counters.applied += 1;
    return 'applied';
  }

  /**
   * A message with the ids of an applied one was sent twice. One that lies inside an applied range contradicts it:
   * one of the two carries a wrong update id, and the book may lack what lies between.
   */
  #repeated(change: BookChange): BookStep {
    if (this.#isRepetition(change)) {
      this.#counters.duplicates += 1;
      return 'dropped';
    }
    return this.#doubt('contradictions');
  }

  #isContradicted(change: BookChange): boolean {
    const judgement = this.#witness?.judge(change, this.#book) ?? 'silent';
    if (judgement !== 'silent') this.#counters.checksumsCompared += 1;
    return judgement === 'disagrees';
  }

  #doubt(reason: 'gaps' | 'crossed' | 'contradictions' | 'checksumsWrong'): BookStep {
    this.#counters[reason] += 1;
    return this.#resync();
  }

  #resync(): BookStep {
    this.#counters.resyncs += 1;
    this.#book.clear();
    this.#kept = [];
    this.#joining = false;
    this.#remembered = 0;
    this.#state = 'SYNCING';
    return 'needs-snapshot';
  }

  #remember(change: BookChange): void {
    const slot = this.#remembered % REMEMBERED_CHANGES_MAX;
    if (this.#remembered >= REMEMBERED_CHANGES_MAX) this.#forgottenEnd = this.#ends[slot] as number;
    this.#starts[slot] = change.firstSeq;
    this.#ends[slot] = change.lastSeq;
    this.#remembered += 1;
  }

  /** What ended before everything that is remembered cannot be judged and is taken for a repetition. */
  #isRepetition(change: BookChange): boolean {
    if (change.lastSeq <= this.#forgottenEnd) return true;
    const count = Math.min(this.#remembered, REMEMBERED_CHANGES_MAX);
    for (let slot = 0; slot < count; slot += 1) {
      if (this.#ends[slot] === change.lastSeq) return this.#starts[slot] === change.firstSeq;
    }
    return false;
  }
}
