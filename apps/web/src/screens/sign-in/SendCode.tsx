import { isEmail, normaliseEmail } from '@crossbook/domain';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import type { Captcha } from './use-captcha.ts';

/** Seconds before another code can be asked for. */
const SEND_AGAIN_SECONDS = 60;

/** The button that sends the verification code, and counts down until it may be pressed again. */
export function SendCode(props: {
  readonly email: string;
  readonly captcha: Captcha;
  readonly onSent: (to: string) => void;
  readonly onProblem: (message: string) => void;
}) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    if (seconds === 0) return;
    const id = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(id);
  }, [seconds]);

  const send = async () => {
    const to = normaliseEmail(props.email);
    if (!isEmail(to)) return props.onProblem(t('sign.emailWrong'));
    setBusy(true);
    const solved = await props.captcha.take();
    const answer =
      solved === undefined
        ? undefined
        : await call('sms/sms', { target: to, purpose: 'register', captcha: solved }, { quiet: true });
    setBusy(false);
    if (answer === undefined) return props.onProblem(t('sign.captchaFailed'));
    if (!answer.ok) return props.onProblem(answer.kind === 'refused' ? answer.message : t('common.noAnswer'));
    setSeconds(SEND_AGAIN_SECONDS);
    notify('success', { id: 'sign.codeSent' });
    props.onSent(to);
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
