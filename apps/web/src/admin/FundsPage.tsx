import type { AdminFundsRow, AdminResponse } from '@crossbook/contract';
import { useText } from '../i18n/i18n.ts';
import { adminCall, readOf } from '../stores/admin/admin-service.ts';
import type { Column } from '../ui/tables/Table.tsx';
import { FundedAccounts } from './FundedAccounts.tsx';
import { PagedTable, usePages } from './parts/PagedTable.tsx';

const PLACES = [
  'members',
  'fees',
  'promo',
  'conversion',
  'rounding',
  'suspense',
  'inTransit',
  'outside',
] as const;
/** What fits a phone. */
const ALWAYS: readonly string[] = ['members', 'promo'];

/** What the ledger holds of each asset, by whose it is. */
export function FundsPage() {
  const t = useText();
  const pages = usePages<AdminFundsRow, AdminResponse<'x/admin/Funds'>>(['funds'], (cursor) =>
    readOf(adminCall('x/admin/Funds', { limit: 100, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const accounts = pages.data?.pages[0]?.accounts;
  const columns: readonly Column<AdminFundsRow>[] = [
    { id: 'asset', head: t('admin.funds.asset'), cell: ({ asset }) => asset },
    ...PLACES.map(
      (place): Column<AdminFundsRow> => ({
        id: place,
        head: t(`admin.funds.${place}`),
        numeric: true,
        wideOnly: !ALWAYS.includes(place),
        cell: (row) => row[place],
      }),
    ),
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.funds.lead')}</p>
      {accounts !== undefined && <FundedAccounts accounts={accounts} />}
      <PagedTable
        label={t('admin.page.funds')}
        columns={columns}
        pages={pages}
        rowKey={({ asset }) => asset}
      />
    </>
  );
}
