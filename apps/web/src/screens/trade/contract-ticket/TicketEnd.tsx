import { roleBeside } from '../../../stores/member/own-service.ts';
import '../../../i18n/later-words.ts';
import type { ContractError } from '../../../calculators/contracts/contract-errors.ts';
import type { DeadReason } from '../../../calculators/contracts/dead-reason.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { TicketSending } from '../../../stores/trading/ticket/ticket.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Words } from '../entry/Answer.tsx';

/** The button that sends: a sentence, never dead for a wrong input. */
export function SendButton(props: {
  readonly action: string;
  readonly sentence: string;
  readonly tone: 'up' | 'down';
  readonly sent: {
    readonly sending: TicketSending;
    readonly inFlight: boolean;
    readonly submit: () => void;
  };
  readonly dead: boolean;
}) {
  const { action, sentence, tone, sent, dead } = props;
  const text = useText();
  const still = dead || sent.inFlight;
  return (
    <Button
      data-sends
      tone={tone}
      busy={sent.sending.phase === 'sending'}
      aria-disabled={still}
      aria-describedby="contract-ticket-state"
      aria-label={`${action}, ${sentence}`}
      onClick={sent.submit}
      className={classNames('h-10 max-lg:h-12', still && 'opacity-50')}
    >
      <span className="truncate">
        {sent.sending.phase === 'sending' ? text('trade.ticket.sending') : action}
      </span>
    </Button>
  );
}

/** What stands under the button: why it is dead, what became of sending, or what is wrong with the whole. */
export function TicketState(props: {
  readonly sending: TicketSending;
  readonly dead: string | undefined;
  /** What would keep it from being sent, were it not closing. */
  readonly doubt: DeadReason | undefined;
  readonly error: ContractError | undefined;
  readonly failed: boolean;
  readonly onRetry: () => void;
}) {
  const { sending, dead, doubt, error, failed, onRetry } = props;
  const text = useText();
  const wrong = error === undefined ? undefined : text(`trade.contract.error.${error.name}`, error.values);
  const beside = doubt && text(doubt.id, doubt.values);
  const unknown = sending.phase === 'unknown';
  const message = unknown
    ? text('trade.ticket.unknown')
    : sending.phase === 'refused'
      ? undefined
      : (dead ?? wrong ?? beside);
  const tone = unknown
    ? 'text-warning'
    : (dead === undefined && wrong !== undefined) || sending.phase === 'refused'
      ? 'text-danger'
      : 'text-soft';
  return (
    <div
      id="contract-ticket-state"
      role={roleBeside('status', sending.phase === 'refused' ? sending.message : undefined)}
      className={`text-xs empty:hidden ${tone}`}
    >
      {message}
      {sending.phase === 'refused' && <Words message={sending.message} code={sending.venue?.venueCode} />}
      {failed && (
        <Button size="small" onClick={onRetry} className="ml-2 max-lg:h-11">
          {text('common.retry')}
        </Button>
      )}
    </div>
  );
}
