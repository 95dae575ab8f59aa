import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type ContractEntryFacts,
  type ContractTicketAction,
  type ContractTicketState,
  emptyContractTicket,
  reduceContract,
} from '../../calculators/contracts/contract-ticket.ts';
import type { TradeSettings } from '../app/settings.ts';
import { type MarketName, marketKey } from '../market/market.ts';
import type { TicketSending } from './ticket.ts';

/** The ticket of a contract's trade page. */
export interface ContractTicketSlice {
  /** The market the ticket is for, by its `marketKey`. */
  readonly market: string;
  readonly ticket: ContractTicketState;
  readonly sending: TicketSending;
  /** True once sending was tried: from then on missing fields are errors too. */
  readonly tried: boolean;
  act(action: ContractTicketAction, facts: ContractEntryFacts): void;
  setSending(sending: TicketSending): void;
  setTried(tried: boolean): void;
  /** Another contract came on screen: price, size and reduce-only of the one before mean nothing. */
  follow(market: MarketName): void;
}

/** The ticket's store. */
export type ContractTicketStore = StoreApi<ContractTicketSlice>;

/** Makes the store; one for the life of the trade page. */
export function createContractTicketStore(
  kept: Pick<TradeSettings, 'orderKind' | 'timeInForce' | 'sizeUnit'>,
): ContractTicketStore {
  return createStore<ContractTicketSlice>((set) => ({
    market: '',
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
    follow: (market) =>
      set((slice) => {
        if (slice.market === marketKey(market)) return slice;
        const fresh = { price: '', size: '', percent: undefined, reduceOnly: false, tab: 'open' } as const;
        return { market: marketKey(market), ticket: { ...slice.ticket, ...fresh }, tried: false };
      }),
  }));
}
