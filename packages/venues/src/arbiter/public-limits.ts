import type { SymbolType } from '@crossbook/domain';
import type { Cost } from './limit-scope.ts';

/** A public call as it is about to be asked. */
export interface PublicQuestion {
  readonly market: SymbolType;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What an answer of the venue says about its limits. */
export interface HeardLimits {
  /** The venue's own count of the window under way. */
  readonly used?: number;
  /** How long the venue wants silence, ms. */
  readonly pauseMillis?: number;
}

/** A ban lasts at most three days (Binance, rest-api.md, "IP limits"); a larger figure is believed nowhere. */
const RETRY_AFTER_SECONDS_MAX = 3 * 24 * 3_600;

/** The `Retry-After` of an answer in ms, at least a second; a date, which no venue sends, is not read. */
export function retryAfterMillis(header: (name: string) => string | null): number | undefined {
  const given = header('retry-after');
  if (given === null || !/^[0-9]{1,9}$/.test(given)) return undefined;
  return Math.min(Math.max(Number(given), 1), RETRY_AFTER_SECONDS_MAX) * 1_000;
}

/** What a venue's public calls use of its limits. */
export interface PublicLimits {
  /** At least one; the first is the one that `heard` speaks of. */
  costs(question: PublicQuestion): readonly Cost[];
  /** @param header reads a header by its name in lower case; null where it is absent. */
  heard(status: number, header: (name: string) => string | null): HeardLimits;
}
