import '../../../i18n/later-words.ts';
import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  formatAmountFixed,
  parseAmount,
  parseSignedAmount,
  platformFacts,
  SIDE,
} from '@crossbook/domain';
import type { ReactNode } from 'react';
import { baseStep, countsContracts } from '../../../calculators/contracts/contract-size.ts';
import { countdownText, fundingText } from '../../../calculators/contracts/funding.ts';
import { MARK_GONE_MILLIS, MARK_OLD_MILLIS } from '../../../calculators/contracts/mark-age.ts';
import { ratioTone } from '../../../calculators/contracts/own-ratio.ts';
import { distanceTone, positionQuantity } from '../../../calculators/contracts/position-stats.ts';
import { moneyOf, moneyText, signedMoneyOf, signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { Badge } from '../../../ui/states.tsx';
import { ownRatioText } from '../own-ratio-text.ts';
import { CardPair, SymbolLink, TimeText } from '../tables/cells.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';
import type { PositionView } from './use-positions.ts';

const DASH = '–';

function price(decimal: string | null, { instrument }: PositionView): string {
  const value = decimal === null ? undefined : parseAmount(decimal);
  return value === undefined
    ? DASH
    : groupThousands(formatAmountFixed(value, decimalsOf(instrument.tickSize)));
}

/** The size in base coins; the contracts are in the tip. */
function Size({ view }: { readonly view: PositionView }) {
  const { instrument, stats, row } = view;
  const coins = groupThousands(formatAmountFixed(stats.size, decimalsOf(baseStep(instrument))));
  const tip = countsContracts(instrument)
    ? `${formatAmountFixed(positionQuantity(row), decimalsOf(instrument.lotSize))} cont`
    : undefined;
  return (
    <span title={tip}>
      {coins} <span className="text-faint">{instrument.base}</span>
    </span>
  );
}

/** Whether the mark is too old for a figure to be shown at all; before that it steps back and says its age. */
function Marked(props: {
  readonly view: PositionView;
  readonly children: ReactNode;
  readonly tone?: string;
}) {
  const { view, children, tone } = props;
  const text = useText();
  const seconds = Math.floor(view.markAgeMillis / 1_000);
  if (view.markAgeMillis > MARK_GONE_MILLIS)
    return <span title={text('trade.stale', { seconds })}>{DASH}</span>;
  if (view.markAgeMillis > MARK_OLD_MILLIS) {
    return (
      <span className="text-faint opacity-70" title={text('trade.stale', { seconds })}>
        {children}
      </span>
    );
  }
  return <span className={tone}>{children}</span>;
}

const gainTone = (value: bigint): string => (value > 0n ? 'text-up' : value < 0n ? 'text-down' : '');

/** Profit with the return under it, or beside it. */
export function Profit({ view, lines }: { readonly view: PositionView; readonly lines: boolean }) {
  const { pnl, roe } = view.stats;
  return (
    <Marked view={view} tone={gainTone(pnl)}>
      <span className="font-medium">{signedText(pnl, 2)}</span>
      {lines ? <br /> : ' '}
      <span>({formatPercent(roe)})</span>
    </Marked>
  );
}

/** Liquidation price with its distance: amber below 10 %, red with a sign below 5 %. */
function Liquidation({ view }: { readonly view: PositionView }) {
  const { distance } = view.stats;
  const near = distanceTone(distance);
  const tone = near === 'danger' ? 'text-danger' : near === 'near' ? 'text-warning' : 'text-faint';
  return (
    <>
      {price(view.row.liquidationPrice, view)}
      {distance !== undefined && (
        <>
          <br />
          <Marked view={view} tone={tone}>
            {near === 'danger' && '⚠ '}
            {distance.toFixed(2)}%
          </Marked>
        </>
      )}
    </>
  );
}

/** How near the front of the queue of auto-deleveraging: five bars. */
function AdlLight({ rank, text }: { readonly rank: number; readonly text: Text }) {
  const label = text('trade.position.adl', { rank });
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex items-end gap-px">
      {[1, 2, 3, 4, 5].map((bar) => (
        <span
          key={bar}
          className={`h-3 w-1 rounded-sm ${bar > rank ? 'bg-line-strong' : rank >= 4 ? 'bg-danger' : 'bg-warning'}`}
        />
      ))}
    </span>
  );
}

/** Symbol, venue, side by the labels of the specification, leverage and margin mode. */
export function PositionHead({ view, text }: { readonly view: PositionView; readonly text: Text }) {
  const { row, instrument, stats } = view;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <SymbolLink market={instrument} />
      <Badge tone={stats.side === SIDE.BUY ? 'up' : 'down'}>
        {text(`side.${sideKey(stats.side, row.effect)}`)}
      </Badge>
      {row.status !== 'normal' && <Badge tone="warning">{text(`trade.position.status.${row.status}`)}</Badge>}
      <span className="basis-full text-faint">
        {platformFacts(row.exchange).name} · {row.leverage}× {text(`trade.marginMode.${row.marginMode}`)}
      </span>
    </span>
  );
}

