import { invalid } from './errors.ts';
import type { ParamReader } from './params.ts';

const CURSOR = /^([0-9]{1,16})_([0-9]{1,24})$/;

/** A moment and an id: what a list is sorted by, newest first, and where its next page begins. */
export interface Place {
  readonly time: number;
  readonly id: bigint;
}

/** An item with its place. */
export interface Placed<Item> extends Place {
  readonly item: Item;
}

/** What part of a list is asked for. */
export interface Page {
  readonly limit: number;
  readonly after: Place | undefined;
}

/** How long a page may be, and where it begins. */
export function readPage(reader: ParamReader, fallback: number, most: number): Page {
  const limit = reader.limit(fallback, most);
  const cursor = reader.text('cursor');
  if (cursor === undefined) return { limit, after: undefined };
  const match = CURSOR.exec(cursor);
  if (match === null) reader.refuse(invalid('cursor'));
  return { limit, after: { time: Number(match?.[1] ?? 0), id: BigInt(match?.[2] ?? 0) } };
}

/** Sorts the newest first. */
export function newestFirst(left: Place, right: Place): number {
  if (left.time !== right.time) return right.time - left.time;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

/** One page of a list, newest first; the cursor is empty at the end. */
export function cutPage<Item>(
  all: readonly Placed<Item>[],
  { limit, after }: Page,
): { readonly items: readonly Item[]; readonly nextPageCursor: string } {
  const sorted = [...all].sort(newestFirst);
  const left = after === undefined ? sorted : sorted.filter((one) => newestFirst(after, one) < 0);
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const more = left.length > shown.length && last !== undefined;
  return {
    items: shown.map((one) => one.item),
    nextPageCursor: more ? `${last.time}_${last.id}` : '',
  };
}
