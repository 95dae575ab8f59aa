import type { BookLevel, Lots, Ticks } from '@crossbook/domain';
import { asArray } from './guards.ts';
import { lotsOf, ticksOf } from './numbers.ts';
import type { ScaledInstrument } from './scaled-instruments.ts';

/** Levels of one side of one message; the largest snapshot of a venue has 5,000. */
const LEVELS_PER_MESSAGE_MAX = 10_000;

/**
 * One side of a book message: rows of decimal strings that begin with price and size.
 * @param fields how many fields a row of this venue has; another count is not the documented shape
 * @param kind a size of 0 removes a level in a delta and is malformed in a snapshot
 */
export function levelsOf(
  value: unknown,
  scales: ScaledInstrument,
  fields: number,
  kind: 'snapshot' | 'delta',
): BookLevel[] | undefined {
  const rows = asArray(value);
  if (rows === undefined || rows.length > LEVELS_PER_MESSAGE_MAX) return undefined;
  const levels: BookLevel[] = [];
  for (const entry of rows) {
    const row = asArray(entry);
    if (row === undefined || row.length !== fields) return undefined;
    const price = ticksOf(row[0], scales.tick);
    const size = lotsOf(row[1], scales);
    if (price === undefined || price === 0 || size === undefined) return undefined;
    if (size === 0 && kind === 'snapshot') return undefined;
    levels.push([price as Ticks, size as Lots]);
  }
  return levels;
}
