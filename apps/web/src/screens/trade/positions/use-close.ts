import { type Amount, decimalsOf, formatAmountFixed, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { useEffect, useState } from 'react';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { closingProfit, positionQuantity, shareOf } from '../../../calculators/contracts/position-stats.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { makerBound } from '../../../calculators/ticket/maker-bound.ts';
import { entryAmount } from '../../../calculators/ticket/number-entry.ts';
import { useDepth } from './use-depth.ts';
import type { PositionView } from './use-positions.ts';

/** At what a position is closed. */
export type CloseType = 'market' | 'limit';

/** A size in coins with its unit. */
export function coinsText(coins: bigint, { instrument }: Pick<PositionView, 'instrument'>): string {
  const digits = decimalsOf(baseStep(instrument));
  return `${groupThousands(formatAmountFixed(coins as Amount, digits))} ${instrument.base}`;
}

/** A price on the tick of the position's contract. */
export function priceText(price: Amount, { instrument }: Pick<PositionView, 'instrument'>): string {
  return groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
}

/** How much is closed: a share, of which 100 is all of it whatever that is then, or a typed size. */
function useCloseSize({ row, stats, instrument }: PositionView) {
  const [percent, setPercent] = useState<number | undefined>(100);
  const [size, setSize] = useState('');
  const step = baseStep(instrument);
  const all = stats.size;
  const coins = percent === undefined ? entryAmount(size) : shareOf(all, percent, step);
  const sized = coins !== undefined && coins > 0n && coins <= all && coins % step === 0n;
  const counted = positionQuantity(row);
  const part = all === 0n ? undefined : ((((coins ?? 0n) * counted) / all) as Amount);
  return { percent, setPercent, size, setSize, whole: percent === 100, coins, sized, part, step };
}

/** What is asked of a close, what it would bring, and what is wrong with it. */
export function useClose(view: PositionView, type: CloseType) {
  const { stats, instrument } = view;
  const [typed, setPrice] = useState<string>();
  const [makes, setMakes] = useState(false);
  const size = useCloseSize(view);
  const { walk, best } = useDepth(instrument);
  const side = stats.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  const digits = decimalsOf(instrument.tickSize);
  // It begins at the own side's best of the first book, and does not move under the hand from then on.
  const first = best(side);
  useEffect(() => {
    if (type === 'limit' && first !== undefined)
      setPrice((before) => before ?? formatAmountFixed(first, digits));
  }, [type, first, digits]);
  const price = typed ?? formatAmountFixed(first ?? stats.mark, digits);
  const limit = type === 'limit' ? entryAmount(price) : undefined;
  const atBook = size.coins === undefined ? undefined : walk(side, size.coins)?.average;
  const at = type === 'limit' ? limit : (atBook ?? stats.mark);
  const priced = at !== undefined && at > 0n && (type === 'market' || at % instrument.tickSize === 0n);
  const waits = makerBound(side, limit, { other: best(stats.side), tickSize: instrument.tickSize });
  const crosses = makes && type === 'limit' && waits !== undefined;
  // What would fill at once pays what a market order pays.
  const feeRate = type === 'limit' && waits === undefined ? instrument.makerFee : instrument.takerFee;
  const profit =
    size.coins === undefined || at === undefined ? undefined : closingProfit(stats, size.coins, at, feeRate);
  return {
    ...size,
    ...{ side, price, setPrice, makes, setMakes, at, priced, profit },
    /** Where a post-only order would wait, while it would not. */
    waits: crosses ? waits : undefined,
    other: best(stats.side),
    ready: size.sized && priced && !crosses,
    timeInForce: makes ? TIME_IN_FORCE.POST_ONLY : TIME_IN_FORCE.GTC,
  };
}

/** What `useClose` gives. */
export type Close = ReturnType<typeof useClose>;
