import { type Amount, ORDER_TYPE, platformFacts, SIDE } from '@crossbook/domain';
import { useEffect, useRef, useState } from 'react';
import { groupThousands } from '../../../calculators/step-text.ts';
import {
  orderRequestOf,
  sizedInQuote,
  type TicketState,
  type TicketSummary,
} from '../../../calculators/ticket/ticket.ts';
import type { TicketWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { TicketStats } from './TicketStats.tsx';

/** How far a limit lies from the price that it would fill at now: ` (−1.1%)`. */
function gapText(price: Amount | undefined, best: Amount | undefined): string {
  if (price === undefined || best === undefined || best === 0n) return '';
  const gap = Number((price * 10_000n) / best) / 100 - 100;
  return ` (${gap < 0 ? '−' : '+'}${Math.abs(gap).toFixed(1)}%)`;
}

/** Asks once more, with the figures; may be switched off. */
export function ConfirmOrder(props: {
  readonly ticket: TicketState;
  readonly summary: TicketSummary;
  readonly instrument: ListedInstrument;
  /** The price that it would fill at now. */
  readonly best: Amount | undefined;
  readonly action: string;
  readonly warnings: readonly TicketWarning[];
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { ticket, summary, instrument, best, action, warnings, onClose, onConfirm } = props;
  const text = useText();
  const [never, setNever] = useState(false);
  const grave = warnings.some((warning) => warning.grave);
  const first = useRef<HTMLButtonElement>(null);
  // A second Enter sends, unless there is something to think about. This runs after the dialog's own effect, which
  // focuses its first button.
  useEffect(() => first.current?.focus(), []);
  const size = sizedInQuote(ticket)
    ? `${ticket.quote} ${instrument.quote}`
    : `${ticket.quantity} ${instrument.base}`;
  const limit = ticket.type === ORDER_TYPE.LIMIT;
  const price = limit
    ? `${groupThousands(ticket.price)} ${instrument.quote}${gapText(summary.price, best)}`
    : text('trade.ticket.marketPrice');
  const sentence = [
    `${size} · ${price}`,
    text(limit ? 'type.limit' : 'type.market'),
    ...(limit ? [text(`trade.ticket.tif.${ticket.timeInForce}`)] : []),
    ...(orderRequestOf(ticket).visibleQuantity === undefined
      ? []
      : [text('trade.iceberg.of', { size: `${ticket.visible} ${instrument.base}` })]),
    platformFacts(instrument.platform).name,
  ].join(' · ');
  return (
    <Dialog
      open
      kind="alert"
      onClose={onClose}
      title={action}
      description={sentence}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button {...(grave ? { ref: first } : {})} onClick={onClose}>
            {text('common.cancel')}
          </Button>
          <Button
            {...(grave ? {} : { ref: first })}
            tone={ticket.side === SIDE.BUY ? 'up' : 'down'}
            onClick={() => {
              if (never) changeTradeSettings({ confirmOrders: false });
              onConfirm();
            }}
          >
            {text('common.confirm')}
          </Button>
        </>
      }
    >
      <TicketWarnings warnings={warnings} />
      <TicketStats ticket={ticket} summary={summary} instrument={instrument} />
      <Checkbox
        label={text('trade.ticket.confirm.off')}
        checked={never}
        onChange={(event) => setNever(event.target.checked)}
      />
    </Dialog>
  );
}
