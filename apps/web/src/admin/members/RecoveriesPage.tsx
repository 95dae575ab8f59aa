import type { AdminRecoveryRow } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, readOf } from '../../stores/admin/admin-service.ts';
import { Badge } from '../../ui/states.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { openColumn, PagedTable, usePages } from '../parts/PagedTable.tsx';
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
    openColumn<AdminRecoveryRow>(t, ({ member: id }) => t('admin.recovery.open', { id }), setOpen),
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
