import { formatAmountFixed, platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { balancesStore, loadBalances, type WalletName } from '../../stores/balances.ts';
import { bootConfig } from '../../stores/boot.ts';
import { estimateUsdt } from '../../stores/estimate.ts';
import type { MarketRow } from '../../stores/market-rows.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/states.tsx';

function walletNames(): readonly WalletName[] {
  return ['funding', ...bootConfig().platforms.map(({ platform }) => platformFacts(platform).platformType)];
}

/** Last price of a coin in USDT, at the first platform that tells one. */
function priceIn(markets: readonly MarketRow[], asset: string): string | undefined {
  return markets.find((row) => row.instrument.base === asset && row.ticker !== undefined)?.ticker?.last;
}

/**
 * The member's wealth over all wallets of all platforms at last prices, and today's change once there is a snapshot to
 * compare with (decisions.md 10). What could not be read or priced is said, not guessed.
 */
export function EstimatedBalance({ markets }: { readonly markets: readonly MarketRow[] }) {
  const t = useText();
  const { wallets } = useStore(balancesStore);
  useEffect(() => {
    for (const name of walletNames()) void loadBalances(name);
  }, []);
  const all = walletNames().map((name) => wallets[name]);
  const settled = all.every((wallet) => wallet !== undefined && wallet.status !== 'loading');
  const failed = all.filter((wallet) => wallet?.status === 'failed').length;
  const { total, unpriced } = estimateUsdt(
    all.flatMap((wallet) => wallet?.rows ?? []),
    (asset) => priceIn(markets, asset),
  );
  // A coin without a price is one whose market has not been read yet, or one that nobody lists.
  const missing = new Set(unpriced);
  return (
    <section className="mt-auto flex flex-wrap items-end justify-between gap-4 rounded-md border border-line bg-panel p-4">
      <div>
        <h2 className="text-xs text-faint">{t('home.estimate')}</h2>
        <p className="text-2xl font-medium">
          {!settled ? (
            <Skeleton className="h-6 w-32" />
          ) : failed === all.length ? (
            '-'
          ) : (
            `≈ ${groupDigits(formatAmountFixed(total, 2))}`
          )}{' '}
          <span className="text-sm font-normal text-faint">USDT</span>
        </p>
        <p className="text-xs text-faint" title={t('home.todayExplain')}>
          {t('home.today')}: <span aria-hidden="true">-</span>
          <span className="sr-only">{t('home.todayExplain')}</span>
        </p>
        {settled && failed > 0 && <p className="text-xs text-warning">{t('home.walletsMissing')}</p>}
        {settled && missing.size > 0 && markets.length > 0 && (
          <p className="text-xs text-faint">{t('home.unpriced', { assets: [...missing].join(', ') })}</p>
        )}
      </div>
      <Link to="/wallet/WalletOverviewSub" className={buttonClass()}>
        {t('home.toWallet')}
      </Link>
    </section>
  );
}
