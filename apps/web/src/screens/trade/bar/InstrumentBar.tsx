import { ChevronDown } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { countdownText, fundingText, skewText } from '../../../calculators/contracts/funding.ts';
import { DIRECTION_TONES } from '../../../calculators/market/price-direction.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent, formatShort } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { type MarketName, marketKey } from '../../../stores/market/market.ts';
import type { TickerStats, TickerStore } from '../../../stores/market/ticker.ts';
import { classNames } from '../../../ui/class-names.ts';
import { StaleMark } from '../book/BookPanel.tsx';
import { type LiveText, useLiveText, useMarketSample } from '../live/live-hooks.ts';
import type { Freshness } from '../live/live-market.ts';
import { BestOffersLine } from './BestOffersLine.tsx';
import { ClockSkew } from './ClockSkew.tsx';
import { SymbolPicker } from './SymbolPicker.tsx';
import { useMarketKeys } from './use-market-keys.ts';
import { useOpenInterest } from './use-open-interest.ts';

const DASH = '–';

function LiveStat(props: {
  readonly ticker: TickerStore;
  readonly read: (stats: TickerStats | undefined) => LiveText;
}) {
  const { ticker, read } = props;
  const subscribe = useCallback((changed: () => void) => ticker.subscribe(changed), [ticker]);
  const element = useLiveText<HTMLSpanElement>(subscribe, () => read(ticker.stats()));
  return <span ref={element} />;
}

function lastPrice(stats: TickerStats | undefined): LiveText {
  const size = 'text-lg font-semibold leading-6 tabular-nums';
  if (stats === undefined) return { text: DASH, className: `${size} text-faint` };
  const { direction, last } = stats;
  const mark = direction === 'up' ? ' ↑' : direction === 'down' ? ' ↓' : '';
  return { text: groupThousands(last) + mark, className: `${size} ${DIRECTION_TONES[direction]}` };
}

function change(stats: TickerStats | undefined): LiveText {
  const size = 'text-[13px] leading-5 tabular-nums';
  if (stats === undefined) return { text: DASH, className: `${size} text-faint` };
  const percent = Number(stats.change);
  const tone = percent > 0 ? 'text-up' : percent < 0 ? 'text-down' : 'text-text';
  return { text: formatPercent(percent), className: `${size} ${tone}` };
}

function plain(pick: (stats: TickerStats) => string) {
  return (stats: TickerStats | undefined): LiveText => ({
    text: stats === undefined ? DASH : pick(stats),
    className: 'text-[13px] leading-5 tabular-nums text-text',
  });
}

const mark = plain((stats) => (stats.mark === undefined ? DASH : groupThousands(stats.mark)));
const index = plain((stats) => (stats.index === undefined ? DASH : groupThousands(stats.index)));
const high = plain((stats) => groupThousands(stats.high));
const low = plain((stats) => groupThousands(stats.low));
const baseVolume = plain((stats) => formatShort(Number(stats.volume)));
const quoteVolume = plain((stats) => formatShort(Number(stats.quoteVolume)));

/** What longs pay to shorts at the next payment, and how long until then. */
function Funding(props: { readonly instrument: ListedInstrument; readonly ticker: TickerStore }) {
  const { instrument, ticker } = props;
  const text = useText();
  const skew = useStore(liveStore, (live) => skewText(live[instrument.platform]?.venues.SWAP?.aheadMillis));
  const of = marketKey(instrument);
  const funding = useMarketSample(of, () => ticker.stats()?.funding, 1_000);
  const left = useMarketSample(
    of,
    () => {
      const next = ticker.stats()?.nextFunding;
      return next === undefined ? undefined : countdownText(next, now());
    },
    500,
  );
  const said = funding === undefined ? undefined : fundingText(funding);
  if (said === undefined) return <span className="text-[13px] leading-5 text-text">{DASH}</span>;
  const rate = Number(funding);
  const tone = rate > 0 ? 'text-up' : rate < 0 ? 'text-down' : 'text-text';
  return (
    <span className="text-[13px] leading-5 tabular-nums" title={text('trade.bar.fundingHint')}>
      <span className={tone}>{said}</span>
      {left !== undefined && <span className="ml-2 text-soft">{left}</span>}
      {left !== undefined && skew !== undefined && <ClockSkew skew={skew} />}
    </span>
  );
}

