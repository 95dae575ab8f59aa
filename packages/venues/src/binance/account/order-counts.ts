import { asCounter, asObject } from '../../wire/guards.ts';

/** How many orders the venue has counted for an account in its window under way (rest-api.md, "Unfilled order count"). */
export interface OrderCount {
  readonly windowMillis: number;
  readonly count: number;
}

const DAY_MILLIS = 86_400_000;
const UNIT_MILLIS: Readonly<Record<string, number>> = { S: 1_000, M: 60_000, H: 3_600_000, D: DAY_MILLIS };

/** The windows that Binance's headers name. */
const HEADERS = ['10s', '1m', '1d'];

/** Counts in the headers of a REST answer, whose names are in lower case. */
export function countsOfHeaders(headers: Readonly<Record<string, string>>): readonly OrderCount[] {
  return HEADERS.flatMap((window) => {
    const text = headers[`x-mbx-order-count-${window}`];
    const count = text === undefined ? undefined : asCounter(Number(text));
    return countOf(window.slice(-1).toUpperCase(), Number.parseInt(window, 10), count);
  });
}

/** Counts in the `rateLimits` of an answer of the WebSocket API. */
export function countsOfFrame(rateLimits: unknown): readonly OrderCount[] {
  if (!Array.isArray(rateLimits)) return [];
  return rateLimits.flatMap((entry) => {
    const limit = asObject(entry);
    if (limit?.rateLimitType !== 'ORDERS') return [];
    return countOf(String(limit.interval).slice(0, 1), asCounter(limit.intervalNum), asCounter(limit.count));
  });
}

function countOf(unit: string, units: number | undefined, count: number | undefined): readonly OrderCount[] {
  const unitMillis = UNIT_MILLIS[unit];
  if (unitMillis === undefined || units === undefined || count === undefined) return [];
  return [{ windowMillis: units * unitMillis, count }];
}

/** How long an account waits whose count of a day is used up: until the venue's next day. */
export function dayPauseMillis(counts: readonly OrderCount[], ordersMax: number, now: number): number {
  const full = counts.some(({ windowMillis, count }) => windowMillis === DAY_MILLIS && count >= ordersMax);
  return full ? DAY_MILLIS - (now % DAY_MILLIS) : 0;
}
