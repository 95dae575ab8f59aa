import { type Amount, formatAmount, stepScale, stepsToAmount } from '@crossbook/domain';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { baseStep, countsContracts } from '../../../calculators/contracts/contract-size.ts';
import { bidShare, groupChoices } from '../../../calculators/market/book-rows.ts';
import { groupThousands, rowDecimals, stepsText } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton, StaleBadge } from '../../../ui/states.tsx';
import { useKeys } from '../keys/use-keys.ts';
import { useMarketSample, useSampled } from '../live/live-hooks.ts';
import type { Freshness, LiveMarket } from '../live/live-market.ts';
import { type BookCanvas, type BookMode, createBookCanvas } from './book-canvas.ts';

const LEVELS_READ_ALOUD = 10;

/** What a click in the book gives to the ticket. */
export interface BookPicks {
  readonly onPrice: (price: Amount) => void;
  readonly onSize: (size: Amount) => void;
}

/** Head of a column of sizes: base coins at every venue; one that counts contracts says what a contract is. */
export function SizeHead({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const { base } = instrument;
  const hint = countsContracts(instrument)
    ? text('trade.contract.hint', { size: formatAmount(instrument.contractValue), asset: base })
    : undefined;
  return (
    <span
      className={classNames(
        'absolute right-[36%]',
        hint !== undefined && 'border-b border-dotted border-faint',
      )}
      title={hint}
    >
      {text('trade.book.size', { asset: base })}
    </span>
  );
}

/** The age of figures that are old. */
export function StaleMark({ freshness }: { readonly freshness: Freshness }) {
  const text = useText();
  if (!freshness.stale) return null;
  if (!freshness.connected) return <StaleBadge text={text('trade.stale.offline')} />;
  if (freshness.ageSeconds === undefined) return <StaleBadge text={text('trade.stale.venue')} />;
  return <StaleBadge text={text('trade.stale', { seconds: freshness.ageSeconds })} />;
}

const MODES: readonly BookMode[] = ['both', 'bids', 'asks'];

function ModeIcon({ mode }: { readonly mode: BookMode }) {
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <rect x="1" y="1" width="5" height="5" className={mode === 'bids' ? 'fill-up' : 'fill-down'} />
      <rect x="1" y="8" width="5" height="5" className={mode === 'asks' ? 'fill-down' : 'fill-up'} />
      <path d="M8 2h5M8 5h5M8 9h5M8 12h5" className="stroke-faint" />
    </svg>
  );
}

const SKELETON_ROWS = Array.from({ length: 16 }, (_, at) => `row-${at}`);

/** Grey rows where figures will stand. They come late, so that a quick change of instrument shows none. */
export function RowSkeletons({ label }: { readonly label: string }) {
  return (
    <div className="absolute inset-0 overflow-hidden bg-panel [animation:appear_100ms_300ms_both]">
      <span className="sr-only">{label}</span>
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-5 items-center justify-between px-3">
          <Skeleton className="h-2.5 w-16" />
          <Skeleton className="h-2.5 w-12" />
          <Skeleton className="h-2.5 w-12" />
        </div>
      ))}
    </div>
  );
}

