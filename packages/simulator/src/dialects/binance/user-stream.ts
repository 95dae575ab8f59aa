import type { Millis } from '@crossbook/domain';
import type { AccountNumber, Exchange, ExchangeListener, SimOrder, SimOrderId } from '../../exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';
import type { MarketFigureBook } from './figures.ts';
import { accountPosition, balanceUpdate, executionReport, type OrderNews } from './user-events.ts';

/** Takes the JSON text of one event; never throws, drops its client when that one does not read. */
export type EventSink = (eventText: string) => void;

const LISTEN_KEY_MILLIS_MAX = 3_600_000;

interface ListenKey {
  readonly account: AccountNumber;
  until: Millis;
}

/** Who listens to which account, and the words Binance has for what happens there. */
export class UserStreams {
  readonly #exchange: Exchange;
  readonly #figures: MarketFigureBook;
  readonly #sinks = new AccountListeners<EventSink>();
  readonly #listenKeys = new Map<string, ListenKey>();
  readonly #keyOfAccount = new Map<AccountNumber, string>();
  readonly #renames = new Map<SimOrderId, string>();
  #executionId = 0;

  constructor(exchange: Exchange, figures: MarketFigureBook) {
    this.#exchange = exchange;
    this.#figures = figures;
  }

  /** Sends the account's events to `sink` until the returned function is called. */
  subscribe(account: AccountNumber, sink: EventSink): () => void {
    return this.#sinks.add(account, sink);
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return {
      onOrder: (news) => this.#onOrder(news),
      onBalances: (account, balances, delta) => {
        if (!this.#sinks.has(account)) return;
        const now = this.#exchange.now();
        if (delta !== undefined) this.#send(account, balanceUpdate(now, delta));
        if (balances.length > 0) this.#send(account, accountPosition(now, balances));
      },
    };
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
    if (known !== undefined) this.#listenKeys.delete(known);
    this.#listenKeys.set(fresh, { account, until: this.#hourFromNow() });
    this.#keyOfAccount.set(account, fresh);
    return fresh;
  }

  /** Begins the key's hour anew. @returns false when there is no such key of this account. */
  keepListenKey(key: string, account: AccountNumber): boolean {
    const entry = this.#listenKeys.get(key);
    if (entry === undefined || entry.account !== account || entry.until < this.#exchange.now()) return false;
    entry.until = this.#hourFromNow();
    return true;
  }

  closeListenKey(key: string, account: AccountNumber): boolean {
    if (!this.keepListenKey(key, account)) return false;
    this.#keyOfAccount.delete(account);
    return this.#listenKeys.delete(key);
  }

  /** Whose key it is, while it lives. */
  accountOfListenKey(key: string): AccountNumber | undefined {
    const entry = this.#listenKeys.get(key);
    return entry !== undefined && entry.until >= this.#exchange.now() ? entry.account : undefined;
  }

  #onOrder(news: OrderNews): void {
    this.#executionId += 1;
    const { account, orderId } = news.order;
    if (!this.#sinks.has(account)) return;
    const at = {
      now: this.#exchange.now(),
      executionId: this.#executionId,
      oldClientId: this.#renames.get(orderId),
    };
    this.#send(account, executionReport(this.#figures, news, at));
  }

  #send(account: AccountNumber, event: object): void {
    const text = JSON.stringify(event);
    for (const sink of this.#sinks.of(account)) sink(text);
  }

  #hourFromNow(): Millis {
    return (this.#exchange.now() + LISTEN_KEY_MILLIS_MAX) as Millis;
  }
}
