import type { AccountNumber, MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import { accountOf, type Desk, type Endpoint, type Run, reply, signedCall } from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { readSpan } from '../time-span.ts';
import { findOrder, namesOrder, type OrderChoice, readOrderChoice } from './order-choice.ts';
import { readTradedCategory } from './order-draft.ts';
import { executionRow, isEnded, orderRow, orderStatus } from './order-shapes.ts';

const READS_PER_SECOND_MAX = 50;
const ORDERS_DEFAULT = 20;
const ORDERS_MAX = 50;
const FILLS_DEFAULT = 50;
const FILLS_MAX = 100;
/** Recently closed orders that `realtime` shows. */
const CLOSED_SHOWN_MAX = 500;
/** As many orders, or fills, as the core keeps of one market. */
const KEPT_MAX = 30_000;
const CURSOR = /^([0-9]{1,16})_([0-9]{1,24})$/;

/** A moment and an id: what a list is sorted by, newest first, and where its next page begins. */
interface Place {
  readonly time: number;
  readonly id: bigint;
}

interface Placed<Item> extends Place {
  readonly item: Item;
}

interface Page {
  readonly limit: number;
  readonly after: Place | undefined;
}

function readPage(reader: ParamReader, fallback: number, most: number): Page {
  const limit = reader.limit(fallback, most);
  const cursor = reader.text('cursor');
  if (cursor === undefined) return { limit, after: undefined };
  const match = CURSOR.exec(cursor);
  if (match === null) reader.refuse(invalid('cursor'));
  return { limit, after: { time: Number(match?.[1] ?? 0), id: BigInt(match?.[2] ?? 0) } };
}

function compare(left: Place, right: Place): number {
  if (left.time !== right.time) return right.time - left.time;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

/** One page of a list, newest first; the cursor is empty at the end. */
function cutPage<Item>(
  all: readonly Placed<Item>[],
  { limit, after }: Page,
): { readonly items: readonly Item[]; readonly nextPageCursor: string } {
  const sorted = [...all].sort(compare);
  const left = after === undefined ? sorted : sorted.filter((one) => compare(after, one) < 0);
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const more = left.length > shown.length && last !== undefined;
  return {
    items: shown.map((one) => one.item),
    nextPageCursor: more ? `${last.time}_${last.id}` : '',
  };
}

interface Asked {
  readonly spot: boolean;
  readonly market: MarketFacts | undefined;
  readonly choice: OrderChoice;
  readonly baseCoin: string | undefined;
}

/** Category and what narrows a list; contracts must be narrowed, and have nothing. */
function readAsked(reader: ParamReader, desk: Desk): Asked {
  const spot = readTradedCategory(reader);
  const market = spot ? reader.optionalMarket(desk.venue.spot.markets, ERRORS.badSymbol) : undefined;
  return { spot, market, choice: readOrderChoice(reader, false), baseCoin: reader.text('baseCoin') };
}

function marketsAsked(desk: Desk, { market, baseCoin }: Asked): readonly MarketFacts[] {
  if (market !== undefined) return [market];
  return [...desk.venue.spot.markets.values()].filter(
    (one) => baseCoin === undefined || one.base === baseCoin,
  );
}

function placedOrder(desk: Desk, order: SimOrder): Placed<SimOrder> {
  return {
    time: order.createdAt,
    id: BigInt(desk.numbers.spot.orderId(order.symbol, order.orderId)),
    item: order,
  };
}

/** Orders that have ended. */
function endedOrders(desk: Desk, account: AccountNumber, asked: Asked): Placed<SimOrder>[] {
  const found: Placed<SimOrder>[] = [];
  for (const { symbol } of marketsAsked(desk, asked)) {
    for (const order of desk.venue.spot.orders(account, symbol, { limit: KEPT_MAX })) {
      if (isEnded(order)) found.push(placedOrder(desk, order));
    }
  }
  return found;
}

function answerPage(desk: Desk, orders: readonly Placed<SimOrder>[], page: Page): ReturnType<typeof reply> {
  const { items, nextPageCursor } = cutPage(orders, page);
  return reply({ category: 'spot', nextPageCursor, list: items.map((order) => orderRow(desk, order)) });
}

const NO_CONTRACT_ROWS = { category: 'linear', nextPageCursor: '', list: [] };

/** Open orders, or the most recent closed ones; an order that is named is shown however it stands. */
function realtime(reader: ParamReader, desk: Desk): Run {
  const asked = readAsked(reader, desk);
  if (!asked.spot && !reader.has('symbol') && !reader.has('baseCoin') && !reader.has('settleCoin')) {
    reader.refuse(missing('symbol, baseCoin or settleCoin'));
  }
  const openOnly = reader.integer('openOnly') ?? 0;
  const filter = reader.text('orderFilter') ?? 'Order';
  const page = readPage(reader, ORDERS_DEFAULT, ORDERS_MAX);
  return (caller) => {
    if (!asked.spot) return reply(NO_CONTRACT_ROWS);
    const account = accountOf(caller);
    if (namesOrder(asked.choice)) {
      const order = findOrder(desk, account, asked.market, asked.choice);
      return answerPage(desk, order === undefined ? [] : [placedOrder(desk, order)], page);
    }
    if (filter !== 'Order') return answerPage(desk, [], page);
    if (openOnly !== 0) {
      const ended = endedOrders(desk, account, asked).sort(compare).slice(0, CLOSED_SHOWN_MAX);
      return answerPage(desk, ended, page);
    }
    const listed = new Set(marketsAsked(desk, asked).map((market) => market.symbol));
    const open = desk.venue.spot
      .openOrders(account, asked.market?.symbol)
      .filter((order) => listed.has(order.symbol));
    return answerPage(
      desk,
      open.map((order) => placedOrder(desk, order)),
      page,
    );
  };
}

/** Orders that have ended. */
function history(reader: ParamReader, desk: Desk): Run {
  const asked = readAsked(reader, desk);
  const span = readSpan(reader, desk.venue.spot.now());
  const status = reader.text('orderStatus');
  const filter = reader.text('orderFilter') ?? 'Order';
  const page = readPage(reader, ORDERS_DEFAULT, ORDERS_MAX);
  return (caller) => {
    if (!asked.spot) return reply(NO_CONTRACT_ROWS);
    const account = accountOf(caller);
    if (namesOrder(asked.choice)) {
      const order = findOrder(desk, account, asked.market, asked.choice);
      const ended = order === undefined || !isEnded(order) ? [] : [placedOrder(desk, order)];
      return answerPage(desk, ended, page);
    }
    const wanted = endedOrders(desk, account, asked).filter(
      ({ item, time }) =>
        filter === 'Order' &&
        time >= span.startTime &&
        time <= span.endTime &&
        (status === undefined || orderStatus(item) === status),
    );
    return answerPage(desk, wanted, page);
  };
}

function placedFill(desk: Desk, fill: SimFill): Placed<SimFill> {
  const id = desk.numbers.spot.executionId(fill.symbol, fill.tradeId, fill.maker);
  return { time: fill.time, id: BigInt(id), item: fill };
}

/** Executions; of a named order all of them, whenever they were. */
function executions(reader: ParamReader, desk: Desk): Run {
  const asked = readAsked(reader, desk);
  const span = readSpan(reader, desk.venue.spot.now());
  const execType = reader.text('execType') ?? 'Trade';
  const page = readPage(reader, FILLS_DEFAULT, FILLS_MAX);
  return (caller) => {
    if (!asked.spot) return reply(NO_CONTRACT_ROWS);
    const account = accountOf(caller);
    const { spot } = desk.venue;
    const fills: SimFill[] = [];
    if (execType === 'Trade' && namesOrder(asked.choice)) {
      const order = findOrder(desk, account, asked.market, asked.choice);
      if (order !== undefined) {
        const { symbol, orderId } = order;
        fills.push(...spot.fills(account, symbol, { orderId, limit: KEPT_MAX }));
      }
    } else if (execType === 'Trade') {
      for (const { symbol } of marketsAsked(desk, asked)) {
        fills.push(...spot.fills(account, symbol, { ...span, limit: KEPT_MAX }));
      }
    }
    const { items, nextPageCursor } = cutPage(
      fills.map((fill) => placedFill(desk, fill)),
      page,
    );
    const list = items.map((fill) =>
      executionRow(desk, fill, spot.order(account, fill.symbol, { orderId: fill.orderId })),
    );
    return reply({ category: 'spot', nextPageCursor, list });
  };
}

/** No contract is traded here, so that no position is ever open. */
function positions(reader: ParamReader): Run {
  const category = reader.requiredText('category');
  return () => reply({ category, nextPageCursor: '', list: [] });
}

/** Reading one's own orders and executions. */
export const ORDER_QUERY_ENDPOINTS: readonly Endpoint[] = [
  signedCall('order.realtime GET /v5/order/realtime', READS_PER_SECOND_MAX, realtime),
  signedCall('order.history GET /v5/order/history', READS_PER_SECOND_MAX, history),
  signedCall('execution.list GET /v5/execution/list', READS_PER_SECOND_MAX, executions),
  signedCall('position.list GET /v5/position/list', READS_PER_SECOND_MAX, positions),
];
