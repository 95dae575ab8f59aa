import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deviceOf } from '../../../calculators/user-agent.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { type MessageId, type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import {
  type LogInPage,
  type MemberDevice,
  type MemberSecurity,
  type MemberSession,
  readDevices,
  readLogIns,
  readSessions,
  SECURITY_KEY,
} from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/tables/Table.tsx';
import { QueryTable, type Reading, Stale } from '../../fields/QueryTable.tsx';
import { EndDialog, type Ending } from './EndDialog.tsx';

/** Which browser it was, from where. */
function whereColumns<Row extends Pick<MemberSession, 'userAgent' | 'address'>>(
  t: Text,
): readonly Column<Row>[] {
  return [
    {
      id: 'device',
      head: t('security.sessions.device'),
      cell: ({ userAgent }) => <span title={userAgent}>{deviceOf(userAgent) || '-'}</span>,
    },
    { id: 'address', head: t('security.sessions.address'), cell: ({ address }) => address },
  ];
}

/** What is logged in or trusted: since and until when, and how it is ended; not the one that is used now. */
function endableColumns<Row extends Pick<MemberSession, 'id' | 'current' | 'userAgent' | 'address'>>(
  t: Text,
  times: readonly { readonly id: string; readonly head: MessageId; readonly at: (row: Row) => string }[],
  end: { readonly word: MessageId; readonly onEnd: (id: string) => void },
): readonly Column<Row>[] {
  return [
    ...whereColumns<Row>(t),
    ...times.map(({ id, head, at }) => ({ id, head: t(head), cell: at, wideOnly: true })),
    {
      id: 'act',
      head: <span className="sr-only">{t(end.word)}</span>,
      numeric: true,
      cell: ({ id, current }) =>
        current ? (
          <Badge tone="up">{t('security.sessions.current')}</Badge>
        ) : (
          <Button size="small" onClick={() => end.onEnd(id)}>
            {t(end.word)}
          </Button>
        ),
    },
  ];
}

/** A table of the security page under its heading. */
function AccessTable<Row>(props: {
  readonly title: string;
  readonly about?: string;
  readonly act?: ReactNode;
  readonly query: Reading;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly children?: ReactNode;
}) {
  const { title, about, act, children, ...table } = props;
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-3">
        <h2 className="mr-auto text-base font-medium">{title}</h2>
        <Stale query={props.query} />
        {act}
        {about !== undefined && <p className="w-full text-xs text-faint">{about}</p>}
      </div>
      <QueryTable label={title} {...table} />
      {children}
    </section>
  );
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
  const columns = endableColumns<MemberSession>(
    t,
    [
      {
        ...{ id: 'since', head: 'security.sessions.since' },
        at: ({ createdAt }) => formatDateTime(createdAt, locale),
      },
      {
        ...{ id: 'seen', head: 'security.sessions.seen' },
        at: ({ seenAt }) => formatDateTime(seenAt, locale),
      },
      {
        ...{ id: 'until', head: 'security.sessions.until' },
        at: ({ expiresAt }) => formatDateTime(expiresAt, locale),
      },
    ],
    { word: 'security.sessions.end', onEnd: (id) => setEnding({ what: 'session', id }) },
  );
  const endAll = (
    <Button size="small" onClick={() => setEnding({ what: 'others', id: '' })}>
      {t('security.sessions.endAll')}
    </Button>
  );
  return (
    <AccessTable
      title={t('security.sessions.title')}
      act={rows.length > 1 && endAll}
      {...{ query, columns, rows }}
      rowKey={({ id }) => id}
    >
      {ending !== undefined && (
        <EndDialog security={security} ending={ending} onClose={() => setEnding(undefined)} />
      )}
    </AccessTable>
  );
}

/** Browsers that are asked for no mailed code, to forget one that is lost. */
export function Devices({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const [forgetting, setForgetting] = useState<string>();
  const query = useQuery(
    { queryKey: [SECURITY_KEY, 'devices', security.tid], queryFn: readDevices },
    queryClient,
  );
  const columns = endableColumns<MemberDevice>(
    t,
    [
      {
        ...{ id: 'last', head: 'security.devices.last' },
        at: ({ lastLoginAt }) => formatDateTime(lastLoginAt, locale),
      },
      {
        ...{ id: 'until', head: 'security.devices.until' },
        at: ({ trustedUntil }) => formatDateTime(trustedUntil, locale),
      },
    ],
    { word: 'security.devices.forget', onEnd: setForgetting },
  );
  return (
    <AccessTable
      title={t('security.devices.title')}
      about={t('security.devices.about')}
      {...{ query, columns, rows: query.data ?? [] }}
      rowKey={({ id }) => id}
    >
      {forgetting !== undefined && (
        <EndDialog
          security={security}
          ending={{ what: 'device', id: forgetting }}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </AccessTable>
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
    ...whereColumns<LogInRow>(t),
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
    <AccessTable
      title={t('security.logIns.title')}
      {...{ query, columns: logInColumns(t, locale), rows }}
      rowKey={(row) => `${row.at} ${rows.indexOf(row)}`}
    >
      {query.hasNextPage && (
        <Button
          className="m-3 self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('content.more')}
        </Button>
      )}
    </AccessTable>
  );
}
