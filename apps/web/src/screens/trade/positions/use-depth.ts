import { type Amount, SIDE, type Side, stepsToAmount } from '@crossbook/domain';
import { useEffect, useMemo, useState } from 'react';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { type BookWalk, type WalkLevel, walkBook } from '../../../calculators/ticket/book-walk.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { venueRest } from '../../../stores/market/venue-rest.ts';

/** How often the book is read again while a dialog asks for it. */
const READ_EVERY_MILLIS = 2_000;
/** Levels a side that are read. */
const LEVELS_MAX = 100;

/** The book as a dialog sees it. */
export interface Depth {
  readonly walk: (side: Side, coins: Amount) => BookWalk | undefined;
  /** The best price of those who are on a side. */
  readonly best: (side: Side) => Amount | undefined;
}

/** Best first. */
type Levels = Readonly<Record<'bids' | 'asks', readonly WalkLevel[]>>;

/**
 * What a market order of a size would get from the book of any instrument, read by REST now and again: a position's
 * market need not be the one on screen. `undefined` until the book is there, and for an empty one.
 */
export function useDepth(instrument: ListedInstrument): Depth {
  const [levels, setLevels] = useState<Levels>();
  useEffect(() => {
    let gone = false;
    const read = async (): Promise<void> => {
      const rest = await venueRest(instrument.platform, instrument.symbolType, [instrument]);
      const answer = await rest?.depth(instrument, LEVELS_MAX);
      if (gone || answer?.ok !== true) return;
      const step = baseStep(instrument);
      const ladder = (rows: readonly (readonly [number, number])[]): readonly WalkLevel[] =>
        rows.map(([price, size]) => ({
          price: stepsToAmount(price, instrument.tickSize),
          size: stepsToAmount(size, step),
        }));
      const { bids, asks } = answer.value;
      setLevels({ bids: ladder(bids), asks: ladder(asks) });
    };
    void read();
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), READ_EVERY_MILLIS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [instrument]);
  return useMemo(
    () => ({
      walk: (side, coins) =>
        levels === undefined ? undefined : walkBook(side, coins, levels[side === SIDE.BUY ? 'asks' : 'bids']),
      best: (side) => levels?.[side === SIDE.BUY ? 'bids' : 'asks'][0]?.price,
    }),
    [levels],
  );
}
