import { stepsToAmount } from '@crossbook/domain';
import { useEffect, useRef } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { classNames } from '../../../ui/class-names.ts';
import { type BookPicks, RowSkeletons, SizeHead, StaleMark } from '../book/BookPanel.tsx';
import { useSampled } from '../live/live-hooks.ts';
import type { Freshness, LiveMarket } from '../live/live-market.ts';
import { createTapeCanvas } from './tape-canvas.ts';

/** The last trades, newest first; a click takes the price. */
export function TapePanel(props: {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly freshness: Freshness;
  /** Absent where nothing can be ordered. */
  readonly picks: BookPicks | undefined;
}) {
  const { market, instrument, freshness, picks } = props;
  const text = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ready = useSampled(() => market.tape.ready(), 200);
  const picked = useRef(picks);
  picked.current = picks;
  useEffect(() => {
    if (canvas.current === null) return;
    return createTapeCanvas(canvas.current, {
      store: market.tape,
      instrument,
      timeZone: undefined,
      onPrice: (ticks) => picked.current?.onPrice(stepsToAmount(ticks, instrument.tickSize)),
    });
  }, [market, instrument]);
  return (
    <section aria-label={text('trade.tape.label')} className="flex h-full min-h-0 flex-col bg-panel">
      <div className="relative flex h-8 shrink-0 items-center px-3 text-[11px] text-faint" aria-hidden="true">
        <span>{text('trade.book.price', { asset: instrument.quote })}</span>
        <SizeHead instrument={instrument} />
        <span className="ml-auto">{text('trade.tape.time')}</span>
      </div>
      {freshness.stale && (
        <div className="px-3 pb-1">
          <StaleMark freshness={freshness} />
        </div>
      )}
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
        {!ready && <RowSkeletons label={text('trade.tape.loading')} />}
      </div>
    </section>
  );
}
