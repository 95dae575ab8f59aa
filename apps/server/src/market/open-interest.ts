import type { Instrument } from '@crossbook/domain';
import type { VenuePublicRest } from '@crossbook/venues';
import type { MarketPorts } from './ports.ts';

/** How old an open interest may be before it is asked for again. Venues work it out every few seconds at most. */
const AGE_MILLIS_MAX = 15_000;
/** Somebody may begin to follow at any time; looking costs a walk over the channels. */
const LOOK_EVERY_MILLIS = 1_000;
/** Contracts asked for at once: at Binance each is a call of its own. */
const CONTRACTS_AT_ONCE_MAX = 10;

/** Asks for the open interest of contracts that somebody follows, where no stream tells it. */
export class OpenInterestWatch {
  readonly #ask: VenuePublicRest['openInterest'];
  readonly #ports: Pick<MarketPorts, 'clock' | 'note'>;
  readonly #tell: (symbol: string, interest: string) => void;
  /** When each contract was asked for last. */
  readonly #askedAt = new Map<string, number>();
  #asking = false;
  #lookedAt = 0;

  constructor(
    rest: Pick<VenuePublicRest, 'openInterest'>,
    ports: Pick<MarketPorts, 'clock' | 'note'>,
    tell: (symbol: string, interest: string) => void,
  ) {
    this.#ask = (instruments) => rest.openInterest(instruments);
    this.#ports = ports;
    this.#tell = tell;
  }

  /** Asks for what is due of the followed contracts, one question at a time; never waits. */
  tend(followedNow: () => readonly Instrument[]): void {
    const now = this.#ports.clock();
    if (this.#asking || now - this.#lookedAt < LOOK_EVERY_MILLIS) return;
    this.#lookedAt = now;
    const followed = followedNow();
    const due = followed
      .filter(({ symbol }) => now - (this.#askedAt.get(symbol) ?? 0) > AGE_MILLIS_MAX)
      .slice(0, CONTRACTS_AT_ONCE_MAX);
    if (due.length === 0) return;
    for (const symbol of [...this.#askedAt.keys()]) {
      if (!followed.some((instrument) => instrument.symbol === symbol)) this.#askedAt.delete(symbol);
    }
    // Asked is asked: a venue that does not answer is not asked faster.
    for (const { symbol } of due) this.#askedAt.set(symbol, now);
    this.#asking = true;
    void this.#take(due).finally(() => {
      this.#asking = false;
    });
  }

  async #take(due: readonly Instrument[]): Promise<void> {
    const answer = await this.#ask(due).catch((error: unknown) => {
      this.#ports.note('open interest not read', { error: String(error) });
      return undefined;
    });
    if (answer?.ok !== true) return;
    for (const [symbol, interest] of answer.value) this.#tell(symbol, interest);
  }
}
