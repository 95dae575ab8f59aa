import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceOf } from '../../../calculators/user-agent.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { type MessageId, type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import {
  type LogInPage,
  type MemberSecurity,
  type MemberSession,
  readLogIns,
  readSessions,
  SECURITY_KEY,
} from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge, StaleBadge } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/tables/Table.tsx';
import { EndDialog, type Ending } from './EndDialog.tsx';

/** How a table that is read once stands. */
export function statusOf({ data, isError }: { readonly data: unknown; readonly isError: boolean }) {
  if (data !== undefined) return 'ready';
  return isError ? 'failed' : 'loading';
}

function sessionColumns(
  t: Text,
  locale: string,
  onEnd: (id: string) => void,
): readonly Column<MemberSession>[] {
  return [
    {
      id: 'device',
      head: t('security.sessions.device'),
      cell: ({ userAgent }) => <span title={userAgent}>{deviceOf(userAgent) || '-'}</span>,
    },
    { id: 'address', head: t('security.sessions.address'), cell: ({ address }) => address },
    {
      id: 'since',
      head: t('security.sessions.since'),
      cell: ({ createdAt }) => formatDateTime(createdAt, locale),
      wideOnly: true,
    },
    {
      id: 'until',
      head: t('security.sessions.until'),
      cell: ({ expiresAt }) => formatDateTime(expiresAt, locale),
      wideOnly: true,
    },
    {
      id: 'act',
      head: <span className="sr-only">{t('security.sessions.end')}</span>,
      numeric: true,
      cell: ({ id, current }) =>
        current ? (
          <Badge tone="up">{t('security.sessions.current')}</Badge>
        ) : (
          <Button size="small" onClick={() => onEnd(id)}>
            {t('security.sessions.end')}
          </Button>
        ),
    },
  ];
}

/** Where the member is logged in, to end one or all others. */
export function Sessions({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const [ending, setEnding] = useState<Ending>();
  const query = useQuery(
    { queryKey: [SECURITY_KEY, 'sessions', security.tid], queryFn: readSessions },
    queryClient,
  );
  const rows = query.data ?? [];
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <h2 className="mr-auto text-base font-medium">{t('security.sessions.title')}</h2>
        {query.isError && query.data !== undefined && <StaleBadge text={t('security.stale')} />}
        {rows.length > 1 && (
          <Button size="small" onClick={() => setEnding({ what: 'others', id: '' })}>
            {t('security.sessions.endAll')}
          </Button>
        )}
      </div>
      <Table
        label={t('security.sessions.title')}
        columns={sessionColumns(t, locale, (id) => setEnding({ what: 'session', id }))}
        rows={rows}
        rowKey={({ id }) => id}
        status={statusOf(query)}
        empty={{ title: t('common.empty') }}
        failure={{
          title: t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void query.refetch(),
        }}
      />
      {ending !== undefined && (
        <EndDialog security={security} ending={ending} onClose={() => setEnding(undefined)} />
      )}
    </section>
  );
}

type LogInRow = LogInPage['rows'][number];

/** What proved who it was: `pwd otp` as words. */
function factorsOf(t: Text, factors: string): string {
  const ids: Readonly<Record<string, MessageId>> = {
    pwd: 'security.factor.pwd',
    code: 'security.factor.code',
    otp: 'security.factor.otp',
    recovery: 'security.factor.recovery',
    passkey: 'security.factor.passkey',
    oidc: 'security.factor.oidc',
    demo: 'demo.name',
  };
  return factors
    .split(' ')
    .map((name) => (ids[name] === undefined ? name : t(ids[name])))
    .join(', ');
}

function logInColumns(t: Text, locale: string): readonly Column<LogInRow>[] {
  return [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    {
      id: 'device',
      head: t('security.sessions.device'),
      cell: ({ userAgent }) => <span title={userAgent}>{deviceOf(userAgent) || '-'}</span>,
    },
    { id: 'address', head: t('security.sessions.address'), cell: ({ address }) => address },
    {
      id: 'factors',
      head: t('security.logIns.factors'),
      cell: ({ factors }) => factorsOf(t, factors),
      wideOnly: true,
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ ended }) => t(ended ? 'security.logIns.ended' : 'security.logIns.live'),
      wideOnly: true,
    },
  ];
}

/** Log-ins of the last 30 days, those that are over too. */
export function LogIns({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const query = useInfiniteQuery(
    {
      queryKey: [SECURITY_KEY, 'log-ins', security.tid],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam }) => readLogIns(pageParam),
      getNextPageParam: (page) => page.next ?? undefined,
    },
    queryClient,
  );
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <h2 className="px-4 py-3 text-base font-medium">{t('security.logIns.title')}</h2>
      <Table
        label={t('security.logIns.title')}
        columns={logInColumns(t, locale)}
        rows={rows}
        rowKey={(row) => `${row.at} ${rows.indexOf(row)}`}
        status={statusOf(query)}
        empty={{ title: t('common.empty') }}
        failure={{
          title: t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void query.refetch(),
        }}
      />
      {query.hasNextPage && (
        <Button
          className="m-3 self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('content.more')}
        </Button>
      )}
    </section>
  );
}
