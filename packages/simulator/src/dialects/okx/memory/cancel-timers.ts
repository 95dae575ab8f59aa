import type { Millis } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';

/** How often it is looked whether a countdown has run out. */
const LOOK_MILLIS = 250;
/** Countdowns with a tag that one account may have at once. */
const TAGGED_PER_ACCOUNT_MAX = 20;

/** When orders of an account are to be cancelled: those with a tag, or all of them (tag empty). */
export interface Countdown {
  readonly account: AccountNumber;
  readonly tag: string;
  readonly triggerTime: Millis;
  /** Cancels them. */
  run(): Promise<void>;
}

/**
 * Countdowns of "Cancel All After": one of an account and one of each of its tags, each set anew by its owner's next
 * call. They go with the process.
 */
export class CancelTimers {
  readonly #now: () => Millis;
  readonly #onFault: (fault: unknown) => void;
  /** By account, then by tag. */
  readonly #countdowns = new Map<AccountNumber, Map<string, Countdown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => Millis, onFault: (fault: unknown) => void) {
    this.#now = now;
    this.#onFault = onFault;
  }

  /** Sets a countdown, also in the place of one that runs. @returns whether there was room for it. */
  set(countdown: Countdown): boolean {
    const { account, tag } = countdown;
    const own = this.#countdowns.get(account) ?? new Map<string, Countdown>();
    const tagged = own.size - (own.has('') ? 1 : 0);
    if (tag !== '' && !own.has(tag) && tagged >= TAGGED_PER_ACCOUNT_MAX) return false;
    this.#countdowns.set(account, own.set(tag, countdown));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLIS);
    this.#timer.unref();
    return true;
  }

  /** Ends a countdown before it runs out. */
  clear({ account, tag }: Pick<Countdown, 'account' | 'tag'>): void {
    const own = this.#countdowns.get(account);
    own?.delete(tag);
    if (own?.size === 0) this.#countdowns.delete(account);
    if (this.#countdowns.size === 0) this.close();
  }

  close(): void {
    this.#countdowns.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const countdown of [...this.#countdowns.values()].flatMap((own) => [...own.values()])) {
      if (countdown.triggerTime > this.#now()) continue;
      this.clear(countdown);
      countdown.run().catch(this.#onFault);
    }
  }
}
