import type { BookChange, Millis, PublicTrade, Seq } from '@crossbook/domain';
import type { PerpStats } from '../../venue-public.ts';
import { asCounter, asDecimalText, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import type { ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { normaliseBookDelta, normaliseBookSnapshot, normaliseStreamTrade } from '../market/normalise.ts';

/**
 * What USD-M futures say otherwise than spot; all else is read by the rooms of spot. Pure, and `undefined` for
 * anything that is not exactly the documented shape.
 * Source: the official connector's types; recorded sessions of 2021 and 2024.
 */

/**
 * `depthUpdate` with `pu`, the last update id of the message before. The change covers `(pu, u]` (see
 * `binanceFuturesContinuity`); a message whose ids do not rise pu < U <= u is damaged.
 */
export function normaliseFuturesDelta(
  data: WireObject,
  scales: ScaledInstrument,
  receivedAt: Millis,
): BookChange | undefined {
  const previous = asCounter(data.pu);
  const change = normaliseBookDelta(data, scales, receivedAt);
  if (previous === undefined || change === undefined || previous >= change.firstSeq) return undefined;
  return { ...change, firstSeq: (previous + 1) as Seq };
}

/** A REST depth answer; unlike spot's it carries the time of the venue. */
export function normaliseFuturesSnapshot(
  answer: unknown,
  scales: ScaledInstrument,
  receivedAt: Millis,
): BookChange | undefined {
  const snapshot = normaliseBookSnapshot(answer, scales, receivedAt);
  const time = asCounter(asObject(answer)?.E);
  return snapshot === undefined || time === undefined ? undefined : { ...snapshot, time: time as Millis };
}

/**
 * `@trade`. Trades outside the book (`X` other than MARKET: insurance fund, settlement) may carry price and size 0
 * and are none of the tape's.
 * @returns `off-book` for those.
 */
export function normaliseFuturesTrade(
  data: WireObject,
  scales: ScaledInstrument,
): PublicTrade | 'off-book' | undefined {
  if (data.X === undefined || data.X === 'MARKET') return normaliseStreamTrade(data, scales);
  return asText(data.X) === undefined ? undefined : 'off-book';
}

/** What one contract has beside its last price: mark, index and funding. */
export interface Premium {
  readonly symbol: string;
  readonly stats: PerpStats;
}

/** `markPriceUpdate`. */
export function normaliseStreamPremium(data: WireObject): Premium | undefined {
  const { s: symbol, p: mark, i: index, r: rate, T: nextFunding } = data;
  return premiumOf({ symbol, mark, index, rate, nextFunding });
}

/** One object of `premiumIndex`. */
export function normalisePremium(answer: unknown): Premium | undefined {
  const object = asObject(answer);
  if (object === undefined) return undefined;
  const { symbol, markPrice: mark, indexPrice: index, lastFundingRate: rate } = object;
  return premiumOf({ symbol, mark, index, rate, nextFunding: object.nextFundingTime });
}

/** A `premiumIndex` answer for all contracts, by symbol. */
export function normalisePremiums(answer: unknown): ReadonlyMap<string, PerpStats> | undefined {
  const premiums = rowsOf(answer, normalisePremium);
  return premiums && new Map(premiums.map(({ symbol, stats }) => [symbol, stats]));
}

/** An answer of `openInterest`: `{openInterest, symbol, time}`, in base coins, of the asked contract only. */
export function normaliseOpenInterest(answer: unknown, symbol: string): string | undefined {
  const object = asObject(answer);
  const value = asDecimalText(object?.openInterest);
  return object?.symbol === symbol && value?.startsWith('-') === false ? value : undefined;
}

/** Contracts without funding (dated ones) send an empty rate and the time 0: absent, not zero. */
function premiumOf(fields: Readonly<Record<string, unknown>>): Premium | undefined {
  const symbol = asText(fields.symbol);
  const markPrice = asDecimalText(fields.mark);
  const indexPrice = asDecimalText(fields.index);
  const fundingRate = fields.rate === '' ? undefined : asDecimalText(fields.rate);
  const nextFundingTime = asCounter(fields.nextFunding);
  if (symbol === undefined || markPrice === undefined || indexPrice === undefined) return undefined;
  if (nextFundingTime === undefined || (fundingRate === undefined && fields.rate !== '')) return undefined;
  const funding = fundingRate === undefined ? {} : { fundingRate };
  const next = nextFundingTime === 0 ? {} : { nextFundingTime: nextFundingTime as Millis };
  return { symbol, stats: { markPrice, indexPrice, ...funding, ...next } };
}
