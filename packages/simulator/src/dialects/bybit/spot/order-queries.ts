import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import { accountOf, type Desk, type Run, reply } from '../endpoint.ts';
import { namesOrder } from '../order-choice.ts';
import { type OrderAdapter, readNarrowed } from '../order-lists.ts';
import { cutPage, type Placed, readPage } from '../pages.ts';
import type { ParamReader } from '../params.ts';
import { readSpan } from '../time-span.ts';
import { isDormant } from './attached.ts';
import { findOrder } from './find-order.ts';
import { executionRow, filterOf, orderRow, orderStatus } from './order-shapes.ts';

const FILLS_DEFAULT = 50;
const FILLS_MAX = 100;
/** As many orders, or fills, as the core keeps of one market. */
const KEPT_MAX = 30_000;

/** Orders on pairs. */
export const SPOT_ORDERS: OrderAdapter<SimOrder> = {
  category: 'spot',
  markets: (desk): ReadonlyMap<string, MarketFacts> => desk.venue.spot.markets,
  find: findOrder,
  open: (desk, account, symbol) =>
    desk.venue.spot.openOrders(account, symbol).filter((order) => !isDormant(desk, order)),
  kept: (desk, account, symbols) =>
    symbols
      .flatMap((symbol) => desk.venue.spot.orders(account, symbol, { limit: KEPT_MAX }))
      .filter((order) => !isDormant(desk, order)),
  row: orderRow,
  status: orderStatus,
  filterOf,
};

function placedFill(desk: Desk, fill: SimFill): Placed<SimFill> {
  const id = desk.numbers.spot.executionId(fill.symbol, fill.tradeId, fill.maker);
  return { time: fill.time, id: BigInt(id), item: fill };
}

/** Executions; of a named order all of them, whenever they were. */
export function executions(reader: ParamReader, desk: Desk): Run {
  const narrowed = readNarrowed(reader, 'spot', desk.venue.spot.markets);
  const span = readSpan(reader, desk.venue.spot.now());
  const execType = reader.text('execType') ?? 'Trade';
  const page = readPage(reader, FILLS_DEFAULT, FILLS_MAX);
  return (caller) => {
    const account = accountOf(caller);
    const { spot } = desk.venue;
    const fills: SimFill[] = [];
    if (execType === 'Trade' && namesOrder(narrowed.choice)) {
      const order = findOrder(desk, account, narrowed.market, narrowed.choice);
      if (order !== undefined) {
        const { symbol, orderId } = order;
        fills.push(...spot.fills(account, symbol, { orderId, limit: KEPT_MAX }));
      }
    } else if (execType === 'Trade') {
      for (const symbol of narrowed.symbols()) {
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
