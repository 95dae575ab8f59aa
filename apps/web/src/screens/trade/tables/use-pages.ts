import { useCallback, useEffect, useRef, useState } from 'react';
import { PAGE_ROWS, type ReadPage } from '../../../stores/trading/records.ts';

/** Rows read so far. */
export interface PagedRows<Row> {
  readonly rows: readonly Row[];
  readonly status: 'loading' | 'ready' | 'failed';
  /** Every row there is has been read. */
  readonly whole: boolean;
  /** Reads the next page, if there is one. */
  readonly more: () => void;
  readonly retry: () => void;
}

/** Rows kept in a panel; more are on the history screen. */
const PANEL_ROWS_MAX = 2_000;

const EVENT_BURST_MILLIS = 150;

/**
 * Reads a list page by page. A change of `version` (an event of the member) or of `read` starts from the first page again;
 * rows on screen stay until the answer is there.
 * @param read one page; rejects when it could not be read. Must be stable while its parameters are.
 */
export function usePages<Row>(read: ReadPage<Row>, version: unknown): PagedRows<Row> {
  const [state, setState] = useState<Pick<PagedRows<Row>, 'rows' | 'status' | 'whole'>>({
    rows: [],
    status: 'loading',
    whole: false,
  });
  const next = useRef<string>(undefined);
  const turn = useRef(0);

  const load = useCallback(
    async (cursor: string | undefined) => {
      turn.current += 1;
      const mine = turn.current;
      const page = await read(cursor, PAGE_ROWS).catch(() => undefined);
      // A newer request was made meanwhile: this answer is of no use.
      if (turn.current !== mine) return;
      if (page === undefined) {
        setState((before) => ({ ...before, status: before.rows.length > 0 ? 'ready' : 'failed' }));
        return;
      }
      next.current = page.next;
      setState((before) => ({
        rows: cursor === undefined ? page.rows : [...before.rows, ...page.rows].slice(0, PANEL_ROWS_MAX),
        status: 'ready',
        whole: page.next === undefined,
      }));
    },
    [read],
  );

  // Other parameters: the rows so far answer another question.
  useEffect(() => {
    setState({ rows: [], status: 'loading', whole: false });
    void load(undefined);
    return () => {
      turn.current += 1;
    };
  }, [load]);
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    // Events come in bursts (three fills of one order): one read answers them all.
    const timer = setTimeout(() => void load(undefined), EVENT_BURST_MILLIS);
    return () => clearTimeout(timer);
  }, [load, version]);

  const more = useCallback(() => {
    const cursor = next.current;
    if (cursor === undefined) return;
    next.current = undefined;
    void load(cursor);
  }, [load]);
  const retry = useCallback(() => {
    setState((before) => ({ ...before, status: 'loading' }));
    void load(undefined);
  }, [load]);
  return { ...state, more, retry };
}
