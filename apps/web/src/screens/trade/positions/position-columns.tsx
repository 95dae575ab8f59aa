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
import { Diff } from 'lucide-react';
import type { ReactNode } from 'react';
import { baseStep, countsContracts } from '../../../calculators/contracts/contract-size.ts';
import { countdownText, fundingText } from '../../../calculators/contracts/funding.ts';
import { ratioTone } from '../../../calculators/contracts/own-ratio.ts';
import { distanceTone, positionQuantity } from '../../../calculators/contracts/position-stats.ts';
import { moneyOf, moneyText, signedMoney, signedMoneyOf } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatPercent, formatShortTime } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { Badge } from '../../../ui/states.tsx';
import { ownRatioText } from '../own-ratio-text.ts';
import { SymbolLink, TimeText } from '../tables/cells.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';
import { Marked } from './Marked.tsx';
import type { PositionView } from './use-positions.ts';

/** In place of what is not known. */
export const DASH = '–';

/** A price of the venue on the tick of its contract. */
export function price(decimal: string | null, { instrument }: PositionView): string {
  const value = decimal === null ? undefined : parseAmount(decimal);
  return value === undefined
    ? DASH
    : groupThousands(formatAmountFixed(value, decimalsOf(instrument.tickSize)));
}

/** The mark on the tick of its contract. */
export function markText({ instrument, stats }: PositionView): string {
  return groupThousands(formatAmountFixed(stats.mark, decimalsOf(instrument.tickSize)));
}