/** What a row can be asked for. */
export type PositionAction = 'market' | 'limit' | 'reverse' | 'margin' | 'targets';

/** What the cells of positions need besides their row. */
export interface PositionTools {
  readonly text: Text;
  /** Margin ratio of the pool by platform; 1 = liquidation. */
  readonly ratioOf: (view: PositionView) => number | undefined;
  readonly actions: (view: PositionView) => ReactNode;
  /** What protects it, and the way to change that. */
  readonly targets: (view: PositionView) => ReactNode;
  /** There is room for what is only sometimes looked at. */
  readonly roomy: boolean;
}

function marginText({ row }: PositionView): string {
  return moneyOf(
    row.marginMode === 'isolated' && row.isolatedMargin !== null ? row.isolatedMargin : row.initialMargin,
  );
}

const RATIO_TONES = { plain: 'bg-up', near: 'bg-warning', danger: 'bg-danger' } as const;

/** The ratio with its bar, the venue's own mark on it, and the venue's own figure in the tip. */
function RatioBar({ view, tools }: { readonly view: PositionView; readonly tools: PositionTools }) {
  const ratio = tools.ratioOf(view);
  if (ratio === undefined) return DASH;
  const { exchange, marginMode } = view.row;
  // Of isolated positions the ratio is ours: the venue's own also counts the fee of a liquidation.
  const own = marginMode === 'cross' ? ownRatioText(tools.text, exchange, ratio) : undefined;
  const { warnsFrom } = contractOffer(exchange).ratio;
  const percent = Math.min(100, ratio * 100);
  return (
    <span className="flex flex-col items-end gap-0.5" title={own}>
      {percent.toFixed(2)}%
      <span className="relative h-1 w-12 rounded-full bg-line-strong">
        <span
          className={`block h-1 rounded-full ${RATIO_TONES[ratioTone(ratio, warnsFrom)]}`}
          style={{ width: `${percent}%` }}
        />
        {warnsFrom !== undefined && (
          <span className="absolute -top-0.5 h-2 w-px bg-soft" style={{ left: `${warnsFrom * 100}%` }} />
        )}
      </span>
    </span>
  );
}

/** Prices of a position: those it was opened and would end at, and where it stands. */
function priceColumns(text: Text): readonly VirtualColumn<PositionView>[] {
  return [
    {
      id: 'entry',
      head: text('trade.position.entry'),
      width: 88,
      numeric: true,
      order: ({ stats }) => stats.entry,
      cell: (view) => <span title={view.row.entryPrice}>{price(view.row.entryPrice, view)}</span>,
    },
    {
      id: 'breakEven',
      head: text('trade.position.breakEven'),
      width: 88,
      numeric: true,
      order: ({ row }) => Number(row.breakEvenPrice ?? 0),
      cell: (view) => (
        <span title={view.row.breakEvenPrice ?? undefined}>{price(view.row.breakEvenPrice, view)}</span>
      ),
    },
    {
      id: 'mark',
      head: text('trade.bar.mark'),
      width: 88,
      numeric: true,
      order: ({ stats }) => stats.mark,
      cell: (view) => (
        <Marked view={view}>
          {groupThousands(formatAmountFixed(view.stats.mark, decimalsOf(view.instrument.tickSize)))}
        </Marked>
      ),
    },
    {
      id: 'liquidation',
      head: text('trade.position.liquidation'),
      width: 100,
      numeric: true,
      order: ({ stats }) => stats.distance ?? Number.POSITIVE_INFINITY,
      cell: (view) => <Liquidation view={view} />,
    },
  ];
}

/** What the next funding would move at the mark, and when; signed, what is received is above 0. */
function NextFunding({ view }: { readonly view: PositionView }) {
  const { funding, stats } = view;
  const rate = parseSignedAmount(funding?.rate ?? '');
  if (funding === undefined || rate === undefined) return DASH;
  const paid = (stats.value * rate) / AMOUNT_ONE;
  const amount = (stats.side === SIDE.BUY ? -paid : paid) as Amount;
  return (
    <>
      <Marked view={view} tone={gainTone(amount)}>
        ≈ {signedText(amount, 2)}
      </Marked>
      <br />
      <span className="text-faint" title={fundingText(funding.rate)}>
        {countdownText(funding.at, now()).slice(0, 5)}
      </span>
    </>
  );
}

