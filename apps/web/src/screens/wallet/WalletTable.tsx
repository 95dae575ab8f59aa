import type { BalanceRow } from '@crossbook/contract';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type WalletValue, walletValue } from '../../calculators/wallet-value.ts';
import { useText } from '../../i18n/i18n.ts';
import { balancesStore, loadBalances, type WalletName } from '../../stores/wallet/balances.ts';
import { Table } from '../../ui/tables/Table.tsx';

/** Shares of the table, so that the columns of all wallets stand under each other. */
const VALUE_WIDTH = 'w-[40%] md:w-1/4';

const HELD_FIRST = (left: BalanceRow, right: BalanceRow): number =>
  Number(right.asset === 'USDT') - Number(left.asset === 'USDT') ||
  left.asset.localeCompare(right.asset, 'en') ||
  (right.pocket ?? '').localeCompare(left.pocket ?? '', 'en');

/** An amount to the last unit; the zeros that only fill the column step back. */
function Stat({ value, padding }: WalletValue) {
  return (
    <>
      {value}
      {padding !== '' && <span className="text-faint">{padding}</span>}
    </>
  );
}

/** The balances of one wallet, to the last unit. */
export function WalletTable(props: {
  readonly wallet: WalletName;
  readonly heading: string;
  readonly emptyAdvice: string;
  /** Digits after the point, the same for all wallets on the screen. */
  readonly decimals: number;
  /** Said beside the heading. */
  readonly badge?: ReactNode;
  readonly action?: ReactNode;
}) {
  const t = useText();
  const { wallet, heading } = props;
  const state = useStore(balancesStore, ({ wallets }) => wallets[wallet]);
  useEffect(() => {
    void loadBalances(wallet);
  }, [wallet]);
  const rows = (state?.rows ?? []).filter((row) => Number(row.total) !== 0).toSorted(HELD_FIRST);
  const value = (text: string) => <Stat {...walletValue(text, props.decimals)} />;
  return (
    <section className="rounded-md border border-line bg-panel">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-3 py-1">
        <h2 className="flex items-center gap-2 text-sm font-medium">
          {heading}
          {props.badge}
        </h2>
        {props.action}
      </div>
      <Table
        label={heading}
        rows={rows}
        rowKey={(row) => `${row.pocket ?? ''} ${row.asset}`}
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
            width: 'w-[20%] md:w-1/4',
            cell: (row) => (
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{row.asset}</span>
                {row.pocket !== undefined && (
                  <span className="text-xs text-faint">{t(`wallet.pocket.${row.pocket}`)}</span>
                )}
              </span>
            ),
          },
          {
            id: 'total',
            head: t('wallet.total'),
            numeric: true,
            width: VALUE_WIDTH,
            cell: (row) => value(row.total),
          },
          {
            id: 'available',
            head: t('common.available'),
            numeric: true,
            width: VALUE_WIDTH,
            cell: (row) => value(row.available),
          },
          {
            id: 'locked',
            head: t('wallet.locked'),
            numeric: true,
            wideOnly: true,
            width: VALUE_WIDTH,
            cell: (row) => <span className="text-soft">{value(row.locked)}</span>,
          },
        ]}
      />
    </section>
  );
}
