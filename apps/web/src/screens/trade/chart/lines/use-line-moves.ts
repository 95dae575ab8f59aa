import type { AlgoRow, OrderRow, PositionRow, PriceAlertRow } from '@crossbook/contract';
import { decimalsOf, formatAmount } from '@crossbook/domain';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { TriggerField } from '../../../../calculators/algos/moved-trigger.ts';
import type { ListedInstrument } from '../../../../stores/market/instruments.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import type { LineHold } from '../chart-port.ts';
import { type AskedMove, createLineMover } from './line-mover.ts';
import type { LineMoves, TunedMove } from './line-state.ts';
import type { BestPrices } from './meets-book.ts';

/** What the id of a draggable line says: an order's price, or a trigger of one that waits. */
export function lineId(
  of:
    | { readonly order: OrderRow }
    | { readonly position: PositionRow }
    | { readonly alert: PriceAlertRow }
    | { readonly algo: AlgoRow; readonly field: TriggerField },
): string {
  if ('position' in of) return `position ${positionKey(of.position)}`;
  if ('alert' in of) return `alert ${of.alert.alertId}`;
  return 'order' in of ? `order ${of.order.orderId}` : `algo ${of.algo.algoId} ${of.field}`;
}

/** The line of a leg of an order that waits. */
export function legLineId(algo: AlgoRow, leg: 'takeProfit' | 'stopLoss'): string {
  return lineId({ algo, field: algo.algoType === 'oco' ? leg : 'triggerPrice' });
}

/** What was let go, and what is still to be said about it. */
export type LineDrops = LineMoves & {
  readonly asked: AskedMove | undefined;
  /** A line is dragged; `undefined`: no more. */
  readonly hold: (id: string, price: number | undefined, hold: LineHold) => void;
  readonly drop: (id: string, price: number, hold: LineHold) => void;
};

/** A price of the chart on the tick, as it is sent. */
export function priceOnTick(price: number, { tickSize }: Pick<ListedInstrument, 'tickSize'>): string {
  const tick = Number(formatAmount(tickSize));
  return (Math.max(1, Math.round(price / tick)) * tick).toFixed(decimalsOf(tickSize));
}

/**
 * Changes what a dragged line stands for. Until the exchange confirmed it the line is where it was let go, marked as on its
 * way; a refusal puts it back, red for a moment, and says why. While nobody knows what became of it, both prices are striped.
 */
export function useLineMoves(instrument: ListedInstrument, best: () => BestPrices): LineDrops {
  const reading = useRef(best);
  reading.current = best;
  const [mover] = useState(() => createLineMover(() => reading.current()));
  useEffect(mover.attend, []);
  const state = useStore(mover.store);
  const { move } = mover;
  const [finger, setFinger] = useState<Pick<TunedMove, 'id' | 'price' | 'x' | 'held'>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines of another market are other lines
  useEffect(() => setFinger(undefined), [instrument]);
  const hold = useCallback(
    (id: string, at: number | undefined, { by, x = 0 }: LineHold) => {
      const is = at === undefined || by === 'mouse' ? undefined : { id, price: priceOnTick(at, instrument) };
      setFinger(is && { ...is, x, held: true });
    },
    [instrument],
  );
  const drop = useCallback(
    (id: string, at: number, { by, limitToo, x = 0 }: LineHold) => {
      const price = priceOnTick(at, instrument);
      if (by === 'touch') setFinger({ id, price, x, held: false });
      else move(id, { price, limitToo });
    },
    [instrument, move],
  );
  const tuned = useMemo((): TunedMove | undefined => {
    if (finger === undefined) return undefined;
    const { id, price } = finger;
    const tick = Number(formatAmount(instrument.tickSize));
    const leave = () => setFinger(undefined);
    return {
      ...{ ...finger, leave },
      step: (ticks) => setFinger({ ...finger, price: priceOnTick(Number(price) + ticks * tick, instrument) }),
      confirm: () => {
        leave();
        move(id, { price });
      },
    };
  }, [finger, instrument, move]);
  return useMemo(() => ({ ...state, hold, drop, tuned }), [state, hold, drop, tuned]);
}
