import type { PositionRow } from '@crossbook/contract';
import { type Amount, formatAmount, parseAmount } from '@crossbook/domain';
import { createStore, type StoreApi } from 'zustand/vanilla';
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
import { algoOffer, marketKey } from '../../../../stores/market/market.ts';
import { sayNotDone } from '../../../../stores/member/own-service.ts';
import { marksStore } from '../../../../stores/trading/contracts/marks.ts';
import { positionsStore } from '../../../../stores/trading/contracts/positions.ts';
import { type ChangeOutcome, changeNotDone, changeOrder } from '../../../../stores/trading/order-calls.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';
import { priceAlertsStore, setPriceAlert } from '../../../../stores/trading/price-alerts.ts';
import type { LineMoves } from './line-state.ts';
import { atBook, type BestPrices } from './meets-book.ts';
import type { MovedTo } from './moved-line.ts';
import { untilKnown } from './unknown-move.ts';

/** How long a line that was refused is red. */
const REFUSED_MILLIS = 3_000;

/** A limit that would be filled in the moment it is moved: asked once more. */
export interface AskedMove {
  readonly price: string;
  readonly confirm: () => void;
  readonly leave: () => void;
}

/** Moves of lines that are not over, and what is asked before one of them. */
type MovesState = Omit<LineMoves, 'tuned'> & { readonly asked: AskedMove | undefined };

/** Sends what moved lines mean, and remembers how each of them stands. */
export interface LineMover {
  readonly store: StoreApi<MovesState>;
  /** A line was let go there; one that would fill at once is asked for first. */
  readonly move: (id: string, to: MovedTo) => void;
  /** Looks into what is not known until the returned function is called. */
  readonly attend: () => () => void;
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

/** Makes it, for the life of a chart. @param best the best prices at the moment they are asked for. */
export function createLineMover(best: () => BestPrices): LineMover {
  const none: ReadonlyMap<string, MovedTo> = new Map();
  const store = createStore<MovesState>(() => ({
    moving: none,
    unknown: none,
    refused: none,
    asked: undefined,
  }));
  let looks = new AbortController();
  const show = (state: 'moving' | 'unknown' | 'refused', id: string, to: MovedTo): void =>
    store.setState((before) => ({ [state]: new Map(before[state]).set(id, to) }));
  // A later move of the same line stays.
  const over = (state: 'moving' | 'unknown' | 'refused', id: string, to: MovedTo): void =>
    store.setState((before) =>
      before[state].get(id) === to ? { [state]: without(before[state], id) } : before,
    );
  const send = async (id: string, to: MovedTo): Promise<void> => {
    store.setState({ asked: undefined });
    show('moving', id, to);
    const changed = await sendMove(id, to, best());
    over('moving', id, to);
    if (changed.outcome === 'done') return;
    const refused = changed.outcome === 'refused';
    if (refused) sayNotDone(changed.why);
    else notify('error', { text: changed.why }, `line ${id}`);
    const state = refused ? 'refused' : 'unknown';
    show(state, id, to);
    if (refused) await new Promise((resolve) => setTimeout(resolve, REFUSED_MILLIS));
    else await untilKnown(id, looks.signal);
    over(state, id, to);
  };
  return {
    store,
    move: (id, to) => {
      const { price } = to;
      if (standsAt(id) === Number(price)) return;
      if (lineAtBook(id, price, best()) !== 'fills') {
        void send(id, to);
        return;
      }
      const leave = (): void => store.setState({ asked: undefined });
      store.setState({ asked: { price, confirm: () => void send(id, to), leave } });
    },
    attend: () => {
      looks = new AbortController();
      return () => looks.abort();
    },
  };
}
