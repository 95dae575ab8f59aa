import type { AccountNumber, MarketFacts, SimOrderId, SimOrderStatus } from '../../exchange.ts';
import { accountOf, type Desk, type Endpoint, marketsOf, reply } from './endpoint.ts';
import { ERRORS, missing } from './errors.ts';
import type { BybitCategory } from './format.ts';
import { namesOrder, type OrderChoice, readOrderChoice } from './order-choice.ts';
import { cutPage, newestFirst, type Page, type Placed, readPage } from './pages.ts';
import type { ParamReader } from './params.ts';
import { readSpan } from './time-span.ts';

const ORDERS_DEFAULT = 20;
const ORDERS_MAX = 50;
/** Recently closed orders that `realtime` shows. */
const CLOSED_SHOWN_MAX = 500;

/** What lists look at of an order of any category. */
interface ListedOrder {
  readonly symbol: string;
  readonly orderId: SimOrderId;
  readonly status: SimOrderStatus;
  readonly createdAt: number;
}

/** The orders of a category, and how they are told. */
export interface OrderAdapter<Order extends ListedOrder> {
  readonly category: BybitCategory;
  markets(desk: Desk): ReadonlyMap<string, MarketFacts>;
  find(
    desk: Desk,
    account: AccountNumber,
    market: MarketFacts | undefined,
    choice: OrderChoice,
  ): Order | undefined;
  open(desk: Desk, account: AccountNumber, symbol?: string): readonly Order[];
  /** All that are kept of some markets. */
  kept(desk: Desk, account: AccountNumber, symbols: readonly string[]): readonly Order[];
  row(desk: Desk, order: Order): object;
  status(order: Order): string;
  /** Its `orderFilter`; absent: all are plain. */
  filterOf?(order: Order): string;
}

/** Whether an order has come to its end. */
export function isEnded({ status }: Pick<ListedOrder, 'status'>): boolean {
  return status !== 'NEW' && status !== 'PARTIALLY_FILLED';
}

/** What a list is narrowed to. */
export interface Narrowed {
  readonly market: MarketFacts | undefined;
  readonly choice: OrderChoice;
  /** The markets that are meant, by name. */
  symbols(): readonly string[];
}

/** Reads what narrows a list of one category. `settleCoin` is one of contracts. */
export function readNarrowed(
  reader: ParamReader,
  category: BybitCategory,
  markets: ReadonlyMap<string, MarketFacts>,
): Narrowed {
  const market = reader.optionalMarket(markets, ERRORS.badSymbol);
  const choice = readOrderChoice(reader, false);
  const base = reader.text('baseCoin');
  const settle = category === 'spot' ? undefined : reader.text('settleCoin');
  return {
    ...{ market, choice },
    symbols: () =>
      market !== undefined
        ? [market.symbol]
        : [...markets.values()]
            .filter((one) => base === undefined || one.base === base)
            .filter((one) => settle === undefined || one.quote === settle)
            .map(({ symbol }) => symbol),
  };
}

/** Contracts that are open have to be narrowed. */
export function refuseUnnarrowed(reader: ParamReader, category: BybitCategory): void {
  const named = reader.has('symbol') || reader.has('baseCoin') || reader.has('settleCoin');
  if (category !== 'spot' && !named) reader.refuse(missing('symbol, baseCoin or settleCoin'));
}

function placed<Order extends ListedOrder>(
  { category }: OrderAdapter<Order>,
  desk: Desk,
  order: Order,
): Placed<Order> {
  const id = BigInt(desk.numbers[category].orderId(order.symbol, order.orderId));
  return { time: order.createdAt, id, item: order };
}

function answerPage<Order extends ListedOrder>(
  adapter: OrderAdapter<Order>,
  desk: Desk,
  orders: readonly Placed<Order>[],
  page: Page,
): ReturnType<typeof reply> {
  const { items, nextPageCursor } = cutPage(orders, page);
  const list = items.map((order) => adapter.row(desk, order));
  return reply({ category: adapter.category, nextPageCursor, list });
}

function ended<Order extends ListedOrder>(
  adapter: OrderAdapter<Order>,
  desk: Desk,
  account: AccountNumber,
  narrowed: Narrowed,
): Placed<Order>[] {
  return adapter
    .kept(desk, account, narrowed.symbols())
    .filter(isEnded)
    .map((order) => placed(adapter, desk, order));
}

/** Which kind of orders a list shows: all, unless it says so. */
function readFilter<Order extends ListedOrder>(
  adapter: OrderAdapter<Order>,
  reader: ParamReader,
): (order: Order) => boolean {
  const filter = reader.text('orderFilter');
  return (order) => filter === undefined || filter === (adapter.filterOf?.(order) ?? 'Order');
}

/** Open orders, or the most recent closed ones; an order that is named is shown however it stands. */
export function realtimeOf<Order extends ListedOrder>(adapter: OrderAdapter<Order>): Endpoint['prepare'] {
  return (reader, desk) => {
    const narrowed = readNarrowed(reader, adapter.category, adapter.markets(desk));
    refuseUnnarrowed(reader, adapter.category);
    const openOnly = reader.integer('openOnly') ?? 0;
    const fits = readFilter(adapter, reader);
    const page = readPage(reader, ORDERS_DEFAULT, ORDERS_MAX);
    const answer = (orders: readonly Placed<Order>[]) => answerPage(adapter, desk, orders, page);
    return (caller) => {
      const account = accountOf(caller);
      const { market, choice } = narrowed;
      if (namesOrder(choice)) {
        const order = adapter.find(desk, account, market, choice);
        return answer(order === undefined ? [] : [placed(adapter, desk, order)]);
      }
      if (openOnly !== 0) {
        const closed = ended(adapter, desk, account, narrowed).filter(({ item }) => fits(item));
        return answer(closed.sort(newestFirst).slice(0, CLOSED_SHOWN_MAX));
      }
      const listed = new Set(narrowed.symbols());
      const open = adapter
        .open(desk, account, market?.symbol)
        .filter((order) => listed.has(order.symbol) && fits(order));
      return answer(open.map((order) => placed(adapter, desk, order)));
    };
  };
}

/** Orders that have ended. */
export function historyOf<Order extends ListedOrder>(adapter: OrderAdapter<Order>): Endpoint['prepare'] {
  return (reader, desk) => {
    const narrowed = readNarrowed(reader, adapter.category, adapter.markets(desk));
    const span = readSpan(reader, marketsOf(desk, adapter.category).now());
    const status = reader.text('orderStatus');
    const fits = readFilter(adapter, reader);
    const page = readPage(reader, ORDERS_DEFAULT, ORDERS_MAX);
    return (caller) => {
      const account = accountOf(caller);
      const { market, choice } = narrowed;
      if (namesOrder(choice)) {
        const order = adapter.find(desk, account, market, choice);
        const shown = order === undefined || !isEnded(order) ? [] : [placed(adapter, desk, order)];
        return answerPage(adapter, desk, shown, page);
      }
      const wanted = ended(adapter, desk, account, narrowed).filter(
        ({ item, time }) =>
          fits(item) &&
          time >= span.startTime &&
          time <= span.endTime &&
          (status === undefined || adapter.status(item) === status),
      );
      return answerPage(adapter, desk, wanted, page);
    };
  };
}
