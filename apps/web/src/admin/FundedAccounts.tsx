import type { AdminFundedAccount } from '@crossbook/contract';
import { useText } from '../i18n/i18n.ts';
import { Badge } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { Part } from './parts/Part.tsx';

/** Accounts of the house that others are paid from: what is there, what should be, and how long it lasts. */
export function FundedAccounts({ accounts }: { readonly accounts: readonly AdminFundedAccount[] }) {
  const t = useText();
  const columns: readonly Column<AdminFundedAccount>[] = [
    {
      id: 'account',
      head: t('admin.funded.account'),
      cell: ({ account, asset }) => `${t(`admin.funds.${account}`)} ${asset}`,
    },
    {
      id: 'balance',
      head: t('admin.funded.balance'),
      numeric: true,
      cell: ({ balance, below }) =>
        below ? (
          <span className="inline-flex items-center justify-end gap-2">
            <Badge tone="warning">{t('admin.funded.below')}</Badge>
            {balance}
          </span>
        ) : (
          balance
        ),
    },
    { id: 'floor', head: t('admin.funded.floor'), numeric: true, cell: ({ floor }) => floor },
    { id: 'paid', head: t('admin.funded.paid'), numeric: true, wideOnly: true, cell: ({ paid }) => paid },
    {
      id: 'waiting',
      head: t('admin.funded.waiting'),
      numeric: true,
      wideOnly: true,
      cell: ({ waiting }) => waiting,
    },
    {
      id: 'runway',
      head: t('admin.funded.runway'),
      numeric: true,
      cell: ({ runwayDays: days }) => (days === null ? '-' : t('admin.funded.days', { days })),
    },
  ];
  return (
    <Part
      title={t('admin.funded')}
      columns={columns}
      rows={accounts}
      rowKey={({ account, asset }) => `${account} ${asset}`}
    />
  );
}
