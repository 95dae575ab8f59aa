import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { useNow } from '../../stores/app/use-now.ts';
import { type EquityState, useEquity } from '../../stores/wallet/equity.ts';
import { changeStats, usdtText } from '../../stores/wallet/estimate.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Change } from '../../ui/Change.tsx';
import { Skeleton } from '../../ui/states.tsx';

/** How often the age of figures that could not be read again is told anew. */
const AGE_EVERY_MILLIS = 5_000;

/**
 * The member's wealth over all wallets of all platforms at last prices, and how it changed since 00:00 UTC, transfers
 * not counted (decision 0030.10). What could not be read, priced or compared is said, not guessed.
 */
export function EstimatedBalance() {
  const t = useText();
  const { equity, at, failing } = useEquity();
  return (
    <section className="mt-auto flex flex-wrap items-end justify-between gap-4 rounded-md border border-line bg-panel p-4">
      <div>
        <h2 className="text-xs text-faint">{t('home.estimate')}</h2>
        <p className="text-2xl font-medium">
          {equity !== undefined ? (
            `≈ ${usdtText(equity.equity)}`
          ) : failing ? (
            '-'
          ) : (
            <Skeleton className="h-6 w-32" />
          )}{' '}
          <span className="text-sm font-normal text-faint">USDT</span>
        </p>
        <TodayLine equity={equity} />
        {failing && (
          <p className="text-xs text-warning">
            {at === undefined ? t('home.estimateMissing') : <Age at={at} />}
          </p>
        )}
        {equity !== undefined && equity.missing.length > 0 && (
          <p className="text-xs text-faint">{t('home.unpriced', { assets: equity.missing.join(', ') })}</p>
        )}
      </div>
      <Link to="/wallet/WalletOverviewSub" className={buttonClass()}>
        {t('home.toWallet')}
      </Link>
    </section>
  );
}

/** Today's change with sign, colour and arrow, or why there is none. */
function TodayLine({ equity }: Pick<EquityState, 'equity'>) {
  const t = useText();
  const change = equity === undefined ? undefined : changeStats(equity.day);
  if (change !== undefined) {
    return (
      <p className="text-xs text-faint" title={t('home.todayMeaning')}>
        {t('home.today')}: <Change {...change} />
      </p>
    );
  }
  if (equity === undefined) {
    return (
      <p className="text-xs text-faint">
        {t('home.today')}: <span aria-hidden="true">-</span>
      </p>
    );
  }
  // A midnight was recorded, but with other coins priced than now.
  const why = t(equity.day.start === null ? 'home.todayExplain' : 'home.todayUnpriced');
  return (
    <p className="text-xs text-faint" title={why}>
      {t('home.today')}: <span aria-hidden="true">-</span>
      <span className="sr-only">{why}</span>
    </p>
  );
}

function Age({ at }: { readonly at: number }) {
  const t = useText();
  const time = useNow(AGE_EVERY_MILLIS);
  return t('home.old', { seconds: Math.max(0, Math.floor((time - at) / 1_000)) });
}
