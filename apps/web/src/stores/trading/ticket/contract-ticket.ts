import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  afterSending,
  type ContractEntryFacts,
  type ContractTicketAction,
  type ContractTicketState,
  emptyContractTicket,
  onOtherContract,
  reduceContract,
} from '../../../calculators/contracts/contract-ticket.ts';
import type { TradeSettings } from '../../app/settings.ts';
import { type MarketName, marketKey } from '../../market/market.ts';
import { keptSizeUnit } from './size-unit.ts';
import { elsewhere, type TicketSending } from './ticket.ts';

/** The ticket of a contract's trade page. */
export interface ContractTicketSlice {
  /** The market the ticket is for, by its `marketKey`, and its coin. */
  readonly market: string;
  readonly base: string;
  readonly ticket: ContractTicketState;
  readonly sending: TicketSending;
  /** True once sending was tried: from then on missing fields are errors too. */
  readonly tried: boolean;
  act(action: ContractTicketAction, facts: ContractEntryFacts): void;
  setSending(sending: TicketSending): void;
  setTried(tried: boolean): void;
  /** An order was sent. */
  sent(): void;
  /** Another contract came on screen. */
  follow(contract: MarketName & { readonly base: string }): void;
}

/** The ticket's store. */
export type ContractTicketStore = StoreApi<ContractTicketSlice>;

/** Makes the store; one for the life of the trade page. */
export function createContractTicketStore(
  kept: Pick<TradeSettings, 'orderKind' | 'timeInForce' | 'sizeUnit'>,
): ContractTicketStore {
  return createStore<ContractTicketSlice>((set) => ({
    ...{ market: '', base: '' },
    ticket: emptyContractTicket(kept),
    sending: { phase: 'idle' },
    tried: false,
    act: (action, facts) =>
      set((slice) => ({
        ticket: reduceContract(slice.ticket, action, facts),
        sending: slice.sending.phase === 'refused' ? { phase: 'idle' } : slice.sending,
      })),
    setSending: (sending) => set({ sending }),
    setTried: (tried) => set({ tried }),
    sent: () =>
      set(({ ticket }) => ({ sending: { phase: 'idle' }, tried: false, ticket: afterSending(ticket) })),
    follow: (contract) =>
      set((slice) => {
        const market = marketKey(contract);
        if (slice.market === market) return slice;
        const { base } = contract;
        const unit = keptSizeUnit(contract.platform);
        const ticket = onOtherContract(slice.ticket, slice.base === base, unit);
        return { market, base, ticket, tried: false, sending: elsewhere(slice.sending) };
      }),
  }));
}