/** The best levels as a table for screen readers: a canvas says nothing to them. */
function SpokenBook({
  market,
  instrument,
}: {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
}) {
  const text = useText();
  const price = stepScale(instrument.tickSize);
  const size = stepScale(baseStep(instrument));
  const sides =
    useMarketSample(
      marketKey(instrument),
      () => [
        ...market.book.book
          .levels('asks', LEVELS_READ_ALOUD)
          .map((level) => ({ side: 'ask' as const, level })),
        ...market.book.book
          .levels('bids', LEVELS_READ_ALOUD)
          .map((level) => ({ side: 'bid' as const, level })),
      ],
      1_000,
      () => false,
    ) ?? [];
  return (
    <table className="sr-only">
      <caption>{text('trade.book.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{text('trade.book.side')}</th>
          <th scope="col">{text('trade.book.price', { asset: instrument.quote })}</th>
          <th scope="col">{text('trade.book.size', { asset: instrument.base })}</th>
        </tr>
      </thead>
      <tbody>
        {sides.map(({ side, level }) => (
          <tr key={`${side}${level[0]}`}>
            <td>{text(side === 'ask' ? 'trade.book.ask' : 'trade.book.bid')}</td>
            <td>{stepsText(level[0], price)}</td>
            <td>{stepsText(level[1], size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useBookCanvas(
  market: LiveMarket,
  instrument: ListedInstrument,
  picks: BookPicks | undefined,
  onShare: (share: number | undefined) => void,
) {
  const spreadWord = useText()('trade.book.spread');
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<BookCanvas>(null);
  const picked = useRef({ picks, onShare, spreadWord });
  picked.current = { picks, onShare, spreadWord };
  useEffect(() => {
    if (canvas.current === null) return;
    const made = createBookCanvas(canvas.current, {
      store: market.book,
      instrument,
      last: () => {
        const stats = market.ticker.stats();
        return stats === undefined
          ? undefined
          : { text: groupThousands(stats.last), direction: stats.direction };
      },
      onPrice: (ticks) => picked.current.picks?.onPrice(stepsToAmount(ticks, instrument.tickSize)),
      spreadWord: () => picked.current.spreadWord,
      onSize: (lots) => picked.current.picks?.onSize(stepsToAmount(lots, instrument.lotSize)),
      onPainted: (bids, asks, rows) => picked.current.onShare(bidShare(bids, asks, rows)),
    });
    painter.current = made;
    const stopTicker = market.ticker.subscribe(made.invalidate);
    return () => {
      painter.current = null;
      stopTicker();
      made.dispose();
    };
  }, [market, instrument]);
  return { canvas, painter };
}

/** The order book: a painted ladder with grouping, sides and the share of buyers. */
export function BookPanel(props: {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly freshness: Freshness;
  /** Absent where nothing can be ordered. */
  readonly picks: BookPicks | undefined;
}) {
  const { market, instrument, freshness, picks } = props;
  const text = useText();
  const [mode, setMode] = useState<BookMode>('both');
  const depthDecimal = useStore(tradeSettingsStore, (settings) => settings.depthDecimal);
  const best = useMarketSample(marketKey(instrument), () => market.book.book.bestAsk(), 2_000);
  const choices = groupChoices(best);
  // Depth decimal 1 is the finest grouping (spec section 9); one too wide for this price falls back to the widest.
  const groupTicks = choices[Math.min(depthDecimal, choices.length) - 1] ?? 1;
  const bar = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  const showShare = (share: number | undefined): void => {
    const percent = share === undefined ? 50 : Math.round(share * 100);
    if (bar.current !== null) bar.current.style.width = `${percent}%`;
    const label = share === undefined ? '' : text('trade.book.shares', { bid: percent, ask: 100 - percent });
    if (words.current !== null && words.current.textContent !== label) words.current.textContent = label;
  };
  const { canvas, painter } = useBookCanvas(market, instrument, picks, showShare);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another instrument has another painter, which must be told the view.
  useEffect(() => painter.current?.look({ mode, groupTicks }), [mode, groupTicks, painter, instrument]);
  const tick = stepScale(instrument.tickSize);
  const ready = useSampled(() => market.book.ready(), 200);
  const panel = useRef<HTMLElement>(null);
  useKeys({ 'focus.book': () => panel.current?.focus() });
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={text('trade.book.label')}
      className="@container flex h-full min-h-0 flex-col bg-panel"
    >
      <div className="flex h-8 shrink-0 items-center gap-1 px-2 max-lg:h-12">
        {MODES.map((candidate) => (
          <button
            key={candidate}
            type="button"
            aria-label={text(`trade.book.mode.${candidate}`)}
            title={text(`trade.book.mode.${candidate}`)}
            aria-pressed={candidate === mode}
            onClick={() => setMode(candidate)}
            className="grid size-7 place-items-center rounded-md opacity-60 hover:opacity-100 aria-pressed:bg-raised aria-pressed:opacity-100 max-lg:size-11"
          >
            <ModeIcon mode={candidate} />
          </button>
        ))}
        <span className="ml-2">
          <StaleMark freshness={freshness} />
        </span>
        <select
          aria-label={text('trade.book.group')}
          value={groupTicks}
          onChange={(event) =>
            changeTradeSettings({ depthDecimal: choices.indexOf(Number(event.target.value)) + 1 })
          }
          className="ml-auto h-7 cursor-pointer rounded-md bg-transparent px-1 text-right text-xs text-soft hover:text-text max-lg:h-11"
        >
          {choices.map((ticks) => (
            <option key={ticks} value={ticks} className="bg-panel">
              {stepsText(ticks, tick, rowDecimals(ticks, tick))}
            </option>
          ))}
        </select>
      </div>
      <div className="relative flex h-5 shrink-0 items-center px-3 text-[11px] text-faint" aria-hidden="true">
        <span>{text('trade.book.price', { asset: instrument.quote })}</span>
        <SizeHead instrument={instrument} />
        <span className="ml-auto @max-[260px]:hidden">
          {text('trade.book.total', { asset: instrument.base })}
        </span>
      </div>
      <div
        aria-hidden="true"
        className={classNames(
          'relative min-h-0 flex-1 overflow-hidden',
          freshness.stale && 'grayscale brightness-125',
        )}
      >
        <canvas
          ref={canvas}
          className={classNames('absolute inset-0', picks !== undefined && 'cursor-pointer')}
        />
        {!ready && <RowSkeletons label={text('trade.book.loading')} />}
      </div>
      <div className="flex h-7 shrink-0 items-center gap-3 px-3">
        <div className="h-1 min-w-16 flex-1 overflow-hidden rounded-full bg-down">
          <div ref={bar} className="h-full w-1/2 border-r-2 border-panel bg-up" />
        </div>
        <p ref={words} className="shrink-0 text-[11px] tabular-nums text-faint @max-[260px]:hidden" />
      </div>
      <SpokenBook market={market} instrument={instrument} />
    </section>
  );
}
