import { SIDE } from '@crossbook/domain';
import { useEffect, useRef, useState } from 'react';
import { confirmKindOf } from '../../../calculators/ticket/confirm-kinds.ts';
import type { TicketState, TicketSummary } from '../../../calculators/ticket/ticket.ts';
import type { TicketWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { askFirst } from '../entry/ConfirmToggle.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { TicketStats } from './TicketStats.tsx';

/** Asks once more, with the figures; may be switched off. */
export function ConfirmOrder(props: {
  readonly ticket: TicketState;
  readonly summary: TicketSummary;
  readonly instrument: ListedInstrument;
  readonly action: string;
  /** What is sent besides the size. */
  readonly sentence: string;
  readonly warnings: readonly TicketWarning[];
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { ticket, summary, instrument, action, sentence, warnings, onClose, onConfirm } = props;
  const text = useText();
  const [never, setNever] = useState(false);
  const grave = warnings.some((warning) => warning.grave);
  const first = useRef<HTMLButtonElement>(null);
  // A second Enter sends, unless there is something to think about. This runs after the dialog's own effect, which
  // focuses its first button.
  useEffect(() => first.current?.focus(), []);
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
          <Button {...(grave ? { ref: first } : {})} onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          <Button
            {...(grave ? {} : { ref: first })}
            tone={ticket.side === SIDE.BUY ? 'up' : 'down'}
            onClick={() => {
              if (never) askFirst(confirmKindOf(ticket.type), false);
              onConfirm();
            }}
            className="max-lg:h-11"
          >
            {action}
          </Button>
        </>
      }
    >
      <TicketWarnings warnings={warnings} />
      <TicketStats ticket={ticket} summary={summary} instrument={instrument} />
      {!grave && (
        <Checkbox
          label={text('trade.ticket.confirm.off')}
          checked={never}
          onChange={(event) => setNever(event.target.checked)}
        />
      )}
    </Dialog>
  );
}
