import type { AccountNumber, ExchangeListener, SimBalance } from '../../exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';
import type { OrderUpdate } from '../wire/order-update.ts';

/** Hears of one account; never throws. */
export interface AccountListener {
  onOrder(update: OrderUpdate): void;
  /** `transferred` where the change came by no order. */
  onBalances(balances: readonly SimBalance[], transferred: boolean): void;
}

/** Who listens to which account, and on how many connections each private channel is followed. */
export class AccountUpdates {
  readonly #listeners = new AccountListeners<AccountListener>();
  readonly #connections = new Map<string, number>();

  /** Tells `listener` of the account until the returned function is called. */
  follow(account: AccountNumber, listener: AccountListener): () => void {
    return this.#listeners.add(account, listener);
  }

  /** Counts a connection more or less of a channel. @returns how many there are now. */
  countConnections(account: AccountNumber, channel: string, change: 1 | -1): number {
    const key = `${account} ${channel}`;
    const count = Math.max(0, (this.#connections.get(key) ?? 0) + change);
    if (count === 0) this.#connections.delete(key);
    else this.#connections.set(key, count);
    return count;
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return {
      onOrder: (update) => {
        for (const listener of this.#listeners.of(update.order.account)) listener.onOrder(update);
      },
      onBalances: (account, balances, delta) => {
        for (const listener of this.#listeners.of(account)) {
          listener.onBalances(balances, delta !== undefined);
        }
      },
    };
  }
}
