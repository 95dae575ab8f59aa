import { ORDER_TYPE, SIDE, TIME_IN_FORCE, type TimeInForce } from '@crossbook/domain';
import { type ReactNode, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { presetMarks } from '../../../calculators/size-presets.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { readNumberEntry } from '../../../calculators/ticket/number-entry.ts';
import {
  sizedInQuote,
  type TicketAction,
  type TicketField,
  type TicketState,
} from '../../../calculators/ticket/ticket.ts';
import type { TicketError } from '../../../calculators/ticket/ticket-errors.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Slider } from '../../../ui/entry/Slider.tsx';
import { Select } from '../../../ui/Select.tsx';

/** What every part of the ticket gets. */
export interface TicketPartProps {
  readonly ticket: TicketState;
  readonly instrument: ListedInstrument;
  readonly errors: readonly TicketError[];
  readonly act: (action: TicketAction) => void;
  readonly onEnter: () => void;
}

/** Text of an error, in the words of the catalogue. */
export function useErrorText(): (error: TicketError) => string {
  const text = useText();
  return (error) => text(`trade.error.${error.name}`, { allowed: error.allowed ?? '' });
}

function FieldError(props: {
  readonly id: string;
  readonly error: TicketError | undefined;
  readonly onInstead: (price: string) => void;
}) {
  const { id, error, onInstead } = props;
  const text = useText();
  const errorText = useErrorText();
  const { instead } = error ?? {};
  return error === undefined ? null : (
    <p id={id} className="-mt-1 text-[11px] leading-4 text-danger">
      {errorText(error)}
      {instead !== undefined && (
        <button
          type="button"
          onClick={() => onInstead(instead)}
          className="ml-1.5 text-link underline max-lg:min-h-11"
        >
          {text('trade.contract.use', { price: groupThousands(instead) })}
        </button>
      )}
    </p>
  );
}

function EntryField(
  props: TicketPartProps & {
    readonly field: TicketField;
    readonly label: string;
    readonly unit: ReactNode;
  },
) {
  const { ticket, errors, act, onEnter, field, label, unit } = props;
  const id = useId();
  const error = errors.find((candidate) => candidate.field === field);
  return (
    <>
      <NumberInput
        label={label}
        value={ticket[field]}
        read={readNumberEntry}
        onChange={(text) => act({ kind: 'write', field, text })}
        onStep={(steps) => act({ kind: 'step', field, steps })}
        onEnter={onEnter}
        name={field === 'price' ? 'price' : 'size'}
        unit={unit}
        invalid={error !== undefined}
        {...(error === undefined ? {} : { describedBy: id })}
        className="max-lg:h-11"
      />
      <FieldError
        {...{ id, error }}
        onInstead={(price) => act({ kind: 'write', field: 'price', text: price })}
      />
    </>
  );
}

/** Price with BBO, or the words "market price". */
export function PriceField(props: TicketPartProps) {
  const text = useText();
  const { ticket, instrument, act } = props;
  if (ticket.type === ORDER_TYPE.MARKET) {
    return (
      <div className="flex h-9 items-center justify-between rounded-md border border-line bg-raised px-2 text-[13px] text-faint max-lg:h-11">
        <span className="text-xs">{text('trade.ticket.price')}</span>
        <span>{text('trade.ticket.marketPrice')}</span>
      </div>
    );
  }
  const unit = (
    <span className="flex items-center gap-2">
      {instrument.quote}
      <button
        type="button"
        title={text('trade.ticket.bestHint')}
        onClick={() => act({ kind: 'best' })}
        className="h-6 rounded-sm bg-raised px-1.5 text-[11px] font-medium text-link hover:bg-hover max-lg:h-9 max-lg:px-3"
      >
        {text('trade.ticket.best')}
      </button>
    </span>
  );
  return <EntryField {...props} field="price" label={text('trade.ticket.price')} unit={unit} />;
}

/** Quantity in base, or for market buys the quote amount to spend. */
export function SizeField(props: TicketPartProps) {
  const text = useText();
  const { ticket, instrument, act } = props;
  const inQuote = sizedInQuote(ticket);
  const choosable = ticket.type === ORDER_TYPE.MARKET && ticket.side === SIDE.BUY;
  const unit = choosable ? (
    <select
      aria-label={text('trade.ticket.unit')}
      value={ticket.unit}
      onChange={(event) => act({ kind: 'unit', unit: event.target.value === 'base' ? 'base' : 'quote' })}
      className="h-6 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-9"
    >
      <option value="quote" className="bg-panel">
        {instrument.quote}
      </option>
      <option value="base" className="bg-panel">
        {instrument.base}
      </option>
    </select>
  ) : (
    instrument.base
  );
  return (
    <EntryField
      {...props}
      field={inQuote ? 'quote' : 'quantity'}
      label={text(inQuote ? 'trade.ticket.spend' : 'trade.ticket.quantity')}
      unit={unit}
    />
  );
}

/** The share of the available balance. */
export function PercentSlider({ percent, act }: { readonly percent: number } & Pick<TicketPartProps, 'act'>) {
  const text = useText();
  const presets = useStore(tradeSettingsStore, (settings) => settings.sizePresets);
  const marks = useMemo(() => presetMarks(presets), [presets]);
  return (
    <div className="flex items-center gap-3 px-1">
      <div className="flex-1">
        <Slider
          label={text('trade.ticket.percent')}
          value={percent}
          max={100}
          step={1}
          marks={marks}
          valueText={text('trade.ticket.percentText', { percent })}
          onChange={(next) => act({ kind: 'percent', percent: next })}
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

/** Time in force of a limit order. */
export function TimeInForceField({ ticket, act }: Pick<TicketPartProps, 'ticket' | 'act'>) {
  const text = useText();
  if (ticket.type === ORDER_TYPE.MARKET) return null;
  return (
    <Select
      label={text('trade.ticket.tif')}
      labelHidden
      className="[&_select]:max-lg:h-11"
      size="small"
      value={String(ticket.timeInForce)}
      options={TIMES.map((time) => ({ value: String(time), label: text(`trade.ticket.tif.${time}`) }))}
      onChange={(value) => {
        const timeInForce = TIMES.find((time) => String(time) === value);
        if (timeInForce === undefined) return;
        act({ kind: 'time-in-force', timeInForce });
        changeTradeSettings({ timeInForce });
      }}
    />
  );
}
