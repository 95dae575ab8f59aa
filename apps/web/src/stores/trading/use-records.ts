import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { queryClient } from '../app/query-client.ts';
import { sessionStore } from '../member/session.ts';
import { PAGE_ROWS, type ReadPage } from './records.ts';

/** Records page by page for a table. */
export interface Records<Row> {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/**
 * Reads records page by page.
 * @param key names the records and their filter; a change reads afresh.
 * @param version rises when something happened to them: the pages on screen are read again.
 */
export function useRecords<Row>(key: readonly unknown[], read: ReadPage<Row>, version: number): Records<Row> {
  // Another member's pages are other pages.
  const member = useStore(sessionStore, ({ tid }) => tid);
  const query = useInfiniteQuery(
    {
      queryKey: [member, ...key],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam }) => read(pageParam, PAGE_ROWS),
      getNextPageParam: (page) => page.next,
    },
    queryClient,
  );
  const { refetch } = query;
  useEffect(() => {
    if (version > 0) void refetch();
  }, [version, refetch]);
  return {
    status: query.data !== undefined ? 'ready' : query.isError ? 'failed' : 'loading',
    rows: query.data?.pages.flatMap((page) => page.rows) ?? [],
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void refetch(),
  };
}
