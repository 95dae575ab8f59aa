import '../../../i18n/later-words.ts';
import { ORDER_TYPE } from '@crossbook/domain';
import type { ContractError } from '../../../calculators/contracts/contract-errors.ts';
import {
  type ContractTicketAction,
  type ContractTicketState,
  SIZE_UNITS,
  type SizeUnit,
  unitsOf,
} from '../../../calculators/contracts/contract-ticket.ts';
import { movingFault } from '../../../calculators/ticket/held-still.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { keepSizeUnit } from '../../../stores/trading/ticket/size-unit.ts';
import {
  MarketPrice,
  PriceUnit,
  ShareSlider,
  TicketEntry,
  type TicketEntryProps,
  TimeInForceSelect,
  UseInstead,
} from '../entry/TicketEntry.tsx';
import { useHeldStill } from '../entry/use-held-still.ts';
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
        <UseInstead
          label={text('trade.contract.use', { price })}
          // Without separators: a comma alone could be a decimal sign.
          onClick={() => act({ kind: 'write', field: 'price', text: price.replaceAll(',', '') })}
        />
      )}
      {leverage !== undefined && (
        <UseInstead label={`${leverage}×`} onClick={() => mend.onLeverage(leverage)} />
      )}
      {cancels !== undefined && (
        <UseInstead label={text('trade.contract.cancelThose')} onClick={() => mend.onCancel(cancels)} />
      )}
      {instead === 'largest' && (
        <UseInstead
          label={text('trade.contract.useMax')}
          onClick={() => act({ kind: 'percent', percent: 100 })}
        />
      )}
    </>
  );
}

function EntryField(
  props: ContractPartProps &
    Pick<TicketEntryProps, 'label' | 'unit' | 'note'> & { readonly field: 'price' | 'size' },
) {
  const { ticket, instrument, errors, act, onEnter, field, label, unit, note } = props;
  const text = useText();
  const error = errors.find((candidate) => candidate.field === field);
  const { platform, symbol } = instrument;
  const { side, type, unit: sizeUnit, tab } = ticket;
  const chosen = [platform, symbol, side, type, sizeUnit, tab, ticket[field], error?.values.leverage];
  const values = useHeldStill(movingFault(error?.name, chosen), error?.values ?? {});
  return (
    <TicketEntry
      {...{ label, unit, note, onEnter }}
      name={field}
      value={ticket[field]}
      onChange={(entry) => act({ kind: 'write', field, text: entry })}
      onStep={(steps) => act({ kind: 'step', field, steps })}
      error={
        error && (
          <>
            {text(`trade.contract.error.${error.name}`, values)}
            <MendButtons {...props} {...{ error, values }} />
          </>
        )
      }
    />
  );
}

/** Price with BBO, or the words "market price". */
export function ContractPrice(props: ContractPartProps) {
  const text = useText();
  const { ticket, instrument, act } = props;
  if (ticket.type === ORDER_TYPE.MARKET) return <MarketPrice />;
  const unit = <PriceUnit quote={instrument.quote} onBest={() => act({ kind: 'best' })} />;
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
  return (
    <div className="flex flex-col gap-0.5">
      <ShareSlider label={text('trade.contract.share')} {...{ percent, onPercent }} />
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

/** Time in force of a limit order. */
export function ContractTimeInForce({ ticket, act }: Pick<ContractPartProps, 'ticket' | 'act'>) {
  if (ticket.type === ORDER_TYPE.MARKET) return null;
  return (
    <TimeInForceSelect
      value={ticket.timeInForce}
      onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
    />
  );
}
