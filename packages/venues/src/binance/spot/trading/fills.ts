import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type VenueFill,
  type VenueOrderId,
} from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import { type Asking, type Call, readCall } from '../../account/calls.ts';
import type { CallParameters } from '../../account/sign.ts';
import { normaliseFills } from './normalise.ts';

/** Rows of one page of fills, and how many pages are read for one question. */
const FILLS_PER_PAGE = 1_000;
const FILL_PAGES_MAX = 100;

/** All fills of one order, however many pages. */
export function listFillsOfOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  venueOrderId: VenueOrderId,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  return fillPages(calls, credentials, instrument, {
    weight: 5,
    first: { orderId: Number(venueOrderId) },
    later: { orderId: Number(venueOrderId) },
    belongs: (fill) => fill.venueOrderId === venueOrderId,
  });
}

/** Fills of every order of an instrument since a moment of OUR clock (widened by a second for its error). */
export function listFillsSince(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  since: Millis,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const startTime = Math.max(0, calls.venueClock.toVenue(since) - SINCE_MARGIN_MILLIS);
  return fillPages(calls, credentials, instrument, {
    weight: 20,
    first: { startTime },
    // `startTime` and `fromId` do not go together (rest-api.md, myTrades).
    later: {},
    belongs: (fill) => fill.time >= startTime,
  });
}

const SINCE_MARGIN_MILLIS = 1_000;

interface FillQuestion {
  readonly weight: number;
  readonly first: CallParameters;
  readonly later: CallParameters;
  readonly belongs: (fill: VenueFill) => boolean;
}

async function fillPages(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  question: FillQuestion,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const fills: VenueFill[] = [];
  let from = -1;
  for (let page = 0; page < FILL_PAGES_MAX; page += 1) {
    const place = from < 0 ? question.first : { ...question.later, fromId: from };
    const call: Call = {
      socketMethod: 'myTrades',
      method: 'GET',
      path: '/api/v3/myTrades',
      weight: question.weight,
      requestClass: 'lookup',
      parameters: { symbol: instrument.symbol, limit: FILLS_PER_PAGE, ...place },
    };
    const rows = await readCall(calls, credentials, call, (answer) => normaliseFills(answer, instrument));
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
