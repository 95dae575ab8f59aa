import { ORDER_TYPE, TIME_IN_FORCE, type TimeInForce } from '@crossbook/domain';
import { type ReactNode, useId, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { ContractError } from '../../../calculators/contracts/contract-errors.ts';
import {
  type ContractTicketAction,
  type ContractTicketState,
  SIZE_UNITS,
  type SizeUnit,
  unitsOf,
} from '../../../calculators/contracts/contract-ticket.ts';
import { presetMarks } from '../../../calculators/size-presets.ts';
import { readNumberEntry } from '../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { keepSizeUnit } from '../../../stores/trading/size-unit.ts';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Slider } from '../../../ui/entry/Slider.tsx';
import { Select } from '../../../ui/Select.tsx';
import type { Mends } from './mends.ts';

/** What every part of the ticket gets. */
export interface ContractPartProps {
  readonly ticket: ContractTicketState;
  readonly instrument: ListedInstrument;
  readonly errors: readonly ContractError[];
  readonly act: (action: ContractTicketAction) => void;
  readonly onEnter: () => void;
  /** What an error's buttons do that the ticket cannot do by itself. */
  readonly mend: Mends;
}

/** What an error says holds still until something else is typed: a bound must not move under the eye. */
function useHeld(error: ContractError | undefined, typed: string): ContractError['values'] {
  const held = useRef<{ readonly of: string; readonly values: ContractError['values'] }>(undefined);
  const of = `${error?.name} ${typed}`;
  if (held.current?.of !== of) held.current = { of, values: error?.values ?? {} };
  return held.current.values;
}

const INSTEAD = 'ml-1.5 text-link underline max-lg:min-h-11';

/** One click writes what would do. */
function Instead({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className={INSTEAD}>
      {label}
    </button>
  );
}

/** What can be done about an error, each with one click. */
function MendButtons(
  props: ContractPartProps & { readonly error: ContractError; readonly values: ContractError['values'] },
) {
  const { error, values, act, mend } = props;
  const { instead, leverage, cancels } = error;
  const text = useText();
  const price = values.price ?? '';
  return (
    <>
      {instead === 'price' && (
        <Instead
          label={text('trade.contract.use', { price })}
          // Without separators: a comma alone could be a decimal sign.
          onClick={() => act({ kind: 'write', field: 'price', text: price.replaceAll(',', '') })}
        />
      )}
      {leverage !== undefined && <Instead label={`${leverage}×`} onClick={() => mend.onLeverage(leverage)} />}
      {cancels !== undefined && (
        <Instead label={text('trade.contract.cancelThose')} onClick={() => mend.onCancel(cancels)} />
      )}
      {instead === 'largest' && (
        <Instead
          label={text('trade.contract.useMax')}
          onClick={() => act({ kind: 'percent', percent: 100 })}
        />
      )}
    </>
  );
}

function EntryField(
  props: ContractPartProps & {
    readonly field: 'price' | 'size';
    readonly label: string;
    readonly unit: ReactNode;
    /** Said under the field while it is right: what will really be sent. */
    readonly note?: string | undefined;
  },
) {
  const { ticket, errors, act, onEnter, field, label, unit, note } = props;
  const text = useText();
  const id = useId();
  const error = errors.find((candidate) => candidate.field === field);
  const values = useHeld(error, ticket[field]);
  const said = error === undefined ? note : text(`trade.contract.error.${error.name}`, values);
  return (
    <>
      <NumberInput
        label={label}
        value={ticket[field]}
        read={readNumberEntry}
        onChange={(entry) => act({ kind: 'write', field, text: entry })}
        onStep={(steps) => act({ kind: 'step', field, steps })}
        onEnter={onEnter}
        unit={unit}
        invalid={error !== undefined}
        name={field}
        {...(said === undefined ? {} : { describedBy: id })}
        className="max-lg:h-12"
      />
      {said !== undefined && (
        <p
          id={id}
          className={`-mt-1 text-[11px] leading-4 ${error === undefined ? 'text-faint' : 'text-danger'}`}
        >
          {said}
          {error !== undefined && <MendButtons {...props} {...{ error, values }} />}
        </p>
      )}
    </>
  );
}

/** Price with BBO, or the words "market price". */
export function ContractPrice(props: ContractPartProps) {
  const text = useText();
  const { ticket, instrument, act } = props;
  if (ticket.type === ORDER_TYPE.MARKET) {
    return (
      <div className="flex h-9 items-center justify-between rounded-md border border-line bg-raised px-2 text-[13px] text-faint max-lg:h-12">
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

function unitText(text: Text, unit: SizeUnit, { base, quote }: ListedInstrument): string {
  if (unit === 'coin') return base;
  return text(`trade.contract.unit.${unit}`, { quote });
}

/** The size in the unit that was chosen. @param sends what will really be sent, where it is not what was typed. */
export function ContractSize(props: ContractPartProps & { readonly sends: string | undefined }) {
  const text = useText();
  const { ticket, instrument, act, sends } = props;
  const unit = (
    <select
      aria-label={text('trade.ticket.unit')}
      value={ticket.unit}
      onChange={(event) => {
        const chosen = SIZE_UNITS.find((name) => name === event.target.value);
        if (chosen === undefined) return;
        act({ kind: 'unit', unit: chosen });
        keepSizeUnit(instrument.platform, chosen);
      }}
      className="h-6 max-w-28 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-9"
    >
      {unitsOf(instrument).map((name) => (
        <option key={name} value={name} className="bg-panel">
          {unitText(text, name, instrument)}
        </option>
      ))}
    </select>
  );
  return <EntryField {...props} field="size" label={text('trade.contract.size')} unit={unit} note={sends} />;
}

/** The share of the largest size, or of the position; and what binds that. */
export function ContractSlider(props: {
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
  readonly most: string;
}) {
  const { percent, onPercent, most } = props;
  const text = useText();
  const presets = useStore(tradeSettingsStore, (settings) => settings.sizePresets);
  const marks = useMemo(() => presetMarks(presets), [presets]);
  return (
    <div className="flex flex-col gap-0.5">
      <div className="flex items-center gap-3 px-1">
        <div className="flex-1">
          <Slider
            label={text('trade.contract.share')}
            value={percent}
            max={100}
            step={1}
            marks={marks}
            valueText={text('trade.ticket.percentText', { percent })}
            onChange={onPercent}
          />
        </div>
        <span className="num w-9 text-xs text-soft">{percent}%</span>
      </div>
      <button
        type="button"
        title={text('trade.ticket.useMax')}
        onClick={() => onPercent(100)}
        className="self-end text-[11px] leading-4 text-faint hover:text-text max-lg:min-h-11"
      >
        {most}
      </button>
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
export function ContractTimeInForce({ ticket, act }: Pick<ContractPartProps, 'ticket' | 'act'>) {
  const text = useText();
  if (ticket.type === ORDER_TYPE.MARKET) return null;
  return (
    <Select
      label={text('trade.ticket.tif')}
      labelHidden
      className="[&_select]:max-lg:h-12"
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
