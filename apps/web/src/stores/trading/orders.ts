import type { OrderRow } from '@crossbook/contract';
import {
  decimalsOf,
  divDown,
  formatAmount,
  formatAmountFixed,
  isFinal,
  mulDown,
  ORDER_STATUS,
  type OrderStatus,
  type Platform,
  parseAmount,
  platformFacts,
  ZERO,
} from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { remember as rememberName } from '../algos/algos.ts';
import { notify } from '../app/notices.ts';
import { findInstrument, instrumentsStore } from '../market/instruments.ts';
import { call } from '../member/own-service.ts';

/** Open orders of the member. */
export interface OrdersState {
  /** Orders by id that are not finished yet, all platforms. */
  readonly open: ReadonlyMap<string, OrderRow>;
  /** Platforms whose open orders were read. */
  readonly status: Readonly<Partial<Record<Platform, 'loading' | 'ready' | 'failed'>>>;
  /** Rises with every order event, so that histories know when to read again. */
  readonly version: number;
}

/** Open orders; empty for a visitor. */
export const ordersStore = createStore<OrdersState>(() => ({ open: new Map(), status: {}, version: 0 }));

/** Finished orders that a late, older row must not bring back; the oldest are forgotten. */
const FINISHED_REMEMBERED_MAX = 500;
const finished = new Map<string, OrderStatus>();
/** Those of them whose end is said. */
const said = new Set<string>();

/** How an order ended; `undefined` while it has not, or once that is forgotten. */
export function endOfOrder(orderId: string): OrderStatus | undefined {
  return finished.get(orderId);
}

function remember(row: OrderRow): void {
  finished.set(row.orderId, row.status as OrderStatus);
  if (finished.size <= FINISHED_REMEMBERED_MAX) return;
  const oldest = finished.keys().next().value;
  if (oldest === undefined) return;
  finished.delete(oldest);
  said.delete(oldest);
}

/** Reads a platform's open orders. */
export async function loadOpenOrders(platform: Platform): Promise<void> {
  const setStatus = (status: 'loading' | 'ready' | 'failed') =>
    ordersStore.setState((state) => ({ status: { ...state.status, [platform]: status } }));
  if (ordersStore.getState().status[platform] === undefined) setStatus('loading');
  const answer = await call(
    'connextrade/CurOrderList',
    { platformType: platformFacts(platform).platformType },
    { quiet: true },
  );
  if (!answer.ok) {
    if (ordersStore.getState().status[platform] !== 'ready') setStatus('failed');
    return;
  }
  ordersStore.setState((state) => {
    const others = [...state.open].filter(([, row]) => row.exchange !== platform);
    const read = answer.data
      .filter((row) => !finished.has(row.orderId))
      .map((row) => [row.orderId, row] as const);
    return {
      open: new Map([...others, ...read]),
      status: { ...state.status, [platform]: 'ready' },
      version: state.version + 1,
    };
  });
}

/** Folds one order row, from an answer or an event; older rows than the one known change nothing. */
export function applyOrder(row: OrderRow): void {
  const known = ordersStore.getState().open.get(row.orderId);
  if (known !== undefined && known.updatedAt > row.updatedAt) return;
  if (finished.has(row.orderId) && !isFinal(row.status as OrderStatus)) return;
  const open = new Map(ordersStore.getState().open);
  if (isFinal(row.status as OrderStatus)) {
    remember(row);
    open.delete(row.orderId);
  } else open.set(row.orderId, row);
  ordersStore.setState((state) => ({ open, version: state.version + 1 }));
  if (finished.has(row.orderId)) {
    endPart(row.orderId);
    if (said.has(row.orderId) || !canBeSaid(row)) return;
    said.add(row.orderId);
    announceEnd(row, asked.delete(row.orderId) || known?.cancelPending === true);
  } else if (known !== undefined && Number(row.cumQuantity) > Number(known.cumQuantity))
    beginPart(row.orderId);
}

/** Takes ends that are told together: none of them is said by itself any more. */
export function takeEnds(rows: readonly OrderRow[]): void {
  for (const row of rows) {
    remember(row);
    said.add(row.orderId);
    endPart(row.orderId);
  }
}

/** Orders that this page asked to cancel; the oldest are forgotten. */
const asked = new Set<string>();

