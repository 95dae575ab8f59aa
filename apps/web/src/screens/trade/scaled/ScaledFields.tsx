import '../../../i18n/later-words.ts';
import { SCALED_SKEW_MAX, TIME_IN_FORCE, type TimeInForce } from '@crossbook/domain';
import { useEffect } from 'react';
import { entryAmount, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import {
  movingScaled,
  type ScaledEntry,
  type ScaledError,
  type ScaledScene,
  scaledTimeInForce,
  skewRatio,
  stepCount,
} from '../../../calculators/ticket/scaled-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { changeScaled, followScaledMarket } from '../../../stores/trading/scaled-ticket.ts';
import { Slider } from '../../../ui/entry/Slider.tsx';
import { Select } from '../../../ui/Select.tsx';
import { PriceUnit, TicketEntry } from '../entry/TicketEntry.tsx';
import { useHeldStill } from '../entry/use-held-still.ts';

const SKEWS = Array.from({ length: 2 * SCALED_SKEW_MAX + 1 }, (_, at) => at - SCALED_SKEW_MAX);

/** What the fields of a scaled order get. */
export interface ScaledFieldsProps {
  readonly entry: ScaledEntry;
  readonly scene: ScaledScene;
  readonly errors: readonly ScaledError[];
  /** Writes the first price, which is the ordinary ticket's. */
  readonly onFrom: (text: string) => void;
  readonly onBest: () => void;
  readonly onEnter: () => void;
}

/** From, to, and how many orders. */
export function ScaledFields(props: ScaledFieldsProps) {
  const { entry, scene, onFrom, onBest, onEnter } = props;
  const errors = useHeldStill(movingScaled(props.errors, entry, scene), props.errors);
  const text = useText();
  const { instrument, from } = scene;
  const { tickSize, quote } = instrument;
  const market = marketKey(instrument);
  useEffect(() => followScaledMarket(market), [market]);
  const wrong = (field: ScaledError['field']) => {
    const error = errors.find((candidate) => candidate.field === field);
    if (error === undefined) return undefined;
    const { allowed, part = '' } = error;
    return text(`trade.scaled.error.${error.name}`, { allowed, part });
  };
  return (
    <>
      <TicketEntry
        {...{ onEnter, label: text('trade.scaled.from'), name: 'from', value: from }}
        unit={<PriceUnit quote={quote} onBest={onBest} />}
        onChange={onFrom}
        onStep={(steps) => onFrom(stepEntry(from, tickSize, steps))}
        error={wrong('from')}
      />
      <TicketEntry
        {...{ onEnter, label: text('trade.scaled.to'), name: 'to', value: entry.to, unit: quote }}
        onChange={(to) => changeScaled({ to })}
        onStep={(steps) => {
          const start = entryAmount(entry.to) === undefined ? from : entry.to;
          changeScaled({ to: stepEntry(start, tickSize, steps) });
        }}
        error={wrong('to')}
      />
      <TicketEntry
        {...{ onEnter, label: text('trade.scaled.count'), name: 'count', value: entry.count, unit: '2 – 20' }}
        onChange={(count) => changeScaled({ count })}
        onStep={(steps) => changeScaled({ count: stepCount(entry.count, steps) })}
        error={wrong('count')}
      />
    </>
  );
}

/** How sizes grow from the first order to the last. */
export function SkewField({ skew }: Pick<ScaledEntry, 'skew'>) {
  const text = useText();
  const ratio = text('trade.scaled.skewText', { ratio: skewRatio(skew) });
  return (
    <div className="flex items-center gap-3 px-1">
      <span className="text-xs text-faint">{text('trade.scaled.skew')}</span>
      <div className="flex-1">
        <Slider
          {...{ label: text('trade.scaled.skew'), value: skew, marks: SKEWS, valueText: ratio }}
          min={-SCALED_SKEW_MAX}
          max={SCALED_SKEW_MAX}
          step={1}
          onChange={(next) => changeScaled({ skew: next })}
        />
      </div>
      <span className="num shrink-0 text-xs text-soft">{ratio}</span>
    </div>
  );
}

/** Until cancelled, or only making: both rest. */
export function RestingSelect(props: {
  readonly value: TimeInForce;
  readonly onChange: (timeInForce: TimeInForce) => void;
}) {
  const text = useText();
  return (
    <Select
      label={text('trade.ticket.tif')}
      labelHidden
      className="[&_select]:max-lg:h-12"
      size="small"
      value={String(scaledTimeInForce(props.value))}
      options={[TIME_IN_FORCE.GTC, TIME_IN_FORCE.POST_ONLY].map((time) => ({
        value: String(time),
        label: text(`trade.ticket.tif.${time}`),
      }))}
      onChange={(value) =>
        props.onChange(
          value === String(TIME_IN_FORCE.POST_ONLY) ? TIME_IN_FORCE.POST_ONLY : TIME_IN_FORCE.GTC,
        )
      }
    />
  );
}

/** What is wrong with the size of the orders, said under the field of the ordinary ticket. */
export function SizeError({ errors }: Pick<ScaledFieldsProps, 'errors'>) {
  const text = useText();
  const error = errors.find(({ field }) => field === 'size');
  if (error === undefined) return null;
  const { allowed, part = '' } = error;
  return (
    <p role="alert" className="-mt-1 text-[11px] leading-4 max-lg:text-xs text-danger">
      {text(`trade.scaled.error.${error.name}`, { allowed, part })}
    </p>
  );
}
