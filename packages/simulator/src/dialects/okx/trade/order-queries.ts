import { type Millis, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import { accountTypeOf } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { orderRef, splitBillId, splitOrdId } from '../ids.ts';
import type { Listed } from '../listing.ts';
import { INSTRUMENT_TYPES, type InstrumentType } from '../market/instruments.ts';
import type { Dated, OrderEntry } from '../orders/order-adapter.ts';
import { readInstrument } from '../orders/order-words.ts';
import { cutPage, type Locate, readPage } from '../orders/pages.ts';
import type { ParamReader } from '../params.ts';
import { ordersOf } from './adapters.ts';

const DAY_MILLIS = 86_400_000;
/** An order that ended without a fill is forgotten so long after its end. */
const UNFILLED_MILLIS_MAX = 2 * 3_600_000;
const ARCHIVE_DAYS = 92;

/** Whether OKX would still know the order. */
function isRemembered({ state, unfilled, updatedAt }: OrderEntry, now: Millis): boolean {
  return state !== 'canceled' || !unfilled || now - updatedAt <= UNFILLED_MILLIS_MAX;
}

/** The account whose orders are meant. */
function traderOf({ desk, account }: SignedCall): AccountNumber {
  return accountTypeOf(desk, account, '18') ?? account;
}

function findOne(call: SignedCall): Answer {
  const { desk, reader } = call;
  const listed = readInstrument(reader, desk);
  const ordId = reader.text('ordId');
  const clOrdId = reader.text('clOrdId');
  if (ordId === undefined && clOrdId === undefined) reader.refuse(ERRORS.noOrderId);
  if (reader.refusal !== undefined || listed === undefined) {
    return refused(reader.refusal ?? ERRORS.noInstrument);
  }
  const ref = orderRef(listed, { ordId, clOrdId });
  const place = { account: traderOf(call), listed };
  const entry = ref === undefined ? undefined : ordersOf(listed).entry(desk, place, ref);
  if (entry === undefined || !isRemembered(entry, desk.now())) return refused(ERRORS.noOrder);
  return rows([entry.row()]);
}

/** Which instruments a list is about. */
interface Choice {
  readonly instType: InstrumentType | undefined;
  readonly instId: string | undefined;
  readonly family: string | undefined;
}

function readChoice(reader: ParamReader, instType: InstrumentType | undefined): Choice {
  return { instType, instId: reader.text('instId'), family: reader.text('instFamily') ?? reader.text('uly') };
}

/** The instruments of a choice; none for kinds that are not traded here. */
function chosen(desk: Desk, { instType, instId, family }: Choice): readonly Listed[] {
  return desk.listing
    .all()
    .filter(
      (listed) =>
        (instType === undefined || listed.instType === instType) &&
        (instId === undefined || listed.instId === instId) &&
        (family === undefined || listed.index === family),
    );
}

function locateOrder(desk: Desk, account: AccountNumber): Locate {
  return (id) => {
    const split = splitOrdId(id);
    const listed = split === undefined ? undefined : desk.listing.findCode(split.code);
    if (split === undefined || listed === undefined) return undefined;
    return ordersOf(listed).entry(desk, { account, listed }, { orderId: split.orderId });
  };
}

/** Filters that both lists of orders have. */
function readOrderFilters(reader: ParamReader, states: readonly string[]): (order: OrderEntry) => boolean {
  const types = reader.list('ordType', 10);
  const state = reader.choice('state', states);
  return (order) =>
    (types === undefined || types.includes(order.ordType)) && (state === undefined || order.state === state);
}

function pending(call: SignedCall): Answer {
  const { desk, reader } = call;
  const choice = readChoice(reader, reader.choice('instType', INSTRUMENT_TYPES));
  const fits = readOrderFilters(reader, ['live', 'partially_filled']);
  const page = readPage(reader);
  const account = traderOf(call);
  return rowsUnlessRefused(reader, () => {
    const open = chosen(desk, choice).flatMap((listed) =>
      ordersOf(listed).open(desk, { account, listed }).filter(fits),
    );
    return cutPage(open, page, locateOrder(desk, account)).map((entry) => entry.row());
  });
}

/** Orders that have ended, as far back as the list reaches. */
function history(daysMax: number): (call: SignedCall) => Answer {
  return (call) => {
    const { desk, reader } = call;
    const choice = readChoice(reader, reader.requiredChoice('instType', INSTRUMENT_TYPES));
    reader.text('category');
    const fits = readOrderFilters(reader, ['filled', 'canceled', 'mmp_canceled']);
    const page = readPage(reader);
    const account = traderOf(call);
    const now = desk.now();
    const oldest = (now - daysMax * DAY_MILLIS) as Millis;
    return rowsUnlessRefused(reader, () => {
      const ended = chosen(desk, choice).flatMap((listed) =>
        ordersOf(listed)
          .orders(desk, { account, listed }, oldest)
          .filter(({ state }) => state === 'filled' || state === 'canceled')
          .filter((order) => isRemembered(order, now) && fits(order)),
      );
      return cutPage(ended, page, locateOrder(desk, account)).map((entry) => entry.row());
    });
  };
}

function locateFill(desk: Desk, account: AccountNumber): Locate {
  return (id) => {
    const split = splitBillId(id);
    const listed = split === undefined ? undefined : desk.listing.findCode(split.code);
    if (split === undefined || listed === undefined) return undefined;
    const found: Dated | undefined = ordersOf(listed).fillOf(desk, { account, listed }, split.tradeId);
    return found && { time: found.time, id: BigInt(id) };
  };
}

function fills(daysMax: number, typeNeeded: boolean): (call: SignedCall) => Answer {
  return (call) => {
    const { desk, reader } = call;
    const instType = typeNeeded
      ? reader.requiredChoice('instType', INSTRUMENT_TYPES)
      : reader.choice('instType', INSTRUMENT_TYPES);
    const choice = readChoice(reader, instType);
    const ordId = reader.text('ordId');
    reader.text('subType');
    const page = readPage(reader);
    const account = traderOf(call);
    const since = (desk.now() - daysMax * DAY_MILLIS) as Millis;
    const wanted = ordId === undefined ? undefined : splitOrdId(ordId);
    return rowsUnlessRefused(reader, () => {
      if (ordId !== undefined && wanted === undefined) return [];
      const of = wanted === undefined ? { since } : { since, orderId: wanted.orderId };
      const found = chosen(desk, choice)
        .filter((listed) => wanted === undefined || listed.code === wanted.code)
        .flatMap((listed) => ordersOf(listed).fills(desk, { account, listed }, of));
      return cutPage(found, page, locateFill(desk, account)).map((entry) => entry.row());
    });
  };
}

/** New and amended orders of one account in two seconds, as OKX counts them below its fee tier VIP 5. */
const ACCOUNT_ORDERS_MAX = 1_000;

/** What OKX works out for its high tiers alone is empty for everybody here. */
function accountRateLimit({ desk }: SignedCall): Answer {
  const empty = fields('fillRatio mainFillRatio nextAccRateLimit', '');
  return rows([{ accRateLimit: String(ACCOUNT_ORDERS_MAX), ...empty, ts: String(desk.now()) }]);
}

/** Looking up orders and fills, and how many an account may send. */
export const ORDER_QUERY_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('order.find GET /api/v5/trade/order', 60, findOne),
  signedEndpoint('orders.pending GET /api/v5/trade/orders-pending', 60, pending),
  signedEndpoint('orders.history GET /api/v5/trade/orders-history', 40, history(7)),
  signedEndpoint(
    'orders.history.archive GET /api/v5/trade/orders-history-archive',
    20,
    history(ARCHIVE_DAYS),
  ),
  signedEndpoint('orders.limit GET /api/v5/trade/account-rate-limit', 2, accountRateLimit),
  signedEndpoint('fills GET /api/v5/trade/fills', 60, fills(3, false)),
  signedEndpoint('fills.history GET /api/v5/trade/fills-history', 10, fills(ARCHIVE_DAYS, true)),
];
