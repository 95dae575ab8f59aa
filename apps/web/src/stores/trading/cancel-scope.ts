import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS, type Platform, type Side, type SymbolType } from '@crossbook/domain';
import { cancelAlgo } from '../algos/algo-calls.ts';
import { algosStore, endOfAlgo, icebergAtWork } from '../algos/algos.ts';
import type { MarketName } from '../market/market.ts';
import { type CancelAnswer, cancelSeveral } from './order-calls.ts';
import { endOfOrder, ordersStore } from './orders.ts';

/** Kinds that are counted and chosen apart: what rests in the book, what waits to open, and what protects a position. */
export const CANCEL_KINDS = ['limit', 'conditional', 'targets'] as const;
/** One such kind. */
export type CancelKind = (typeof CANCEL_KINDS)[number];

/** How far a cancel of everything goes, within the type of market on screen. */
export type CancelReach = 'symbol' | 'venue' | 'all';

/** Something that can be cancelled. */
export interface Cancellable {
  readonly key: string;
  readonly kind: CancelKind;
  readonly platform: Platform;
  readonly symbol: string;
  readonly side: Side;
  readonly effect: 0 | 1 | 2;
  readonly of: { readonly order: OrderRow } | { readonly algo: AlgoRow };
}

/** What became of one: `asked` = the exchange took the request and has not said the end yet. */
export type CancelOutcome =
  | { readonly is: 'asked' | 'cancelled' | 'filled' | 'fired' | 'unknown' }
  | { readonly is: 'refused'; readonly why: string; readonly code?: string | undefined };

function orderOf(order: OrderRow): Cancellable {
  const { orderId, exchange: platform, symbol, side, effect } = order;
  return { key: `order ${orderId}`, kind: 'limit', platform, symbol, side, effect, of: { order } };
}

function algoOf(algo: AlgoRow): Cancellable {
  const { algoId, exchange: platform, symbol, side, effect } = algo;
  const protects = algo.symbolType === 'SWAP' && (algo.reduceOnly || algo.quantity === null);
  const kind = protects ? 'targets' : 'conditional';
  return { key: `algo ${algoId}`, kind, platform, symbol, side, effect, of: { algo } };
}

/** Everything open within a reach that can be cancelled, orders of the book first. */
export function cancellableIn(
  reach: CancelReach,
  { platform, symbolType, symbol }: MarketName,
  rows: { readonly orders: Iterable<OrderRow>; readonly algos: Iterable<AlgoRow> } = {
    orders: ordersStore.getState().open.values(),
    algos: algosStore.getState().open.values(),
  },
): readonly Cancellable[] {
  const within = (row: { exchange: Platform; symbolType: SymbolType; symbol: string }): boolean =>
    row.symbolType === symbolType &&
    (reach === 'all' || row.exchange === platform) &&
    (reach !== 'symbol' || row.symbol === symbol);
  const algos = [...rows.algos];
  const open = new Map(algos.map((row) => [row.algoId, row]));
  // An iceberg takes its orders along.
  const orders = [...rows.orders].filter((row) => within(row) && icebergAtWork(row, open) === undefined);
  return [...orders.map(orderOf), ...algos.filter(within).map(algoOf)];
}

function outcomeOf(answer: CancelAnswer): CancelOutcome {
  if (answer.ok) return { is: 'asked' };
  if (answer.kind === 'silent') return { is: 'unknown' };
  const code = answer.kind === 'row' ? (answer.venueCode ?? undefined) : answer.venue?.venueCode;
  return { is: 'refused', why: answer.message, code };
}

/** An answer and what was heard since: the end of an order says more than that it was asked for. */
export function outcomeNow({ of }: Cancellable, answered: CancelOutcome): CancelOutcome {
  const order = 'order' in of ? endOfOrder(of.order.orderId) : undefined;
  const algo = 'algo' in of ? endOfAlgo(of.algo.algoId) : undefined;
  if (order !== undefined) return { is: order === ORDER_STATUS.FILLED ? 'filled' : 'cancelled' };
  if (algo !== undefined) return { is: algo === 'fired' ? 'fired' : 'cancelled' };
  return answered;
}

/** What waits is asked for so many at a time: its exchange counts cancels against the account's rate. */
const ALGOS_AT_ONCE_MAX = 5;

/**
 * Cancels rows: orders of an exchange by one call, what waits there a few at a time; exchanges do not wait for each other.
 * @param onAnswer hears of each row once it was asked for.
 */
export async function cancelRows(
  rows: readonly Cancellable[],
  onAnswer: (row: Cancellable, outcome: CancelOutcome) => void,
): Promise<void> {
  const platforms = [...new Set(rows.map(({ platform }) => platform))];
  await Promise.all(
    platforms.map(async (platform) => {
      const there = rows.filter((row) => row.platform === platform);
      const orders = new Map(
        there.flatMap((row) => ('order' in row.of ? [[row.of.order, row] as const] : [])),
      );
      await cancelSeveral([...orders.keys()], (order, answer) => {
        const row = orders.get(order);
        if (row !== undefined) onAnswer(row, outcomeOf(answer));
      });
      const waiting = there.flatMap((row) => ('algo' in row.of ? [[row, row.of.algo] as const] : []));
      for (let at = 0; at < waiting.length; at += ALGOS_AT_ONCE_MAX)
        await Promise.all(
          waiting
            .slice(at, at + ALGOS_AT_ONCE_MAX)
            .map(async ([row, algo]) => onAnswer(row, outcomeOf(await cancelAlgo(algo)))),
        );
    }),
  );
}
