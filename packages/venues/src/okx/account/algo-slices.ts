import { type Millis, ok, refused, type SymbolType } from '@crossbook/domain';
import { failedRead } from '../../trading/call-answers.ts';
import type { MadeBy } from '../../venue-algos.ts';
import type { VenueCredentials, VenueRead } from '../../venue-answers.ts';
import type { OrderTerms } from '../../venue-orders.ts';
import { asObject } from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import type { Asking } from './calls.ts';
import { termsOf } from './order-calls.ts';
import { normaliseOrder, type OrderShape } from './order-shapes.ts';

/**
 * The orders that the venue makes of an iceberg. No call lists them: they are among the account's orders, and each names
 * the algo order that it is of. Source: OKX v5 guide, "Order List", "Order history (last 7 days)", "(last 3 months)" (2026).
 */

const ORDERS_PER_PAGE = 100;
/** Pages of one list: 5,000 orders of an instrument. With more nothing is known. */
const PAGES_MAX = 50;
/** `orders-history` reaches back seven days; a question about an earlier time asks the archive too. */
const RECENT_MILLIS_MAX = 6.5 * 86_400_000;
/** Our clock and the venue's may differ by so much. */
const SINCE_MARGIN_MILLIS = 1_000;

type List = 'orders-pending' | 'orders-history' | 'orders-history-archive';
const LIMITS = {
  'orders-pending': ACCOUNT_CALLS.pending,
  'orders-history': ACCOUNT_CALLS.orderHistory,
  'orders-history-archive': ACCOUNT_CALLS.orderArchive,
} as const;

/**
 * All slices that rest or have executed, in no order. The venue forgets one that was cancelled without a fill after two
 * hours: nothing is to be booked of it.
 */
export async function listSlices(
  calls: Asking,
  credentials: VenueCredentials,
  of: MadeBy,
  shapes: Readonly<Record<SymbolType, OrderShape>>,
): Promise<VenueRead<readonly OrderTerms[]>> {
  const begin = Math.max(0, calls.venueClock.toVenue(of.since) - SINCE_MARGIN_MILLIS) as Millis;
  const old = calls.venueClock.now() - begin >= RECENT_MILLIS_MAX;
  const found = new Map<string, OrderTerms>();
  // The history last: what ends between the questions is then in the later answer, which counts.
  const lists: readonly List[] = [
    'orders-pending',
    ...(old ? ['orders-history-archive' as const] : []),
    'orders-history',
  ];
  for (const list of lists) {
    const listed = await readOrders(calls, credentials, {
      of,
      list,
      begin,
      shape: shapes[of.instrument.symbolType],
    });
    if (!listed.ok) return listed;
    for (const terms of listed.value) found.set(terms.state.venueOrderId, terms);
  }
  return ok([...found.values()]);
}

/** One list, however many pages, linked by the id of the last row. A page that repeats what was read is not believed. */
async function readOrders(
  calls: Asking,
  credentials: VenueCredentials,
  asked: {
    readonly of: MadeBy;
    readonly list: List;
    readonly begin: Millis;
    readonly shape: OrderShape;
  },
): Promise<VenueRead<readonly OrderTerms[]>> {
  const { of, list, begin, shape } = asked;
  const { instrument, venueAlgoId } = of;
  const found: OrderTerms[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      method: 'GET',
      path: `/api/v5/trade/${list}`,
      requestClass: 'lookup',
      limit: LIMITS[list],
      parameters: {
        ...{ instType: shape.instType, instId: instrument.symbol },
        ...(list === 'orders-pending' ? {} : { begin: String(begin) }),
        limit: String(ORDERS_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const rows = rowsOf(answer.rows, (row) => {
      const state = normaliseOrder(shape, row, instrument.contractValue);
      return state && { state, ...termsOf(asObject(row)), mine: asObject(row)?.algoId === venueAlgoId };
    });
    if (rows === undefined || rows.some(({ state }) => seen.has(state.venueOrderId)))
      return refused('malformed');
    for (const { mine, ...terms } of rows) {
      seen.add(terms.state.venueOrderId);
      if (mine && terms.state.symbol === instrument.symbol) found.push(terms);
    }
    if (rows.length < ORDERS_PER_PAGE) return ok(found);
    after = rows.at(-1)?.state.venueOrderId;
  }
  return refused('refused');
}
