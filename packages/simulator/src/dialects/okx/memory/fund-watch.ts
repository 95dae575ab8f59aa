import type { Amount, Millis } from '@crossbook/domain';
import type { PerpListener } from '../../../perp-exchange.ts';

/** How far back the fund's highest balance is looked for. */
const LOOK_BACK_MILLIS = 8 * 3_600_000;
/** Balances remembered at once, each lower than the one before; the oldest go first. */
const BALANCES_MAX = 2_000;
/** Of its highest balance the fund must have lost so much, in tenths, before anybody is warned. */
const FALL_WARNED_TENTHS = 3n;
/** Deleveraging is the matter of a moment here: so long it is reported. */
const ADL_REPORTED_MILLIS = 60_000;

/** A balance that the fund had, at last at that time. */
interface Balance {
  readonly amount: Amount;
  readonly until: Millis;
}

/** What the insurance fund held of late, and in which contracts it was not enough. */
export class FundWatch {
  /** Falling, so that the first is the highest. */
  #balances: Balance[] = [];
  readonly #deleveragedAt = new Map<string, Millis>();

  /** The fund holds this now. */
  note(now: Millis, amount: Amount): void {
    const last = this.#balances.at(-1);
    if (last !== undefined && last.amount !== amount) {
      this.#balances[this.#balances.length - 1] = { ...last, until: now };
    }
    const higher = this.#balances.filter((one) => one.amount > amount && one.until >= now - LOOK_BACK_MILLIS);
    this.#balances = [...higher.slice(1 - BALANCES_MAX), { amount, until: now }];
  }

  /** Hears whose positions were deleveraged. */
  listener(): PerpListener {
    return {
      onPerpAccount: ({ cause, positions, closed, time }) => {
        if (cause !== 'ADL') return;
        for (const { symbol } of [...positions, ...closed]) this.#deleveragedAt.set(symbol, time);
      },
    };
  }

  /** The state of a contract, after `note`; `undefined` while all is well, of which nothing is told. */
  stateOf(symbol: string, now: Millis): 'warning' | 'adl' | undefined {
    const deleveragedAt = this.#deleveragedAt.get(symbol);
    if (deleveragedAt !== undefined && now - deleveragedAt < ADL_REPORTED_MILLIS) return 'adl';
    const highest = this.#balances[0]?.amount ?? 0n;
    const held = this.#balances.at(-1)?.amount ?? 0n;
    return held * 10n <= highest * (10n - FALL_WARNED_TENTHS) ? 'warning' : undefined;
  }
}
