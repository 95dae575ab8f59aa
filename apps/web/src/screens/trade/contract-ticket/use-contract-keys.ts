import type { RefObject } from 'react';
import type { ContractFacts } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketAction,
  type ContractTicketState,
  unitsOf,
} from '../../../calculators/contracts/contract-ticket.ts';
import { keepSizeUnit } from '../../../stores/trading/ticket/size-unit.ts';
import type { KeyHandlers } from '../keys/use-keys.ts';
import { useTicketKeys } from '../keys/use-ticket-keys.ts';

/** Keys of a contract's ticket: those of every ticket, its units, and what opens and closes. */
export function useContractKeys(
  form: RefObject<HTMLElement | null>,
  act: (action: ContractTicketAction) => void,
  now: {
    readonly ticket: ContractTicketState;
    readonly facts: () => ContractFacts;
    readonly submit: () => void;
    /** What keys do otherwise in a ticket of another kind. */
    readonly more?: KeyHandlers;
  },
): void {
  const { ticket, facts, submit, more = {} } = now;
  const { setting, instrument } = facts();
  const nextUnit = (): void => {
    const units = unitsOf(instrument);
    const unit = units[(units.indexOf(ticket.unit) + 1) % units.length];
    if (unit === undefined) return;
    act({ kind: 'unit', unit });
    keepSizeUnit(instrument.platform, unit);
  };
  useTicketKeys(form, {
    ...{ side: ticket.side, act, best: facts, submit },
    more: {
      'ticket.unit': nextUnit,
      ...(setting?.positionMode === 'hedge'
        ? {
            'ticket.open': () => act({ kind: 'tab', tab: 'open' }),
            'ticket.close': () => act({ kind: 'tab', tab: 'close' }),
          }
        : { 'ticket.reduceOnly': () => act({ kind: 'reduce-only', reduceOnly: !ticket.reduceOnly }) }),
      ...more,
    },
  });
}
