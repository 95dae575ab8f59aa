import {
  AMOUNT_MAX,
  type Amount,
  lesser,
  parseAmount,
  parseSignedAmount,
  parseSteps,
  type StepScale,
  ZERO,
} from '@crossbook/domain';
import { asArray } from './guards.ts';
import type { ScaledInstrument } from './scaled-instruments.ts';

/** Figures of venues to ours. All three venues write prices, sizes and money as decimal strings. */

/** Rows of one answer that are read; the largest pages have 1,000, an account some 700 assets. */
const ROWS_PER_ANSWER_MAX = 20_000;

/** A decimal string of at least 0. */
export function asAmount(value: unknown): Amount | undefined {
  return typeof value === 'string' ? parseAmount(value) : undefined;
}

/** A decimal string that may carry a minus sign: profit, funding, positions. */
export function asSignedAmount(value: unknown): Amount | undefined {
  return typeof value === 'string' ? parseSignedAmount(value) : undefined;
}

/** A price as whole ticks; `undefined` when it is no plain decimal string or lies between two ticks. */
export function ticksOf(value: unknown, scale: StepScale): number | undefined {
  return typeof value === 'string' ? parseSteps(value, scale) : undefined;
}

/**
 * A size as whole lots. Orders that rest since the venue made its lot coarser keep their old, finer size: the recorded
 * session of 2024-08-08 has 25.426189 BTC at a lot of 0.00001. Such a size is cut to whole lots, which is what can be
 * traded of it, but stays at least one lot because the level is there. (A price between two ticks is refused.)
 */
export function lotsOf(value: unknown, scales: ScaledInstrument): number | undefined {
  if (typeof value !== 'string') return undefined;
  const whole = parseSteps(value, scales.lot);
  if (whole !== undefined) return whole;
  const exact = parseAmount(value);
  if (exact === undefined || exact === ZERO) return undefined;
  const lots = Number(exact / scales.instrument.lotSize);
  return Number.isSafeInteger(lots) ? Math.max(lots, 1) : undefined;
}

/** Where the venue sets no upper bound: as many steps as a safe integer counts. */
export function largestCount(step: Amount): Amount {
  return lesser((BigInt(Number.MAX_SAFE_INTEGER) * step) as Amount, AMOUNT_MAX);
}

/** Reads a list row by row; `undefined` when the answer is no list or one row of it cannot be read. */
export function rowsOf<Row>(answer: unknown, read: (row: unknown) => Row | undefined): Row[] | undefined {
  const rows = asArray(answer);
  if (rows === undefined || rows.length > ROWS_PER_ANSWER_MAX) return undefined;
  const values: Row[] = [];
  for (const row of rows) {
    const value = read(row);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
