import type { BalanceRow } from '@crossbook/contract';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { balancesStore, loadBalances, type WalletName } from '../../stores/balances.ts';
import { Table } from '../../ui/Table.tsx';

const HELD_FIRST = (left: BalanceRow, right: BalanceRow): number =>
  Number(right.asset === 'USDT') - Number(left.asset === 'USDT') ||
  left.asset.localeCompare(right.asset, 'en');

/** The balances of one wallet, to the last unit. */
export function WalletTable(props: {
  readonly wallet: WalletName;
  readonly heading: string;
  readonly emptyAdvice: string;
  readonly action?: ReactNode;
}) {
  const t = useText();
  const { wallet, heading } = props;
  const state = useStore(balancesStore, ({ wallets }) => wallets[wallet]);
  useEffect(() => {
    void loadBalances(wallet);
  }, [wallet]);
  const rows = (state?.rows ?? []).filter((row) => Number(row.total) !== 0).toSorted(HELD_FIRST);
  return (
    <section className="rounded-md border border-line bg-panel">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-3 py-1">
        <h2 className="text-sm font-medium">{heading}</h2>
        {props.action}
      </div>
      <Table
        label={heading}
        rows={rows}
        rowKey={(row) => row.asset}
        status={state?.status ?? 'loading'}
        empty={{ title: t('wallet.emptyTitle'), advice: props.emptyAdvice }}
        failure={{
          title: t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void loadBalances(wallet),
        }}
        columns={[
          {
            id: 'asset',
            head: t('wallet.asset'),
            cell: (row) => <span className="font-medium">{row.asset}</span>,
          },
          { id: 'total', head: t('wallet.total'), numeric: true, cell: (row) => groupDigits(row.total) },
          {
            id: 'available',
            head: t('common.available'),
            numeric: true,
            cell: (row) => groupDigits(row.available),
          },
          {
            id: 'locked',
            head: t('wallet.locked'),
            numeric: true,
            cell: (row) => <span className="text-soft">{groupDigits(row.locked)}</span>,
          },
        ]}
      />
    </section>
  );
}
