import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { decimalsShown } from '../../../calculators/wallet-value.ts';
import { useText } from '../../../i18n/i18n.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import { balancesStore, loadBalances } from '../../../stores/wallet/balances.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { assetCard, assetColumns } from './asset-columns.tsx';

/** Balances of the trading wallet on the platform of an instrument. */
export function Assets({
  instrument,
  wide,
}: {
  readonly instrument: ListedInstrument;
  readonly wide: boolean;
}) {
  const text = useText();
  const { platform } = instrument;
  const wallet = platformFacts(platform).platformType;
  const state = useStore(balancesStore, ({ wallets }) => wallets[wallet]);
  const pairs = useStore(instrumentsStore, (instruments) => instrumentsOf(instruments, platform, 'SPOT'));
  const rows = useMemo(() => (state?.rows ?? []).filter((row) => row.total !== '0'), [state]);
  const decimals = decimalsShown(rows);
  const tools = useMemo(
    () => ({
      text,
      decimals,
      quoteOf: (asset: string) => pairs.find((row) => row.base === asset && row.quote === 'USDT'),
    }),
    [text, decimals, pairs],
  );
  const columns = useMemo(() => assetColumns(tools), [tools]);
  return (
    <VirtualTable
      name="assets"
      label={text('trade.orders.assets')}
      card={assetCard(tools)}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.pocket ?? ''} ${row.asset}`}
      status={state?.status ?? 'loading'}
      wide={wide}
      empty={{
        title: text('common.empty'),
        advice: (
          <Link to="/wallet/TransferSub" className="text-link hover:underline">
            {text('trade.orders.assetsEmpty')}
          </Link>
        ),
      }}
      failure={{
        title: text('common.failed'),
        retry: text('common.retry'),
        onRetry: () => void loadBalances(wallet),
      }}
    />
  );
}
