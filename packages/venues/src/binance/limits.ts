import type { SymbolType } from '@crossbook/domain';
import { type Cost, HOST_USE, type LimitScope } from '../arbiter/limit-scope.ts';
import { type PublicLimits, type PublicQuestion, retryAfterMillis } from '../arbiter/public-limits.ts';

/** Request weight of our address at the spot host, all calls and both transports together (rest-api.md, "IP limits"). */
const SPOT_HOST: LimitScope = {
  name: 'spot host',
  weightMax: 6_000,
  windowMillis: 60_000,
  window: 'fixed',
  shared: HOST_USE,
};

/** The same at the host of USD-M futures, which counts apart (exchangeInfo, `rateLimits`). */
const FUTURES_HOST: LimitScope = {
  name: 'futures host',
  weightMax: 2_400,
  windowMillis: 60_000,
  window: 'fixed',
  shared: HOST_USE,
};

/** The budget of our address at the host of each type of market. */
export const HOSTS: Readonly<Record<SymbolType, LimitScope>> = { SPOT: SPOT_HOST, SWAP: FUTURES_HOST };

const ordersOf = (name: string, weightMax: number, windowMillis: number): LimitScope => ({
  ...{ name, weightMax, windowMillis },
  window: 'rolling',
});

/**
 * Orders placed by one account: 100 in each ten seconds of the venue's clock for pairs (rest-api.md, "Unfilled order
 * count"), 300 and 1,200 a minute for contracts (exchangeInfo). Ours are counted over the last ten seconds and a few are
 * kept back, because requests are under way when a window of the venue begins. The venue's own counts are believed where
 * they are higher.
 */
export const ACCOUNT_ORDERS: Readonly<Record<SymbolType, readonly [LimitScope, ...LimitScope[]]>> = {
  SPOT: [ordersOf('orders', 95, 10_000)],
  SWAP: [ordersOf('contract orders', 290, 10_000), ordersOf('contract orders of a minute', 1_150, 60_000)],
};

/** 200,000 orders of pairs in the venue's day (exchangeInfo), which only its own count knows; a few are kept back. */
export const ORDERS_PER_DAY_MAX = 199_900;

/** How long to stay quiet after a 429, 418 or 403 that names no time. */
const PAUSE_MILLIS_DEFAULT = 10_000;
/** A ban lasts at most three days (rest-api.md, "IP limits"); a larger figure is not believed. */
const PAUSE_MILLIS_MAX = 3 * 24 * 3_600_000;

/** How long the venue wants silence, where a status asks for it. */
export function pauseMillis(status: number, retryAfterMillis: number | undefined): number | undefined {
  if (status !== 429 && status !== 418 && status !== 403) return undefined;
  return Math.min(retryAfterMillis ?? PAUSE_MILLIS_DEFAULT, PAUSE_MILLIS_MAX);
}

/** Weights of public calls: by rows for depth, by whether one symbol is named for the rest. */
const SPOT_WEIGHTS: readonly [RegExp, (query: URLSearchParams) => number][] = [
  [
    /\/depth$/,
    (query) =>
      byRows(query, 100, [
        [100, 5],
        [500, 25],
        [1_000, 50],
        [5_000, 250],
      ]),
  ],
  [/\/(?:trades|historicalTrades)$/, () => 25],
  [/\/aggTrades$/, () => 4],
  [/\/exchangeInfo$/, () => 20],
  [/\/ticker\/(?:price|bookTicker)$/, (query) => (query.has('symbol') ? 2 : 4)],
  [/\/ticker(?:\/(?:24hr|tradingDay))?$/, (query) => (query.has('symbol') ? 2 : 80)],
  [/\/(?:klines|uiKlines|avgPrice)$/, () => 2],
];
const FUTURES_WEIGHTS: readonly [RegExp, (query: URLSearchParams) => number][] = [
  [
    /\/depth$/,
    (query) =>
      byRows(query, 500, [
        [50, 2],
        [100, 5],
        [500, 10],
        [1_000, 20],
      ]),
  ],
  [/\/trades$/, () => 5],
  [/\/aggTrades$/, () => 20],
  [
    /[kK]lines$/,
    (query) =>
      byRows(query, 500, [
        [99, 1],
        [499, 2],
        [1_000, 5],
        [1_500, 10],
      ]),
  ],
  [/\/ticker\/(?:price|bookTicker)$/, (query) => (query.has('symbol') ? 1 : 2)],
  [/\/ticker\/24hr$/, (query) => (query.has('symbol') ? 1 : 40)],
  [/\/premiumIndex$/, (query) => (query.has('symbol') ? 1 : 10)],
];

function byRows(
  query: URLSearchParams,
  usual: number,
  steps: readonly (readonly [number, number])[],
): number {
  const rows = Number(query.get('limit') ?? usual);
  const step = steps.find(([most]) => rows <= most) ?? steps.at(-1);
  return step?.[1] ?? 1;
}

/** The limits of Binance's public calls. */
export const BINANCE_PUBLIC_LIMITS: PublicLimits = {
  costs({ market, path, query }: PublicQuestion): readonly Cost[] {
    const weights = market === 'SPOT' ? SPOT_WEIGHTS : FUTURES_WEIGHTS;
    const weight = weights.find(([pattern]) => pattern.test(path))?.[1](query) ?? 1;
    return [{ scope: HOSTS[market], key: '', weight }];
  },
  heard: (status, header) => {
    const used = header('x-mbx-used-weight-1m');
    const pause = pauseMillis(status, retryAfterMillis(header));
    return {
      ...(used === null ? {} : { used: Number(used) }),
      ...(pause === undefined ? {} : { pauseMillis: pause }),
    };
  },
};
