import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { handIn } from '../../stores/member/provider.ts';
import { takeReturn } from '../../stores/member/provider-return.ts';
import { Skeleton } from '../../ui/states.tsx';
import { FormError } from '../fields/FormError.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { NoStep } from './steps/NoStep.tsx';

/** /oauth: where the log-in service sends the browser back to. What it brought is handed in once, and goes on from there. */
export function ProviderScreen() {
  const t = useText();
  const navigate = useNavigate();
  const [brought] = useState(takeReturn);
  const [problem, setProblem] = useState<string>();
  const isHandedIn = useRef(false);
  const label = bootConfig().logInProvider;

  useEffect(() => {
    if (brought === undefined || isHandedIn.current) return;
    isHandedIn.current = true;
    void handIn(brought).then((next) => {
      if (next !== undefined && 'to' in next) return navigate({ to: next.to, replace: true });
      return setProblem(next?.problem ?? t('provider.cancelled', { label }));
    });
  }, [brought, label, navigate, t]);

  if (brought === undefined) {
    return <NoStep heading={t('title.login')} text={t('provider.noArrival')} to="/login" />;
  }
  if (problem === undefined) {
    return (
      <SignFrame heading={t('provider.waiting', { label })} foot={null}>
        <p role="status" className="text-soft">
          {t('provider.waitingText', { label })}
        </p>
        <div aria-hidden="true">
          <Skeleton className="h-11 w-full" />
        </div>
      </SignFrame>
    );
  }
  return (
    <SignFrame
      heading={t('provider.notDone')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('login.again')}
        </Link>
      }
    >
      <FormError message={problem} />
      <ProviderButton isAlone />
    </SignFrame>
  );
}