/** Open interest in base coins. */
function Interest(props: { readonly instrument: ListedInstrument; readonly ticker: TickerStore }) {
  const interest = useOpenInterest(props.instrument, props.ticker);
  return (
    <span className="text-[13px] leading-5 tabular-nums text-text">
      {interest === undefined ? DASH : formatShort(Number(interest))}
    </span>
  );
}

interface BarStat {
  readonly label: string;
  readonly content: ReactNode;
  /** Room that the figure keeps, so that nothing moves when its digits change. */
  readonly room: string;
}

/** The figures in the order of their weight: where the bar is too narrow, the last ones are left out whole. */
function barStats(text: Text, instrument: ListedInstrument, ticker: TickerStore): readonly BarStat[] {
  const live = (read: (stats: TickerStats | undefined) => LiveText) => (
    <LiveStat ticker={ticker} read={read} />
  );
  const { base, quote } = instrument;
  const day = [
    { label: text('trade.bar.change'), content: live(change), room: 'min-w-16' },
    { label: text('trade.bar.high'), content: live(high), room: 'min-w-[72px]' },
    { label: text('trade.bar.low'), content: live(low), room: 'min-w-[72px]' },
  ];
  const quoteStat = {
    label: text('trade.bar.volume', { asset: quote }),
    content: live(quoteVolume),
    room: 'min-w-24',
  };
  const baseStat = {
    label: text('trade.bar.volume', { asset: base }),
    content: live(baseVolume),
    room: 'min-w-24',
  };
  if (instrument.symbolType === 'SPOT') return [...day, baseStat, quoteStat];
  return [
    { label: text('trade.bar.mark'), content: live(mark), room: 'min-w-[72px]' },
    { label: text('trade.bar.index'), content: live(index), room: 'min-w-[72px]' },
    {
      label: text('trade.bar.funding'),
      content: <Funding {...{ instrument, ticker }} />,
      room: 'min-w-[128px]',
    },
    ...day.slice(0, 1),
    {
      label: text('trade.bar.interest', { asset: base }),
      content: <Interest {...{ instrument, ticker }} />,
      room: 'min-w-20',
    },
    ...day.slice(1),
    quoteStat,
    baseStat,
  ];
}

function SymbolButton(props: {
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  readonly closed: 'soon' | 'paused' | undefined;
  readonly onOpen: () => void;
}) {
  const { instrument, venueName, closed, onOpen } = props;
  const text = useText();
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-haspopup="dialog"
      className="flex h-11 max-h-full shrink-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
    >
      <span className="flex flex-col">
        <span className="text-base font-semibold leading-5">
          {instrument.base}
          <span className="text-soft">/{instrument.quote}</span>
        </span>
        <span className="text-[11px] leading-4 whitespace-nowrap text-faint">
          {closed !== undefined ? text(`trade.picker.${closed}`, { venue: venueName }) : venueName} ·{' '}
          {text(`trade.type.${instrument.symbolType}`)}
        </span>
      </span>
      <span className="sr-only">{text('trade.bar.choose')}</span>
      <ChevronDown size={16} aria-hidden="true" className="text-faint" />
    </button>
  );
}

/** `wide` is one row with everything, `narrow` that of a phone, `line` the lowest there is. */
export type BarShape = 'wide' | 'narrow' | 'line';

/** Props of `InstrumentBar`. */
interface InstrumentBarProps {
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  /** Why the platform takes no orders. */
  readonly closed: 'soon' | 'paused' | undefined;
  readonly ticker: TickerStore;
  /** How old what is shown is: old figures step back and say their age. */
  readonly freshness: Freshness;
  readonly shape: BarShape;
  readonly onMarket: (market: MarketName) => void;
  /** What the member has at each exchange where there is room for it, on a phone in this market. */
  readonly accounts: ReactNode;
}

function WideBar({ button, ...props }: InstrumentBarProps & { readonly button: ReactNode }) {
  const { instrument, ticker, freshness, accounts } = props;
  const stats = barStats(useText(), instrument, ticker);
  const old = freshness.stale && 'stale-figures';
  return (
    <div className="flex h-14 items-center gap-5 px-2">
      {button}
      <div className={classNames('min-w-32 shrink-0', old)}>
        <LiveStat ticker={ticker} read={lastPrice} />
      </div>
      <div className={classNames('flex h-14 min-w-0 flex-1 flex-wrap gap-x-4 overflow-hidden', old)}>
        {stats.map((value) => (
          <div
            key={value.label}
            className={classNames('flex h-14 shrink-0 flex-col justify-center whitespace-nowrap', value.room)}
          >
            <span className="text-[11px] leading-4 text-faint">{value.label}</span>
            {value.content}
          </div>
        ))}
      </div>
      {accounts}
      <BestOffersLine instrument={instrument} stale={freshness.stale} className="w-[224px] shrink-0" />
    </div>
  );
}

