import { type ComponentType, useState } from 'react';
import { formatDateTime } from '../../../i18n/format.ts';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import '../../../i18n/page-words.ts';
import { useNow } from '../../../stores/app/use-now.ts';
import { type MemberSecurity, readSecurity } from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge, Banner } from '../../../ui/states.tsx';
import { AccountPage } from '../../fields/AccountPage.tsx';
import { OwnAccount } from '../../fields/OwnAccount.tsx';
import type { ActProps } from './ActDialog.tsx';
import { AuthenticatorSetup } from './AuthenticatorSetup.tsx';
import { ContactDialog } from './ContactDialog.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { ProviderRow } from './ProviderRow.tsx';
import { RenewCodesDialog } from './RecoveryCodes.tsx';
import { Row } from './Row.tsx';
import { Devices, LogIns, Sessions } from './SessionTables.tsx';
import { WordDialog } from './WordDialog.tsx';

const MINUTE_MILLIS = 60_000;
/** So few recovery codes are worth a warning. */
const FEW_CODES = 3;

const DIALOGS: Readonly<Record<string, ComponentType<ActProps>>> = {
  password: PasswordDialog,
  otp: AuthenticatorSetup,
  codes: RenewCodesDialog,
  email: (props) => <ContactDialog {...props} channel="email" />,
  mobile: (props) => <ContactDialog {...props} channel="mobile" />,
  word: WordDialog,
};

/** /dashboard/security: everything that proves who the member is, each with its state and what can be done about it. */
export function SecurityScreen() {
  const t = useText();
  return (
    <OwnAccount title={t('nav.dashboard.security')}>
      <SecurityPage />
    </OwnAccount>
  );
}

function SecurityPage() {
  const t = useText();
  return (
    <AccountPage title={t('nav.dashboard.security')} name="page" read={readSecurity}>
      {(security) => (
        <>
          <Lock lockUntil={security.lockUntil} />
          <Rows security={security} />
          <Passkeys security={security} />
          <Sessions security={security} />
          <Devices security={security} />
          <LogIns security={security} />
        </>
      )}
    </AccountPage>
  );
}

/** The lock as it is, or what would start it. */
function Lock({ lockUntil }: Pick<MemberSecurity, 'lockUntil'>) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(MINUTE_MILLIS);
  const isLocked = lockUntil !== null && lockUntil > now;
  return (
    <Banner tone={isLocked ? 'warning' : 'plain'}>
      {isLocked ? t('security.locked', { time: formatDateTime(lockUntil, locale) }) : t('security.lockRule')}
    </Banner>
  );
}

function Rows({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const [open, setOpen] = useState<string>();
  const Open = open === undefined ? undefined : DIALOGS[open];
  const { password, googleAuth, passkeys, recoveryCodesLeft, email, mobile, antiPhishing } = security;
  const button = (dialog: keyof typeof DIALOGS, isSet: boolean, name: string) => (
    <Button
      size="small"
      aria-label={`${t(isSet ? 'security.change' : 'security.set')}: ${name}`}
      onClick={() => setOpen(dialog)}
    >
      {t(isSet ? 'security.change' : 'security.set')}
    </Button>
  );
  return (
    <>
      <ul className="rounded-md border border-line bg-panel">
        <Row
          name={t('sign.password')}
          about={t('security.password.about')}
          state={
            password.changedAt === null
              ? t('security.unchanged')
              : t('security.changedAt', { time: formatDateTime(password.changedAt, locale) })
          }
        >
          {button('password', true, t('sign.password'))}
        </Row>
        <Row
          name={t('security.otp.name')}
          about={t('security.otp.about')}
          state={
            <Badge tone={googleAuth ? 'up' : 'warning'}>
              {t(googleAuth ? 'security.on' : 'security.off')}
            </Badge>
          }
        >
          {!googleAuth && button('otp', false, t('security.otp.name'))}
        </Row>
        {(googleAuth || passkeys > 0) && (
          <Row
            name={t('security.codes.name')}
            about={t('security.codes.about')}
            state={
              <Badge tone={recoveryCodesLeft <= FEW_CODES ? 'warning' : 'plain'}>
                {t('security.codes.left', { count: recoveryCodesLeft })}
              </Badge>
            }
          >
            {button('codes', true, t('security.codes.name'))}
          </Row>
        )}
        <Row name={t('sign.email')} about={t('security.email.about')} state={email ?? t('security.notSet')}>
          {button('email', email !== null, t('sign.email'))}
        </Row>
        <Row
          name={t('account.mobile')}
          about={t('security.mobile.about')}
          state={mobile ?? t('security.notSet')}
        >
          {button('mobile', mobile !== null, t('account.mobile'))}
        </Row>
        <Row
          name={t('security.word.title')}
          about={t('security.word.about')}
          state={antiPhishing ?? t('security.notSet')}
        >
          {button('word', antiPhishing !== null, t('security.word.title'))}
        </Row>
        <ProviderRow security={security} />
      </ul>
      {Open !== undefined && <Open security={security} onClose={() => setOpen(undefined)} />}
    </>
  );
}
