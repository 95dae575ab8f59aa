import type { BalanceRow } from '@crossbook/contract';
import { decimalsOf, formatAmountFixed, parseSignedAmount, ZERO } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { balancesStore, loadBalances, type WalletName } from '../../stores/balances.ts';
import { Table } from '../../ui/Table.tsx';

/** Digits after the point that every figure of the wallet is shown with, so that their points stand under each other. */
function decimalsShown(rows: readonly BalanceRow[]): number {
  const figures = rows.flatMap((row) => [row.total, row.available, row.locked]);
  return Math.max(
    DECIMALS_SHOWN_MIN,
    ...figures.map((figure) => decimalsOf(parseSignedAmount(figure) ?? ZERO)),
  );
}

const DECIMALS_SHOWN_MIN = 2;

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
  const decimals = decimalsShown(rows);
  const figure = (text: string) => {
    const amount = parseSignedAmount(text);
    return amount === undefined ? text : groupDigits(formatAmountFixed(amount, decimals));
  };
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
          { id: 'total', head: t('wallet.total'), numeric: true, cell: (row) => figure(row.total) },
          {
            id: 'available',
            head: t('common.available'),
            numeric: true,
            cell: (row) => figure(row.available),
          },
          {
            id: 'locked',
            head: t('wallet.locked'),
            numeric: true,
            wideOnly: true,
            cell: (row) => <span className="text-soft">{figure(row.locked)}</span>,
          },
        ]}
      />
    </section>
  );
}
