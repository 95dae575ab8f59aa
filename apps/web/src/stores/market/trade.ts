import { formatAmount, type Instrument, mulDown, notionalDown, stepsToAmount } from '@crossbook/domain';
import type { TapeTrade } from './tape.ts';

/** A public trade under the names of spec section 3; figures are plain decimal strings. */
export interface Trade {
  readonly id: string;
  readonly price: string;
  /** Base coins, also where the venue counts contracts. */
  readonly size: string;
  /** What was paid: price × size, in quote. */
  readonly quoteQty: string;
  /** The taker's. */
  readonly side: 'buy' | 'sell';
  /** Venue time, ms. */
  readonly time: number;
}

/** A trade of the tape in exact figures. */
export function tradeOf(trade: TapeTrade, instrument: Instrument): Trade {
  const price = stepsToAmount(trade.price, instrument.tickSize);
  const quantity = stepsToAmount(trade.size, instrument.lotSize);
  return {
    id: trade.id,
    price: formatAmount(price),
    size: formatAmount(mulDown(quantity, instrument.contractValue)),
    quoteQty: formatAmount(notionalDown(price, quantity, instrument.contractValue)),
    side: trade.side,
    time: trade.time,
  };
}
