import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../stores/boot.ts';
import { loadInstruments } from '../../stores/instruments.ts';
import { marketRows, TOP_MOVERS, topMarkets, topMovers } from '../../stores/market-rows.ts';
import { isMember, sessionStore } from '../../stores/session.ts';
import { tickersStore } from '../../stores/tickers.ts';
import { useSpotMarkets } from '../../stores/use-spot-markets.ts';
import { Badge, ErrorState } from '../../ui/states.tsx';
import { EstimatedBalance } from './EstimatedBalance.tsx';
import { LeadPrice } from './LeadPrice.tsx';
import { MarketList } from './MarketList.tsx';
import { QuickRegistration } from './QuickRegistration.tsx';

const TOP_MARKETS = 5;

/** / */
export function HomeScreen() {
  const t = useText();
  const member = useStore(sessionStore, isMember);
  const { status, instruments, platforms } = useSpotMarkets();
  const tickers = useStore(tickersStore, ({ rows }) => rows);
  const rows = marketRows(instruments, tickers);
  const top = topMarkets(rows);
  const retry = () => {
    for (const platform of platforms) void loadInstruments(platform);
  };
  const allMarkets = (
    <Link to="/market" className="flex h-10 items-center px-4 text-[13px] text-link hover:underline">
      {t('home.allMarkets')}
    </Link>
  );
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
          {member ? <EstimatedBalance markets={rows} /> : <QuickRegistration />}
        </section>
        <LeadPrice row={top[0]} primary={member} />
      </div>
      {status === 'failed' ? (
        <div className="rounded-md border border-line bg-panel">
          <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={retry} />
          {allMarkets}
        </div>
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          <MarketList
            heading={t('home.topMarkets')}
            rows={top}
            rowsExpected={TOP_MARKETS}
            last={allMarkets}
          />
          <MarketList heading={t('home.topMovers')} rows={topMovers(rows)} rowsExpected={TOP_MOVERS} />
        </div>
      )}
    </div>
  );
}
