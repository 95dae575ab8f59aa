import { formatAmountFixed, type PlatformType, platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { balancesStore, loadBalances, type WalletName } from '../../stores/balances.ts';
import { estimateUsdt } from '../../stores/estimate.ts';
import type { MarketRow } from '../../stores/market-rows.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/states.tsx';

/** The member's wealth at last prices, and today's change once there is a snapshot to compare with (decisions.md 10). */
export function EstimatedBalance({ markets }: { readonly markets: readonly MarketRow[] }) {
  const t = useText();
  const { wallets } = useStore(balancesStore);
  const trading: PlatformType = platformFacts(markets[0]?.instrument.platform ?? 1).platformType;
  useEffect(() => {
    const names: readonly WalletName[] = ['funding', trading];
    for (const name of names) void loadBalances(name);
  }, [trading]);
  const rows = [wallets.funding, wallets[trading]];
  const ready = rows.every((wallet) => wallet?.status === 'ready');
  const { total } = estimateUsdt(
    rows.flatMap((wallet) => wallet?.rows ?? []),
    (asset) => markets.find((row) => row.instrument.base === asset)?.ticker?.last,
  );
  return (
    <section className="mt-auto flex flex-wrap items-end justify-between gap-4 rounded-md border border-line bg-panel p-4">
      <div>
        <h2 className="text-xs text-faint">{t('home.estimate')}</h2>
        <p className="text-2xl font-medium">
          {ready ? `≈ ${groupDigits(formatAmountFixed(total, 2))}` : <Skeleton className="h-6 w-32" />}{' '}
          <span className="text-sm font-normal text-faint">USDT</span>
        </p>
        <p className="text-xs text-faint">{t('home.today')}: -</p>
      </div>
      <Link to="/wallet/WalletOverviewSub" className={buttonClass()}>
        {t('home.toWallet')}
      </Link>
    </section>
  );
}
