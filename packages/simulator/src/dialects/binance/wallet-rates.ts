import type { Millis } from '@crossbook/domain';
import { WindowCounter } from '../wire/window-counter.ts';
import { type BinanceError, tooMuchWeight } from './errors.ts';

/** Weight that each of the wallet's calls (`/sapi/`) may use in a minute, by an address or by an account; none of them shares it. */
const LIMITS = { IP: 12_000, UID: 180_000 } as const;

/** A call of the wallet, and whose minute it is counted in. */
export interface WalletScope {
  /** The name of the call. */
  readonly call: string;
  readonly by: keyof typeof LIMITS;
  /** An address or an account. */
  readonly whose: string;
}

/** The counters of the wallet's calls (Binance's documents, "Limits" of `/sapi/*`): always 429 above them, never a ban. */
export class WalletRates {
  readonly #weight = new WindowCounter(60_000);

  /** Why a call must wait. */
  refusal(scope: WalletScope, now: Millis): BinanceError | undefined {
    const limit = LIMITS[scope.by];
    if (this.#weight.used(keyOf(scope), now) < limit) return undefined;
    return tooMuchWeight(limit, this.#weight.secondsLeft(now));
  }

  add(scope: WalletScope, weight: number, now: Millis): void {
    this.#weight.add(keyOf(scope), weight, now);
  }

  /** The header of an answer. */
  header(scope: WalletScope, now: Millis): readonly [string, number] {
    return [`x-sapi-used-${scope.by.toLowerCase()}-weight-1m`, this.#weight.used(keyOf(scope), now)];
  }
}

const keyOf = ({ call, by, whose }: WalletScope) => `${call} ${by} ${whose}`;
