import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type VenueFill,
  type VenueOrderId,
} from '@crossbook/domain';
import type { OrderRoom } from '../../trading/order-room.ts';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import { asObject, type WireObject } from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import type { Asking } from './calls.ts';
import { normaliseFills, type OrderShape } from './order-shapes.ts';
import { readPages } from './pages.ts';

const FILLS_PER_PAGE = 100;
/** One question spans at most seven days (order/execution). */
const SPAN_MILLIS_MAX = 7 * 86_400_000;
/** The venue keeps two years. */
const SPANS_MAX = 105;
/** Our clock and the venue's may differ by this much. */
const MARGIN_MILLIS = 1_000;

/** What a list of fills is asked about. */
export type Asked = readonly [calls: Asking, credentials: VenueCredentials, instrument: Instrument];

/** The fills of one type of market. */
export interface FillWords {
  readonly shape: OrderShape;
  /** What the list is asked for besides. */
  readonly ofList: Readonly<Record<string, string>>;
  /** Adds to rows what the list leaves out, from another one. */
  complete?(
    asked: Asked,
    rows: readonly WireObject[],
  ): Promise<Result<readonly WireObject[], VenueReadFailure>>;
}

/** What is asked of fills. */
export function fillsIn(words: FillWords): Pick<OrderRoom<Asking>, 'fillsOfOrder' | 'fillsSince'> {
  return {
    fillsOfOrder: (calls, credentials, instrument, venueOrderId) =>
      fillsOfOrder(words, [calls, credentials, instrument], venueOrderId),
    fillsSince: (calls, credentials, instrument, since) =>
      fillsSince(words, [calls, credentials, instrument], since),
  };
}

/** All fills of one order, oldest first, however many pages. */
async function fillsOfOrder(
  words: FillWords,
  asked: Asked,
  venueOrderId: VenueOrderId,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const fills = await executions(words, asked, { orderId: venueOrderId });
  if (!fills.ok) return fills;
  // What was not asked for shows that the question was not understood.
  if (!fills.value.every((fill) => fill.venueOrderId === venueOrderId)) return refused('malformed');
  return ok(oldestFirst(fills.value));
}

/** Fills of every order of an instrument since a moment of OUR clock (widened by a second for its error). */
async function fillsSince(
  words: FillWords,
  asked: Asked,
  since: Millis,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const [{ venueClock }] = asked;
  const now = venueClock.now() + MARGIN_MILLIS;
  const found: VenueFill[] = [];
  let start = Math.max(0, venueClock.toVenue(since) - MARGIN_MILLIS);
  for (let span = 0; span < SPANS_MAX && start <= now; span += 1) {
    const end = Math.min(start + SPAN_MILLIS_MAX - 1, Math.max(now, start));
    const fills = await executions(words, asked, { startTime: start, endTime: end });
    if (!fills.ok) return fills;
    const from = start;
    if (!fills.value.every((fill) => fill.time >= from && fill.time <= end)) return refused('malformed');
    found.push(...fills.value);
    start = end + 1;
  }
  return start > now ? ok(oldestFirst(found)) : refused('refused');
}

async function executions(
  { shape, ofList, complete = (_asked, rows) => Promise.resolve(ok(rows)) }: FillWords,
  asked: Asked,
  question: Readonly<Record<string, string | number>>,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const [calls, credentials, instrument] = asked;
  const listed = await readPages(calls, credentials, {
    path: '/v5/execution/list',
    requestClass: 'lookup',
    parameters: {
      ...{ category: shape.category, symbol: instrument.symbol, ...ofList },
      ...{ limit: FILLS_PER_PAGE, ...question },
    },
    read: (list) => rowsOf(list, asObject),
  });
  const rows = listed.ok ? await complete(asked, listed.value) : listed;
  if (!rows.ok) return rows;
  const fills = normaliseFills(shape, rows.value, instrument);
  return fills === undefined ? refused('malformed') : ok(fills);
}

/** Fills of one moment come in no particular order; a page may repeat what moved over its edge while it was read. */
function oldestFirst(fills: readonly VenueFill[]): readonly VenueFill[] {
  const known = new Map(fills.map((fill) => [fill.tradeId, fill]));
  return [...known.values()].sort((left, right) => left.time - right.time);
}
