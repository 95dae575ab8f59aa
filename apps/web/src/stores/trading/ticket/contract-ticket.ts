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
import { elsewhere, priceOnce, type TicketSending } from './ticket.ts';

/** The ticket of a contract's trade page. */
export interface ContractTicketSlice {
  /** The market the ticket is for, by its `marketKey`, and its coin. */
  readonly market: string;
  readonly base: string;
  readonly ticket: ContractTicketState;
  readonly sending: TicketSending;
  /** True once sending was tried: from then on missing fields are errors too. */
  readonly tried: boolean;
  /** The price was filled in or touched: it is not filled in again for this contract. */
  readonly priced: boolean;
  /** The own side's best of the first fresh book; changes nothing once the price was touched. */
  firstPrice(price: string): void;
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
    ...{ tried: false, priced: false },
    firstPrice: (price) => set((slice) => priceOnce(slice, price)),
    act: (action, facts) =>
      set((slice) => {
        const ticket = reduceContract(slice.ticket, action, facts);
        return {
          ticket,
          priced: slice.priced || ticket.price !== slice.ticket.price,
          sending: slice.sending.phase === 'refused' ? { phase: 'idle' } : slice.sending,
        };
      }),
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
        return { market, base, ticket, tried: false, priced: false, sending: elsewhere(slice.sending) };
      }),
  }));
}
