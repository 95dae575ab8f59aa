import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import type { MemberSecurity } from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TOTP } from '../../fields/FactorField.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { PasswordField } from '../../fields/PasswordField.tsx';

/** What every form of an act has: who acts proves it is the member. */
export interface ProofForm {
  readonly proof: string;
}

/** What every dialog of an act gets. */
export interface ActProps {
  readonly security: MemberSecurity;
  readonly onClose: () => void;
}

/** The authenticator's code where one is set, a passkey where there is one, else the password. */
export function ProofField({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const { register, formState } = useFormContext<ProofForm>();
  const error = formState.errors.proof?.message;
  const orPasskey = security.passkeys > 0;
  if (orPasskey && !security.googleAuth) return <PasskeyProof error={error} />;
  if (security.googleAuth) {
    return (
      <Field
        label={t('security.proofTotp')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        error={error}
        hint={t(orPasskey ? 'security.proofEither' : 'security.proofTotpHint')}
        {...register('proof', {
          validate: (text) =>
            (orPasskey && text === '') ||
            TOTP.test(text.replace(/\s/g, '')) ||
            t('security.proofTotpInvalid'),
        })}
      />
    );
  }
  return (
    <PasswordField
      label={t('security.proofPassword')}
      autoComplete="current-password"
      error={error}
      {...register('proof', { validate: (text) => text !== '' || t('sign.passwordEmpty') })}
    />
  );
}

/** Nothing to type: the browser asks for the passkey when the form is sent. */
function PasskeyProof({ error }: { readonly error: string | undefined }) {
  const t = useText();
  return (
    <>
      <p className="text-[13px] text-soft">{t('security.proofPasskey')}</p>
      <FormError message={error} />
    </>
  );
}

/** A dialog that changes something about the account; around it stands the form. What it locks is said before it is done. */
export function ActDialog(props: {
  readonly title: string;
  readonly lead?: string;
  /** Whether money is locked for a day by it. */
  readonly locks?: boolean;
  readonly button: string;
  readonly tone?: 'primary' | 'danger';
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const t = useText();
  const { formState, clearErrors } = useFormContext();
  return (
    <Dialog open onClose={props.onClose} title={props.title} closeLabel={t('common.close')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // What is wrong with a passkey belongs to no field, and would keep the form from being sent again.
          clearErrors();
          void props.onSubmit();
        }}
      >
        {props.lead !== undefined && <p className="text-[13px] text-soft">{props.lead}</p>}
        {props.children}
        {props.locks === true && <Banner>{t('account.lockAhead')}</Banner>}
        <FormError message={formState.errors.root?.message} />
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{t('common.cancel')}</Button>
          <Button type="submit" tone={props.tone ?? 'primary'} busy={formState.isSubmitting}>
            {props.button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
