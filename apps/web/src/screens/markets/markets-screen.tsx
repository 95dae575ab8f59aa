import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useStore } from 'zustand';
import { formatPercent, formatShort, formatToStep } from '../../i18n/format.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import { loadInstruments } from '../../stores/instruments.ts';
import { type MarketRow, marketRows, searchMarkets } from '../../stores/market-rows.ts';
import { tickersStore } from '../../stores/tickers.ts';
import { useSpotMarkets } from '../../stores/use-spot-markets.ts';
import { Change } from '../../ui/Change.tsx';
import { Badge, Skeleton } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/Table.tsx';

function figure(row: MarketRow, read: (ticker: NonNullable<MarketRow['ticker']>) => string) {
  return row.ticker === undefined ? (
    <Skeleton className="h-3 w-14" />
  ) : (
    formatToStep(read(row.ticker), row.instrument.tickSize)
  );
}

const DIRECTION_TONE = { up: 'text-up', down: 'text-down', none: '' } as const;

function columns(t: Text): readonly Column<MarketRow>[] {
  return [
    {
      id: 'pair',
      head: t('market.pair'),
      cell: ({ instrument }) => (
        <Link
          to="/spot/$exchange/$symbol"
          params={{ exchange: platformFacts(instrument.platform).slug, symbol: instrument.symbol }}
          className="inline-flex items-center gap-2 font-medium hover:text-link"
        >
          <span>
            {instrument.base}
            <span className="font-normal text-faint">/{instrument.quote}</span>
          </span>
          {instrument.status === 'halted' && <Badge>{t('market.halted')}</Badge>}
        </Link>
      ),
    },
    {
      id: 'venue',
      head: t('market.venue'),
      wideOnly: true,
      cell: ({ instrument }) => <span className="text-soft">{platformFacts(instrument.platform).name}</span>,
    },
    {
      id: 'last',
      head: t('market.last'),
      numeric: true,
      cell: (row) => (
        <span className={DIRECTION_TONE[row.ticker?.direction ?? 'none']}>
          {figure(row, (ticker) => ticker.last)}
        </span>
      ),
    },
    {
      id: 'change',
      head: t('market.change'),
      numeric: true,
      cell: ({ ticker }) =>
        ticker === undefined ? (
          <Skeleton className="h-3 w-12" />
        ) : (
          <Change value={Number(ticker.change)} text={formatPercent(Number(ticker.change))} />
        ),
    },
    {
      id: 'high',
      head: t('market.high'),
      numeric: true,
      wideOnly: true,
      cell: (row) => figure(row, (ticker) => ticker.high),
    },
    {
      id: 'low',
      head: t('market.low'),
      numeric: true,
      wideOnly: true,
      cell: (row) => figure(row, (ticker) => ticker.low),
    },
    {
      id: 'volume',
      head: t('market.volume'),
      numeric: true,
      wideOnly: true,
      cell: ({ ticker }) =>
        ticker === undefined ? <Skeleton className="h-3 w-14" /> : formatShort(Number(ticker.quoteVolume)),
    },
  ];
}

/** /market */
export function MarketsScreen() {
  const t = useText();
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed);
  const { status, instruments, platforms } = useSpotMarkets();
  const tickers = useStore(tickersStore, ({ rows }) => rows);
  const rows = searchMarkets(marketRows(instruments, tickers), wanted);
  return (
    <section className="mx-auto w-full max-w-7xl flex-1 px-4 py-6">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-medium">{t('market.heading')}</h1>
        <label className="flex h-9 w-full max-w-64 items-center gap-2 rounded-md border border-line-strong bg-field px-3 focus-within:border-focus">
          <Search size={14} aria-hidden="true" className="text-faint" />
          <span className="sr-only">{t('market.search')}</span>
          <input
            type="search"
            value={typed}
            placeholder={t('market.search')}
            onChange={(event) => setTyped(event.target.value)}
            className="h-full min-w-0 flex-1 bg-transparent text-[13px] outline-none placeholder:text-faint"
          />
        </label>
      </div>
      <div className="rounded-md border border-line bg-panel">
        <Table
          label={t('market.heading')}
          columns={columns(t)}
          rows={rows}
          rowKey={({ instrument }) => `${instrument.platform}:${instrument.symbol}`}
          status={status}
          empty={{ title: t('common.empty'), advice: t('market.emptyAdvice') }}
          failure={{
            title: t('common.failed'),
            retry: t('common.retry'),
            onRetry: () => {
              for (const platform of platforms) void loadInstruments(platform);
            },
          }}
        />
      </div>
    </section>
  );
}
