import { type Platform, platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { type Text, useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { tradeLink } from '../../stores/market/market.ts';
import {
  type CoinRow,
  changeDataView,
  DATA_TOPICS,
  type DataColumn,
  type DataTopic,
  dataSortedBy,
  dataViewStore,
} from '../../stores/market-lists/market-data.ts';
import { type MarketData, useMarketData } from '../../stores/market-lists/use-market-data.ts';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton, StaleBadge } from '../../ui/states.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { type WindowColumn, WindowTable } from '../../ui/tables/WindowTable.tsx';
import { acrossCell, topicNote, venueCell } from './venue-cells.tsx';

const ROW_PIXELS = 52;

type Column = WindowColumn<CoinRow, DataColumn>;

function VenueHead({ platform, data }: { readonly platform: Platform; readonly data: MarketData }) {
  const t = useText();
  const old = data.old.get(platform);
  const { name } = platformFacts(platform);
  if (old === undefined) return name;
  const seconds = old.ageSeconds;
  return (
    <>
      {name}{' '}
      <StaleBadge text={seconds === undefined ? t('marketData.unread') : t('marketData.old', { seconds })} />
    </>
  );
}

function venueColumn(platform: Platform, topic: DataTopic, data: MarketData): Column {
  return {
    id: `venue${platform}`,
    head: <VenueHead platform={platform} data={data} />,
    numeric: true,
    sortable: true,
    cell: ({ venues }) => {
      if (data.isAwaited(platform)) return <Skeleton className="h-3 w-14 max-w-full" />;
      const venue = venues.get(platform);
      const cell = venueCell(topic, venue, data.time);
      if (venue === undefined) return cell;
      return (
        <Link
          {...tradeLink(venue.instrument)}
          className={classNames('block hover:text-link', data.old.has(platform) && 'stale-figures')}
        >
          {cell}
        </Link>
      );
    },
  };
}

function columnsOf(topic: DataTopic, data: MarketData, t: Text): readonly Column[] {
  return [
    {
      id: 'coin',
      head: t('marketData.coin'),
      sortable: true,
      width: 'w-[22%] lg:w-[20%]',
      cell: ({ base }) => (
        <>
          <span className="block truncate font-medium">{base}</span>
          <span className="block truncate text-[11px] leading-4 text-faint">{data.nameOf(base)}</span>
        </>
      ),
    },
    ...data.platforms.map((platform) => venueColumn(platform, topic, data)),
    {
      id: 'across',
      head: t(`marketData.across.${topic}`),
      numeric: true,
      sortable: true,
      wideOnly: true,
      cell: (row) => acrossCell(topic, row),
    },
  ];
}

/** /marketData: what the venues say of the same perpetual, side by side. */
export function MarketDataScreen() {
  const t = useText();
  const view = useStore(dataViewStore);
  const data = useMarketData();
  return (
    <section className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 max-md:px-0">
      <div className="mb-4 max-md:px-4">
        <h1 className="text-xl font-medium">{t('title.marketData')}</h1>
        <p className="mt-1 max-w-3xl text-[13px] text-soft">{t('marketData.sentence')}</p>
      </div>
      <Tabs
        label={t('marketData.topics')}
        items={DATA_TOPICS.map((topic) => ({ value: topic, label: t(`marketData.topic.${topic}`) }))}
        value={view.topic}
        onChange={(topic) => changeDataView({ topic })}
        className="rounded-md border border-line bg-panel max-md:rounded-none max-md:border-x-0"
      >
        <TabPanel value={view.topic}>
          <p className="border-b border-line px-3 py-2 text-xs text-faint">{topicNote(view.topic, t)}</p>
          <WindowTable
            label={t(`marketData.topic.${view.topic}`)}
            columns={columnsOf(view.topic, data, t)}
            rows={data.rows}
            rowKey={({ base }) => base}
            rowPixels={ROW_PIXELS}
            status={data.status}
            empty={{ title: t('common.empty'), advice: t('marketData.empty') }}
            failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: data.retry }}
            sort={{
              id: view.sort,
              descending: view.descending,
              onSort: (id) => changeDataView(dataSortedBy(view, id)),
            }}
          />
        </TabPanel>
      </Tabs>
    </section>
  );
}