/** The size in base coins; the contracts are in the tip. */
export function Size({ view }: { readonly view: PositionView }) {
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

const gainTone = (value: bigint): string => (value > 0n ? 'text-up' : value < 0n ? 'text-down' : '');

/** Profit with the return under it, or beside it. */
export function Profit({ view, lines }: { readonly view: PositionView; readonly lines: boolean }) {
  const { pnl, roe } = view.stats;
  const value = signedMoney(pnl);
  const returned = `(${formatPercent(roe)})`;
  return (
    <Marked view={view} value={`${value} ${returned}`} tone={gainTone(pnl)}>
      <span className="font-medium">{value}</span>
      {lines ? <br /> : ' '}
      <span>{returned}</span>
    </Marked>
  );
}

/** Since when a figure stands that the exchange alone states. */
function asOfText(text: Text, { row }: PositionView): string {
  return text('trade.position.asOf', { time: formatShortTime(row.updatedAt, now()) });
}

/** Liquidation price with its distance: amber below 10 %, red with a sign below 5 %. */
export function Liquidation({ view }: { readonly view: PositionView }) {
  const text = useText();
  const { distance } = view.stats;
  const near = distanceTone(distance);
  const tone = near === 'danger' ? 'text-danger' : near === 'near' ? 'text-warning' : 'text-faint';
  return (
    <>
      <span title={asOfText(text, view)}>{price(view.row.liquidationPrice, view)}</span>
      {distance !== undefined && (
        <>
          <br />
          <Marked view={view} value={`${near === 'danger' ? '⚠ ' : ''}${distance.toFixed(2)}%`} tone={tone} />
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
  /** The margin behind it, and the way to change that where it stands alone. */
  readonly margin: (view: PositionView) => ReactNode;
  /** What protects it, and the way to change that. */
  readonly targets: (view: PositionView) => ReactNode;
  /** There is room for what is only sometimes looked at. */
  readonly roomy: boolean;
}

/** What stands behind it alone, or what it asks of the pool. */
export function marginText({ row }: PositionView): string {
  return moneyOf(
    row.marginMode === 'isolated' && row.isolatedMargin !== null ? row.isolatedMargin : row.initialMargin,
  );
}

/** The margin behind a row; of an isolated position the way to add or take some, of a cross one why there is none. */
export function Margin({ view, onAct }: { readonly view: PositionView; readonly onAct: () => void }) {
  const text = useText();
  const asOf = asOfText(text, view);
  const margin = marginText(view);
  const { row, stats } = view;
  if (row.marginMode === 'cross')
    return <span title={`${text('trade.position.margin.cross')}; ${asOf}`}>{margin}</span>;
  const side = text(stats.side === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short');
  return (
    <button
      type="button"
      aria-label={`${text('trade.position.margin.adjust')} ${row.symbol} ${side}: ${margin}`}
      title={asOf}
      onClick={onAct}
      className="inline-flex items-center gap-1 rounded-sm hover:underline"
    >
      {margin}
      <Diff size={11} aria-hidden="true" className="shrink-0 text-faint" />
    </button>
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
      width: 90,
      numeric: true,
      order: ({ stats }) => stats.entry,
      cell: (view) => <span title={view.row.entryPrice}>{price(view.row.entryPrice, view)}</span>,
    },
    {
      id: 'breakEven',
      head: text('trade.position.breakEven'),
      width: 90,
      numeric: true,
      order: ({ row }) => Number(row.breakEvenPrice ?? 0),
      cell: (view) => (
        <span title={view.row.breakEvenPrice ?? undefined}>{price(view.row.breakEvenPrice, view)}</span>
      ),
    },
    {
      id: 'mark',
      head: text('trade.bar.mark'),
      width: 90,
      numeric: true,
      order: ({ stats }) => stats.mark,
      cell: (view) => <Marked view={view} value={markText(view)} />,
    },
    {
      id: 'liquidation',
      head: text('trade.position.liquidation'),
      width: 95,
      numeric: true,
      order: ({ stats }) => stats.distance ?? Number.POSITIVE_INFINITY,
      cell: (view) => <Liquidation view={view} />,
    },
  ];
}

/** What the next funding would move at the mark; signed, what is received is above 0. `undefined` until it is known. */
function nextFunding({ funding, stats }: PositionView): Amount | undefined {
  const rate = parseSignedAmount(funding?.rate ?? '');
  if (rate === undefined) return undefined;
  const paid = (stats.value * rate) / AMOUNT_ONE;
  return (stats.side === SIDE.BUY ? -paid : paid) as Amount;
}

/** The same, and when. */
function NextFunding({ view }: { readonly view: PositionView }) {
  const { funding } = view;
  const amount = nextFunding(view);
  if (funding === undefined || amount === undefined) return DASH;
  return (
    <>
      <Marked view={view} value={`≈ ${signedMoney(amount)}`} tone={gainTone(amount)} />
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
      width: 112,
      numeric: true,
      order: ({ row }) => Number(row.realisedPnl),
      cell: ({ row }) => (
        <span
          className={gainTone(parseSignedAmount(row.realisedPnl) ?? 0n)}
          title={text('trade.position.realisedHint', {
            fees: moneyOf(row.fees),
            funding: signedMoneyOf(row.funding),
          })}
        >
          {signedMoneyOf(row.realisedPnl)}
        </span>
      ),
    },
    {
      id: 'funding',
      head: text('trade.position.nextFunding'),
      width: 96,
      numeric: true,
      order: (view) => nextFunding(view) ?? 0n,
      cell: (view) => <NextFunding view={view} />,
    },
    {
      id: 'opened',
      head: text('trade.position.opened'),
      width: 122,
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
      width: 170,
      order: ({ row }) => row.symbol,
      cell: (view) => <PositionHead view={view} text={text} />,
    },
    {
      id: 'value',
      head: text('trade.position.sizeValue'),
      width: 112,
      numeric: true,
      order: ({ stats }) => stats.value,
      cell: (view) => (
        <>
          <Size view={view} />
          <br />
          <Marked view={view} value={moneyText(view.stats.value)} tone="text-faint" />
        </>
      ),
    },
    ...priceColumns(text),
    {
      id: 'margin',
      head: text('trade.position.margin'),
      width: 104,
      numeric: true,
      order: ({ row }) => Number(row.isolatedMargin ?? row.initialMargin),
      cell: tools.margin,
    },
    {
      id: 'ratio',
      head: text('trade.position.ratio'),
      width: 84,
      numeric: true,
      order: (view) => tools.ratioOf(view) ?? 0,
      cell: (view) => <RatioBar {...{ view, tools }} />,
    },
    {
      id: 'pnl',
      head: text('trade.position.pnl'),
      width: 120,
      numeric: true,
      order: ({ stats }) => stats.pnl,
      cell: (view) => <Profit view={view} lines />,
    },
    { id: 'targets', head: text('trade.targets'), width: 130, cell: tools.targets },
    ...(tools.roomy ? roomyColumns(text) : []),
    {
      id: 'adl',
      head: 'ADL',
      width: 44,
      order: ({ row }) => row.adlRank,
      cell: ({ row }) => <AdlLight rank={row.adlRank} text={text} />,
    },
    {
      id: 'action',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      width: 208,
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
    result: stats.pnl < 0n ? 'loss' : 'profit',
    pnl: moneyText((stats.pnl < 0n ? -stats.pnl : stats.pnl) as Amount),
    roe: Math.abs(stats.roe).toFixed(1),
    end: stats.distance === undefined ? 'none' : price(row.liquidationPrice, view),
    distance: stats.distance?.toFixed(1) ?? DASH,
  });
}
