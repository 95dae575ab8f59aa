import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { goToProvider } from '../../stores/member/provider.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../fields/FormError.tsx';

/** The way in by another service; nothing where the operator has set none. */
export function ProviderButton(props: {
  readonly goTo?: string | undefined;
  /** No form stands above it. */
  readonly isAlone?: boolean;
  /** What was typed into the form beside it. */
  readonly referralCode?: () => string;
}) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const label = bootConfig().logInProvider;
  if (label === '') return null;
  const go = async () => {
    setBusy(true);
    setProblem(undefined);
    const wrong = await goToProvider({ goTo: props.goTo, referralCode: props.referralCode?.() ?? '' });
    if (wrong === undefined) return;
    setProblem(wrong);
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-3">
      {props.isAlone !== true && (
        <p aria-hidden="true" className="flex items-center gap-3 text-xs text-faint">
          <span className="h-px flex-1 bg-line" />
          {t('provider.or')}
          <span className="h-px flex-1 bg-line" />
        </p>
      )}
      <Button size="large" busy={busy} className="min-w-0" onClick={() => void go()}>
        <span className="truncate">{t('provider.button', { label })}</span>
      </Button>
      <FormError message={problem} />
    </div>
  );
}
