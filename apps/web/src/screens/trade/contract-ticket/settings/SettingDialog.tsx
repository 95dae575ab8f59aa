import '../../../../i18n/later-words.ts';
import type { RefusalCause } from '@crossbook/domain';
import { type ReactNode, useState } from 'react';
import { type MessageId, useText } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { HoldButton } from '../../../../ui/entry/HoldButton.tsx';
import { Answer, type NotDone, type Said, saidOf } from '../../entry/Answer.tsx';
import { useSending } from '../../entry/use-sending.ts';

/**
 * A dialog about a setting at the exchange. The answer stays in it: refused with the reason, or unknown; only what was
 * read back closes it.
 */
export function SettingDialog(props: {
  readonly title: MessageId;
  readonly description: string;
  readonly children: ReactNode;
  /** What reaches further than what is on screen is sent by holding the button. */
  readonly held?: boolean;
  /** Whether there is anything to send. */
  readonly ready: boolean;
  readonly onSend: () => Promise<{ readonly ok: true } | NotDone>;
  /** What can be done instead, below the refusal that has such a cause. */
  readonly mends?: Readonly<Partial<Record<RefusalCause, ReactNode>>>;
  readonly onClose: () => void;
}) {
  const { title, description, children, held = false, ready, onSend, mends = {}, onClose } = props;
  const text = useText();
  const sending = useSending();
  const [cause, setCause] = useState<RefusalCause | null>();
  const send = async (): Promise<Said | undefined> => {
    const outcome = await onSend();
    if (outcome.ok) {
      onClose();
      return undefined;
    }
    setCause(outcome.kind === 'refused' ? outcome.venue?.cause : undefined);
    return saidOf(outcome, text('trade.setting.unknown'));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text(title)}
      description={description}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          {held ? (
            <HoldButton
              tone="primary"
              hint={text('trade.position.hold')}
              busy={sending.busy}
              disabled={!ready}
              onHeld={() => void sending.send(send)}
            >
              {text('common.confirm')}
            </HoldButton>
          ) : (
            <Button
              tone="primary"
              busy={sending.busy}
              disabled={!ready}
              onClick={() => void sending.send(send)}
              className="max-lg:h-11"
            >
              {text('common.confirm')}
            </Button>
          )}
        </>
      }
    >
      {children}
      {held && ready && <p className="text-xs text-faint">{text('trade.position.hold')}</p>}
      <Answer said={sending.said} />
      {sending.said !== undefined && cause && mends[cause]}
    </Dialog>
  );
}

/** One of a few choices with what it means, as a card. */
export function ChoiceCard(props: {
  readonly chosen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly disabled?: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={props.chosen}
      disabled={props.disabled}
      onClick={props.onChoose}
      className="flex flex-1 flex-col gap-1 rounded-md border border-line-strong p-3 text-left text-xs leading-5 text-soft hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected"
    >
      <span className="text-sm font-medium text-text">{props.title}</span>
      {props.children}
    </button>
  );
}
