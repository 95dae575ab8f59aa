import type { AccountNumber } from '../../exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';

/** What the private stream tells of. */
export type UserChannel = 'order' | 'execution' | 'wallet';

/** Takes the rows of one message; never throws, drops its client when that one does not read. */
export type UserSink = (channel: UserChannel, rows: readonly object[]) => void;

/** Who listens to which account. */
export class UserStreams {
  readonly #sinks = new AccountListeners<UserSink>();

  /** Sends the account's updates to `sink` until the returned function is called. */
  subscribe(account: AccountNumber, sink: UserSink): () => void {
    return this.#sinks.add(account, sink);
  }

  /** Tells those who listen; the rows are made only for them. */
  tell(account: AccountNumber, channel: UserChannel, rows: () => readonly object[]): void {
    if (!this.#sinks.has(account)) return;
    const made = rows();
    for (const sink of this.#sinks.of(account)) sink(channel, made);
  }
}
