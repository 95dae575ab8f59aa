import { ORDER_TYPE, platformFacts, SIDE } from '@crossbook/domain';
import { useState } from 'react';
import { groupThousands } from '../../../calculators/step-text.ts';
import { movingFault } from '../../../calculators/ticket/held-still.ts';
import {
  mayHide,
  sizedInQuote,
  type TicketAction,
  type TicketField,
  type TicketState,
} from '../../../calculators/ticket/ticket.ts';
import type { TicketError } from '../../../calculators/ticket/ticket-errors.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { algoOffer, spotOffer } from '../../../stores/market/market.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
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

/** The name that a field of the ticket has in its form. */
export function nameOfField(field: TicketError['field']): string {
  return field === 'price' || field === 'visible' || field === 'form' ? field : 'size';
}

function EntryField(
  props: TicketPartProps & Pick<TicketEntryProps, 'label' | 'unit'> & { readonly field: TicketField },
) {
  const { ticket, instrument, errors, act, onEnter, field, label, unit } = props;
  const text = useText();
  const errorText = useErrorText();
  const found = errors.find((candidate) => candidate.field === field);
  const { platform, symbol } = instrument;
  const chosen = [platform, symbol, ticket.side, ticket.type, ticket[field]];
  const error = useHeldStill(movingFault(found?.name, chosen), found);
  const instead = error?.instead;
  return (
    <TicketEntry
      {...{ label, unit, onEnter }}
      name={nameOfField(field)}
      value={ticket[field]}
      onChange={(entry) => act({ kind: 'write', field, text: entry })}
      onStep={(steps) => act({ kind: 'step', field, steps })}
      error={
        error && (
          <>
            {errorText(error)}
            {instead !== undefined && (
              <UseInstead
                label={text('trade.contract.use', { price: groupThousands(instead) })}
                onClick={() => act({ kind: 'write', field: 'price', text: instead })}
              />
            )}
          </>
        )
      }
    />
  );
}

/** Price with BBO, or the words "market price". */
export function PriceField(props: TicketPartProps) {
  const text = useText();
  const { ticket, instrument, act } = props;
  if (ticket.type === ORDER_TYPE.MARKET) return <MarketPrice />;
  const unit = <PriceUnit quote={instrument.quote} onBest={() => act({ kind: 'best' })} />;
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
      onChange={(event) => {
        const spotUnit = event.target.value === 'base' ? 'base' : 'quote';
        act({ kind: 'unit', unit: spotUnit });
        changeTradeSettings({ spotUnit });
      }}
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
  return (
    <ShareSlider
      label={text('trade.ticket.percent')}
      percent={percent}
      onPercent={(next) => act({ kind: 'percent', percent: next })}
    />
  );
}

/** Time in force of a limit order. */
export function TimeInForceField({ ticket, act }: Pick<TicketPartProps, 'ticket' | 'act'>) {
  if (ticket.type === ORDER_TYPE.MARKET) return null;
  return (
    <TimeInForceSelect
      value={ticket.timeInForce}
      onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
    />
  );
}

/** How much of an order the book shows at a time: off until it is asked for, and said where the exchange has none. */
export function IcebergField(props: TicketPartProps) {
  const { ticket, instrument, act } = props;
  const text = useText();
  const [asked, setAsked] = useState(false);
  if (!mayHide(ticket)) return null;
  const { platform, base } = instrument;
  if (spotOffer(platform).icebergPartsMax === undefined) {
    const venue = platformFacts(platform).name;
    const waits = algoOffer(platform, 'SPOT').kinds.includes('iceberg');
    return (
      <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
        {text(waits ? 'trade.iceberg.waits' : 'trade.iceberg.none', { venue })}
      </p>
    );
  }
  const on = asked || ticket.visible !== '';
  return (
    <>
      <Checkbox
        label={text('trade.iceberg')}
        checked={on}
        onChange={({ target }) => {
          setAsked(target.checked);
          if (!target.checked) act({ kind: 'write', field: 'visible', text: '' });
        }}
        className="max-lg:py-2"
      />
      {on && <EntryField {...props} field="visible" label={text('trade.iceberg.visible')} unit={base} />}
    </>
  );
}
