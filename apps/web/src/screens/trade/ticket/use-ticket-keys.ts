import { ORDER_TYPE, SIDE } from '@crossbook/domain';
import { type RefObject, useRef } from 'react';
import type { TicketAction, TicketFacts, TicketState } from '../../../calculators/ticket/ticket.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import { useKeys } from '../use-keys.ts';
import { focusSize, useSizeKeys } from '../use-size-keys.ts';

/**
 * Keys of a pair's ticket. Nothing is ever sent by a single key: Enter sends, from the ticket's own fields.
 * @returns where the ticket belongs.
 */
export function useTicketKeys(
  act: (action: TicketAction) => void,
  now: { readonly ticket: TicketState; readonly facts: () => TicketFacts },
): RefObject<HTMLElement | null> {
  const form = useRef<HTMLElement>(null);
  const { ticket } = now;
  const kind = (type: 1 | 2): void => {
    act({ kind: 'type', type });
    changeTradeSettings({ orderKind: type });
  };
  const best = (own: boolean): void => {
    const { bestBid, bestAsk } = now.facts();
    const price = (ticket.side === SIDE.BUY) === own ? bestBid : bestAsk;
    if (price !== undefined) act({ kind: 'pick-price', price });
  };
  useSizeKeys(form, (percent) => act({ kind: 'percent', percent }));
  useKeys({
    'focus.ticket': () => focusSize(form),
    'ticket.buy': () => act({ kind: 'side', side: SIDE.BUY }),
    'ticket.sell': () => act({ kind: 'side', side: SIDE.SELL }),
    'ticket.limit': () => kind(ORDER_TYPE.LIMIT),
    'ticket.market': () => kind(ORDER_TYPE.MARKET),
    'ticket.bestOwn': () => best(true),
    'ticket.bestOther': () => best(false),
    'ticket.unit': () => act({ kind: 'unit', unit: ticket.unit === 'base' ? 'quote' : 'base' }),
  });
  return form;
}
