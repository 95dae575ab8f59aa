import type { RefusalCause } from '@crossbook/domain';
import { CAUSES as BINANCE, WORDED_CAUSES } from './binance/account/causes.ts';
import { CAUSES as BYBIT } from './bybit/account/causes.ts';
import { CAUSES as OKX } from './okx/account/causes.ts';

/** The codes of the exchanges have different shapes: none means two things. */
const TABLES = [BINANCE, OKX, BYBIT] as const;

/**
 * Why an exchange refused, in our names; `undefined` where its code has none.
 * @param code as the exchange wrote it; `undefined` where only words came.
 */
export function causeOfRefusal(code: string | undefined, words: string): RefusalCause | undefined {
  for (const table of TABLES) {
    const cause = code === undefined ? undefined : table.get(code);
    if (cause !== undefined) return cause;
  }
  // Words mean something where the code does not: those of another exchange are never read.
  if (code !== undefined && !/^-\d{4}$/.test(code)) return undefined;
  return WORDED_CAUSES.find(([known]) => known.test(words))?.[1];
}
