import type { Millis } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';

/** How often it is looked whether a countdown has run out. */
const LOOK_MILLIS = 250;

/** When orders of an account are to be cancelled: those of a part of them, or all (empty). */
export interface Countdown {
  readonly account: AccountNumber;
  /** What they have in common: a tag at OKX, a contract at Binance. */
  readonly part: string;
  readonly triggerTime: Millis;
  /** Cancels them. */
  run(): Promise<void>;
}

/**
 * Countdowns after which orders are cancelled unless their owner is heard of: one of an account and one of each part of its
 * orders, each set anew by its owner's next call. They go with the process.
 */
export class CancelTimers {
  readonly #now: () => Millis;
  readonly #onFault: (fault: unknown) => void;
  readonly #partsPerAccountMax: number;
  /** By account, then by part. */
  readonly #countdowns = new Map<AccountNumber, Map<string, Countdown>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param partsPerAccountMax parts with a countdown that one account may have at once. */
  constructor(now: () => Millis, onFault: (fault: unknown) => void, partsPerAccountMax: number) {
    this.#now = now;
    this.#onFault = onFault;
    this.#partsPerAccountMax = partsPerAccountMax;
  }

  /** Sets a countdown, also in the place of one that runs. @returns whether there was room for it. */
  set(countdown: Countdown): boolean {
    const { account, part } = countdown;
    const own = this.#countdowns.get(account) ?? new Map<string, Countdown>();
    const parts = own.size - (own.has('') ? 1 : 0);
    if (part !== '' && !own.has(part) && parts >= this.#partsPerAccountMax) return false;
    this.#countdowns.set(account, own.set(part, countdown));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLIS);
    this.#timer.unref();
    return true;
  }

  /** Ends a countdown before it runs out. */
  clear({ account, part }: Pick<Countdown, 'account' | 'part'>): void {
    const own = this.#countdowns.get(account);
    own?.delete(part);
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
