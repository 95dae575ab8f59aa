import type { RefusalCause } from '@crossbook/domain';

/** What Binance's codes of contracts say in our names (USD-M error codes, 2026-07). */
export const CAUSES: ReadonlyMap<string, RefusalCause> = new Map([
  ...['-2018', '-2019'].map((code) => [code, 'balance-insufficient'] as const),
  ...['-4016', '-4024', '-4131'].map((code) => [code, 'price-band'] as const),
  ['-2027', 'tier-exceeded'],
  ['-4118', 'close-too-large'],
  ['-5022', 'post-only-crosses'],
  ['-4142', 'trigger-now'],
  ['-4045', 'algo-limit'],
  ['-2025', 'order-limit'],
  ['-4161', 'lower-leverage-isolated'],
  ...['-4047', '-4048', '-4067', '-4068'].map((code) => [code, 'mode-blocked'] as const),
  ['-2011', 'order-gone'],
  ...['-1003', '-1015'].map((code) => [code, 'rate-limit'] as const),
]);

/**
 * Codes that mean many things are told apart by their words: a filter by its name, -2010 by what the matching engine said, and
 * -2021 and -2022, which are half-done replacements on pairs (errors.md, 2026-07-21). A row that ended alone has the words only.
 */
export const WORDED_CAUSES: readonly (readonly [words: RegExp, cause: RefusalCause])[] = [
  [/insufficient balance|margin is insufficient/i, 'balance-insufficient'],
  [/PERCENT_PRICE/, 'price-band'],
  [/reduce.?only.*reject/i, 'nothing-to-reduce'],
  [/immediately match and take/i, 'post-only-crosses'],
  [/would (?:trigger immediately|immediately trigger)/i, 'trigger-now'],
  [/MAX_NUM_ALGO_ORDERS/, 'algo-limit'],
  [/MAX_NUM_ORDERS/, 'order-limit'],
];
