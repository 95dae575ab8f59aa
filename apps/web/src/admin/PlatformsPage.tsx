import { type AdminPlatformRow, type AdminResponse, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, readOf, say } from '../stores/admin/admin-service.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Select.tsx';
import { Badge } from '../ui/states.tsx';
import { type Column, Table } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { byText } from './parts/by-text.ts';
import { readAgain } from './parts/PagedTable.tsx';
import { Part } from './parts/Part.tsx';
import { Reread, Unread } from './parts/Reading.tsx';
import { seconds } from './parts/seconds.ts';

type Said = AdminResponse<'x/admin/Platforms'>['history'][number];

/** Which platforms are open to new risk, and who has said so. */
export function PlatformsPage() {
  const t = useText();
  const self = useStore(adminSession, (state) => state.self);
  const [chosen, setChosen] = useState<AdminPlatformRow>();
  const query = useQuery(
    { queryKey: [ADMIN_KEY, 'platforms'], queryFn: () => readOf(adminCall('x/admin/Platforms', {})) },
    queryClient,
  );
  const mayChange = self !== undefined && !self.demo && mayCall('x/admin/PlatformClose', self.roles);
  const columns = usePlatformColumns(mayChange ? setChosen : undefined);
  const history = useHistoryColumns();
  if (query.data === undefined) return <Unread query={query} />;
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.platforms.lead')}</p>
      <Reread query={query} />
      <section className="rounded-md border border-line bg-panel">
        <Table
          label={t('admin.page.platforms')}
          columns={columns}
          rows={query.data.rows}
          rowKey={({ name }) => name}
          status="ready"
          empty={{ title: t('common.empty') }}
          failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: () => readAgain() }}
        />
      </section>
      <Part
        title={t('admin.platforms.history')}
        columns={history}
        rows={query.data.history}
        rowKey={({ id }) => id}
        empty={t('admin.platforms.never')}
      />
      {chosen !== undefined && <PlatformAct row={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function usePlatformColumns(
  onChange: ((row: AdminPlatformRow) => void) | undefined,
): readonly Column<AdminPlatformRow>[] {
  const t = useText();
  const locale = useLocale();
  const columns: Column<AdminPlatformRow>[] = [
    { id: 'name', head: t('admin.platform'), cell: ({ name }) => name },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ state }) => (
        <Badge tone={state === 'live' ? 'plain' : 'warning'}>{t(`admin.platforms.${state}`)}</Badge>
      ),
    },
    {
      id: 'byDefault',
      head: t('admin.platforms.byDefault'),
      cell: ({ byDefault }) => t(`admin.platforms.${byDefault}`),
      wideOnly: true,
    },
    { id: 'mode', head: t('admin.mode'), cell: ({ mode }) => t(`admin.mode.${mode}`), wideOnly: true },
    {
      id: 'book',
      head: t('admin.platforms.bookAge'),
      numeric: true,
      cell: ({ bookAgeMillis }) => seconds(bookAgeMillis),
      wideOnly: true,
    },
    {
      id: 'debts',
      head: t('admin.platforms.debts'),
      numeric: true,
      cell: ({ debts }) => debts.map(({ asset, amount }) => `${amount} ${asset}`).join(', ') || '-',
    },
    {
      id: 'checked',
      head: t('admin.balanceCheck'),
      numeric: true,
      cell: ({ balanceCheckAgeMillis }) => seconds(balanceCheckAgeMillis),
      wideOnly: true,
    },
    {
      id: 'said',
      head: t('admin.platforms.said'),
      cell: ({ said }) =>
        said === null ? '-' : `${formatDateTime(said.at, locale)} · ${byText(t, said.by)} · ${said.reason}`,
      wideOnly: true,
    },
  ];
  if (onChange === undefined) return columns;
  return [
    ...columns,
    {
      id: 'change',
      head: <span className="sr-only">{t('admin.platforms.change')}</span>,
      sticky: 'always',
      numeric: true,
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('admin.platforms.changeOne', { name: row.name })}
          onClick={() => onChange(row)}
        >
          {t('admin.platforms.change')}
        </Button>
      ),
    },
  ];
}

function useHistoryColumns(): readonly Column<Said>[] {
  const t = useText();
  const locale = useLocale();
  return [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    { id: 'name', head: t('admin.platform'), cell: ({ name }) => name },
    { id: 'state', head: t('common.status'), cell: ({ state }) => t(`admin.platforms.${state}`) },
    { id: 'by', head: t('admin.audit.actor'), cell: ({ by }) => byText(t, by), wideOnly: true },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => reason, wideOnly: true },
  ];
}

type Next = AdminPlatformRow['state'];

/** Closes a platform at once, or asks for it to be opened. */
function PlatformAct({ row, onClose }: { readonly row: AdminPlatformRow; readonly onClose: () => void }) {
  const t = useText();
  const offered = (['paused', 'coming-soon', 'live'] as const).filter(
    (state) => state !== row.state && (state !== 'live' || row.canOpen),
  );
  const [next, setNext] = useState<Next>(offered.includes('live') ? 'live' : (offered[0] ?? 'paused'));
  const { platformType, name } = row;
  return (
    <ActDialog
      title={t('admin.platforms.changeOne', { name })}
      lead={t(next === 'live' ? 'admin.platforms.openLead' : 'admin.platforms.closeLead', { name })}
      button={t(next === 'live' ? 'admin.platforms.ask' : 'admin.platforms.close')}
      danger={next !== 'live'}
      onAct={(reason) =>
        next === 'live'
          ? adminCall('x/admin/PlatformOpen', { platformType, reason })
          : adminCall('x/admin/PlatformClose', { platformType, state: next, reason })
      }
      onDone={() => {
        say(next === 'live' ? 'admin.asked' : 'admin.done');
        readAgain();
      }}
      onClose={onClose}
    >
      <Select
        label={t('admin.platforms.to')}
        value={next}
        options={offered.map((value) => ({ value, label: t(`admin.platforms.${value}`) }))}
        onChange={setNext}
      />
    </ActDialog>
  );
}
