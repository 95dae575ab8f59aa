import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../stores/app/boot.ts';
import { type MarketRow, TOP_MARKETS, TOP_MOVERS } from '../../stores/market-lists/market-rows.ts';
import { type HomeMarkets, useHomeMarkets } from '../../stores/market-lists/use-home-markets.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { Badge, ErrorState, StaleBadge } from '../../ui/states.tsx';
import { EstimatedBalance } from './EstimatedBalance.tsx';
import { Highlights } from './Highlights.tsx';
import { LeadPrice } from './LeadPrice.tsx';
import { MarketList } from './MarketList.tsx';
import { Questions } from './Questions.tsx';
import { QuickRegistration } from './QuickRegistration.tsx';
import { QuickStart } from './QuickStart.tsx';
import { TryNow } from './TryNow.tsx';

/** How old the figures of the lists are, once they are. */
function Age({ old }: { readonly old: HomeMarkets['old'] }) {
  const t = useText();
  const ages = old.map(({ ageSeconds }) => ageSeconds).filter((age) => age !== undefined);
  return ages.length === 0 ? null : <StaleBadge text={t('home.old', { seconds: Math.max(...ages) })} />;
}

function Lists({ markets }: { readonly markets: HomeMarkets }) {
  const t = useText();
  const { status, top, movers, old, retry } = markets;
  const oldPlatforms = new Set(old.map(({ platform }) => platform));
  const isOld = ({ instrument }: MarketRow) => oldPlatforms.has(instrument.platform);
  const allMarkets = (
    <Link to="/market" className="flex h-10 items-center px-4 text-[13px] text-link hover:underline">
      {t('home.allMarkets')}
    </Link>
  );
  if (status === 'failed') {
    return (
      <div className="rounded-md border border-line bg-panel">
        <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={retry} />
        {allMarkets}
      </div>
    );
  }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <MarketList
        heading={t('home.topMarkets')}
        rows={top}
        rowsExpected={TOP_MARKETS}
        lines
        isOld={isOld}
        note={<Age old={old} />}
        last={allMarkets}
      />
      <MarketList
        heading={t('home.topMovers')}
        rows={movers}
        rowsExpected={TOP_MOVERS}
        isOld={isOld}
        note={<Age old={old} />}
      />
    </div>
  );
}

/** / */
export function HomeScreen() {
  const t = useText();
  const member = useStore(sessionStore, isMember);
  const markets = useHomeMarkets();
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-4 px-4 py-8 lg:py-12">
      <div className="grid gap-4 max-lg:gap-6 lg:grid-cols-2">
        <section className="flex flex-col gap-5">
          <h1 className="max-w-xl text-3xl font-medium leading-[1.15] tracking-tight text-balance">
            {t('home.heading')}
          </h1>
          <p className="max-w-lg text-[15px] leading-6 text-pretty text-soft">{t('home.sentence')}</p>
          {isPaper(bootConfig()) && (
            <p className="max-w-lg border-l-2 border-warning pl-3 text-[13px] text-pretty text-soft">
              <Badge tone="warning">{t('paper.badge')}</Badge> {t('home.paper')}
            </p>
          )}
          {member ? (
            <EstimatedBalance />
          ) : (
            <>
              <QuickRegistration />
              <TryNow />
            </>
          )}
        </section>
        <LeadPrice row={markets.top[0]} primary={member} />
      </div>
      <Lists markets={markets} />
      <div className="mt-8 flex flex-col gap-10">
        <Highlights />
        <QuickStart />
        <Questions />
      </div>
    </div>
  );
}
