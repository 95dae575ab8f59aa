import type { SymbolType } from '@crossbook/domain';
import { type AnswerWith, MESSAGE_LENGTH_MAX, provenRefusal } from '../../trading/call-answers.ts';
import type { VenueRefusal } from '../../venue-answers.ts';
import { asCounter, asObject, parseJson } from '../../wire/guards.ts';
import { asVenueError } from '../wire.ts';
import { isDefinitive, type VenueError } from './errors.ts';
import { countsOfFrame, type OrderCount } from './order-counts.ts';

/** What came back from one call, whichever way it went. */
export type CallAnswer = AnswerWith<
  { readonly value: unknown; readonly orderCounts?: readonly OrderCount[] },
  {
    readonly error: VenueError;
    readonly retryAfterMillis?: number;
    /** The venue's own counts of the account's orders, where it says so. */
    readonly orderCounts?: readonly OrderCount[];
    /** What it says besides its code: of a replacement, what became of both orders. */
    readonly data?: unknown;
  }
>;

/** Reads an HTTP answer. A body that is no JSON proves nothing, except behind a status that does by itself. */
export function answerOfHttp(status: number, text: string, retryAfter: string | undefined): CallAnswer {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    return body === undefined ? { kind: 'lost', why: 'unreadable answer' } : { kind: 'result', value: body };
  }
  const named = asVenueError(body);
  const error = { status, code: named?.code, message: (named?.message ?? '').slice(0, MESSAGE_LENGTH_MAX) };
  const seconds = retryAfter === undefined ? undefined : Number(retryAfter);
  const retryAfterMillis = seconds !== undefined && seconds >= 0 ? seconds * 1_000 : undefined;
  const data = asObject(body)?.data;
  return {
    ...{ kind: 'error', error },
    ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
    ...(data === undefined ? {} : { data }),
  };
}

/** What the answer to several orders says of one of them: the order, or its error. */
export function answerOfItem(row: unknown): CallAnswer {
  const named = asVenueError(row);
  if (named === undefined) return { kind: 'result', value: row };
  const message = named.message.slice(0, MESSAGE_LENGTH_MAX);
  return { kind: 'error', error: { status: 400, code: named.code, message } };
}

/** One answer frame of the WebSocket API. */
export interface SocketAnswer {
  readonly id: string;
  readonly answer: CallAnswer;
  /** The venue's own count of request weight in this minute, where it says so. */
  readonly usedWeight?: number;
}

/** Reads a frame of the WebSocket API; `undefined` when it answers no request of ours (an event, or damaged). */
export function answerOfSocket(text: string, venueNow: number): SocketAnswer | undefined {
  const frame = asObject(parseJson(text));
  if (frame === undefined || typeof frame.id !== 'string') return undefined;
  const { id } = frame;
  const used = usedWeightOf(frame.rateLimits);
  const orderCounts = countsOfFrame(frame.rateLimits);
  const wrap = (read: CallAnswer): SocketAnswer => {
    const answer = withCounts(read, orderCounts);
    return used === undefined ? { id, answer } : { id, answer, usedWeight: used };
  };
  const status = asCounter(frame.status);
  if (status === undefined) return wrap({ kind: 'lost', why: 'unreadable answer' });
  if (status >= 200 && status < 300) return wrap({ kind: 'result', value: frame.result });
  const named = asVenueError(frame.error);
  const error = { status, code: named?.code, message: (named?.message ?? '').slice(0, MESSAGE_LENGTH_MAX) };
  // On this transport the time to wait is a moment of the venue's clock: error.data.retryAfter.
  const data = asObject(frame.error)?.data;
  const until = asCounter(asObject(data)?.retryAfter);
  if (until === undefined) return wrap({ kind: 'error', error, ...(data === undefined ? {} : { data }) });
  return wrap({ kind: 'error', error, retryAfterMillis: Math.max(until - venueNow, 0) });
}

/** An answer with the venue's counts of orders, where there are any. */
export function withCounts(answer: CallAnswer, orderCounts: readonly OrderCount[]): CallAnswer {
  const counted = answer.kind === 'result' || answer.kind === 'error';
  return counted && orderCounts.length > 0 ? { ...answer, orderCounts } : answer;
}

function usedWeightOf(rateLimits: unknown): number | undefined {
  if (!Array.isArray(rateLimits)) return undefined;
  for (const entry of rateLimits) {
    const limit = asObject(entry);
    if (limit?.rateLimitType === 'REQUEST_WEIGHT' && limit.interval === 'MINUTE')
      return asCounter(limit.count);
  }
  return undefined;
}

/** A refusal that proves that nothing happened, or `undefined`; codes mean different things of pairs and contracts. */
export function refusalOf(answer: CallAnswer, market: SymbolType = 'SPOT'): VenueRefusal | undefined {
  return provenRefusal(answer, answer.kind === 'error' && isDefinitive(answer.error, market));
}
