import { ChevronDown } from 'lucide-react';
import { useCallback, useState } from 'react';
import { groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent, formatShort } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/instruments.ts';
import type { TickerFigures, TickerStore } from '../../../stores/ticker.ts';
import { type LiveText, useLiveText } from '../live-hooks.ts';
import { SymbolPicker } from './SymbolPicker.tsx';

const DASH = '–';

function LiveFigure(props: {
  readonly ticker: TickerStore;
  readonly read: (figures: TickerFigures | undefined) => LiveText;
}) {
  const { ticker, read } = props;
  const subscribe = useCallback((changed: () => void) => ticker.subscribe(changed), [ticker]);
  const element = useLiveText<HTMLSpanElement>(subscribe, () => read(ticker.figures()));
  return <span ref={element} />;
}

function lastPrice(figures: TickerFigures | undefined): LiveText {
  const size = 'text-lg font-semibold leading-6 tabular-nums';
  if (figures === undefined) return { text: DASH, className: `${size} text-faint` };
  const { direction, last } = figures;
  const mark = direction === 'up' ? ' ↑' : direction === 'down' ? ' ↓' : '';
  const tone = direction === 'up' ? 'text-up' : direction === 'down' ? 'text-down' : 'text-text';
  return { text: groupThousands(last) + mark, className: `${size} ${tone}` };
}

function change(figures: TickerFigures | undefined): LiveText {
  const size = 'text-[13px] leading-5 tabular-nums';
  if (figures === undefined) return { text: DASH, className: `${size} text-faint` };
  const percent = Number(figures.change);
  const tone = percent > 0 ? 'text-up' : percent < 0 ? 'text-down' : 'text-text';
  return { text: formatPercent(percent), className: `${size} ${tone}` };
}

function plain(pick: (figures: TickerFigures) => string) {
  return (figures: TickerFigures | undefined): LiveText => ({
    text: figures === undefined ? DASH : pick(figures),
    className: 'text-[13px] leading-5 tabular-nums text-text',
  });
}

const high = plain((figures) => groupThousands(figures.high));
const low = plain((figures) => groupThousands(figures.low));
const baseVolume = plain((figures) => formatShort(Number(figures.volume)));
const quoteVolume = plain((figures) => formatShort(Number(figures.quoteVolume)));

/** Symbol with its picker, last price and the figures of 24 hours. */
export function InstrumentBar(props: {
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  readonly ticker: TickerStore;
  readonly wide: boolean;
  readonly onSymbol: (symbol: string) => void;
}) {
  const { instrument, venueName, ticker, wide, onSymbol } = props;
  const text = useText();
  const [picking, setPicking] = useState(false);
  const figures = [
    { label: text('trade.bar.change'), read: change },
    { label: text('trade.bar.high'), read: high },
    { label: text('trade.bar.low'), read: low },
    { label: text('trade.bar.volume', { asset: instrument.base }), read: baseVolume },
    { label: text('trade.bar.volume', { asset: instrument.quote }), read: quoteVolume },
  ];
  const symbolButton = (
    <button
      type="button"
      onClick={() => setPicking(true)}
      aria-haspopup="dialog"
      className="flex h-11 shrink-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
    >
      <span className="flex flex-col">
        <span className="text-base font-semibold leading-5">
          {instrument.base}
          <span className="text-soft">/{instrument.quote}</span>
        </span>
        <span className="text-[11px] leading-4 text-faint">{venueName} · Spot</span>
      </span>
      <span className="sr-only">{text('trade.bar.choose')}</span>
      <ChevronDown size={16} aria-hidden="true" className="text-faint" />
    </button>
  );
  return (
    <section aria-label={text('trade.bar.label')} className="shrink-0 bg-panel">
      <h1 className="sr-only">
        {instrument.base}/{instrument.quote} {venueName}
      </h1>
      {wide ? (
        <div className="flex h-14 items-center gap-6 overflow-hidden px-2">
          {symbolButton}
          <div className="min-w-32">
            <LiveFigure ticker={ticker} read={lastPrice} />
          </div>
          {figures.map((figure) => (
            <div key={figure.label} className="flex shrink-0 flex-col">
              <span className="text-[11px] leading-4 text-faint">{figure.label}</span>
              <LiveFigure ticker={ticker} read={figure.read} />
            </div>
          ))}
        </div>
      ) : (
        <div className="flex items-center justify-between gap-2 px-2 py-2">
          {symbolButton}
          <div className="flex flex-col items-end px-2">
            <LiveFigure ticker={ticker} read={lastPrice} />
            <LiveFigure ticker={ticker} read={change} />
          </div>
        </div>
      )}
      {picking && (
        <SymbolPicker
          platform={instrument.platform}
          venueName={venueName}
          current={instrument.symbol}
          onClose={() => setPicking(false)}
          onSymbol={(symbol) => {
            setPicking(false);
            onSymbol(symbol);
          }}
        />
      )}
    </section>
  );
}
