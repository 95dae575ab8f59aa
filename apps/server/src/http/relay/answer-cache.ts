/** An answer that can be given to several callers. */
export interface CacheableAnswer {
  readonly body: Uint8Array;
}

/** What the cache did since the start; `entries` and `bytes` now. */
export interface CacheStats {
  readonly kept: number;
  readonly joined: number;
  readonly asked: number;
  readonly entries: number;
  readonly bytes: number;
}

/** What bounds a cache. An answer of more than half the bytes is not kept. */
export interface CacheBounds {
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** Questions under way at once. */
  readonly askedAtOnceMax: number;
}

/** How an answer is come by. */
export interface Question<Answer> {
  readonly key: string;
  readonly now: number;
  ask(): Promise<Answer>;
  /** How long others may have the answer, ms; 0 where it may not be kept. */
  keepMillis(answer: Answer): number;
}

interface Entry<Answer> {
  readonly answer: Answer;
  readonly expiresAt: number;
}

/**
 * Answers shared by everybody who asks the same: one question is under way however many wait for it, and what came back
 * is kept for a moment. Bounded by entries and bytes; the oldest go first.
 */
export class AnswerCache<Answer extends CacheableAnswer> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, Entry<Answer>>();
  readonly #asking = new Map<string, Promise<Answer>>();
  #bytes = 0;
  #kept = 0;
  #joined = 0;
  #asked = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  get stats(): CacheStats {
    const { size } = this.#entries;
    return { kept: this.#kept, joined: this.#joined, asked: this.#asked, entries: size, bytes: this.#bytes };
  }

  /** A kept answer, or one that is on its way. */
  find(key: string, now: number): Promise<Answer> | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.expiresAt > now) {
      this.#kept += 1;
      return Promise.resolve(entry.answer);
    }
    const asking = this.#asking.get(key);
    if (asking !== undefined) this.#joined += 1;
    return asking;
  }

  /** Asks; `undefined` when too many questions are under way. */
  ask(question: Question<Answer>): Promise<Answer> | undefined {
    if (this.#asking.size >= this.#bounds.askedAtOnceMax) return undefined;
    this.#asked += 1;
    const asking = question
      .ask()
      .then((answer) => {
        this.#keep(question, answer);
        return answer;
      })
      .finally(() => this.#asking.delete(question.key));
    this.#asking.set(question.key, asking);
    return asking;
  }

  #keep({ key, now, keepMillis }: Question<Answer>, answer: Answer): void {
    const millis = keepMillis(answer);
    this.#drop(key);
    if (millis <= 0 || answer.body.length > this.#bounds.bytesMax / 2) return;
    // Counted from the question, so that an answer that took long is not kept for longer than it is good.
    this.#entries.set(key, { answer, expiresAt: now + millis });
    this.#bytes += answer.body.length;
    this.#shrink(now);
  }

  #shrink(now: number): void {
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#drop(key);
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#bounds.entriesMax && this.#bytes <= this.#bounds.bytesMax) break;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.answer.body.length;
  }
}
