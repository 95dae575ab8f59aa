import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { type Amount, decimalsOf, formatAmount, parseAmount, SIDE } from '@crossbook/domain';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { groupThousands } from '../../../calculators/step-text.ts';
import { text } from '../../../i18n/i18n.ts';
import { algosStore, replaceAlgo } from '../../../stores/algos/algos.ts';
import { notify } from '../../../stores/app/notices.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { ordersStore, replaceOrder } from '../../../stores/trading/orders.ts';
import type { ChartLine } from './chart-port.ts';

/** How long a line that was refused is red. */
const REFUSED_MILLIS = 3_000;

/** What the id of a draggable line says: an order's price, or a trigger of one that waits. */
export function lineId(
  of:
    | { readonly order: OrderRow }
    | { readonly algo: AlgoRow; readonly field: 'triggerPrice' | 'takeProfit' | 'stopLoss' },
): string {
  return 'order' in of ? `order ${of.order.orderId}` : `algo ${of.algo.algoId} ${of.field}`;
}

/** The line of a leg of an order that waits. */
export function legLineId(algo: AlgoRow, leg: 'takeProfit' | 'stopLoss'): string {
  return lineId({ algo, field: algo.algoType === 'oco' ? leg : 'triggerPrice' });
}

/** Lines whose change is on its way, by id with the price asked for, and those that were just refused. */
export interface LineMoves {
  readonly moving: ReadonlyMap<string, number>;
  readonly refused: ReadonlySet<string>;
  /** The line that a finger let go: it is sent only on a second word. */
  readonly tuned: TunedMove | undefined;
}

/** Where a finger let a line go, and what brings it to the very price. */
export interface TunedMove {
  readonly id: string;
  readonly price: string;
  /** @param ticks how many up, below 0 down. */
  readonly step: (ticks: number) => void;
  readonly confirm: () => void;
  readonly leave: () => void;
}

/** A limit that would be filled in the moment it is moved: asked once more. */
export interface AskedMove {
  readonly price: string;
  readonly confirm: () => void;
  readonly leave: () => void;
}

/** What was let go, and what is still to be said about it. */
export type LineDrops = LineMoves & { readonly asked: AskedMove | undefined };

/** Best prices, as far as they are known. */
export interface BestPrices {
  readonly bid: Amount | undefined;
  readonly ask: Amount | undefined;
}

/** A price of the chart on the tick, as it is sent. */
export function priceOnTick(price: number, { tickSize }: Pick<ListedInstrument, 'tickSize'>): string {
  const tick = Number(formatAmount(tickSize));
  return (Math.max(1, Math.round(price / tick)) * tick).toFixed(decimalsOf(tickSize));
}

/** Sends the change that a moved line means. @returns what to say where it was not done. */
async function sendMove(id: string, price: string): Promise<string | undefined> {
  const [kind, of = '', field] = id.split(' ');
  const order = kind === 'order' ? ordersStore.getState().open.get(of) : undefined;
  if (order !== undefined) return await replaceOrder(order, { price });
  const algo = algosStore.getState().open.get(of);
  if (algo === undefined) return text('order.lineGone');
  const answer = await replaceAlgo(algo, { [field === undefined ? 'triggerPrice' : field]: price });
  if (answer.ok) return undefined;
  return answer.kind === 'refused' ? answer.message : text('order.unknown');
}

/** Whether a limit order at a price would take at once. */
function crosses(id: string, price: string, best: BestPrices): boolean {
  const [kind, of = ''] = id.split(' ');
  const order = kind === 'order' ? ordersStore.getState().open.get(of) : undefined;
  const other = order?.side === SIDE.BUY ? best.ask : best.bid;
  const at = parseAmount(price);
  if (order === undefined || other === undefined || at === undefined) return false;
  return order.side === SIDE.BUY ? at >= other : at <= other;
}

function without<Key>(map: ReadonlyMap<Key, number>, key: Key): ReadonlyMap<Key, number> {
  return new Map([...map].filter(([name]) => name !== key));
}

/**
 * Changes what a dragged line stands for. Until the exchange confirmed it the line is where it was let go, marked as on its
 * way; a refusal puts it back, red for a moment, and says why.
 */
export function useLineMoves(
  instrument: ListedInstrument,
  best: () => BestPrices,
): LineDrops & { readonly drop: (id: string, price: number, by: 'mouse' | 'touch') => void } {
  const [moving, setMoving] = useState<ReadonlyMap<string, number>>(new Map());
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<AskedMove>();
  const reading = useRef(best);
  reading.current = best;
  const send = useCallback(async (id: string, price: string) => {
    setAsked(undefined);
    setMoving((before) => new Map(before).set(id, Number(price)));
    const why = await sendMove(id, price);
    setMoving((before) => without(before, id));
    if (why === undefined) return;
    notify('error', { text: why }, `line ${id}`);
    setRefused((before) => new Set([...before, id]));
    setTimeout(
      () => setRefused((before) => new Set([...before].filter((name) => name !== id))),
      REFUSED_MILLIS,
    );
  }, []);
  const [finger, setFinger] = useState<{ readonly id: string; readonly price: string }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines of another market are other lines
  useEffect(() => setFinger(undefined), [instrument]);
  const move = useCallback(
    (id: string, price: string) => {
      if (!crosses(id, price, reading.current())) void send(id, price);
      else setAsked({ price, confirm: () => void send(id, price), leave: () => setAsked(undefined) });
    },
    [send],
  );
  const drop = useCallback(
    (id: string, at: number, by: 'mouse' | 'touch') => {
      const price = priceOnTick(at, instrument);
      if (by === 'touch') setFinger({ id, price });
      else move(id, price);
    },
    [instrument, move],
  );
  const tuned = useMemo((): TunedMove | undefined => {
    if (finger === undefined) return undefined;
    const { id, price } = finger;
    const tick = Number(formatAmount(instrument.tickSize));
    const leave = () => setFinger(undefined);
    return {
      ...{ id, price, leave },
      step: (ticks) => setFinger({ id, price: priceOnTick(Number(price) + ticks * tick, instrument) }),
      confirm: () => {
        leave();
        move(id, price);
      },
    };
  }, [finger, instrument, move]);
  return useMemo(() => ({ moving, refused, drop, asked, tuned }), [moving, refused, drop, asked, tuned]);
}

/** A line as its change stands: where it is asked to be while that is on its way, red where it was refused. */
export function withMove(
  line: ChartLine,
  { moving, refused, tuned }: LineMoves,
  decimals: number,
): ChartLine {
  if (tuned?.id === line.id) {
    return { ...line, price: Number(tuned.price), priceText: groupThousands(tuned.price), draggable: false };
  }
  const price = moving.get(line.id);
  if (price !== undefined) {
    const priceText = price.toFixed(decimals);
    return { ...line, price, priceText, label: `${line.label} …`, tone: 'faint', draggable: false };
  }
  return refused.has(line.id) ? { ...line, tone: 'danger' } : line;
}
