import type { AdminRecoveryRow } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, readOf } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/states.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { PagedTable, usePages } from '../parts/PagedTable.tsx';
import { RecoveryDialog } from './RecoveryDialog.tsx';

/** Members who have lost what proves them and ask to be let in by a new contact, the oldest first. */
export function RecoveriesPage() {
  const t = useText();
  const locale = useLocale();
  const [open, setOpen] = useState<AdminRecoveryRow>();
  const pages = usePages<AdminRecoveryRow>(['recoveries'], (cursor) =>
    readOf(adminCall('x/admin/Recoveries', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const columns: readonly Column<AdminRecoveryRow>[] = [
    {
      id: 'at',
      head: t('admin.kyc.since'),
      cell: ({ askedAt }) => formatDateTime(askedAt, locale),
      wideOnly: true,
    },
    { id: 'member', head: t('admin.member.id'), cell: ({ member }) => member },
    { id: 'nickname', head: t('admin.member.nickname'), cell: ({ nickname }) => nickname, wideOnly: true },
    { id: 'contact', head: t('admin.recovery.contact'), cell: ({ contact }) => contact, wideOnly: true },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ state }) => (
        <Badge tone={state === 'asked' ? 'warning' : 'plain'}>{t(`admin.recovery.${state}`)}</Badge>
      ),
    },
    {
      id: 'due',
      head: t('admin.recovery.due'),
      cell: ({ dueAt }) => (dueAt === null ? '-' : formatDateTime(dueAt, locale)),
      wideOnly: true,
    },
    {
      id: 'open',
      head: <span className="sr-only">{t('admin.open')}</span>,
      sticky: 'always',
      numeric: true,
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('admin.recovery.open', { id: row.member })}
          onClick={() => setOpen(row)}
        >
          {t('admin.open')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.recovery.lead')}</p>
      <PagedTable
        label={t('admin.page.recoveries')}
        none={t('admin.recovery.none')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
      />
      {open !== undefined && <RecoveryDialog row={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
