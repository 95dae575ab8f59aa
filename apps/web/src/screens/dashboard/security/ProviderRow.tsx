import { useState } from 'react';
import { formatDateTime } from '../../../i18n/format.ts';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import { notify } from '../../../stores/app/notices.ts';
import { arrivalStore, goToProvider } from '../../../stores/member/provider.ts';
import type { MemberSecurity } from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';
import { Row } from './Row.tsx';

/** The log-in with another service: linked or not. Opens by itself for who has just come from there to link it. */
export function ProviderRow({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const label = bootConfig().logInProvider;
  const linkedAt = security.providerLinkedAt;
  const [open, setOpen] = useState(linkedAt === null && arrivalStore.getState().arrival !== undefined);
  const [busy, setBusy] = useState(false);
  if (label === '') return null;
  const go = async () => {
    setBusy(true);
    const problem = await goToProvider({});
    if (problem === undefined) return;
    notify('warning', { text: problem }, 'log-in');
    setBusy(false);
  };
  return (
    <Row
      name={t('security.provider.name', { label })}
      about={t('security.provider.about')}
      state={
        linkedAt === null
          ? t('security.provider.none')
          : t('security.provider.linked', { time: formatDateTime(linkedAt, locale) })
      }
    >
      <Button size="small" busy={busy} onClick={() => (linkedAt === null ? void go() : setOpen(true))}>
        {t(linkedAt === null ? 'security.provider.link' : 'security.provider.unlink')}
      </Button>
      {open && <ProviderDialog security={security} onClose={() => setOpen(false)} />}
    </Row>
  );
}
