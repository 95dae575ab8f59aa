import { type Caller, type CloseRow, type OrderRow, type Refusal, refusalText } from '@crossbook/contract';
import { causeOfRefusal, LOCAL_CODES } from '@crossbook/venues/trading';
import { reasonOfRefusal, refusalOfOurs } from '../intents/venue-refusal.ts';

/** How an order that was too old stands in its row. */
const TOO_OLD = /^not sent: ([0-9]{1,15}) ms old, at most ([0-9]{1,9})$/;

/** How an exchange's refusal stands in a row: its code, then its words. */
const CODED = /^\[([\w ]{1,40}|-[0-9]{1,6})\] ?([\s\S]*)$/;
/** A reason that is nothing but a code: OKX and Bybit say so how a waiting order ended. */
const BARE_CODE = /^(?:[0-9]{5,7}|EC_[A-Za-z]{1,40})$/;
/** Binance has one code for all its filters: which one it was is part of the code. */
const FILTER = /^Filter failure: ([A-Z_]{1,40})/;
/** Shapes of what exchanges use as codes: anything else is none, whatever stands in that field. */
const CODE = /^(?:-?[0-9]{1,7}|HTTP [0-9]{3})$/;

/** How an order stands in its row that the exchange's countdown has cancelled. */
export const COUNTDOWN_REASON = 'countdown';

const OURS: ReadonlySet<string> = new Set(Object.values(LOCAL_CODES));

/** What is kept with an order that was held and then too old to be sent; both in ms. */
export function reasonOfAge(age: number, most: number): string {
  return `not sent: ${age} ms old, at most ${most}`;
}

/** Why an exchange refused, as it is kept with what was asked: its code stays with its words. */
export function keptReason(refused: {
  readonly venueCode: string;
  readonly message: string;
  readonly retryAfterMillis?: number | undefined;
}): string {
  const { venueCode, retryAfterMillis } = refused;
  const reason = reasonOfRefusal(refused);
  const ours = OURS.has(venueCode) || retryAfterMillis !== undefined || !CODE.test(venueCode);
  return ours ? reason : `[${venueCode}] ${reason}`;
}

/** A kept reason taken apart. */
function partsOf(reason: string): { readonly venueCode: string | undefined; readonly words: string } {
  if (BARE_CODE.test(reason)) return { venueCode: reason, words: '' };
  const [, venueCode, words = ''] = CODED.exec(reason) ?? [];
  if (venueCode === undefined) return { venueCode, words: reason };
  const filter = FILTER.exec(words)?.[1];
  return { venueCode: filter === undefined ? venueCode : `${venueCode} ${filter}`, words };
}

/**
 * What a row tells of why it ended. The words of an exchange are not repeated where its code is known: they may name addresses
 * and accounts that are the operator's.
 */
export function reportedReason(reason: string | undefined): Pick<OrderRow, 'reason' | 'refusal'> {
  if (reason === undefined) return { reason: null, refusal: null };
  if (reason === COUNTDOWN_REASON) return { reason: null, refusal: { cause: 'countdown', venueCode: null } };
  const { venueCode, words } = partsOf(reason);
  const cause = causeOfRefusal(venueCode, words) ?? null;
  if (venueCode === undefined)
    return { reason: words, refusal: cause === null ? null : { cause, venueCode: null } };
  return { reason: null, refusal: { cause, venueCode } };
}

/** The same as one row of an answer about many. */
export function reportedRefusal(
  refused: Refusal,
  { language }: Pick<Caller, 'language'>,
): Pick<CloseRow, 'reason' | 'venueCode'> {
  return { reason: refusalText(refused, language), venueCode: refused.venueCode ?? null };
}

/** What a member is told of it: what we refused is never told as a word of the exchange. */
export function refusalOfReason(
  reason: string | undefined,
  error: 'venue-refused' | 'setting-refused' | 'replaced-half' | 'replaced-back' = 'venue-refused',
): Refusal {
  const [, given, allowed] = TOO_OLD.exec(reason ?? '') ?? [];
  if (given !== undefined && allowed !== undefined) return { error: 'order-too-old', given, allowed };
  const ours = refusalOfOurs(reason);
  if (ours !== undefined) return ours;
  const { venueCode, words } = partsOf(reason ?? '');
  const cause = causeOfRefusal(venueCode, words);
  return {
    ...{ error, given: venueCode ?? words },
    ...(cause === undefined ? {} : { cause }),
    ...(venueCode === undefined ? {} : { venueCode }),
  };
}

/** Of a change neither of whose halves was taken: both reasons, each once. */
export function refusalOfReasons(change: string, back: string | undefined): Refusal {
  const [first, second] = [refusalOfReason(change, 'replaced-half'), refusalOfReason(back, 'replaced-half')];
  if (first.cause !== undefined && first.cause === second.cause) return first;
  return { error: 'replaced-half', given: `${first.given ?? ''}; ${second.given ?? ''}` };
}