/** A phone upright: 56 pixels with the price and the two figures that the market needs most. */
function NarrowBar({ button, ...props }: InstrumentBarProps & { readonly button: ReactNode }) {
  const { instrument, ticker, freshness } = props;
  const swap = instrument.symbolType === 'SWAP';
  const stats = barStats(useText(), instrument, ticker);
  // Mark and funding of a contract; of a pair the highest and the lowest of the day.
  const shown = swap ? [stats[0], stats[2]] : stats.slice(1, 3);
  const old = freshness.stale && 'stale-figures';
  return (
    <div className="flex h-14 items-center gap-2 overflow-hidden pr-2">
      {button}
      <div className={classNames('ml-auto flex shrink-0 flex-col items-end [&>:first-child]:text-base', old)}>
        <LiveStat ticker={ticker} read={lastPrice} />
        <LiveStat ticker={ticker} read={change} />
      </div>
      <div className={classNames('flex min-w-0 flex-col items-end', old)}>
        {freshness.stale ? (
          <StaleMark freshness={freshness} />
        ) : (
          shown.map(
            (value) =>
              value !== undefined && (
                <span
                  key={value.label}
                  title={value.label}
                  className="flex max-w-full items-baseline gap-1.5 text-xs whitespace-nowrap [&_*]:text-xs"
                >
                  <span className={swap && value === stats[2] ? 'sr-only' : 'truncate text-faint'}>
                    {value.label}
                  </span>
                  {value.content}
                </span>
              ),
          )
        )}
      </div>
    </div>
  );
}

/** A phone on its side: 36 pixels, what the market needs most, and what the member has in it. Its end is the menu's. */
function LineBar({ button, ...props }: InstrumentBarProps & { readonly button: ReactNode }) {
  const { instrument, ticker, freshness, accounts } = props;
  const [mark, , funding] = barStats(useText(), instrument, ticker);
  const stats = instrument.symbolType === 'SWAP' ? [mark, funding].filter((stat) => stat !== undefined) : [];
  return (
    <div className="flex h-9 items-center gap-4 overflow-hidden pr-12">
      {button}
      <div
        className={classNames(
          'flex items-center gap-3 whitespace-nowrap',
          freshness.stale && 'stale-figures',
        )}
      >
        <LiveStat ticker={ticker} read={lastPrice} />
        <LiveStat ticker={ticker} read={change} />
        {stats.map((value) => (
          <span key={value.label} title={value.label} className="flex items-center gap-1.5 text-xs">
            {value === mark && (
              <span className="text-[11px] text-faint max-[760px]:hidden">{value.label}</span>
            )}
            {value.content}
          </span>
        ))}
      </div>
      {accounts}
      <StaleMark freshness={freshness} />
    </div>
  );
}

const BARS = { wide: WideBar, narrow: NarrowBar, line: LineBar } as const;

/** Symbol with its picker, last price, the figures of 24 hours (and of a perpetual), and the best offers elsewhere. */
export function InstrumentBar(props: InstrumentBarProps) {
  const { instrument, venueName, closed, shape, onMarket } = props;
  const Shaped = BARS[shape];
  const text = useText();
  const [picking, setPicking] = useState(false);
  useMarketKeys(instrument, { onSearch: () => setPicking(true), onMarket });
  const button = (
    <SymbolButton
      instrument={instrument}
      venueName={venueName}
      closed={closed}
      onOpen={() => setPicking(true)}
    />
  );
  return (
    <section aria-label={text('trade.bar.label')} className="shrink-0 bg-panel">
      <h1 className="sr-only">
        {instrument.base}/{instrument.quote} {text(`trade.type.${instrument.symbolType}`)} {venueName}
      </h1>
      <Shaped {...props} button={button} />
      {picking && (
        <SymbolPicker
          current={instrument}
          onClose={() => setPicking(false)}
          onMarket={(market) => {
            setPicking(false);
            onMarket(market);
          }}
        />
      )}
    </section>
  );
}
