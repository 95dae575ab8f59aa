import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { passkeyObstacle } from '../../stores/app/passkeys.ts';
import { keepLogIn, logInStore, takeAnswer } from '../../stores/member/log-in.ts';
import { call, isRefused, problemOf } from '../../stores/member/own-service.ts';
import { askPasskey } from '../../stores/member/passkeys.ts';
import { PasskeyButton } from '../fields/PasskeyButton.tsx';

/** `account-frozen` of the error catalogue. */
const FROZEN = 2019;

/** Logging in with a passkey alone; nothing where this page cannot have any. @param next where to go after it. */
export function PasskeyLogIn({ next }: { readonly next: string | undefined }) {
  const t = useText();
  const navigate = useNavigate();
  if (passkeyObstacle() !== undefined) return null;
  const logIn = async (passkey: string): Promise<string | undefined> => {
    const answer = await call('x/passkey/Login', { passkey });
    if (answer.ok) {
      const { account, goTo } = logInStore.getState();
      keepLogIn(account, next ?? goTo);
      await navigate({ to: takeAnswer(answer.data), replace: true });
      return undefined;
    }
    if (!isRefused(answer, FROZEN)) return problemOf(answer);
    await navigate({ to: '/forgotPassword_A', search: { for: 'unfreeze' } });
    return undefined;
  };
  return (
    <>
      <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('login.or')}
      </p>
      <PasskeyButton label={t('login.passkey')} ask={() => askPasskey({})} onAnswer={logIn} />
    </>
  );
}
