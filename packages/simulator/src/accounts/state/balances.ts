import { type Amount, assert, minus, plus, ZERO } from '@crossbook/domain';
import type { AccountNumber, SimBalance } from '../../exchange.ts';

interface Holding {
  total: Amount;
  locked: Amount;
}

/** Account 0: its funds never run out, so its balance is a flow that may go below zero. */
export const HOUSE = 0 as AccountNumber;

/** Totals and locked parts of every account. A member's free and locked never go below zero. */
export class Balances {
  /** What contracts are paid in, if they are paid from here: a position's profit may stand behind a total below zero. */
  readonly #backed: string | undefined;
  readonly #accounts = new Map<AccountNumber, Map<string, Holding>>();

  constructor(backed?: string) {
    this.#backed = backed;
  }

  /** Funds not locked by open orders. */
  free(account: AccountNumber, asset: string): Amount {
    const holding = this.#accounts.get(account)?.get(asset);
    return holding === undefined ? ZERO : minus(holding.total, holding.locked);
  }

  /** All that an account holds of an asset. */
  total(account: AccountNumber, asset: string): Amount {
    return this.#accounts.get(account)?.get(asset)?.total ?? ZERO;
  }

  /** Free and locked of one asset; zeros for one the account never held. */
  balance(account: AccountNumber, asset: string): SimBalance {
    const holding = this.#accounts.get(account)?.get(asset) ?? { total: ZERO, locked: ZERO };
    return { asset, free: minus(holding.total, holding.locked), locked: holding.locked };
  }

  /** Every asset the account ever held, in the order of first holding. */
  list(account: AccountNumber): SimBalance[] {
    return [...(this.#accounts.get(account)?.keys() ?? [])].map((asset) => this.balance(account, asset));
  }

  /** All holdings; the house included. */
  *totals(): Generator<{ readonly account: AccountNumber; readonly asset: string; readonly total: Amount }> {
    for (const [account, holdings] of this.#accounts) {
      for (const [asset, { total }] of holdings) yield { account, asset, total };
    }
  }

  /** Changes a total; `settle` checks it once the step is complete. */
  move(account: AccountNumber, asset: string, change: Amount): void {
    const holding = this.#holding(account, asset);
    holding.total = plus(holding.total, change);
  }

  /** Changes the locked part; `settle` checks it once the step is complete. */
  lock(account: AccountNumber, asset: string, change: Amount): void {
    const holding = this.#holding(account, asset);
    holding.locked = plus(holding.locked, change);
  }

  /** Asserts that nothing of a member is below zero. */
  settle(account: AccountNumber, asset: string): void {
    if (account === HOUSE) return;
    const { total, locked } = this.#holding(account, asset);
    const covered = total >= locked || asset === this.#backed;
    assert(locked >= 0n && covered, `account ${account}: free and locked ${asset} are not negative`);
  }

  #holding(account: AccountNumber, asset: string): Holding {
    let holdings = this.#accounts.get(account);
    if (holdings === undefined) {
      holdings = new Map();
      this.#accounts.set(account, holdings);
    }
    let holding = holdings.get(asset);
    if (holding === undefined) {
      holding = { total: ZERO, locked: ZERO };
      holdings.set(asset, holding);
    }
    return holding;
  }
}
