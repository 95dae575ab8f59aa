import { ok, refused } from '@crossbook/domain';
import type { RequestClass } from '../../arbiter/request-class.ts';
import { failedRead } from '../../trading/call-answers.ts';
import type { VenueCredentials, VenueRead } from '../../venue-answers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { asCursor } from '../wire.ts';
import type { Asking, Call } from './calls.ts';

/** Pages read for one question; an order of 10,000 fills has 100. */
const PAGES_MAX = 200;

/** A list that the venue cuts into pages linked by a cursor. */
export interface PagedQuestion<Row> {
  readonly path: string;
  readonly requestClass: RequestClass;
  readonly parameters: Call['parameters'];
  /** Rows of one page's `list`; `undefined` for any other shape. */
  readonly read: (list: unknown) => readonly Row[] | undefined;
}

/** Reads all pages, in the order of the venue (newest first). A cursor that comes back is not believed. */
export async function readPages<Row>(
  calls: Asking,
  credentials: VenueCredentials,
  question: PagedQuestion<Row>,
): Promise<VenueRead<readonly Row[]>> {
  const rows: Row[] = [];
  const cursors = new Set<string>(['']);
  let cursor = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      method: 'GET',
      path: question.path,
      requestClass: question.requestClass,
      limit: ACCOUNT_CALLS.read,
      parameters: { ...question.parameters, ...(cursor === '' ? {} : { cursor }) },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const list = question.read(answer.value.list);
    const next = asCursor(answer.value.nextPageCursor);
    if (list === undefined || next === undefined) return refused('malformed');
    rows.push(...list);
    // The last page may name a cursor all the same; the one after it is empty.
    if (next === '' || list.length === 0) return ok(rows);
    if (cursors.has(next)) return refused('malformed');
    cursors.add(next);
    cursor = next;
  }
  return refused('refused');
}
