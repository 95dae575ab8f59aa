import type { AccountNumber } from '../../exchange.ts';

/** What the private stream tells of. */
export type UserChannel = 'order' | 'execution' | 'wallet';

/** Takes the rows of one message; never throws, drops its client when that one does not read. */
export type UserSink = (channel: UserChannel, rows: readonly object[]) => void;

/** Who listens to which account. */
export class UserStreams {
  readonly #sinks = new Map<AccountNumber, Set<UserSink>>();

  /** Sends the account's news to `sink` until the returned function is called. */
  subscribe(account: AccountNumber, sink: UserSink): () => void {
    const sinks = this.#sinks.get(account) ?? new Set<UserSink>();
    this.#sinks.set(account, sinks.add(sink));
    return () => {
      sinks.delete(sink);
      if (sinks.size === 0 && this.#sinks.get(account) === sinks) this.#sinks.delete(account);
    };
  }

  /** Tells those who listen; the rows are made only for them. */
  tell(account: AccountNumber, channel: UserChannel, rows: () => readonly object[]): void {
    const sinks = this.#sinks.get(account);
    if (sinks === undefined) return;
    const made = rows();
    for (const sink of sinks) sink(channel, made);
  }
}
