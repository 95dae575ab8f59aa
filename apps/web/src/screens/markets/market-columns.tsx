import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { fundingText } from '../../calculators/contracts/funding.ts';
import { DIRECTION_TONES } from '../../calculators/market/price-direction.ts';
import { formatPercent, formatShort, formatToStep } from '../../i18n/format.ts';
import type { Text } from '../../i18n/i18n.ts';
import { tradeLink } from '../../stores/market/market.ts';
import type { MarketColumn, MarketType } from '../../stores/market-lists/market-list.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import { Change } from '../../ui/Change.tsx';
import { Badge, Skeleton } from '../../ui/states.tsx';
import type { WindowColumn } from '../../ui/tables/WindowTable.tsx';
import { FavouriteStar } from './FavouriteStar.tsx';

/** What the columns need besides the row. */
export interface MarketColumnsOptions {
  readonly t: Text;
  readonly type: MarketType;
  /** Whether the figures of a row are still on their way; without them and not on their way it has none. */
  readonly isAwaited: (row: MarketRow) => boolean;
  readonly onVisitor: () => void;
}

type Column = WindowColumn<MarketRow, MarketColumn>;

function pairColumn({ t, onVisitor }: MarketColumnsOptions): Column {
  return {
    id: 'pair',
    head: t('market.pair'),
    sortable: true,
    width: 'w-[44%] lg:w-[24%]',
    cell: ({ instrument }) => (
      <div className="flex min-w-0 items-center">
        <FavouriteStar instrument={instrument} onVisitor={onVisitor} />
        <Link
          {...tradeLink(instrument)}
          onClick={(event) => event.stopPropagation()}
          className="min-w-0 hover:text-link"
        >
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">
              {instrument.base}
              <span className="font-normal text-faint">/{instrument.quote}</span>
            </span>
            {instrument.symbolType === 'SWAP' && (
              <span className="max-lg:hidden">
                <Badge>{t('market.perp')}</Badge>
              </span>
            )}
            {instrument.status === 'halted' && <Badge tone="warning">{t('market.halted')}</Badge>}
          </span>
          <span className="block truncate text-[11px] leading-4 text-faint lg:hidden">
            {platformFacts(instrument.platform).name}
            {instrument.symbolType === 'SWAP' && ` · ${t('market.perp')}`}
          </span>
        </Link>
      </div>
    ),
  };
}

/** The columns of the markets list. Funding is there where perpetuals can be. */
export function marketColumns(options: MarketColumnsOptions): readonly Column[] {
  const { t, isAwaited } = options;
  const missing = (row: MarketRow) =>
    isAwaited(row) ? <Skeleton className="h-3 w-14" /> : <span className="text-faint">-</span>;
  const price = (row: MarketRow, text: string | undefined) =>
    text === undefined ? missing(row) : formatToStep(text, row.instrument.tickSize);
  const numeric = { numeric: true, sortable: true } as const;
  const columns: readonly Column[] = [
    pairColumn(options),
    {
      id: 'venue',
      head: t('market.venue'),
      sortable: true,
      wideOnly: true,
      cell: ({ instrument }) => <span className="text-soft">{platformFacts(instrument.platform).name}</span>,
    },
    {
      id: 'last',
      head: t('market.last'),
      ...numeric,
      cell: (row) => (
        <span className={DIRECTION_TONES[row.ticker?.direction ?? 'none']}>
          {price(row, row.ticker?.last)}
        </span>
      ),
    },
    {
      id: 'change',
      head: t('market.change'),
      ...numeric,
      width: 'w-[25%] lg:w-auto',
      cell: (row) =>
        row.ticker === undefined ? (
          missing(row)
        ) : (
          <Change value={Number(row.ticker.change)} text={formatPercent(Number(row.ticker.change))} />
        ),
    },
    {
      id: 'high',
      head: t('market.high'),
      ...numeric,
      wideOnly: true,
      cell: (row) => price(row, row.ticker?.high),
    },
    {
      id: 'low',
      head: t('market.low'),
      ...numeric,
      wideOnly: true,
      cell: (row) => price(row, row.ticker?.low),
    },
    {
      id: 'volume',
      head: t('market.volume'),
      ...numeric,
      wideOnly: true,
      cell: (row) => (row.ticker === undefined ? missing(row) : formatShort(Number(row.ticker.quoteVolume))),
    },
    {
      id: 'funding',
      head: t('market.funding'),
      ...numeric,
      wideOnly: true,
      cell: (row) =>
        row.ticker === undefined && row.instrument.symbolType === 'SWAP'
          ? missing(row)
          : (fundingText(row.ticker?.funding ?? '') ?? <span className="text-faint">-</span>),
    },
  ];
  return options.type === 'SPOT' ? columns.filter(({ id }) => id !== 'funding') : columns;
}