/** From 1,920 pixels. */
function roomyColumns(text: Text): readonly VirtualColumn<PositionView>[] {
  return [
    {
      id: 'realised',
      head: text('trade.orders.realised'),
      width: 115,
      numeric: true,
      order: ({ row }) => Number(row.realisedPnl),
      cell: ({ row }) => (
        <span title={text('trade.position.realisedHint')}>{signedMoneyOf(row.realisedPnl)}</span>
      ),
    },
    {
      id: 'funding',
      head: text('trade.position.nextFunding'),
      width: 110,
      numeric: true,
      cell: (view) => <NextFunding view={view} />,
    },
    {
      id: 'opened',
      head: text('trade.position.opened'),
      width: 130,
      order: ({ row }) => row.openedAt,
      cell: ({ row }) => <TimeText millis={row.openedAt} />,
    },
  ];
}

/** Columns of the positions table. */
export function positionColumns(tools: PositionTools): readonly VirtualColumn<PositionView>[] {
  const { text } = tools;
  return [
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      width: 215,
      order: ({ row }) => row.symbol,
      cell: (view) => <PositionHead view={view} text={text} />,
    },
    {
      id: 'value',
      head: text('trade.position.sizeValue'),
      width: 122,
      numeric: true,
      order: ({ stats }) => stats.value,
      cell: (view) => (
        <>
          <Size view={view} />
          <br />
          <Marked view={view} tone="text-faint">
            {moneyText(view.stats.value)}
          </Marked>
        </>
      ),
    },
    ...priceColumns(text),
    {
      id: 'margin',
      head: text('trade.position.margin'),
      width: 100,
      numeric: true,
      order: ({ row }) => Number(row.isolatedMargin ?? row.initialMargin),
      cell: (view) => (
        <span title={view.row.marginMode === 'cross' ? text('trade.position.margin.cross') : undefined}>
          {marginText(view)}
        </span>
      ),
    },
    {
      id: 'ratio',
      head: text('trade.position.ratio'),
      width: 85,
      numeric: true,
      order: (view) => tools.ratioOf(view) ?? 0,
      cell: (view) => <RatioBar {...{ view, tools }} />,
    },
    {
      id: 'pnl',
      head: text('trade.position.pnl'),
      width: 125,
      numeric: true,
      order: ({ stats }) => stats.pnl,
      cell: (view) => <Profit view={view} lines />,
    },
    { id: 'targets', head: text('trade.targets'), width: 140, cell: tools.targets },
    ...(tools.roomy ? roomyColumns(text) : []),
    {
      id: 'adl',
      head: 'ADL',
      width: 50,
      order: ({ row }) => row.adlRank,
      cell: ({ row }) => <AdlLight rank={row.adlRank} text={text} />,
    },
    {
      id: 'action',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      width: 250,
      sticky: true,
      cell: tools.actions,
    },
  ];
}

/** A position in words, for a screen reader. */
export function positionLabel(text: Text, view: PositionView): string {
  const { row, instrument, stats } = view;
  return text('trade.position.label', {
    symbol: row.symbol,
    venue: platformFacts(row.exchange).name,
    side: text(stats.side === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short'),
    size: formatAmountFixed(stats.size, decimalsOf(baseStep(instrument))),
    pnl: signedText(stats.pnl, 2),
    roe: stats.roe.toFixed(1),
    liquidation: price(row.liquidationPrice, view),
    distance: stats.distance === undefined ? DASH : stats.distance.toFixed(1),
  });
}

/** A position on a phone. */
export function positionCard(tools: PositionTools) {
  const { text } = tools;
  return (view: PositionView): ReactNode => (
    <article aria-label={positionLabel(text, view)} className="flex flex-col gap-2 text-xs leading-4">
      <div className="flex items-start justify-between gap-2">
        <PositionHead view={view} text={text} />
        <span className="num shrink-0 text-[13px]">
          <Profit view={view} lines />
        </span>
      </div>
      <div className="grid grid-cols-3 gap-x-3 gap-y-1.5">
        <CardPair label={text('trade.contract.size')}>
          <Size view={view} />
        </CardPair>
        <CardPair label={text('trade.position.entry')}>{price(view.row.entryPrice, view)}</CardPair>
        <CardPair label={text('trade.bar.mark')}>
          <Marked view={view}>
            {groupThousands(formatAmountFixed(view.stats.mark, decimalsOf(view.instrument.tickSize)))}
          </Marked>
        </CardPair>
        <CardPair label={text('trade.position.liquidation')}>
          <Liquidation view={view} />
        </CardPair>
        <CardPair label={text('trade.position.margin')}>{marginText(view)}</CardPair>
        <CardPair label={text('trade.position.ratio')}>
          {tools.ratioOf(view) === undefined ? DASH : `${((tools.ratioOf(view) ?? 0) * 100).toFixed(2)}%`}
        </CardPair>
      </div>
      <div>{tools.targets(view)}</div>
      <div className="flex gap-2">{tools.actions(view)}</div>
    </article>
  );
}
