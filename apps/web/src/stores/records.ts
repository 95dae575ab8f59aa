import type { FillRow, OrderRow, TransferRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { call } from './own-service.ts';

/** One page of records; `next` is where the following one starts, absent on the last. */
export interface RecordPage<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
}

/** Which records: one platform, one symbol or all of them. */
export interface RecordFilter {
  readonly platform: Platform;
  readonly symbol?: string | undefined;
}

/** Rows of a page on screen. */
export const PAGE_ROWS = 50;
/** Rows of a page while exporting: the largest the service gives. */
export const EXPORT_PAGE_ROWS = 200;
/** Pages an export reads before it stops: 20,000 rows. */
export const EXPORT_PAGES_MAX = 100;

/** Reads a page. Rejects when there was no usable answer, so that the query shows its error state. */
export type ReadPage<Row> = (cursor: string | undefined, limit: number) => Promise<RecordPage<Row>>;

async function pageOf<Row>(
  answer: Promise<{ ok: true; data: RecordPage<Row> } | { ok: false }>,
): Promise<RecordPage<Row>> {
  const result = await answer;
  if (!result.ok) throw new Error('the page was not answered');
  return result.data;
}

function asked(filter: RecordFilter, cursor: string | undefined, limit: number) {
  return { platformType: platformFacts(filter.platform).platformType, symbol: filter.symbol, limit, cursor };
}

/** Reads orders, newest first. */
export function readOrders(filter: RecordFilter): ReadPage<OrderRow> {
  return (cursor, limit) =>
    pageOf(call('connextrade/OrderHistory', asked(filter, cursor, limit), { quiet: true }));
}

/** Reads fills, newest first. */
export function readFills(filter: RecordFilter): ReadPage<FillRow> {
  return (cursor, limit) => pageOf(call('x/trade/Fills', asked(filter, cursor, limit), { quiet: true }));
}

/** Reads transfers between wallets, newest first. */
export const readTransfers: ReadPage<TransferRow> = (cursor, limit) =>
  pageOf(call('connexfunding/UniversalTransferHistory', { limit, cursor }, { quiet: true }));

/** Reads every page for an export; rejects when one of them fails, so that no half export looks whole. */
export async function readAll<Row>(read: ReadPage<Row>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < EXPORT_PAGES_MAX; pages += 1) {
    const page = await read(cursor, EXPORT_PAGE_ROWS);
    rows.push(...page.rows);
    cursor = page.next;
    if (cursor === undefined) return rows;
  }
  throw new Error(`more than ${EXPORT_PAGES_MAX} pages`);
}
