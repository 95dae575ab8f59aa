import type { AccountNumber } from '../../exchange.ts';

/** Who listens to which account; an account that nobody listens to takes no room. */
export class AccountListeners<Listener> {
  readonly #byAccount = new Map<AccountNumber, Set<Listener>>();

  /** Listens to the account until the returned function is called. */
  add(account: AccountNumber, listener: Listener): () => void {
    const listeners = this.#byAccount.get(account) ?? new Set<Listener>();
    this.#byAccount.set(account, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byAccount.get(account) === listeners) this.#byAccount.delete(account);
    };
  }

  /** Whether anybody listens to the account. */
  has(account: AccountNumber): boolean {
    return this.#byAccount.has(account);
  }

  /** Those who listen now, in the order in which they began. */
  of(account: AccountNumber): Iterable<Listener> {
    return this.#byAccount.get(account) ?? [];
  }
}
