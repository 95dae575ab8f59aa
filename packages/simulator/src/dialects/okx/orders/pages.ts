import type { ParamReader } from '../params.ts';
import type { Dated } from './order-adapter.ts';

const PAGE_MAX = 100;
const ID = /^[0-9]{1,30}$/;

/** A page by ids: `after` asks for what is older than that one, `before` for what is newer. */
export interface Page {
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly begin: number;
  readonly end: number;
  readonly limit: number;
}

/** Reads one. */
export function readPage(reader: ParamReader): Page {
  return {
    after: reader.pattern('after', ID),
    before: reader.pattern('before', ID),
    begin: reader.time('begin') ?? 0,
    end: reader.time('end') ?? Number.MAX_SAFE_INTEGER,
    limit: reader.limit(PAGE_MAX, PAGE_MAX),
  };
}

/** Whether one stands before another in a list. */
function isNewer(one: Dated, other: Dated): boolean {
  return one.time === other.time ? one.id > other.id : one.time > other.time;
}

/** Where an id stands; one that is not known stands at its number alone, among things of the same moment. */
export type Locate = (id: string) => Dated | undefined;

/** The page of a list, newest first. */
export function cutPage<Item extends Dated>(
  items: readonly Item[],
  page: Page,
  locate: Locate,
): readonly Item[] {
  const after = page.after === undefined ? undefined : locate(page.after);
  const before = page.before === undefined ? undefined : locate(page.before);
  if (page.after !== undefined && after === undefined) return [];
  return items
    .filter((one) => one.time >= page.begin && one.time <= page.end)
    .filter(
      (one) => (after === undefined || isNewer(after, one)) && (before === undefined || isNewer(one, before)),
    )
    .sort((left, right) => (isNewer(left, right) ? -1 : 1))
    .slice(0, page.limit);
}
