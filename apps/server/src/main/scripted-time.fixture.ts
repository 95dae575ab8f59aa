import type { Millis } from '@crossbook/domain';

interface Waiting {
  at: number;
  readonly everyMillis?: number;
  readonly run: () => void;
}

/** Time that moves only when a test moves it; timers run in their order, each at its own moment. */
export class ScriptedTime {
  #now = 1_770_000_000_000;
  #waiting: Waiting[] = [];

  readonly clock = (): Millis => this.#now as Millis;

  readonly after = (millis: number, run: () => void): (() => void) =>
    this.#add({ at: this.#now + millis, run });

  readonly every = (millis: number, run: () => void): (() => void) =>
    this.#add({ at: this.#now + millis, everyMillis: millis, run });

  /** Timers that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Moves time on and runs what falls due. */
  advance(millis: number): void {
    const end = this.#now + millis;
    for (;;) {
      const next = this.#waiting.reduce<Waiting | undefined>(
        (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
        undefined,
      );
      if (next === undefined || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      if (next.everyMillis === undefined) this.#remove(next);
      else next.at += next.everyMillis;
      next.run();
    }
    this.#now = end;
  }

  #add(timer: Waiting): () => void {
    this.#waiting.push(timer);
    return () => this.#remove(timer);
  }

  #remove(timer: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== timer);
  }
}
