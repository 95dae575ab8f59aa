import type { AdminKycRow } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, readOf } from '../../stores/admin/admin-service.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { openColumn, PagedTable, readAgain, usePages } from '../parts/PagedTable.tsx';
import { Duplicates } from './Duplicates.tsx';
import { KycCaseDialog } from './KycCaseDialog.tsx';

/** Whoever closes a case has it no longer. One that is decided is nobody's any more, and what is not given back ends by itself. */
async function giveBack(id: string): Promise<void> {
  await adminCall('x/admin/KycRelease', { case: id });
  // Somebody else may have decided meanwhile.
  readAgain('kyc');
}

/** Members whose papers wait, the longest waiting first. */
export function KycPage() {
  const t = useText();
  const locale = useLocale();
  const [open, setOpen] = useState<AdminKycRow>();
  const pages = usePages<AdminKycRow>(['kyc'], (cursor) =>
    readOf(adminCall('x/admin/KycQueue', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const columns: readonly Column<AdminKycRow>[] = [
    { id: 'at', head: t('admin.kyc.since'), cell: ({ submittedAt }) => formatDateTime(submittedAt, locale) },
    { id: 'member', head: t('admin.member.id'), cell: ({ member }) => member },
    {
      id: 'nickname',
      head: t('admin.member.nickname'),
      cell: ({ nickname }) => nickname,
      wideOnly: true,
    },
    { id: 'country', head: t('admin.member.country'), cell: ({ country }) => country, wideOnly: true },
    {
      id: 'document',
      head: t('admin.kyc.document'),
      cell: ({ documentKind }) => t(`admin.kyc.document.${documentKind}`),
      wideOnly: true,
    },
    { id: 'attempt', head: t('admin.kyc.attempt'), cell: ({ attempt }) => attempt, wideOnly: true },
    {
      id: 'duplicates',
      head: t('admin.kyc.duplicates'),
      cell: ({ duplicates }) => <Duplicates count={duplicates} />,
      wideOnly: true,
    },
    {
      id: 'claimed',
      head: t('admin.kyc.claimedBy'),
      cell: ({ claimedBy }) =>
        claimedBy === null ? '-' : <span className="whitespace-normal break-all">{claimedBy}</span>,
      // Whoever opens it on a phone is told.
      wideOnly: true,
    },
    openColumn<AdminKycRow>(t, ({ member: id }) => t('admin.kyc.open', { id }), setOpen),
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.kyc.lead')}</p>
      <PagedTable
        label={t('admin.page.kyc')}
        none={t('admin.kyc.none')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
      />
      {open !== undefined && (
        <KycCaseDialog
          row={open}
          onClose={() => {
            setOpen(undefined);
            void giveBack(open.id);
          }}
        />
      )}
    </>
  );
}
