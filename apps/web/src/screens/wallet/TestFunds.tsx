import { type Platform, platformFacts } from '@crossbook/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { defaultMarket, tradeLink } from '../../stores/market/market.ts';
import { tradablePlatforms } from '../../stores/trading/use-keep-live.ts';
import { type Limits, readLimitsAgain, useLimits } from '../../stores/wallet/limits.ts';
import { getTestFunds, putOnPlatform } from '../../stores/wallet/transfers.ts';
import { Button } from '../../ui/Button.tsx';

/** What goes on to the platform in the first minute. */
const FIRST_TRADING_AMOUNT = '10000';

/** Two buttons of one width on a phone; a longer language may take a second line. */
const FULL_ON_PHONE =
  'max-md:h-auto max-md:min-h-11 max-md:w-full max-md:px-2 max-md:py-1.5 max-md:text-[13px] max-md:whitespace-normal';

/** Paper money: test funds in one click, and with the same click on to a platform and its trade page. */
export function TestFunds({ emphasised }: { readonly emphasised: boolean }) {
  const t = useText();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string>();
  const limits = useLimits();
  const limit = usedOf(limits.data);
  const fund = async () => {
    setBusy('funding');
    await getTestFunds(undefined, undefined);
    setBusy(undefined);
    readLimitsAgain();
  };
  const fundAndTrade = async (platform: Platform) => {
    const { slug, platformType } = platformFacts(platform);
    setBusy(slug);
    const put = await putOnPlatform(platformType, FIRST_TRADING_AMOUNT);
    setBusy(undefined);
    readLimitsAgain();
    // Refused on the way: the money is in the funding wallet, and the toast says why it went no further.
    if (!put) return;
    await navigate({
      ...tradeLink(defaultMarket(platform, 'SPOT')),
      search: { fill: 1 },
    });
  };
  return (
    <section
      id="funds"
      className={`rounded-md border bg-panel p-4 ${emphasised ? 'border-accent' : 'border-line'}`}
      aria-label={t('wallet.testFunds')}
    >
      <h2 className="text-sm font-medium">{t(emphasised ? 'wallet.fundsFirst' : 'wallet.testFunds')}</h2>
      <p className="mt-1 text-[13px] text-soft">{t('wallet.testFundsText')}</p>
      {limit !== undefined && <Used {...limit} />}
      <div className="mt-3 flex flex-wrap gap-2">
        {tradablePlatforms().map((platform) => {
          const { slug, name } = platformFacts(platform);
          return (
            <Button
              key={slug}
              tone={emphasised ? 'primary' : 'plain'}
              busy={busy === slug}
              disabled={busy !== undefined}
              onClick={() => void fundAndTrade(platform)}
              className={FULL_ON_PHONE}
            >
              {t('wallet.alsoTrade', { venue: name })}
            </Button>
          );
        })}
        <Button
          busy={busy === 'funding'}
          disabled={busy !== undefined}
          onClick={() => void fund()}
          className={FULL_ON_PHONE}
        >
          {t('wallet.testFunds')}
        </Button>
      </div>
    </section>
  );
}

/** How much of the member's limit is used; `undefined` while it is not known. */
function usedOf(limits: Limits | undefined) {
  const row = limits?.rows.find(({ what }) => what === 'test-funds');
  const most = row?.tiers.find(({ tier }) => tier === limits?.tier)?.most ?? null;
  if (row === undefined || most === null || row.used === null) return undefined;
  return { used: row.used, most, asset: row.asset ?? '', hours: row.hours ?? 0 };
}

/** The limit stands beside the button, before anybody meets it. */
function Used({ used, most, ...rest }: NonNullable<ReturnType<typeof usedOf>>) {
  const t = useText();
  return (
    <p className="mt-1 text-xs text-faint">
      {t('wallet.testFundsUsed', { ...rest, used: groupDigits(used), most: groupDigits(most) })}
    </p>
  );
}