/** The member asked for the end of an order: then it is no news when it comes. */
export function rememberAsked(orderId: string): void {
  rememberName(asked, orderId);
}

/** Fills of an order within so long are one notice. */
const PARTS_MILLIS = 1_000;
const parts = new Map<string, ReturnType<typeof setTimeout>>();

function endPart(orderId: string): void {
  clearTimeout(parts.get(orderId));
  parts.delete(orderId);
}

/** Says after a moment what an order that is still open has filled: more parts may come until then. */
function beginPart(orderId: string): void {
  if (parts.has(orderId)) return;
  const tell = (): void => {
    parts.delete(orderId);
    const row = ordersStore.getState().open.get(orderId);
    if (row === undefined) return;
    const share = Number(row.cumQuantity) / Number(row.quantity ?? Number.NaN);
    const percent = Number.isFinite(share) ? Math.floor(share * 100) : '–';
    const values = { ...tradedOf(row), percent };
    notify('success', { id: 'order.filledPart', values }, orderId, { event: 'filled' });
  };
  parts.set(orderId, setTimeout(tell, PARTS_MILLIS));
}

/** An exchange may say that an order is filled before its fills are booked: what was traded comes with the next row. */
function canBeSaid({ status, cumQuantity }: OrderRow): boolean {
  return status !== ORDER_STATUS.FILLED || Number(cumQuantity) > 0;
}

/** What an order traded: coins and their average price, where the instrument is known; else as the exchange counts. */
function tradedOf({ exchange, symbolType, symbol, side, cumQuantity, cumQuote }: OrderRow) {
  const found = findInstrument(instrumentsStore.getState(), exchange, symbolType, symbol);
  const counted = parseAmount(cumQuantity);
  const quote = parseAmount(cumQuote);
  if (found === undefined || counted === undefined || quote === undefined || counted === ZERO)
    return { side, quantity: cumQuantity, asset: symbol, price: '–' };
  const coins = mulDown(counted, found.contractValue);
  const price = formatAmountFixed(divDown(quote, coins), decimalsOf(found.tickSize));
  return { side, quantity: formatAmount(coins), asset: found.base, price };
}

/** @param mine the member asked for the end. */
function announceEnd(row: OrderRow, mine: boolean): void {
  const values = { symbol: row.symbol, quantity: row.cumQuantity, reason: row.reason ?? '' };
  const { orderId, status, refusal: venue } = row;
  if (status === ORDER_STATUS.FILLED)
    notify('success', { id: 'order.filled', values: tradedOf(row) }, orderId, { event: 'filled' });
  else if (status !== ORDER_STATUS.CANCELLED)
    notify('error', { id: 'order.failed', values }, orderId, { event: 'failed', venue });
  else if (mine) {
    const detail = { id: 'order.placedWhat', values: whatOf(row) };
    notify('info', { id: 'order.cancelled', values }, orderId, { event: 'own', detail });
  } else {
    const why = row.orderType === 2 || row.timeInForce === 2 || row.timeInForce === 3 ? 'rest' : 'elsewhere';
    const detail = { id: 'order.cancelledWhy', values: { ...whatOf(row), why, reason: values.reason } };
    notify('warning', { id: 'order.cancelled', values }, orderId, { event: 'failed', detail, venue });
  }
}

/** What an order is, for the second line of a notice: coins, or the money to be spent. */
export function whatOf({ symbol, symbolType, quantity, quoteQuantity, price, exchange }: OrderRow) {
  const found = findInstrument(instrumentsStore.getState(), exchange, symbolType, symbol);
  const counted = parseAmount(quantity ?? '');
  const size =
    found === undefined || counted === undefined
      ? (quantity ?? quoteQuantity ?? '')
      : formatAmount(mulDown(counted, found.contractValue));
  const asset = quantity === null ? found?.quote : found?.base;
  return { asset: asset ?? symbol, size, price: price ?? 'market', venue: platformFacts(exchange).name };
}

/** Forgets everything: another member, or none. */
export function forgetOrders(): void {
  finished.clear();
  said.clear();
  for (const orderId of parts.keys()) endPart(orderId);
  ordersStore.setState((state) => ({ open: new Map(), status: {}, version: state.version + 1 }));
}
