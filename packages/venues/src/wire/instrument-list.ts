import type { Instrument } from '@crossbook/domain';
import { asArray, asObject, type WireObject } from './guards.ts';

/** What a listing yields. `skipped` counts rows of ours that could not be read. */
export interface InstrumentList {
  readonly instruments: readonly Instrument[];
  readonly skipped: number;
}

/**
 * Reads the rows of a listing. What is not ours is left out; one unreadable row is skipped and counted and does not
 * blind the rest.
 * @returns `undefined` when the rows are no list.
 */
export function listInstruments(
  rows: unknown,
  isOurs: (row: WireObject) => boolean,
  read: (row: WireObject) => Instrument | undefined,
): InstrumentList | undefined {
  const known = asArray(rows)
    ?.map(asObject)
    .filter((row) => row === undefined || isOurs(row));
  if (known === undefined) return undefined;
  const instruments = known.flatMap((row) => (row === undefined ? [] : (read(row) ?? [])));
  return { instruments, skipped: known.length - instruments.length };
}
