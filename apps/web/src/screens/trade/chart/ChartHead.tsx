import { CANDLE_INTERVALS, type CandleInterval, platformFacts } from '@crossbook/domain';
import { ChevronsRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { CHART_TYPES, type ChartType, chartTypeOf } from '../../../calculators/market/chart-types.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { classNames } from '../../../ui/class-names.ts';
import { INTERVALS_ON_THE_BAR, offeredIntervals } from './candle-reader.ts';
import { PriceAlerts } from './PriceAlerts.tsx';

function isInterval(value: string): value is CandleInterval {
  return (CANDLE_INTERVALS as readonly string[]).includes(value);
}

/** The interval kept from the last time, or one minute where this venue has no such bars. */
export function intervalAt(stored: string, { platform, symbolType }: ListedInstrument): CandleInterval {
  return isInterval(stored) && offeredIntervals(platform, symbolType).includes(stored) ? stored : '1m';
}

function IntervalBar(props: {
  /** All of them behind one button. */
  readonly folded: boolean;
  readonly value: CandleInterval;
  readonly instrument: ListedInstrument;
  readonly onChange: (value: CandleInterval) => void;
}) {
  const text = useText();
  const { platform, symbolType } = props.instrument;
  const offered = offeredIntervals(platform, symbolType);
  const missing = text('trade.chart.noInterval', { venue: platformFacts(platform).name });
  const onBar = props.folded ? [] : INTERVALS_ON_THE_BAR;
  const others = CANDLE_INTERVALS.filter((interval) => !onBar.includes(interval));
  const label = (interval: CandleInterval) => (/[dw]$/.test(interval) ? interval.toUpperCase() : interval);
  const choice = 'h-7 rounded-md px-2 text-xs max-lg:h-11 max-lg:min-w-11';
  return (
    <fieldset
      className="flex min-w-0 items-center gap-0.5 overflow-x-auto px-2"
      aria-label={text('trade.chart.intervals')}
    >
      {onBar.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={interval === props.value}
          disabled={!offered.includes(interval)}
          title={offered.includes(interval) ? undefined : missing}
          onClick={() => props.onChange(interval)}
          className={classNames(
            choice,
            'text-soft enabled:hover:text-text disabled:opacity-40 aria-pressed:bg-raised aria-pressed:text-text',
          )}
        >
          {label(interval)}
        </button>
      ))}
      <select
        aria-label={text('trade.chart.intervals')}
        value={others.includes(props.value) ? props.value : ''}
        onChange={(event) => isInterval(event.target.value) && props.onChange(event.target.value)}
        className={classNames(
          choice,
          'cursor-pointer appearance-none border-none bg-transparent text-center text-soft hover:text-text',
          others.includes(props.value) && 'bg-raised text-text',
        )}
      >
        <option value="" disabled className="bg-panel">
          …
        </option>
        {others.map((interval) => (
          <option key={interval} value={interval} disabled={!offered.includes(interval)} className="bg-panel">
            {label(interval)}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

/** As what the bars are drawn: the kinds of spec section 2, by their keys. */
function TypeSelect({ type, narrow }: { readonly type: ChartType; readonly narrow: boolean }) {
  const text = useText();
  return (
    <select
      aria-label={text('trade.chart.type')}
      title={text('trade.chart.type')}
      value={String(type)}
      onChange={(event) => changeTradeSettings({ chartType: chartTypeOf(Number(event.target.value)) })}
      className={classNames(
        'h-7 shrink-0 cursor-pointer rounded-md border-none bg-transparent px-1 text-xs text-soft hover:text-text max-lg:h-11 max-lg:max-w-24',
        narrow ? 'max-w-20' : 'max-w-36',
      )}
    >
      {CHART_TYPES.map((key) => (
        <option key={key} value={String(key)} className="bg-panel">
          {text(`trade.chart.type.${key}`)}
        </option>
      ))}
    </select>
  );
}

/** What a chart has besides where it is one of several. */
export interface ChartParts {
  /** Its market by name. */
  readonly title?: ReactNode;
  /** Before the buttons at the right. */
  readonly tools?: ReactNode;
  /** The window is low: one row says everything. */
  readonly low?: boolean;
  /** It is not the page's own: its interval is kept elsewhere, and keys and price alerts are the other's. */
  readonly side?: { readonly interval: string; readonly onInterval: (interval: string) => void } | undefined;
}

/** Over the bars: their interval, their kind, and the way back to the newest. */
export function ChartHead(props: {
  readonly instrument: ListedInstrument;
  readonly interval: CandleInterval;
  readonly type: ChartType;
  /** The newest price. */
  readonly last: number | undefined;
  readonly onNewest: () => void;
  readonly onInterval: (interval: CandleInterval) => void;
  readonly parts: ChartParts;
}) {
  const { instrument, interval, type, last, onNewest, onInterval, parts } = props;
  const text = useText();
  return (
    <div
      className={classNames(
        'flex h-9 shrink-0 items-center border-b border-line',
        parts.low === true ? 'max-lg:h-11' : 'max-lg:h-12',
      )}
    >
      {parts.title}
      <IntervalBar
        folded={parts.low === true}
        value={interval}
        instrument={instrument}
        onChange={onInterval}
      />
      <span className="mx-1 h-4 w-px shrink-0 bg-line-strong" aria-hidden="true" />
      <TypeSelect type={type} narrow={parts.title !== undefined} />
      {parts.tools}
      {parts.side === undefined ? <PriceAlerts {...{ instrument, last }} /> : <span className="ml-auto" />}
      <button
        type="button"
        aria-label={text('trade.chart.newest')}
        title={text('trade.chart.newest')}
        onClick={onNewest}
        className="mr-2 grid size-7 shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-text max-lg:size-11"
      >
        <ChevronsRight size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
