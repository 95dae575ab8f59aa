import { ORDER_TYPE, SIDE } from '@crossbook/domain';
import type { RefObject } from 'react';
import type { ContractFacts } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketAction,
  type ContractTicketState,
  unitsOf,
} from '../../../calculators/contracts/contract-ticket.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import { useKeys } from '../use-keys.ts';
import { focusSize, useSizeKeys } from '../use-size-keys.ts';

/** Keys of a contract's ticket. Nothing is ever sent by a single key: Enter sends, from the ticket's own fields. */
export function useContractKeys(
  form: RefObject<HTMLElement | null>,
  act: (action: ContractTicketAction) => void,
  now: { readonly ticket: ContractTicketState; readonly facts: () => ContractFacts },
): void {
  const { ticket } = now;
  const hedge = now.facts().setting?.positionMode === 'hedge';
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
    'ticket.unit': () => {
      const units = unitsOf(now.facts().instrument);
      const unit = units[(units.indexOf(ticket.unit) + 1) % units.length];
      if (unit === undefined) return;
      act({ kind: 'unit', unit });
      changeTradeSettings({ sizeUnit: unit });
    },
    ...(hedge
      ? {
          'ticket.open': () => act({ kind: 'tab', tab: 'open' as const }),
          'ticket.close': () => act({ kind: 'tab', tab: 'close' as const }),
        }
      : { 'ticket.reduceOnly': () => act({ kind: 'reduce-only', reduceOnly: !ticket.reduceOnly }) }),
  });
}
