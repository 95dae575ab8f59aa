import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceOf } from '../../../calculators/user-agent.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import {
  type MemberDevice,
  type MemberSecurity,
  readDevices,
  SECURITY_KEY,
} from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge, StaleBadge } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/tables/Table.tsx';
import { EndDialog } from './EndDialog.tsx';
import { statusOf } from './SessionTables.tsx';

function deviceColumns(
  t: Text,
  locale: string,
  onForget: (id: string) => void,
): readonly Column<MemberDevice>[] {
  return [
    {
      id: 'device',
      head: t('security.sessions.device'),
      cell: ({ userAgent }) => <span title={userAgent}>{deviceOf(userAgent) || '-'}</span>,
    },
    { id: 'address', head: t('security.sessions.address'), cell: ({ address }) => address },
    {
      id: 'last',
      head: t('security.devices.last'),
      cell: ({ lastLoginAt }) => formatDateTime(lastLoginAt, locale),
      wideOnly: true,
    },
    {
      id: 'until',
      head: t('security.devices.until'),
      cell: ({ trustedUntil }) => formatDateTime(trustedUntil, locale),
      wideOnly: true,
    },
    {
      id: 'act',
      head: <span className="sr-only">{t('security.devices.forget')}</span>,
      numeric: true,
      cell: ({ id, current }) =>
        current ? (
          <Badge tone="up">{t('security.sessions.current')}</Badge>
        ) : (
          <Button size="small" onClick={() => onForget(id)}>
            {t('security.devices.forget')}
          </Button>
        ),
    },
  ];
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
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-3">
        <h2 className="mr-auto text-base font-medium">{t('security.devices.title')}</h2>
        {query.isError && query.data !== undefined && <StaleBadge text={t('security.stale')} />}
        <p className="w-full text-xs text-faint">{t('security.devices.about')}</p>
      </div>
      <Table
        label={t('security.devices.title')}
        columns={deviceColumns(t, locale, setForgetting)}
        rows={query.data ?? []}
        rowKey={({ id }) => id}
        status={statusOf(query)}
        empty={{ title: t('common.empty') }}
        failure={{
          title: t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void query.refetch(),
        }}
      />
      {forgetting !== undefined && (
        <EndDialog
          security={security}
          ending={{ what: 'device', id: forgetting }}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </section>
  );
}
