import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import '../../../i18n/account-words.ts';
import { call, problemOf } from '../../../stores/member/own-service.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CaptchaLine } from '../../fields/CaptchaLine.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { useCaptcha } from '../../fields/use-captcha.ts';

/** /freeze#token: "this was not me". Only the button does something: mail scanners follow links. */
export function FreezeScreen() {
  const t = useText();
  const captcha = useCaptcha();
  const [token] = useState(() => window.location.hash.slice(1));
  const [state, setState] = useState<'asked' | 'busy' | 'frozen'>('asked');
  const [problem, setProblem] = useState<string>();
  const freeze = async () => {
    setState('busy');
    const solved = await captcha.take();
    const answer =
      solved === undefined ? undefined : await call('x/account/Freeze', { token, captcha: solved });
    setProblem(answer === undefined ? t('sign.captchaFailed') : problemOf(answer));
    setState(answer?.ok === true ? 'frozen' : 'asked');
  };
  if (state === 'frozen') {
    return (
      <SignFrame heading={t('freeze.done')} foot={null}>
        <Banner tone="plain">{t('freeze.doneText')}</Banner>
        <Link to="/forgotPassword_A" search={{ for: 'unfreeze' }} className={buttonClass('plain', 'large')}>
          {t('recovery.unfreeze')}
        </Link>
      </SignFrame>
    );
  }
  return (
    <SignFrame heading={t('title.freeze')} foot={t('freeze.foot')}>
      <p className="text-soft">{t('freeze.lead')}</p>
      <CaptchaLine captcha={captcha} />
      <FormError message={token === '' ? t('freeze.noToken') : problem} />
      <Button
        tone="danger"
        size="large"
        busy={state === 'busy'}
        disabled={token === ''}
        onClick={() => void freeze()}
      >
        {t('freeze.button')}
      </Button>
    </SignFrame>
  );
}
