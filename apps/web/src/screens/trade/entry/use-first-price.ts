import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type Instrument,
  ORDER_TYPE,
  type OrderType,
  SIDE,
  type Side,
} from '@crossbook/domain';
import { useEffect } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { marketKey } from '../../../stores/market/market.ts';

/** What a ticket remembers of its first price. */
interface PricedTicket {
  readonly market: string;
  readonly priced: boolean;
  readonly ticket: { readonly side: Side; readonly type: OrderType; readonly price: string };
  firstPrice(price: string): void;
}

/** What a ticket was shown of its market. */
interface ShownMarket {
  readonly known: boolean;
  readonly shown: {
    readonly instrument: Instrument;
    readonly bestBid: Amount | undefined;
    readonly bestAsk: Amount | undefined;
    readonly priceStale: boolean;
  };
}

/** What a ticket waits for: the price that is about to be filled in, or the first figures of its market. */
export type PricesAwaited = 'price' | 'figures';

/**
 * Fills in the own side's best price once per market, from the first fresh book, and never again after a touch.
 * @returns what is still to come; a press before that would be of an order that no figures were shown for.
 */
export function useFirstPrice(
  store: Pick<StoreApi<PricedTicket>, 'getState' | 'getInitialState' | 'subscribe'>,
  { known, shown }: ShownMarket,
): PricesAwaited | undefined {
  const { instrument, bestBid, bestAsk, priceStale } = shown;
  const { ticket, priced } = useStore(store);
  const own = ticket.side === SIDE.BUY ? bestBid : bestAsk;
  const first =
    known && !priceStale && own !== undefined
      ? formatAmountFixed(own, decimalsOf(instrument.tickSize))
      : undefined;
  const market = marketKey(instrument);
  useEffect(() => {
    if (first !== undefined && !priced && store.getState().market === market) {
      store.getState().firstPrice(first);
    }
  }, [first, priced, market, store]);
  const empty = ticket.type === ORDER_TYPE.LIMIT && ticket.price === '' && !priced;
  if (empty && (priceStale || !known)) return 'price';
  return known ? undefined : 'figures';
}
