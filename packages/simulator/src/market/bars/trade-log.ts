import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimTrade } from '../../exchange.ts';

/** Trades of one minute in flat columns, oldest first: what a tape reads, whether they were matched or generated. */
export interface MinuteTrades {
  readonly count: number;
  readonly times: Float64Array;
  /** In ticks. */
  readonly prices: Float64Array;
  readonly lots: Float64Array;
  /** 1 where the taker sold. */
  readonly sells: Uint8Array;
}

/** Room for the trades of a quiet minute; it doubles. */
const FIRST_ROOM = 16;

function sized<Column extends Float64Array | Uint8Array>(column: Column, room: number): Column {
  if (room <= column.length) return column.slice(0, room) as Column;
  const wider = (column instanceof Uint8Array ? new Uint8Array(room) : new Float64Array(room)) as Column;
  wider.set(column);
  return wider;
}

/** Trades of one minute as they happen, with their ids, which only rise. */
export class TradeLog implements MinuteTrades {
  count = 0;
  ids = new Float64Array(FIRST_ROOM);
  times = new Float64Array(FIRST_ROOM);
  prices = new Float64Array(FIRST_ROOM);
  lots = new Float64Array(FIRST_ROOM);
  sells = new Uint8Array(FIRST_ROOM);

  push(trade: Omit<SimTrade, 'symbol'>): void {
    if (this.count === this.ids.length) this.#room(this.count * 2);
    const at = this.count;
    this.ids[at] = trade.tradeId;
    this.times[at] = trade.time;
    this.prices[at] = trade.price;
    this.lots[at] = trade.quantity;
    this.sells[at] = trade.buyerIsMaker ? 1 : 0;
    this.count += 1;
  }

  /** Gives back the room that is not needed: no more trades follow. */
  close(): void {
    this.#room(this.count);
  }

  #room(room: number): void {
    this.ids = sized(this.ids, room);
    this.times = sized(this.times, room);
    this.prices = sized(this.prices, room);
    this.lots = sized(this.lots, room);
    this.sells = sized(this.sells, room);
  }
}

/** One trade of a minute under its id. */
export function tradeAt(
  symbol: string,
  minute: { readonly trades: MinuteTrades; readonly at: number },
  tradeId: number,
): SimTrade {
  const { trades, at } = minute;
  return {
    symbol,
    tradeId,
    price: trades.prices[at] as Ticks,
    quantity: trades.lots[at] as Lots,
    buyerIsMaker: trades.sells[at] === 1,
    time: trades.times[at] as Millis,
  };
}

/** Matched trades remembered for all markets of one side together: about 17 MB. */
export const liveTradesMax = 500_000;

/**
 * Minutes that were not wholly generated, with every trade of them. Beyond `liveTradesMax` trades the oldest minute goes,
 * and from then on its trades are made from its bar, as those of any other minute.
 */
export class LiveTrades {
  readonly #minutes = new Map<string, TradeLog>();
  #count = 0;

  keep(symbol: string, minute: number, log: TradeLog): void {
    log.close();
    this.#minutes.set(`${symbol} ${minute}`, log);
    this.#count += log.count;
    for (const [key, oldest] of this.#minutes) {
      if (this.#count <= liveTradesMax) return;
      this.#minutes.delete(key);
      this.#count -= oldest.count;
    }
  }

  of(symbol: string, minute: number): TradeLog | undefined {
    return this.#minutes.get(`${symbol} ${minute}`);
  }

  forget(symbol: string, minute: number): void {
    const key = `${symbol} ${minute}`;
    this.#count -= this.#minutes.get(key)?.count ?? 0;
    this.#minutes.delete(key);
  }
}
