import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type SymbolType,
  type VenueFill,
  type VenueOrderId,
} from '@crossbook/domain';
import type { OrderRoom } from '../../trading/order-room.ts';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import { type Asking, type Call, readCall } from './calls.ts';
import type { CallParameters } from './sign.ts';

/** Rows of one page of fills, and how many pages are read for one question. */
const FILLS_PER_PAGE = 1_000;
const FILL_PAGES_MAX = 100;
const SINCE_MARGIN_MILLIS = 1_000;

/** The list of an account's fills in one type of market. */
export interface FillWords {
  readonly market: SymbolType;
  readonly list: Pick<Call, 'socketMethod' | 'path'>;
  readonly weights: { readonly ofOrder: number; readonly ofInstrument: number };
  /** The list gives no more than so much after `startTime`, ms; absent where it has no such window. */
  readonly windowMillisMax?: number;
  read(answer: unknown, instrument: Instrument): VenueFill[] | undefined;
}

type Fills = Promise<Result<readonly VenueFill[], VenueReadFailure>>;
type Asked = readonly [calls: Asking, credentials: VenueCredentials, instrument: Instrument];

/** What is asked of fills. */
export function fillsIn(words: FillWords): Pick<OrderRoom<Asking>, 'fillsOfOrder' | 'fillsSince'> {
  return {
    fillsOfOrder: (calls, credentials, instrument, venueOrderId) =>
      fillsOfOrder(words, [calls, credentials, instrument], venueOrderId),
    fillsSince: (calls, credentials, instrument, since) =>
      fillsSince(words, [calls, credentials, instrument], since),
  };
}

/** All fills of one order, however many pages. */
function fillsOfOrder(words: FillWords, asked: Asked, venueOrderId: VenueOrderId): Fills {
  const orderId = Number(venueOrderId);
  return fillPages(words, asked, {
    weight: words.weights.ofOrder,
    first: { orderId },
    later: { orderId },
    belongs: (fill) => fill.venueOrderId === venueOrderId,
  });
}

/** Fills of every order of an instrument since a moment of OUR clock (widened by a second for its error). */
async function fillsSince(words: FillWords, asked: Asked, since: Millis): Fills {
  const [{ venueClock }] = asked;
  const start = Math.max(0, venueClock.toVenue(since) - SINCE_MARGIN_MILLIS);
  const window = words.windowMillisMax ?? Number.POSITIVE_INFINITY;
  const fills = new Map<string, VenueFill>();
  let startTime = start;
  do {
    const from = startTime;
    const found = await fillPages(words, asked, {
      weight: words.weights.ofInstrument,
      first: { startTime: from },
      // `startTime` and `fromId` do not go together; from an id on, the list has no window.
      later: {},
      belongs: (fill) => fill.time >= from,
    });
    if (!found.ok) return found;
    for (const fill of found.value) fills.set(fill.tradeId, fill);
    startTime += window;
  } while (startTime <= venueClock.now());
  return ok([...fills.values()]);
}

interface FillQuestion {
  readonly weight: number;
  readonly first: CallParameters;
  readonly later: CallParameters;
  readonly belongs: (fill: VenueFill) => boolean;
}

async function fillPages(
  { market, list, read }: FillWords,
  [calls, credentials, instrument]: Asked,
  question: FillQuestion,
): Fills {
  const fills: VenueFill[] = [];
  let from = -1;
  for (let page = 0; page < FILL_PAGES_MAX; page += 1) {
    const place = from < 0 ? question.first : { ...question.later, fromId: from };
    const call: Call = {
      ...list,
      market,
      method: 'GET',
      weight: question.weight,
      requestClass: 'lookup',
      parameters: { symbol: instrument.symbol, limit: FILLS_PER_PAGE, ...place },
    };
    const rows = await readCall(calls, credentials, call, (answer) => read(answer, instrument));
    if (!rows.ok) return rows;
    // A page that holds what was not asked for, or that does not move on, is not believed.
    if (!rows.value.every((fill) => question.belongs(fill) && Number(fill.tradeId) >= from))
      return refused('malformed');
    fills.push(...rows.value);
    if (rows.value.length < FILLS_PER_PAGE) return ok(fills);
    from = Math.max(...rows.value.map((fill) => Number(fill.tradeId))) + 1;
  }
  return refused('refused');
}
