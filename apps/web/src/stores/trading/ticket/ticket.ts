import type { VenueReason } from '@crossbook/contract';
import { ORDER_TYPE, type TimeInForce } from '@crossbook/domain';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  emptyTicket,
  reduce,
  type TicketAction,
  type TicketFacts,
  type TicketState,
} from '../../../calculators/ticket/ticket.ts';
import { type MarketName, marketKey } from '../../market/market.ts';

/**
 * Where the order being sent stands. `unknown` = no answer came: it may have been placed, money stays reserved,
 * and only the same id may be sent again.
 */
export type TicketSending =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending'; readonly clientId: string }
  | { readonly phase: 'unknown'; readonly clientId: string }
  | { readonly phase: 'refused'; readonly message: string; readonly venue?: VenueReason | null | undefined };

/** A ticket with its first price; `slice` as it is once it has one, or its price was touched. */
export function priceOnce<
  Slice extends { readonly priced: boolean; readonly ticket: { readonly price: string } },
>(slice: Slice, price: string): Pick<Slice, 'ticket' | 'priced'> {
  return slice.priced ? slice : { ...slice, priced: true, ticket: { ...slice.ticket, price } };
}

/** Where sending stands once another market is on screen: a refusal was of the former one, what is on its way goes on. */
export function elsewhere(sending: TicketSending): TicketSending {
  return sending.phase === 'refused' ? { phase: 'idle' } : sending;
}

/** The ticket of the trade page. */
export interface TicketSlice {
  /** The market the ticket is for, by its `marketKey`, and its assets. */
  readonly market: string;
  readonly pair: string;
  readonly ticket: TicketState;
  readonly sending: TicketSending;
  /** True once sending was tried: from then on missing fields are errors too. */
  readonly tried: boolean;
  /** The price was filled in or touched: it is not filled in again for this market. */
  readonly priced: boolean;
  /** The own side's best of the first fresh book; changes nothing once the price was touched. */
  firstPrice(price: string): void;
  act(action: TicketAction, facts: TicketFacts): void;
  fill(ticket: TicketState): void;
  setSending(sending: TicketSending): void;
  setTried(tried: boolean): void;
  /** An instrument came on screen: its price is another, and so is the size unless it is the same pair elsewhere. */
  follow(pair: MarketName & { readonly base: string; readonly quote: string }): void;
}

/** The ticket's store. */
export type TicketStore = StoreApi<TicketSlice>;

/** What the browser kept from the last time (spec section 3): kind, and time in force of a limit order. */
export interface KeptTicket {
  readonly orderKind: number;
  readonly timeInForce: TimeInForce;
  /** What a market buy is given in; absent: quote. */
  readonly spotUnit?: 'quote' | 'base';
}

/** Makes the store; one for the life of the trade page. */
export function createTicketStore(kept: KeptTicket): TicketStore {
  return createStore<TicketSlice>((set) => ({
    ...{ market: '', pair: '' },
    ticket: {
      ...emptyTicket(),
      type: kept.orderKind === 2 ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT,
      timeInForce: kept.timeInForce,
      unit: kept.spotUnit ?? 'quote',
    },
    sending: { phase: 'idle' },
    ...{ tried: false, priced: false },
    firstPrice: (price) => set((slice) => priceOnce(slice, price)),
    act: (action, facts) =>
      set((slice) => {
        const ticket = reduce(slice.ticket, action, facts);
        return {
          ticket,
          priced: slice.priced || ticket.price !== slice.ticket.price,
          sending: slice.sending.phase === 'refused' ? { phase: 'idle' } : slice.sending,
        };
      }),
    fill: (ticket) => set({ ticket, tried: false, priced: ticket.price !== '' }),
    setSending: (sending) => set({ sending }),
    setTried: (tried) => set({ tried }),
    follow: (instrument) =>
      set((slice) => {
        const market = marketKey(instrument);
        if (slice.market === market) return slice;
        const pair = `${instrument.base}/${instrument.quote}`;
        const size = slice.pair === pair ? {} : { quantity: '', quote: '' };
        const ticket = { ...slice.ticket, price: '', visible: '', percent: undefined, ...size };
        return { market, pair, ticket, tried: false, priced: false, sending: elsewhere(slice.sending) };
      }),
  }));
}
