import { useState } from 'react';
import { signedMoneyOf } from '../../calculators/signed-text.ts';
import { useText } from '../../i18n/i18n.ts';
import { now } from '../../stores/app/clock.ts';
import { type ResultDays, useContractResult } from '../../stores/wallet/contract-result.ts';
import { usdtText } from '../../stores/wallet/estimate.ts';
import { Segments } from '../../ui/entry/Segments.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';

const DAYS: readonly ResultDays[] = ['1', '7', '30'];

/** What contracts realised in some days, fees and funding included, and what the contract wallets are worth now. */
export function ContractResult() {
  const t = useText();
  const [days, setDays] = useState<ResultDays>('7');
  const { status, result, retry } = useContractResult(days, now);
  const gain = result?.totalRpnl ?? '0';
  const tone = /^-?0(?:\.0*)?$/.test(gain) ? '' : gain.startsWith('-') ? 'text-down' : 'text-up';
  return (
    <section className="rounded-md border border-line bg-panel p-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-sm font-medium">{t('wallet.contracts')}</h2>
        <Segments
          label={t('wallet.contracts.days')}
          value={days}
          onChange={setDays}
          items={DAYS.map((value) => ({ value, label: t('wallet.contracts.day', { days: Number(value) }) }))}
        />
      </div>
      {status === 'failed' ? (
        <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={retry} />
      ) : (
        <dl className="mt-3 grid grid-cols-2 gap-3 text-sm" aria-busy={status === 'loading'}>
          <div>
            <dt className="text-xs text-faint">{t('wallet.contracts.realised')}</dt>
            <dd className={`text-lg font-medium tabular-nums ${tone}`}>
              {result === undefined ? <Skeleton className="h-5 w-24" /> : signedMoneyOf(result.totalRpnl)}{' '}
              <span className="text-xs font-normal text-faint">USDT</span>
            </dd>
          </div>
          <div>
            <dt className="text-xs text-faint">{t('wallet.contracts.equity')}</dt>
            <dd className="text-lg font-medium tabular-nums">
              {result === undefined ? <Skeleton className="h-5 w-24" /> : usdtText(result.equity)}{' '}
              <span className="text-xs font-normal text-faint">USDT</span>
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}
