import type { AccountNumber } from '../../exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';
import type { BybitCategory } from './format.ts';

/** What the private stream tells of, and of which category; the wallet is that of the whole account. */
export interface UserChannel {
  readonly kind: 'order' | 'execution' | 'execution.fast' | 'position' | 'wallet';
  readonly category?: BybitCategory;
}

/** Takes the rows of one message; never throws, drops its client when that one does not read. */
export type UserSink = (channel: UserChannel, rows: readonly object[]) => void;

/** Who listens to which account. */
export class UserStreams {
  readonly #sinks = new AccountListeners<UserSink>();

  /** Sends the account's updates to `sink` until the returned function is called. */
  subscribe(account: AccountNumber, sink: UserSink): () => void {
    return this.#sinks.add(account, sink);
  }

  /** Whether anybody listens to the account. */
  isHeard(account: AccountNumber): boolean {
    return this.#sinks.has(account);
  }

  /** Tells those who listen; the rows are made only for them. */
  tell(account: AccountNumber, channel: UserChannel, rows: () => readonly object[]): void {
    if (!this.#sinks.has(account)) return;
    const made = rows();
    if (made.length === 0) return;
    for (const sink of this.#sinks.of(account)) sink(channel, made);
  }
}
