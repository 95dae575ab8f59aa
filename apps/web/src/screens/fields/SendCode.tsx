import { useEffect, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';

/** Seconds before another code can be asked for. */
const SEND_AGAIN_SECONDS = 60;

/** The button that sends the verification code, and counts down until it may be pressed again. */
export function SendCode(props: {
  /** @returns what went wrong, in words. */
  readonly send: () => Promise<string | undefined>;
  readonly onSent?: () => void;
  readonly onProblem: (message: string) => void;
  /** One has just been sent: the countdown runs from the start. */
  readonly isSent?: boolean;
}) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [seconds, setSeconds] = useState(props.isSent === true ? SEND_AGAIN_SECONDS : 0);

  useEffect(() => {
    if (seconds === 0) return;
    const id = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(id);
  }, [seconds]);

  const send = async () => {
    setBusy(true);
    const problem = await props.send();
    setBusy(false);
    if (problem !== undefined) return props.onProblem(problem);
    setSeconds(SEND_AGAIN_SECONDS);
    notify('success', { id: 'sign.codeSent' });
    props.onSent?.();
  };

  return (
    <button
      type="button"
      disabled={busy || seconds > 0}
      aria-busy={busy || undefined}
      onClick={() => void send()}
      className="shrink-0 rounded-sm text-[13px] text-link hover:underline disabled:text-faint disabled:no-underline"
    >
      {seconds > 0 ? t('sign.sendAgain', { seconds }) : t('sign.sendCode')}
    </button>
  );
}
