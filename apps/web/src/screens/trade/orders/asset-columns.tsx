import type { BalanceRow } from '@crossbook/contract';
import type { ReactNode } from 'react';
import { type WalletValue, walletValue } from '../../../calculators/wallet-value.ts';
import type { Text } from '../../../i18n/i18n.ts';
import type { MarketName } from '../../../stores/market/market.ts';
import { Card } from '../../../ui/tables/Card.tsx';
import { SymbolLink } from '../tables/cells.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';

function Balance({ value, padding }: WalletValue) {
  return (
    <>
      {value}
      {padding !== '' && <span className="text-faint">{padding}</span>}
    </>
  );
}

/** The asset, and its pocket where the exchange has two. */
function AssetName({ row, text }: { readonly row: BalanceRow; readonly text: Text }) {
  return (
    <>
      <span className="mr-1 font-medium">{row.asset}</span>
      {row.pocket !== undefined && <span className="text-faint"> {text(`wallet.pocket.${row.pocket}`)}</span>}
    </>
  );
}

/** What the cells of balances need. */
export interface AssetTools {
  readonly text: Text;
  /** Digits after the point that every figure is shown with, so that their points stand under each other. */
  readonly decimals: number;
  readonly quoteOf: (asset: string) => MarketName | undefined;
}

/** Balances of the trading wallet. */
export function assetColumns({ text, decimals, quoteOf }: AssetTools): readonly VirtualColumn<BalanceRow>[] {
  const amounts = [
    ['total', text('trade.orders.total')],
    ['available', text('trade.orders.available')],
    ['locked', text('trade.orders.locked')],
  ] as const;
  return [
    {
      id: 'asset',
      head: text('trade.orders.asset'),
      width: 130,
      order: (row) => row.asset,
      cell: (row) => <AssetName row={row} text={text} />,
    },
    ...amounts.map(
      ([id, head]): VirtualColumn<BalanceRow> => ({
        ...{ id, head, width: 190, numeric: true },
        order: (row) => Number(row[id]),
        cell: (row) => <Balance {...walletValue(row[id], decimals)} />,
      }),
    ),
    {
      id: 'trade',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      width: 120,
      numeric: true,
      cell: (row) => {
        const pair = quoteOf(row.asset);
        return pair === undefined ? null : <SymbolLink market={pair} />;
      },
    },
  ];
}

/** A balance on a phone. */
export function assetCard({ text, decimals, quoteOf }: AssetTools) {
  return (row: BalanceRow): ReactNode => {
    const pair = quoteOf(row.asset);
    const value = (decimal: string) => <Balance {...walletValue(decimal, decimals)} />;
    return (
      <Card
        head={<AssetName row={row} text={text} />}
        end={pair === undefined ? null : <SymbolLink market={pair} />}
        pairs={[
          { label: text('trade.orders.total'), value: value(row.total) },
          { label: text('trade.orders.available'), value: value(row.available) },
          { label: text('trade.orders.locked'), value: value(row.locked) },
        ]}
      />
    );
  };
}
