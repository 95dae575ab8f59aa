import { ORDER_TYPE, SIDE } from '@crossbook/domain';
import { useEffect, useRef, useState } from 'react';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sizedInQuote, type TicketState, type TicketSummary } from '../../../calculators/ticket.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TicketStats } from './TicketStats.tsx';

/** Asks once more, with the figures; may be switched off. */
export function ConfirmOrder(props: {
  readonly ticket: TicketState;
  readonly summary: TicketSummary;
  readonly instrument: ListedInstrument;
  readonly action: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { ticket, summary, instrument, action, onClose, onConfirm } = props;
  const text = useText();
  const [never, setNever] = useState(false);
  const go = useRef<HTMLButtonElement>(null);
  // A second Enter sends: this effect runs after the dialog's own, which focuses its first button.
  useEffect(() => go.current?.focus(), []);
  const size = sizedInQuote(ticket)
    ? `${ticket.quote} ${instrument.quote}`
    : `${ticket.quantity} ${instrument.base}`;
  const price =
    ticket.type === ORDER_TYPE.MARKET
      ? text('trade.ticket.marketPrice')
      : `${groupThousands(ticket.price)} ${instrument.quote}`;
  return (
    <Dialog
      open
      kind="alert"
      onClose={onClose}
      title={action}
      description={`${size} · ${price}`}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{text('common.cancel')}</Button>
          <Button
            ref={go}
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
      <TicketStats ticket={ticket} summary={summary} instrument={instrument} />
      <Checkbox
        label={text('trade.ticket.confirm.off')}
        checked={never}
        onChange={(event) => setNever(event.target.checked)}
      />
    </Dialog>
  );
}
