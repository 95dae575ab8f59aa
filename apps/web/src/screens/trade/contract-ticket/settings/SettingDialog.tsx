import '../../../../i18n/later-words.ts';
import { type ReactNode, useState } from 'react';
import { type MessageId, useText } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { HoldButton } from '../../../../ui/entry/HoldButton.tsx';
import { Answer, type NotDone, type Said, saidOf } from '../../entry/Answer.tsx';

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
  readonly onClose: () => void;
}) {
  const { title, description, children, held = false, ready, onSend, onClose } = props;
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Said>();
  const send = async (): Promise<void> => {
    setBusy(true);
    setAnswer(undefined);
    const outcome = await onSend();
    setBusy(false);
    if (outcome.ok) onClose();
    else setAnswer(saidOf(outcome, text('trade.setting.unknown')));
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
              busy={busy}
              disabled={!ready}
              onHeld={() => void send()}
            >
              {text('common.confirm')}
            </HoldButton>
          ) : (
            <Button
              tone="primary"
              busy={busy}
              disabled={!ready}
              onClick={() => void send()}
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
      <Answer said={answer} />
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
