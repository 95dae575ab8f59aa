import { TIME_IN_FORCE, type TimeInForce } from '@crossbook/domain';
import { type ReactNode, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { presetMarks } from '../../../calculators/size-presets.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { readNumberEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Slider } from '../../../ui/entry/Slider.tsx';
import { Select } from '../../../ui/Select.tsx';

/** Props of `TicketEntry`. */
export interface TicketEntryProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly unit: ReactNode;
  readonly onChange: (text: string) => void;
  readonly onStep: (steps: number) => void;
  readonly onEnter: () => void;
  /** What is wrong with it, said under it. */
  readonly error?: ReactNode;
  /** Said under it while it is right. */
  readonly note?: string | undefined;
}

/** One number of a ticket, and under it what is wrong with it or what it comes to. */
export function TicketEntry({ error, note, ...entry }: TicketEntryProps) {
  const id = useId();
  const text = useText();
  const { label: field } = entry;
  const invalid = error !== undefined;
  const said = error ?? note;
  return (
    <>
      <NumberInput
        {...entry}
        read={readNumberEntry}
        shown={groupThousands(entry.value)}
        invalid={invalid}
        stepLabels={{
          less: text('trade.ticket.less', { field }),
          more: text('trade.ticket.more', { field }),
        }}
        {...(said === undefined ? {} : { describedBy: id })}
        className="max-lg:h-12"
      />
      {said !== undefined && (
        <p
          id={id}
          className={`-mt-1 text-[11px] leading-4 max-lg:text-xs ${invalid ? 'text-danger' : 'text-faint'}`}
        >
          {said}
        </p>
      )}
    </>
  );
}

/** One click writes what would do. */
export function UseInstead({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className="ml-1.5 text-link underline max-lg:min-h-11">
      {label}
    </button>
  );
}

/** In the place of the price, where the market makes it. */
export function MarketPrice() {
  const text = useText();
  return (
    <div className="flex h-9 items-center justify-between rounded-md border border-line bg-raised px-2 text-[13px] text-faint max-lg:h-12">
      <span className="text-xs">{text('trade.ticket.price')}</span>
      <span>{text('trade.ticket.marketPrice')}</span>
    </div>
  );
}

/** The unit of a price, with the button that takes the best one of the book. */
export function PriceUnit({ quote, onBest }: { readonly quote: string; readonly onBest: () => void }) {
  const text = useText();
  return (
    <span className="flex items-center gap-2">
      {quote}
      <button
        type="button"
        title={text('trade.ticket.bestHint')}
        onClick={onBest}
        className="h-6 rounded-sm bg-raised px-1.5 text-[11px] font-medium text-link hover:bg-hover max-lg:h-9 max-lg:px-3"
      >
        {text('trade.ticket.best')}
      </button>
    </span>
  );
}

/** A share of what there is, with the member's own marks. @param percent 0 to 100. */
export function ShareSlider(props: {
  readonly label: string;
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
}) {
  const { label, percent, onPercent } = props;
  const text = useText();
  const presets = useStore(tradeSettingsStore, (settings) => settings.sizePresets);
  const marks = useMemo(() => presetMarks(presets), [presets]);
  return (
    <div className="flex items-center gap-3 px-1">
      <div className="flex-1">
        <Slider
          {...{ label, marks }}
          snap={2}
          value={percent}
          max={100}
          step={1}
          valueText={text('trade.ticket.percentText', { percent })}
          onChange={onPercent}
        />
      </div>
      <span className="num w-9 text-xs text-soft">{percent}%</span>
    </div>
  );
}

const TIMES: readonly TimeInForce[] = [
  TIME_IN_FORCE.GTC,
  TIME_IN_FORCE.POST_ONLY,
  TIME_IN_FORCE.IOC,
  TIME_IN_FORCE.FOK,
];

/** Time in force of a limit order; the choice is kept for the next one. Not all of them where `offered` says so. */
export function TimeInForceSelect(props: {
  readonly value: TimeInForce;
  readonly offered?: readonly TimeInForce[];
  readonly onChange: (timeInForce: TimeInForce) => void;
}) {
  const text = useText();
  return (
    <Select
      label={text('trade.ticket.tif')}
      labelHidden
      className="[&_select]:max-lg:h-12"
      size="small"
      value={String(props.value)}
      options={TIMES.filter((time) => props.offered?.includes(time) ?? true).map((time) => ({
        value: String(time),
        label: text(`trade.ticket.tif.${time}`),
      }))}
      onChange={(value) => {
        const timeInForce = TIMES.find((time) => String(time) === value);
        if (timeInForce === undefined) return;
        props.onChange(timeInForce);
        changeTradeSettings({ timeInForce });
      }}
    />
  );
}
