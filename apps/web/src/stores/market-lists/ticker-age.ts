import type { Platform, SymbolType } from '@crossbook/domain';
import { readKey, refreshMillis, type TickersRead } from './tickers.ts';

/** A list that missed this many reads is old: its rows are dimmed and its age is told. */
const READS_MISSED_MAX = 3;

/** One of a platform's lists whose figures are old. */
export interface OldList {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  /** Whole seconds since it was last read; `undefined` when it never was. */
  readonly ageSeconds: number | undefined;
}

/**
 * How old a list is.
 * @returns its age where it is too old to be shown as current, or has failed before it was ever read.
 */
export function oldList(
  list: { readonly platform: Platform; readonly symbolType: SymbolType },
  reads: ReadonlyMap<string, TickersRead>,
  time: number,
): OldList | undefined {
  const read = reads.get(readKey(list.platform, list.symbolType));
  if (read === undefined) return undefined;
  if (read.at === undefined) return read.failing ? { ...list, ageSeconds: undefined } : undefined;
  const age = time - read.at;
  if (age < READS_MISSED_MAX * refreshMillis()) return undefined;
  return { ...list, ageSeconds: Math.floor(age / 1_000) };
}
