import type { UserEvent } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';

/** Alarms so far; the trade page plays a sound when the number rises. */
export const alarmsStore = createStore<{ readonly count: number }>(() => ({ count: 0 }));

function alarm(): void {
  alarmsStore.setState(({ count }) => ({ count: count + 1 }));
}

/**
 * Says what the member must know of a contract event: a liquidation or auto-deleveraging, and a margin call. These stay
 * until they are put away. Fills, funding and settings have their own rows.
 */
export function sayContractEvent(event: UserEvent): void {
  if (event.kind === 'margin-call') {
    const venue = platformFacts(event.exchange).name;
    const values = { venue, symbols: event.symbols.join(', ') };
    notify('error', { id: 'contract.marginCall', values }, `margin-call ${event.exchange}`, {
      detail: { id: 'contract.marginCallWhat' },
      stays: true,
    });
    alarm();
  } else if (event.kind === 'position-closed' && event.closed.ended !== 'closed') {
    const { ended, symbol, exchange, maxQuantity, exitPrice, net, positionId } = event.closed;
    const values = { symbol, venue: platformFacts(exchange).name };
    const detail = { quantity: maxQuantity, price: exitPrice, net };
    notify('error', { id: `contract.${ended}`, values }, positionId, {
      detail: { id: 'contract.endedWhat', values: detail },
      stays: true,
    });
    alarm();
  } else if (event.kind === 'position' && event.position.status === 'liquidating') {
    const { symbol, exchange, positionId } = event.position;
    const values = { symbol, venue: platformFacts(exchange).name };
    notify('error', { id: 'contract.liquidating', values }, positionId, { stays: true });
  }
}
