import type {
  AlgoRow,
  ClosedPositionRow,
  FillRow,
  FundingRow,
  PastOrderRow,
  TransferRow,
} from '@crossbook/contract';
import { type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { call } from '../member/own-service.ts';

/** One page of records; `next` is where the following one starts, absent on the last. */
export interface RecordPage<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
}

/** Which records: of these platforms together; one symbol, which only one platform names so, or all of them. */
export interface RecordFilter {
  readonly platforms: readonly Platform[];
  readonly symbol?: string | undefined;
  /** Absent = both: Binance and Bybit name a pair and a perpetual alike. */
  readonly symbolType?: SymbolType | undefined;
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

/** What one list still has to give: rows that were read and not shown, and where its next page starts. */
interface Rest<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
}

/** The rest of a list, read on until a whole page can be cut from it or it ends. */
async function filled<Row>(read: ReadPage<Row>, rest: Rest<Row>, limit: number): Promise<Rest<Row>> {
  if (rest.next === undefined || rest.rows.length >= limit) return rest;
  const page = await read(rest.next === '' ? undefined : rest.next, limit);
  return { rows: [...rest.rows, ...page.rows], next: page.next };
}

/** Takes the newest row of all lists. Rows of one list keep their order. */
function takeNewest<Row>(lists: readonly Row[][], timeOf: (row: Row) => number): Row | undefined {
  let newest: Row[] | undefined;
  let at = Number.NEGATIVE_INFINITY;
  for (const list of lists) {
    const [first] = list;
    if (first === undefined || timeOf(first) <= at) continue;
    newest = list;
    at = timeOf(first);
  }
  return newest?.shift();
}

/**
 * Several lists, each newest first, as one. Its cursor carries what was read of the others and not shown yet, so a page
 * is right however far apart the lists are in time. One list that cannot be read fails the page: half never looks whole.
 */
export function mergePages<Row>(
  reads: readonly ReadPage<Row>[],
  timeOf: (row: Row) => number,
): ReadPage<Row> {
  const [only] = reads;
  if (only !== undefined && reads.length === 1) return only;
  return async (cursor, limit) => {
    // An empty cursor is the start of a list; an absent one its end.
    const before: readonly Rest<Row>[] =
      cursor === undefined ? reads.map(() => ({ rows: [], next: '' })) : JSON.parse(cursor);
    const rests = await Promise.all(reads.map((read, at) => filled(read, before[at] ?? { rows: [] }, limit)));
    const lists = rests.map(({ rows }) => [...rows]);
    const rows: Row[] = [];
    for (let row = takeNewest(lists, timeOf); row !== undefined; row = takeNewest(lists, timeOf)) {
      rows.push(row);
      if (rows.length === limit) break;
    }
    const after = rests.map(({ next }, at) => ({ rows: lists[at] ?? [], next }));
    const over = after.every((rest) => rest.rows.length === 0 && rest.next === undefined);
    return over ? { rows } : { rows, next: JSON.stringify(after) };
  };
}

interface AskedPage {
  readonly limit: number;
  readonly cursor: string | undefined;
}

function asked(platform: Platform, symbol: string | undefined, page: AskedPage) {
  return { platformType: platformFacts(platform).platformType, symbol, ...page };
}

function typed(platform: Platform, { symbol, symbolType }: RecordFilter, page: AskedPage) {
  const tinstType = symbolType === undefined ? undefined : symbolType === 'SPOT' ? 1 : 2;
  return { ...asked(platform, symbol, page), tinstType } as const;
}

/** Reads orders, newest first. */
export function readOrders(filter: RecordFilter): ReadPage<PastOrderRow> {
  const reads = filter.platforms.map(
    (platform): ReadPage<PastOrderRow> =>
      (cursor, limit) =>
        pageOf(call('connextrade/OrderHistory', typed(platform, filter, { limit, cursor }), { quiet: true })),
  );
  return mergePages(reads, (row) => row.createdAt);
}

/** Reads orders that wait for a price, with those that are done, newest first. */
export function readAlgos(filter: RecordFilter): ReadPage<AlgoRow> {
  const reads = filter.platforms.map(
    (platform): ReadPage<AlgoRow> =>
      (cursor, limit) =>
        pageOf(
          call('connextrade/AlgoOrderHistory', typed(platform, filter, { limit, cursor }), { quiet: true }),
        ),
  );
  return mergePages(reads, (row) => row.createdAt);
}

/** Reads fills, newest first. */
export function readFills(filter: RecordFilter): ReadPage<FillRow> {
  const reads = filter.platforms.map(
    (platform): ReadPage<FillRow> =>
      (cursor, limit) =>
        pageOf(call('x/trade/Fills', typed(platform, filter, { limit, cursor }), { quiet: true })),
  );
  return mergePages(reads, (row) => row.time);
}

/** Reads positions from opening to flat, newest first. */
export function readClosedPositions({ platforms, symbol }: RecordFilter): ReadPage<ClosedPositionRow> {
  const reads = platforms.map(
    (platform): ReadPage<ClosedPositionRow> =>
      (cursor, limit) =>
        pageOf(
          call('connextrade/PositionHistory', asked(platform, symbol, { limit, cursor }), { quiet: true }),
        ),
  );
  return mergePages(reads, (row) => row.closedAt);
}

/** Reads payments of funding, newest first. */
export function readFunding({ platforms, symbol }: RecordFilter): ReadPage<FundingRow> {
  const reads = platforms.map(
    (platform): ReadPage<FundingRow> =>
      (cursor, limit) =>
        pageOf(call('x/trade/FundingHistory', asked(platform, symbol, { limit, cursor }), { quiet: true })),
  );
  return mergePages(reads, (row) => row.time);
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
