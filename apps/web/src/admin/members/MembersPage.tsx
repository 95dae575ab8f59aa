import type { AdminMemberRow } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, readOf } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Badge } from '../../ui/states.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { openColumn, PagedTable, usePages } from '../parts/PagedTable.tsx';
import { equityText } from './equity-text.ts';
import { MemberDialog } from './MemberDialog.tsx';

/** Members: found by id, whole contact or the beginning of a nickname. */
export function MembersPage() {
  const t = useText();
  const locale = useLocale();
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const [frozen, setFrozen] = useState(false);
  const [open, setOpen] = useState<number>();
  const pages = usePages<AdminMemberRow>(['members', query, frozen], (cursor) =>
    readOf(
      adminCall('x/admin/MemberSearch', {
        ...{ limit: 50, ...(query === '' ? {} : { query }), ...(frozen ? { frozen } : {}) },
        ...(cursor === undefined ? {} : { cursor }),
      }),
    ),
  );
  const columns: readonly Column<AdminMemberRow>[] = [
    { id: 'id', head: t('admin.member.id'), cell: ({ id }) => id },
    { id: 'nickname', head: t('admin.member.nickname'), cell: ({ nickname }) => nickname },
    { id: 'email', head: t('admin.email'), cell: ({ email }) => email },
    { id: 'mobile', head: t('admin.member.mobile'), cell: ({ mobile }) => mobile ?? '-', wideOnly: true },
    { id: 'country', head: t('admin.member.country'), cell: ({ country }) => country ?? '-', wideOnly: true },
    { id: 'tier', head: t('admin.member.tier'), numeric: true, cell: ({ tier }) => tier, wideOnly: true },
    {
      id: 'kyc',
      head: t('admin.member.kyc'),
      cell: ({ kyc }) => t(`admin.member.kyc.${kyc}`),
      wideOnly: true,
    },
    {
      id: 'equity',
      head: t('admin.member.equity'),
      numeric: true,
      cell: equityText,
      wideOnly: true,
    },
    {
      id: 'lastLogin',
      head: t('admin.member.lastLogin'),
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? '-' : formatDateTime(lastLoginAt, locale)),
      wideOnly: true,
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: (row) => (row.frozen ? <Badge tone="warning">{t('admin.member.frozen')}</Badge> : '-'),
    },
    openColumn(
      t,
      ({ id }) => t('admin.openMember', { id }),
      ({ id }) => setOpen(id),
    ),
  ];
  return (
    <>
      <PagedTable
        label={t('admin.page.members')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => String(id)}
        above={
          <form
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setQuery(typed.trim());
            }}
          >
            <Field
              label={t('admin.search')}
              className="w-72 max-w-full"
              value={typed}
              maxLength={254}
              placeholder={t('admin.searchHint')}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" className="h-10">
              {t('admin.find')}
            </Button>
            <Checkbox
              checked={frozen}
              onChange={(event) => setFrozen(event.target.checked)}
              label={t('admin.member.frozenOnly')}
            />
          </form>
        }
      />
      {open !== undefined && <MemberDialog member={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
