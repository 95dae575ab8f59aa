import type { AdminReferralRow } from '@crossbook/contract';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { adminCall, readOf } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { openColumn, PagedTable, usePages } from '../parts/PagedTable.tsx';
import { MemberDialog } from './MemberDialog.tsx';

const BPS_OF_PERCENT = 100;

/** Who brings others: codes, rates, and what waits to be paid. A code is granted on the page of its member. */
export function ReferralsPage() {
  const t = useText();
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<number>();
  const pages = usePages<AdminReferralRow>(['referrals', query], (cursor) =>
    readOf(
      adminCall('x/admin/Referrals', {
        ...{ limit: 50, ...(query === '' ? {} : { query }) },
        ...(cursor === undefined ? {} : { cursor }),
      }),
    ),
  );
  const columns: readonly Column<AdminReferralRow>[] = [
    { id: 'member', head: t('admin.member.id'), cell: ({ member }) => member },
    { id: 'nickname', head: t('admin.member.nickname'), cell: ({ nickname }) => nickname, wideOnly: true },
    { id: 'code', head: t('admin.member.referral'), cell: ({ code }) => code, wideOnly: true },
    { id: 'kol', head: t('admin.member.kol'), cell: ({ kolCode }) => kolCode ?? '-' },
    {
      id: 'rate',
      head: t('admin.referrals.rate'),
      numeric: true,
      cell: ({ kolRateBps }) => (kolRateBps === null ? '-' : kolRateBps / BPS_OF_PERCENT),
      wideOnly: true,
    },
    {
      id: 'invitees',
      head: t('admin.member.invitees'),
      numeric: true,
      cell: ({ invitees, manyInvitees }) => `${invitees}${manyInvitees ? '+' : ''}`,
      wideOnly: true,
    },
    {
      id: 'unsettled',
      head: t('admin.referrals.unsettled'),
      numeric: true,
      cell: ({ unsettled, asset }) => `${unsettled} ${asset}`,
    },
    {
      id: 'late',
      head: t('admin.referrals.late'),
      numeric: true,
      cell: ({ late, asset }) => `${late} ${asset}`,
      wideOnly: true,
    },
    openColumn(
      t,
      ({ member: id }) => t('admin.openMember', { id }),
      ({ member }) => setOpen(member),
    ),
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.referrals.lead')}</p>
      <PagedTable
        label={t('admin.page.referrals')}
        none={t('admin.referrals.none')}
        columns={columns}
        pages={pages}
        rowKey={({ member }) => String(member)}
        above={
          <form
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setQuery(typed.trim());
            }}
          >
            <Field
              label={t('admin.referrals.find')}
              className="w-72 max-w-full"
              value={typed}
              maxLength={20}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" className="h-10">
              {t('admin.find')}
            </Button>
          </form>
        }
      />
      {open !== undefined && <MemberDialog member={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
