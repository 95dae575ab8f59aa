import type { UserStreamHandlers } from '../../../venue-streams.ts';
import type { WireObject } from '../../../wire/guards.ts';
import { type AlgoOrder, reportedAlgoOrder, stateOfOrder } from './algo-states.ts';
import { normaliseExecutionReport } from './normalise.ts';
import { type OrderList, reportedList, stateOfList } from './order-lists.ts';

/** Pairs whose orders are remembered until their end; the oldest is forgotten first, and then looked up by its list. */
const LISTS_MAX = 1_000;

interface KnownList {
  list?: OrderList;
  readonly legs: Map<string, AlgoOrder>;
}

/**
 * Tells orders from algo orders in one private stream: what waits is told as an algo order alone, what has fired or ended
 * as both. Reports of a pair's orders name its list but not our id of it, which `listStatus` does; they come in either
 * order, and a pair whose reports this stream has not had is told as `firing`, which is to be looked up.
 */
export class SpotAlgoEvents {
  readonly #handlers: UserStreamHandlers;
  readonly #lists = new Map<number, KnownList>();

  constructor(handlers: UserStreamHandlers) {
    this.#handlers = handlers;
  }

  /** `executionReport`; false where it is not of the documented shape. */
  onReport(event: WireObject): boolean {
    const order = normaliseExecutionReport(event);
    const algo = reportedAlgoOrder(event);
    if (order === undefined || algo === undefined) return false;
    // It is told once the order that it waits for has filled.
    if (algo?.pending === true) return true;
    if (algo !== null) this.#onAlgo(algo);
    if (algo?.status !== 'waiting') this.#handlers.onOrder(order);
    return true;
  }

  /** `listStatus`; false where it is not of the documented shape. */
  onList(event: WireObject): boolean {
    const list = reportedList(event);
    if (list === undefined) return false;
    const known = this.#known(list.listId);
    known.list = list;
    if (list.working !== undefined) known.legs.delete(list.working);
    const ended = event.L === 'ALL_DONE';
    const legs = [...known.legs.values()].filter(({ status }) => !ended || status !== 'waiting');
    if (ended) this.#lists.delete(list.listId);
    if (list.orderIds.length > 1) this.#tellPair(list, legs, event.l === 'EXEC_STARTED');
    else for (const leg of legs) this.#handlers.onAlgo?.(stateOfOrder(leg));
    return true;
  }

  #tellPair(list: OrderList, legs: readonly AlgoOrder[], started: boolean): void {
    const begun = started && legs.length === 0;
    // Behind an order it has not begun yet.
    if (begun && list.working !== undefined) return;
    this.#handlers.onAlgo?.(
      begun ? { ...stateOfList(list, []), status: 'waiting' } : stateOfList(list, legs),
    );
  }

  #onAlgo(algo: AlgoOrder): void {
    if (algo.listId === undefined) {
      this.#handlers.onAlgo?.(stateOfOrder(algo));
      return;
    }
    const { list, legs } = this.#known(algo.listId);
    if (algo.venueOrderId === list?.working) return;
    legs.set(algo.venueOrderId, algo);
    if (list !== undefined && list.orderIds.length < 2) this.#handlers.onAlgo?.(stateOfOrder(algo));
    else if (list !== undefined && algo.status === 'fired')
      this.#handlers.onAlgo?.(stateOfList(list, [...legs.values()]));
  }

  #known(listId: number): KnownList {
    const known = this.#lists.get(listId) ?? { legs: new Map<string, AlgoOrder>() };
    this.#lists.set(listId, known);
    if (this.#lists.size > LISTS_MAX) {
      const [oldest = listId] = this.#lists.keys();
      this.#lists.delete(oldest);
    }
    return known;
  }
}
