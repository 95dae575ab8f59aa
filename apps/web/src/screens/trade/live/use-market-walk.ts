import { type Amount, SIDE, type Side, stepsToAmount } from '@crossbook/domain';
import { useCallback } from 'react';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { type BookWalk, walkBook } from '../../../calculators/ticket/book-walk.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import type { LiveMarket } from './live-market.ts';

/** Levels that a market order is walked through. */
const WALK_LEVELS_MAX = 400;

/** What a market order of a size would get from the book on screen now. */
export type MarketWalk = (side: Side, coins: Amount | undefined) => BookWalk | undefined;

/** Walks the book of the market on screen. */
export function useMarketWalk(market: LiveMarket, instrument: ListedInstrument): MarketWalk {
  return useCallback(
    (side, coins) => {
      if (coins === undefined) return undefined;
      const step = baseStep(instrument);
      const levels = market.book.book.levels(side === SIDE.BUY ? 'asks' : 'bids', WALK_LEVELS_MAX);
      return walkBook(
        side,
        coins,
        levels.map(([price, size]) => ({
          price: stepsToAmount(price, instrument.tickSize),
          size: stepsToAmount(size, step),
        })),
      );
    },
    [market, instrument],
  );
}
