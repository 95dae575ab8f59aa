import type { Millis } from '@crossbook/domain';
import type { AccountNumber, SimOrder, SimOrderId } from '../../exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';

/** Takes the JSON text of one event, and its kind; never throws, drops its client when that one does not read. */
export type EventSink = (eventText: string, kind: string) => void;

const LISTEN_KEY_MILLIS_MAX = 3_600_000;

interface ListenKey {
  readonly account: AccountNumber;
  until: Millis;
  /** Those who opened a stream with it, and how to end each. */
  readonly followers: Map<EventSink, () => void>;
}

/** Who listens to which account, the listen keys, and the ids of reports. */
export class UserStreams {
  readonly #now: () => Millis;
  readonly #sinks = new AccountListeners<EventSink>();
  readonly #listenKeys = new Map<string, ListenKey>();
  readonly #keyOfAccount = new Map<AccountNumber, string>();
  readonly #renames = new Map<SimOrderId, string>();
  #executionId = 0;

  constructor(now: () => Millis) {
    this.#now = now;
  }

  /** Sends the account's events to `sink` until the returned function is called. */
  subscribe(account: AccountNumber, sink: EventSink): () => void {
    return this.#sinks.add(account, sink);
  }

  /** Whether anybody listens to the account. */
  isHeard(account: AccountNumber): boolean {
    return this.#sinks.has(account);
  }

  /** Tells those who listen to the account. */
  tell(account: AccountNumber, event: object): void {
    const text = JSON.stringify(event);
    for (const sink of this.#sinks.of(account)) sink(text, kindOf(event));
  }

  /** The id of a new report; they rise with every report, heard or not. */
  nextExecutionId(): number {
    this.#executionId += 1;
    return this.#executionId;
  }

  /** The client id that an order had before the amend under way. */
  oldClientId(orderId: SimOrderId): string | undefined {
    return this.#renames.get(orderId);
  }

  /** The id of the newest report; the answer to an amend repeats it. */
  lastExecutionId(): number {
    return this.#executionId;
  }

  /** An amend gives an order a new client id; its report must also name the old one. */
  expectRename(before: SimOrder): void {
    this.#renames.set(before.orderId, before.clientId);
  }

  forgetRename(orderId: SimOrderId): void {
    this.#renames.delete(orderId);
  }

  /** The account's listen key: the one it has, its hour begun anew, or `fresh`. */
  openListenKey(account: AccountNumber, fresh: string): string {
    const known = this.#keyOfAccount.get(account);
    if (known !== undefined && this.keepListenKey(known, account)) return known;
    // An account has one key: the expired one goes, so there are never more keys than accounts.
    if (known !== undefined) this.#forgetListenKey(known);
    this.#listenKeys.set(fresh, { account, until: this.#hourFromNow(), followers: new Map() });
    this.#keyOfAccount.set(account, fresh);
    return fresh;
  }

  /** Begins the key's hour anew. @returns false when there is no such key of this account. */
  keepListenKey(key: string, account: AccountNumber): boolean {
    const entry = this.#listenKeys.get(key);
    if (entry === undefined || entry.account !== account || entry.until < this.#now()) return false;
    entry.until = this.#hourFromNow();
    return true;
  }

  closeListenKey(key: string, account: AccountNumber): boolean {
    if (!this.keepListenKey(key, account)) return false;
    this.#forgetListenKey(key);
    return true;
  }

  /** The account's key, though its hour may be over. */
  listenKeyOf(account: AccountNumber): string | undefined {
    return this.#keyOfAccount.get(account);
  }

  /** Sends the events of the key's account to `sink` until the returned function is called or the key ends. */
  follow(key: string, sink: EventSink): (() => void) | undefined {
    const account = this.accountOfListenKey(key);
    const entry = this.#listenKeys.get(key);
    if (account === undefined || entry === undefined) return undefined;
    const stop = this.subscribe(account, sink);
    entry.followers.set(sink, stop);
    return () => {
      entry.followers.delete(sink);
      stop();
    };
  }

  /** Tells the followers of keys whose hour is over, and ends their streams. */
  endExpired(): void {
    const now = this.#now();
    for (const [listenKey, { until, followers }] of this.#listenKeys) {
      if (until >= now) continue;
      const event = { e: 'listenKeyExpired', E: now, listenKey };
      for (const sink of followers.keys()) sink(JSON.stringify(event), event.e);
      this.#forgetListenKey(listenKey);
    }
  }

  /** Whose key it is, while it lives. */
  accountOfListenKey(key: string): AccountNumber | undefined {
    const entry = this.#listenKeys.get(key);
    return entry !== undefined && entry.until >= this.#now() ? entry.account : undefined;
  }

  #forgetListenKey(key: string): void {
    const entry = this.#listenKeys.get(key);
    if (entry === undefined) return;
    for (const stop of entry.followers.values()) stop();
    this.#listenKeys.delete(key);
    this.#keyOfAccount.delete(entry.account);
  }

  #hourFromNow(): Millis {
    return (this.#now() + LISTEN_KEY_MILLIS_MAX) as Millis;
  }
}

function kindOf(event: object): string {
  return 'e' in event ? String(event.e) : '';
}
