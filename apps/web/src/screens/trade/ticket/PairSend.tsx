import { useText } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';

/** The button that sends an order of a pair: a sentence, never dead for a wrong input. */
export function PairSend(props: {
  readonly action: string;
  /** What is sent besides the size, for who cannot see the fields. */
  readonly sentence: string;
  readonly tone: 'up' | 'down';
  readonly busy: boolean;
  /** Nothing can be sent now. */
  readonly still: boolean;
  /** Why, whatever stands in the ticket. */
  readonly dead: string | undefined;
  /** Id of what says how sending stands. */
  readonly state?: string;
  readonly onSend: () => void;
}) {
  const { action, sentence, tone, busy, still, dead, state = 'ticket-state', onSend } = props;
  const text = useText();
  return (
    <>
      <Button
        data-sends
        tone={tone}
        busy={busy}
        aria-disabled={still}
        aria-describedby={`pair-dead ${state}`}
        aria-label={`${action}, ${sentence}`}
        onClick={onSend}
        className={classNames('h-10 max-lg:h-12', still && 'opacity-50')}
      >
        <span className="truncate">{busy ? text('trade.ticket.sending') : action}</span>
      </Button>
      <p id="pair-dead" role="status" className="text-xs text-soft empty:hidden">
        {dead}
      </p>
    </>
  );
}
