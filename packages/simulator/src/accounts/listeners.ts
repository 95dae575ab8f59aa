import type { Amount } from '@crossbook/domain';
import type { AccountNumber, ExchangeListener, SimBalance, SimBookChange, SimTrade } from '../exchange.ts';
import type { ListEvent, OrderEvent } from './trading-step.ts';

/** Everybody who listens to the exchange. A listener that throws is reported and hears the next event all the same. */
export class Listeners {
  readonly #all = new Set<ExchangeListener>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** @returns ends the subscription. */
  add(listener: ExchangeListener): () => void {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  /** Whether building book changes is worth the work. */
  get wantBookChanges(): boolean {
    for (const listener of this.#all) if (listener.onBookChange !== undefined) return true;
    return false;
  }

  bookChange(change: SimBookChange): void {
    this.#tell((listener) => listener.onBookChange?.(change));
  }

  trade(trade: SimTrade): void {
    this.#tell((listener) => listener.onTrade?.(trade));
  }

  order(event: OrderEvent): void {
    this.#tell((listener) => listener.onOrder?.(event));
  }

  orderList(event: ListEvent): void {
    this.#tell((listener) => listener.onOrderList?.(event));
  }

  balances(
    account: AccountNumber,
    balances: readonly SimBalance[],
    delta?: { asset: string; amount: Amount },
  ): void {
    this.#tell((listener) => listener.onBalances?.(account, balances, delta));
  }

  #tell(event: (listener: ExchangeListener) => void): void {
    for (const listener of this.#all) {
      try {
        event(listener);
      } catch (fault) {
        this.#onFault(fault);
      }
    }
  }
}
