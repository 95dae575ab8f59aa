import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConfirmKind } from '../../../calculators/ticket/confirm-kinds.ts';
import type { TicketWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { askFirst } from './ConfirmToggle.tsx';
import { TicketWarnings } from './TicketWarnings.tsx';

/** Asks once more before an order goes, with everything that is sent; may be switched off unless a warning is grave. */
export function ConfirmOrder(props: {
  /** What may be switched off here. */
  readonly kind: ConfirmKind;
  readonly action: string;
  /** Price, kind, time in force, venue, mode and leverage in one sentence. */
  readonly sentence: string;
  readonly tone: 'up' | 'down';
  readonly warnings: readonly TicketWarning[];
  /** The figures of the ticket. */
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { kind, action, sentence, tone, warnings, children, onClose, onConfirm } = props;
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
            tone={tone}
            onClick={() => {
              if (never) askFirst(kind, false);
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
      {children}
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
