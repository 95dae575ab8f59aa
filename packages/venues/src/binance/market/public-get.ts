import { type Candle, type CandleInterval, type Millis, ok, type Result, refused } from '@crossbook/domain';
import type { FetchText, MarketDataFailure } from '../../venue-public.ts';
import { parseJson } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { asVenueError } from '../wire.ts';

/** What a public REST call of Binance needs and does alike in spot and futures. */

const INVALID_SYMBOL = -1121;

/** One GET; `read` answers `undefined` for any shape that is not the documented one. Never throws. */
export type PublicGet = <Value>(
  path: string,
  parameters: Readonly<Record<string, string | number>>,
  read: (answer: unknown) => Value | undefined,
) => Promise<Result<Value, MarketDataFailure>>;

/** Makes the call over the fetch that is handed in. */
export function createPublicGet(restBase: string, fetchText: FetchText): PublicGet {
  return async (path, parameters, read) => {
    let answer: { readonly status: number; readonly text: string };
    try {
      answer = await fetchText(publicUrl(restBase, path, parameters));
    } catch {
      return refused('network');
    }
    const body = parseJson(answer.text);
    if (answer.status !== 200) return refused(failureOf(body));
    const value = read(body);
    return value === undefined ? refused('malformed') : ok(value);
  };
}

function failureOf(body: unknown): MarketDataFailure {
  const error = asVenueError(body);
  if (error === undefined) return 'http-status';
  return error.code === INVALID_SYMBOL ? 'unknown-symbol' : 'venue-error';
}

/** The venue's `endTime` is inclusive and compared with the opening time; ours is exclusive. */
export function candleParameters(
  symbol: string,
  interval: CandleInterval,
  page: { readonly limit: number; readonly endTime?: Millis },
  limitMax: number,
): Readonly<Record<string, string | number>> {
  const parameters = { symbol, interval, limit: clamp(page.limit, limitMax) };
  return page.endTime === undefined ? parameters : { ...parameters, endTime: page.endTime - 1 };
}

/** A bar at or after the asked end is not what was asked for: such an answer is not trusted. */
export function candlesBefore(
  candles: readonly Candle[] | undefined,
  endTime: Millis | undefined,
): readonly Candle[] | undefined {
  const newest = candles?.at(-1);
  return newest !== undefined && endTime !== undefined && newest.time >= endTime ? undefined : candles;
}

/** The value where it is of the asked symbol; an answer about another one is not trusted. */
export function ofSymbol<Value extends { readonly symbol: string }>(
  value: Value | undefined,
  symbol: string,
): Value | undefined {
  return value?.symbol === symbol ? value : undefined;
}

/** A whole number of rows between 1 and what the venue allows. */
export function clamp(limit: number, limitMax: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), limitMax);
}
