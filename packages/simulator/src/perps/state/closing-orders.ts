import { isOpen } from '../../accounts/state/terms.ts';
import type { SimOrderId } from '../../exchange.ts';
import type { PerpOrder } from '../../perp-exchange.ts';

/** Whether an order may only make its position smaller: asked for so, or by its side in hedge mode. */
export function closesOnly(order: Pick<PerpOrder, 'reduceOnly' | 'positionSide' | 'side'>): boolean {
  if (order.positionSide === 'BOTH') return order.reduceOnly;
  return (order.positionSide === 'LONG') === (order.side === 'SELL');
}

/** Everybody's open orders that may only close, by contract: most contracts have none, and few orders need to know. */
export class ClosingOrders {
  readonly #open = new Map<string, Map<SimOrderId, PerpOrder>>();

  /** Takes an order in as it is now. */
  put(order: PerpOrder): void {
    if (!closesOnly(order)) return;
    const { symbol, orderId, status } = order;
    const open = this.#open.get(symbol) ?? new Map<SimOrderId, PerpOrder>();
    this.#open.set(symbol, open);
    if (isOpen(status)) open.set(orderId, order);
    else open.delete(orderId);
  }

  /** Oldest first. */
  of(symbol: string): readonly PerpOrder[] {
    const open = this.#open.get(symbol);
    if (open === undefined || open.size === 0) return [];
    return [...open.values()].sort((a, b) => a.orderId - b.orderId);
  }
}
