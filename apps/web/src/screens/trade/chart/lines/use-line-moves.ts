import type { AlgoRow, OrderRow, PositionRow, PriceAlertRow } from '@crossbook/contract';
import { type Amount, decimalsOf, formatAmount, parseAmount } from '@crossbook/domain';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  legOf,
  pulledTarget,
  type TriggerField,
  triggerChange,
} from '../../../../calculators/algos/moved-trigger.ts';
import { targetOrders } from '../../../../calculators/algos/position-targets.ts';
import { positionQuantity, positionSide } from '../../../../calculators/contracts/position-stats.ts';
import { text } from '../../../../i18n/i18n.ts';
import { placeAlgo, replaceAlgo } from '../../../../stores/algos/algo-calls.ts';
import { algosStore } from '../../../../stores/algos/algos.ts';
import { notify } from '../../../../stores/app/notices.ts';
import type { ListedInstrument } from '../../../../stores/market/instruments.ts';
import { algoOffer, marketKey } from '../../../../stores/market/market.ts';
import { sayNotDone } from '../../../../stores/member/own-service.ts';
import { marksStore } from '../../../../stores/trading/contracts/marks.ts';
import { positionKey, positionsStore } from '../../../../stores/trading/contracts/positions.ts';
import { type ChangeOutcome, changeNotDone, changeOrder } from '../../../../stores/trading/order-calls.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';
import { priceAlertsStore, setPriceAlert } from '../../../../stores/trading/price-alerts.ts';
import type { LineHold } from '../chart-port.ts';
import type { LineMoves, TunedMove } from './line-state.ts';
import { atBook, type BestPrices } from './meets-book.ts';
import type { MovedTo } from './moved-line.ts';
import { untilKnown } from './unknown-move.ts';

/** How long a line that was refused is red. */
const REFUSED_MILLIS = 3_000;

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

