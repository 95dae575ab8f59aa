import type { Ticks } from '@crossbook/domain';
import type { AccountNumber, SimOrder, SimOrderId } from '../exchange.ts';
import { RESTING_ORDERS_MAX } from '../matching/order-pool.ts';
import { firingPrice, isReached, type Trigger } from '../triggers/trigger.ts';
import { TriggerIndex } from '../triggers/trigger-index.ts';
import { watchedTrigger } from './state/order-lists.ts';
import { isOpen } from './state/terms.ts';

/** Names an order of one market. */
export interface WatchedOrder {
  readonly account: AccountNumber;
  readonly orderId: SimOrderId;
}

interface Watched {
  readonly algoId: SimOrderId;
  readonly trigger: Trigger;
  readonly sends: { readonly account: AccountNumber };
}

/** The conditional orders of one market that wait for a price. An order's id is its place: who came first fires first. */
export class PriceWatch {
  readonly #index = new TriggerIndex<Watched>(RESTING_ORDERS_MAX);

  get size(): number {
    return this.#index.size;
  }

  /** Takes an order's new state in: it is watched, or no longer. */
  put(order: SimOrder): void {
    const { orderId, account } = order;
    const trigger = isOpen(order.status) ? watchedTrigger(order) : undefined;
    if (trigger === undefined) this.#index.remove(orderId);
    else this.#index.put({ algoId: orderId, trigger, sends: { account } });
  }

  /** Prices on the way to one at which orders fire, those first that it passed first, and that one at last. */
  pathTo(price: Ticks): Ticks[] {
    const passed = this.#index.all().flatMap(({ trigger }) => {
      const at = isReached(trigger, price) ? firingPrice(trigger) : undefined;
      return at === undefined ? [] : [at as Ticks];
    });
    passed.sort((a, b) => Math.abs(b - price) - Math.abs(a - price));
    return [...passed, price];
  }

  /** What a trade's price does: whose best price it is, and whose price it is. Nothing changes by asking. */
  at(price: Ticks): { readonly moved: readonly WatchedOrder[]; readonly due: readonly WatchedOrder[] } {
    const { moved, due } = this.#index.effectOf([{ by: 'LAST', price }]);
    return { moved: moved.map(nameOf), due: due.map(({ order }) => nameOf(order)) };
  }
}

function nameOf({ algoId, sends }: Watched): WatchedOrder {
  return { account: sends.account, orderId: algoId };
}
