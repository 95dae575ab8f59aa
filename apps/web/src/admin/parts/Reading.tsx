import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useText } from '../../i18n/i18n.ts';
import { ADMIN_KEY } from '../../stores/admin/admin-service.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, Skeleton, StaleBadge } from '../../ui/states.tsx';

/** What is read by being looked at: one look is one entry of the log, so nothing is read again by itself, and nothing is kept. */
export function useLook<Data>(key: readonly string[], read: () => Promise<Data>): UseQueryResult<Data> {
  return useQuery(
    {
      ...{ queryKey: [ADMIN_KEY, ...key], queryFn: read },
      ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
      ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
    },
    queryClient,
  );
}

type Query = Pick<UseQueryResult<unknown>, 'error' | 'isError' | 'isFetching' | 'refetch'>;

/** What stands where nothing has been read: that it is on its way, or why it did not come. */
export function Unread({ query, height = 'h-60' }: { readonly query: Query; readonly height?: string }) {
  const t = useText();
  if (!query.isError)
    return (
      <div aria-busy="true">
        <Skeleton className={`${height} w-full`} />
      </div>
    );
  return (
    <ErrorState
      title={query.error?.message ?? t('common.failed')}
      retry={t('common.retry')}
      onRetry={() => void query.refetch()}
    />
  );
}

/** Above what was read: reads it again, and says where that failed. */
export function Reread({ query }: { readonly query: Query }) {
  const t = useText();
  return (
    <div className="flex items-center gap-2">
      {query.isError && <StaleBadge text={t('admin.stale')} />}
      <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
        {t('common.refresh')}
      </Button>
    </div>
  );
}
