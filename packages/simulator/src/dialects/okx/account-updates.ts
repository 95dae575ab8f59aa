import type { AccountNumber, ExchangeListener, SimBalance } from '../../exchange.ts';
import type { PerpConditionalEvent } from '../../perp-conditionals.ts';
import type { PerpAccountEvent, PerpListener, PerpOrderEvent } from '../../perp-exchange.ts';
import { AccountListeners } from '../wire/account-listeners.ts';
import type { OrderUpdate } from '../wire/order-update.ts';
import { MARGIN_ASSET } from './listing.ts';

/** Hears of one account; never throws. */
export interface AccountListener {
  onOrder(update: OrderUpdate): void;
  /** `transferred` where the change came by no order. */
  onBalances(balances: readonly SimBalance[], transferred: boolean): void;
  onContractOrder(event: PerpOrderEvent): void;
  onConditional(event: PerpConditionalEvent): void;
  /**
   * What one step did to an account's contracts: everything that followed from one cause together, in their order. Nothing of
   * an order that was placed or cancelled, which moves no money and no position.
   */
  onContracts(changes: readonly ContractChange[]): void;
  /** Positions that are in danger. */
  onWarning(event: PerpAccountEvent): void;
}

/** What followed from one cause. */
export interface ContractChange {
  readonly cause: PerpAccountEvent['cause'];
  /** The last event of the cause: what is held after it. */
  readonly after: PerpAccountEvent;
  readonly events: readonly PerpAccountEvent[];
  readonly trades: readonly { readonly symbol: string; readonly tradeId: number }[];
}

/** Who listens to which account, and on how many connections each private channel is followed. */
export class AccountUpdates {
  readonly #listeners = new AccountListeners<AccountListener>();
  readonly #connections = new Map<string, number>();
  readonly #steps = new Map<AccountNumber, ContractChange[]>();

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
        // The money that a step of contracts changed is told with it.
        const withStep = this.#steps.has(account) && delta === undefined;
        const reported = withStep ? balances.filter(({ asset }) => asset !== MARGIN_ASSET) : balances;
        if (reported.length === 0) return;
        for (const listener of this.#listeners.of(account))
          listener.onBalances(reported, delta !== undefined);
      },
    };
  }

  /**
   * What the core is to call about contracts. Of one step the orders are told first, as OKX does, and then, when all of
   * the step has been heard, balances and positions by cause. An order that is placed or cancelled without a fill is such a
   * step, too: `account` tells what it set aside or gave back ("Account channel": pushed by "placing order, canceling order,
   * transaction execution", 2025-11; which of the two channels comes first no page says).
   */
  contractListener(): PerpListener {
    return {
      onPerpOrder: (event) => {
        const { account } = event.order;
        for (const listener of this.#listeners.of(account)) listener.onContractOrder(event);
        if (this.#listeners.has(account)) this.#stepOf(account);
      },
      onPerpConditional: (event) => {
        const { account } = event.order.sends;
        for (const listener of this.#listeners.of(account)) listener.onConditional(event);
      },
      onPerpAccount: (event) => this.#note(event),
    };
  }

  #note(event: PerpAccountEvent): void {
    const { account, cause } = event;
    // A transfer is told as a change of balances, the position mode by no channel.
    if (cause === 'TRANSFER' || cause === 'POSITION_MODE' || !this.#listeners.has(account)) return;
    if (cause === 'MARGIN_CALL') {
      for (const listener of this.#listeners.of(account)) listener.onWarning(event);
      return;
    }
    const step = this.#stepOf(account);
    const last = step.at(-1);
    if (last?.cause === cause) step.pop();
    const joined = last?.cause === cause ? last : { events: [], trades: [] };
    step.push({
      cause,
      after: event,
      events: [...joined.events, event],
      trades: [...joined.trades, ...tradesOf(event)],
    });
  }

  /** The step that an account is in; it is told when all of it has been heard. */
  #stepOf(account: AccountNumber): ContractChange[] {
    const changes = this.#steps.get(account);
    if (changes !== undefined) return changes;
    const step: ContractChange[] = [];
    this.#steps.set(account, step);
    queueMicrotask(() => this.#tellStep(account));
    return step;
  }

  #tellStep(account: AccountNumber): void {
    const changes = this.#steps.get(account) ?? [];
    this.#steps.delete(account);
    for (const listener of this.#listeners.of(account)) listener.onContracts(changes);
  }
}

/** The trades that an event's entries speak of, each once. */
function tradesOf({ income }: PerpAccountEvent): ContractChange['trades'] {
  const trades = income.flatMap(({ symbol, tradeId }) =>
    symbol === undefined || tradeId === undefined ? [] : [{ symbol, tradeId }],
  );
  return trades.filter(
    (trade, at) =>
      trades.findIndex((one) => one.tradeId === trade.tradeId && one.symbol === trade.symbol) === at,
  );
}
