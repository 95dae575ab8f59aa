import type { Millis } from '@crossbook/domain';
import type { SimTrade } from '../exchange.ts';
import type { MarketSide } from '../market-port.ts';
import { type PriceKind, TRIGGER_GAP_MAX } from '../triggers/trigger.ts';
import type { PerpFacts, PerpStats } from '../venue.ts';
import type { VenueHabits } from './state/venue-habits.ts';

/** Marks lie between ticks; what a float adds beyond so many parts of one is none of theirs. */
const TICK_PARTS = 1e6;

/** More than are made between two looks. */
const TRADES_PER_LOOK_MAX = 5_000;

/** What prices are read from. */
export interface PriceParts {
  readonly market: Pick<MarketSide, 'trades' | 'fairPrice'>;
  readonly contracts: ReadonlyMap<string, PerpFacts>;
  stats(symbol: string, time: Millis): PerpStats;
  readonly habits: Pick<VenueHabits, 'cutsMarks'>;
}

/** The prices that conditional orders follow, in ticks. */
export class FollowedPrices {
  readonly #parts: PriceParts;

  constructor(parts: PriceParts) {
    this.#parts = parts;
  }

  /** Trades of a contract after one of them, oldest first; the newest alone where none is named. */
  trades(symbol: string, after: number | undefined): readonly SimTrade[] {
    const { market } = this.#parts;
    if (after === undefined) return market.trades(symbol, { limit: 1 });
    const found = market.trades(symbol, { fromId: after + 1, limit: TRADES_PER_LOOK_MAX });
    return found.filter(({ tradeId }) => tradeId > after);
  }

  /**
   * A price now, or at a moment that passed while nobody traded: the fair one then stands for the last.
   * @returns undefined when there is none: nothing was ever traded.
   */
  at(
    symbol: string,
    by: PriceKind,
    when: { readonly time: Millis; readonly live: boolean },
  ): number | undefined {
    const { market, contracts } = this.#parts;
    const { time, live } = when;
    if (by === 'LAST' && live) return market.trades(symbol, { limit: 1 }).at(-1)?.price;
    const tick = Number(contracts.get(symbol)?.tickSize ?? 0n) / 1e18;
    if (by === 'LAST') return finite(Math.round(market.fairPrice(symbol, time) / tick));
    const { mark, index } = this.#parts.stats(symbol, time);
    const price = (by === 'MARK' ? mark : index) / tick;
    const exact = Math.round(price * TICK_PARTS) / TICK_PARTS;
    return finite(by === 'MARK' && this.#parts.habits.cutsMarks ? Math.floor(exact) : exact);
  }

  /** Whether the last price and the mark are too far apart for what is guarded. */
  areApart(symbol: string, when: { readonly time: Millis; readonly live: boolean }): boolean {
    const [last, mark] = [this.at(symbol, 'LAST', when), this.at(symbol, 'MARK', when)];
    return last !== undefined && mark !== undefined && Math.abs(last - mark) > mark * TRIGGER_GAP_MAX;
  }
}

function finite(price: number): number | undefined {
  return Number.isFinite(price) && price > 0 ? price : undefined;
}
