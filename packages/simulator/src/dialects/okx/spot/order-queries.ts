import { type Millis, refused } from '@crossbook/domain';
import type { AccountNumber, SimFill, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { billIdOf, orderRef, ordIdOf, splitBillId, splitOrdId } from '../ids.ts';
import type { Listed } from '../listing.ts';
import { INSTRUMENT_TYPES, type InstrumentType } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';
import { readInstrument } from './order-draft.ts';
import { fillRow, orderRow, ordTypeOf, stateOf } from './order-shapes.ts';

const PAGE_MAX = 100;
const DAY_MILLIS = 86_400_000;
/** An order that ended without a fill is forgotten so long after its end. */
const UNFILLED_MILLIS_MAX = 2 * 3_600_000;
/** Orders or fills of one market that a list looks through. */
const SEARCHED_MAX = 25_000;

/** Whether OKX would still know the order. */
function isRemembered(order: SimOrder, now: Millis): boolean {
  const endedUnfilled = stateOf(order) === 'canceled' && order.executed === 0;
  return !endedUnfilled || now - order.updatedAt <= UNFILLED_MILLIS_MAX;
}

function findOne({ desk, reader, account }: SignedCall): Answer {
  const listed = readInstrument(reader, desk);
  const ordId = reader.text('ordId');
  const clOrdId = reader.text('clOrdId');
  if (ordId === undefined && clOrdId === undefined) reader.refuse(ERRORS.noOrderId);
  if (reader.refusal !== undefined || listed === undefined) {
    return refused(reader.refusal ?? ERRORS.noInstrument);
  }
  const ref = orderRef(listed, { ordId, clOrdId });
  const order = ref === undefined ? undefined : desk.venue.spot.order(account, listed.instId, ref);
  if (order === undefined || !isRemembered(order, desk.now())) return refused(ERRORS.noOrder);
  return rowsUnlessRefused(reader, () => [orderRow(desk, listed, order)]);
}

/** Something with a place in time: lists are newest first, and of one moment the highest id. */
interface Dated<Item> {
  readonly item: Item;
  readonly listed: Listed;
  readonly time: number;
  readonly id: bigint;
}

/** A page by ids: `after` asks for what is older than that one, `before` for what is newer. */
interface Page {
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly begin: number;
  readonly end: number;
  readonly limit: number;
}

function readPage(reader: ParamReader): Page {
  const form = /^[0-9]{1,20}$/;
  return {
    after: reader.pattern('after', form),
    before: reader.pattern('before', form),
    begin: reader.time('begin') ?? 0,
    end: reader.time('end') ?? Number.MAX_SAFE_INTEGER,
    limit: reader.limit(PAGE_MAX, PAGE_MAX),
  };
}

/** Whether one stands before another in a list. */
function isNewer(
  one: Pick<Dated<unknown>, 'time' | 'id'>,
  other: Pick<Dated<unknown>, 'time' | 'id'>,
): boolean {
  return one.time === other.time ? one.id > other.id : one.time > other.time;
}

/** Where an id stands; one that is not known stands at its number alone, among things of the same moment. */
type Locate = (id: string) => Pick<Dated<unknown>, 'time' | 'id'> | undefined;

function cut<Item>(items: readonly Dated<Item>[], page: Page, locate: Locate): readonly Dated<Item>[] {
  const after = page.after === undefined ? undefined : locate(page.after);
  const before = page.before === undefined ? undefined : locate(page.before);
  if (page.after !== undefined && after === undefined) return [];
  return items
    .filter((one) => one.time >= page.begin && one.time <= page.end)
    .filter(
      (one) => (after === undefined || isNewer(after, one)) && (before === undefined || isNewer(one, before)),
    )
    .sort((left, right) => (isNewer(left, right) ? -1 : 1))
    .slice(0, page.limit);
}

/** Which pairs a list is about; none for kinds that are not traded here. */
function pairsOf(
  desk: Desk,
  instType: InstrumentType | undefined,
  instId: string | undefined,
): readonly Listed[] {
  if (instType !== undefined && instType !== 'SPOT') return [];
  return desk.listing.ofType('SPOT').filter((listed) => instId === undefined || listed.instId === instId);
}

function datedOrder(listed: Listed, order: SimOrder): Dated<SimOrder> {
  return { item: order, listed, time: order.createdAt, id: BigInt(ordIdOf(listed, order.orderId)) };
}

function locateOrder(desk: Desk, account: AccountNumber): Locate {
  return (id) => {
    const split = splitOrdId(id);
    const listed = split === undefined ? undefined : desk.listing.findCode(split.code);
    if (split === undefined || listed === undefined) return undefined;
    const order = desk.venue.spot.order(account, listed.instId, { orderId: split.orderId });
    return order === undefined ? undefined : datedOrder(listed, order);
  };
}

/** Filters that both lists of orders have. */
function readOrderFilters(reader: ParamReader, states: readonly string[]): (order: SimOrder) => boolean {
  const types = reader.list('ordType', 10);
  const state = reader.choice('state', states);
  return (order) =>
    (types === undefined || types.includes(ordTypeOf(order))) &&
    (state === undefined || stateOf(order) === state);
}

function pending({ desk, reader, account }: SignedCall): Answer {
  const instType = reader.choice('instType', INSTRUMENT_TYPES);
  const instId = reader.text('instId');
  const fits = readOrderFilters(reader, ['live', 'partially_filled']);
  const page = readPage(reader);
  return rowsUnlessRefused(reader, () => {
    const open = pairsOf(desk, instType, instId).flatMap((listed) =>
      desk.venue.spot
        .openOrders(account, listed.instId)
        .filter(fits)
        .map((order) => datedOrder(listed, order)),
    );
    return cut(open, page, locateOrder(desk, account)).map(({ listed, item }) =>
      orderRow(desk, listed, item),
    );
  });
}

/** Orders that have ended, as far back as the list reaches. */
function history(daysMax: number): (call: SignedCall) => Answer {
  return ({ desk, reader, account }) => {
    const instType = reader.requiredChoice('instType', INSTRUMENT_TYPES);
    const instId = reader.text('instId');
    reader.text('category');
    const fits = readOrderFilters(reader, ['filled', 'canceled', 'mmp_canceled']);
    const page = readPage(reader);
    const now = desk.now();
    const oldest = (now - daysMax * DAY_MILLIS) as Millis;
    return rowsUnlessRefused(reader, () => {
      const ended = pairsOf(desk, instType, instId).flatMap((listed) =>
        desk.venue.spot
          .orders(account, listed.instId, { startTime: oldest, limit: SEARCHED_MAX })
          .filter((order) => stateOf(order) === 'filled' || stateOf(order) === 'canceled')
          .filter((order) => isRemembered(order, now) && fits(order))
          .map((order) => datedOrder(listed, order)),
      );
      return cut(ended, page, locateOrder(desk, account)).map(({ listed, item }) =>
        orderRow(desk, listed, item),
      );
    });
  };
}

function datedFill(listed: Listed, fill: SimFill): Dated<SimFill> {
  return { item: fill, listed, time: fill.time, id: BigInt(billIdOf(listed, fill)) };
}

function locateFill(desk: Desk, account: AccountNumber): Locate {
  return (id) => {
    const split = splitBillId(id);
    const listed = split === undefined ? undefined : desk.listing.findCode(split.code);
    if (split === undefined || listed === undefined) return undefined;
    const [fill] = desk.venue.spot.fills(account, listed.instId, { fromId: split.tradeId, limit: 1 });
    return fill?.tradeId === split.tradeId ? { ...datedFill(listed, fill), id: BigInt(id) } : undefined;
  };
}

function fills(daysMax: number, typeNeeded: boolean): (call: SignedCall) => Answer {
  return ({ desk, reader, account }) => {
    const instType = typeNeeded
      ? reader.requiredChoice('instType', INSTRUMENT_TYPES)
      : reader.choice('instType', INSTRUMENT_TYPES);
    const instId = reader.text('instId');
    const ordId = reader.text('ordId');
    reader.text('subType');
    const page = readPage(reader);
    const oldest = (desk.now() - daysMax * DAY_MILLIS) as Millis;
    const wanted = ordId === undefined ? undefined : splitOrdId(ordId);
    return rowsUnlessRefused(reader, () => {
      if (ordId !== undefined && wanted === undefined) return [];
      const found = pairsOf(desk, instType, instId)
        .filter((listed) => wanted === undefined || listed.code === wanted.code)
        .flatMap((listed) =>
          desk.venue.spot
            .fills(account, listed.instId, {
              startTime: oldest,
              limit: SEARCHED_MAX,
              ...(wanted === undefined ? {} : { orderId: wanted.orderId }),
            })
            .map((fill) => datedFill(listed, fill)),
        );
      return cut(found, page, locateFill(desk, account)).map(({ listed, item }) =>
        fillRow(desk, listed, item),
      );
    });
  };
}

const ARCHIVE_DAYS = 92;

/** Looking up orders and fills. */
export const ORDER_QUERY_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('order.find GET /api/v5/trade/order', 60, findOne),
  signedEndpoint('orders.pending GET /api/v5/trade/orders-pending', 60, pending),
  signedEndpoint('orders.history GET /api/v5/trade/orders-history', 40, history(7)),
  signedEndpoint(
    'orders.history.archive GET /api/v5/trade/orders-history-archive',
    20,
    history(ARCHIVE_DAYS),
  ),
  signedEndpoint('fills GET /api/v5/trade/fills', 60, fills(3, false)),
  signedEndpoint('fills.history GET /api/v5/trade/fills-history', 10, fills(ARCHIVE_DAYS, true)),
];