/** A limit that would be filled in the moment it is moved: asked once more. */
export interface AskedMove {
  readonly price: string;
  readonly confirm: () => void;
  readonly leave: () => void;
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

const DONE: ChangeOutcome = { outcome: 'done' };

function outcomeOf(answer: Awaited<ReturnType<typeof replaceAlgo | typeof placeAlgo>>): ChangeOutcome {
  if (!answer.ok) return changeNotDone(answer);
  return answer.data.unknown ? { outcome: 'unknown', why: text('order.unknown') } : DONE;
}

/** Places what was pulled out of a position's line: all of it is closed there. */
async function placePulled(row: PositionRow, price: Amount): Promise<ChangeOutcome> {
  const { symbol, exchange } = row;
  const newest = marksStore.getState()[marketKey({ platform: exchange, symbolType: 'SWAP', symbol })]?.price;
  const market = newest ?? parseAmount(row.markPrice) ?? price;
  const name = pulledTarget(positionSide(row), price, market);
  const bracket = { takeProfit: undefined, stopLoss: undefined, [name]: price };
  const asked = { bracket, by: 'last' as const, part: undefined, quantity: positionQuantity(row) };
  for (const order of targetOrders(asked, row, algoOffer(exchange, 'SWAP'))) {
    const placed = outcomeOf(await placeAlgo(exchange, order));
    if (placed.outcome !== 'done') return placed;
  }
  return DONE;
}

/** Moves a price alert; which side it is reached from the newest prices say, or what it said before. */
async function moveAlert(alertId: string, price: string, { bid, ask }: BestPrices): Promise<ChangeOutcome> {
  const row = priceAlertsStore.getState().waiting.get(alertId);
  if (row === undefined) return { outcome: 'refused', why: text('order.lineGone') };
  const { exchange: platform, symbolType, symbol, direction } = row;
  const unknown = direction === 'rises' ? Number(price) : Number.POSITIVE_INFINITY;
  const last =
    bid === undefined || ask === undefined
      ? unknown
      : (Number(formatAmount(bid)) + Number(formatAmount(ask))) / 2;
  const why = await setPriceAlert({ platform, symbolType, symbol, price, last }, alertId);
  return why === undefined ? DONE : { outcome: 'refused', why };
}

/** Sends the change that a moved line means. */
async function sendMove(
  id: string,
  { price, limitToo = false }: MovedTo,
  best: BestPrices,
): Promise<ChangeOutcome> {
  const [kind, of = '', field = 'triggerPrice'] = id.split(' ');
  if (kind === 'alert') return await moveAlert(of, price, best);
  const amount = parseAmount(price);
  const position = kind === 'position' ? positionsStore.getState().open.get(of) : undefined;
  if (amount !== undefined && position !== undefined) return await placePulled(position, amount);
  const order = kind === 'order' ? ordersStore.getState().open.get(of) : undefined;
  if (order !== undefined) {
    // Where an exchange replaces orders, what it then refuses would be gone: it is not asked.
    if (atBook(order, price, best) === 'refused')
      return { outcome: 'refused', why: text('trade.chart.postOnly') };
    return await changeOrder(order, { price });
  }
  const algo = algosStore.getState().open.get(of);
  if (algo === undefined || amount === undefined) {
    return { outcome: 'refused', why: text('order.lineGone') };
  }
  return outcomeOf(await replaceAlgo(algo, triggerChange(algo, field as TriggerField, amount, limitToo)));
}

/** The price that a line has now; `undefined` of what is only pulled out of a position. */
function standsAt(id: string): number | undefined {
  const [kind, of = '', field = 'triggerPrice'] = id.split(' ');
  const algo = kind === 'algo' ? algosStore.getState().open.get(of) : undefined;
  const stands = {
    order: ordersStore.getState().open.get(of)?.price,
    alert: priceAlertsStore.getState().waiting.get(of)?.price,
    algo: algo && legOf(algo, field as TriggerField)?.triggerPrice,
  }[kind ?? ''];
  return stands == null ? undefined : Number(stands);
}

/** What becomes of the order of a line at a price; what is no order of the book rests. */
export function lineAtBook(id: string, price: string, best: BestPrices): ReturnType<typeof atBook> {
  const [kind, of = ''] = id.split(' ');
  const order = kind === 'order' ? ordersStore.getState().open.get(of) : undefined;
  return order === undefined ? 'rests' : atBook(order, price, best);
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  return new Map([...map].filter(([name]) => name !== key));
}

/**
 * Changes what a dragged line stands for. Until the exchange confirmed it the line is where it was let go, marked as on its
 * way; a refusal puts it back, red for a moment, and says why. While nobody knows what became of it, both prices are striped.
 */
export function useLineMoves(instrument: ListedInstrument, best: () => BestPrices): LineDrops {
  const [moving, setMoving] = useState<ReadonlyMap<string, MovedTo>>(new Map());
  const [unknown, setUnknown] = useState<ReadonlyMap<string, MovedTo>>(new Map());
  const [refused, setRefused] = useState<ReadonlyMap<string, MovedTo>>(new Map());
  const [asked, setAsked] = useState<AskedMove>();
  const reading = useRef(best);
  reading.current = best;
  const looks = useRef(new AbortController());
  useEffect(() => {
    looks.current = new AbortController();
    return () => looks.current.abort();
  }, []);
  const send = useCallback(async (id: string, to: MovedTo) => {
    setAsked(undefined);
    setMoving((before) => new Map(before).set(id, to));
    const changed = await sendMove(id, to, reading.current());
    setMoving((before) => without(before, id));
    if (changed.outcome === 'done') return;
    if (changed.outcome === 'refused') sayNotDone(changed.why);
    else notify('error', { text: changed.why }, `line ${id}`);
    const [show, over] =
      changed.outcome === 'refused'
        ? [setRefused, new Promise((resolve) => setTimeout(resolve, REFUSED_MILLIS))]
        : [setUnknown, untilKnown(id, looks.current.signal)];
    show((before) => new Map(before).set(id, to));
    await over;
    show((before) => without(before, id));
  }, []);
  const [finger, setFinger] = useState<Pick<TunedMove, 'id' | 'price' | 'x' | 'held'>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines of another market are other lines
  useEffect(() => setFinger(undefined), [instrument]);
  const move = useCallback(
    (id: string, to: MovedTo) => {
      const { price } = to;
      if (standsAt(id) === Number(price)) return;
      if (lineAtBook(id, price, reading.current()) !== 'fills') void send(id, to);
      else setAsked({ price, confirm: () => void send(id, to), leave: () => setAsked(undefined) });
    },
    [send],
  );
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
  return useMemo(
    () => ({ moving, unknown, refused, hold, drop, asked, tuned }),
    [moving, unknown, refused, hold, drop, asked, tuned],
  );
}
