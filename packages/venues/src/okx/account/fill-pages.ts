import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type VenueFill,
  type VenueOrderId,
} from '@crossbook/domain';
import { failedRead } from '../../trading/call-answers.ts';
import type { OrderRoom } from '../../trading/order-room.ts';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import type { Asking, Call } from './calls.ts';
import { type ListedFill, normaliseFills, type OrderShape } from './order-shapes.ts';

const FILLS_PER_PAGE = 100;
/** Pages read for one question; an order of 10,000 fills has 100. */
const FILL_PAGES_MAX = 200;
/** `fills` reaches back three days; a question about an earlier time asks `fills-history` too. */
const RECENT_MILLIS_MAX = 2.5 * 86_400_000;
/** Our clock and the venue's may differ by so much. */
const SINCE_MARGIN_MILLIS = 1_000;

type FillList = Pick<Call, 'path' | 'limit'>;
const RECENT: FillList = { path: '/api/v5/trade/fills', limit: ACCOUNT_CALLS.fills };
const HISTORY: FillList = { path: '/api/v5/trade/fills-history', limit: ACCOUNT_CALLS.fillsHistory };

type Fills = Promise<Result<readonly VenueFill[], VenueReadFailure>>;

interface Question {
  readonly shape: OrderShape;
  readonly instrument: Instrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly belongs: (fill: VenueFill) => boolean;
}

/** The fills of one type of market. */
export function fillsIn(shape: OrderShape): Pick<OrderRoom<Asking>, 'fillsOfOrder' | 'fillsSince'> {
  return {
    fillsOfOrder: (...asked) => fillsOfOrder(shape, ...asked),
    fillsSince: (...asked) => fillsSince(shape, ...asked),
  };
}

/**
 * All fills of one order, oldest first. Nothing says how old the order is: the list of the last three days and the one
 * of the last months are both read, and only both together are an answer.
 */
function fillsOfOrder(
  shape: OrderShape,
  ...[calls, credentials, instrument, venueOrderId]: [Asking, VenueCredentials, Instrument, VenueOrderId]
): Fills {
  const question: Question = {
    ...{ shape, instrument },
    parameters: { ordId: venueOrderId },
    belongs: (fill) => fill.venueOrderId === venueOrderId,
  };
  return readBoth(calls, credentials, question, [RECENT, HISTORY]);
}

/** Fills of every order of an instrument since a moment of OUR clock (widened by a second for its error). */
function fillsSince(
  shape: OrderShape,
  ...[calls, credentials, instrument, since]: [Asking, VenueCredentials, Instrument, Millis]
): Fills {
  const begin = Math.max(0, calls.venueClock.toVenue(since) - SINCE_MARGIN_MILLIS);
  const recent = calls.venueClock.now() - begin < RECENT_MILLIS_MAX;
  const question: Question = {
    ...{ shape, instrument },
    parameters: { begin: String(begin) },
    belongs: (fill) => fill.time >= begin,
  };
  return readBoth(calls, credentials, question, recent ? [RECENT] : [RECENT, HISTORY]);
}

async function readBoth(
  calls: Asking,
  credentials: VenueCredentials,
  question: Question,
  lists: readonly FillList[],
): Fills {
  const byTrade = new Map<string, VenueFill>();
  for (const list of lists) {
    const fills = await readPages(calls, credentials, question, list);
    if (!fills.ok) return fills;
    // A trade has one fill of each order of ours that was in it.
    for (const fill of fills.value) byTrade.set(`${fill.tradeId} ${fill.venueOrderId}`, fill);
  }
  return ok([...byTrade.values()].sort((left, right) => left.time - right.time));
}

/** Pages newest first, linked by the id of the last row. A page that repeats what was read is not believed. */
async function readPages(
  calls: Asking,
  credentials: VenueCredentials,
  question: Question,
  list: FillList,
): Fills {
  const { shape, instrument, parameters, belongs } = question;
  const fills: VenueFill[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < FILL_PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      ...list,
      method: 'GET',
      requestClass: 'lookup',
      parameters: {
        instType: shape.instType,
        instId: instrument.symbol,
        ...parameters,
        limit: String(FILLS_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const rows = normaliseFills(shape, answer.rows, instrument);
    if (rows === undefined || !rows.every((row) => isNew(row, seen) && belongs(row.fill)))
      return refused('malformed');
    fills.push(...rows.map((row) => row.fill));
    if (rows.length < FILLS_PER_PAGE) return ok(fills);
    after = rows.at(-1)?.billId;
  }
  return refused('refused');
}

function isNew(row: ListedFill, seen: Set<string>): boolean {
  if (seen.has(row.billId)) return false;
  seen.add(row.billId);
  return true;
}
