import { passwordGaps } from '@crossbook/domain';
import { useFormContext } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { PasswordField } from './PasswordField.tsx';
import { PasswordHints } from './PasswordHints.tsx';

/** The fields of a form that sets a password. */
export interface NewPasswordForm {
  readonly password: string;
  readonly again: string;
}

/** A new password with its hints, and once more: fields of the form around it. */
export function NewPassword({ label }: { readonly label: string }) {
  const t = useText();
  const form = useFormContext<NewPasswordForm>();
  const { errors } = form.formState;
  const password = form.watch('password');
  return (
    <>
      <div className="flex flex-col gap-2">
        <PasswordField
          label={label}
          autoComplete="new-password"
          maxLength={128}
          error={errors.password?.message}
          {...form.register('password', {
            validate: (text) => {
              const gaps = passwordGaps(text);
              if (gaps.length === 0) return true;
              return t('sign.passwordWeak', { gaps: gaps.map((gap) => t(`sign.gap.${gap}`)).join(', ') });
            },
          })}
        />
        <PasswordHints password={password} />
      </div>
      <PasswordField
        label={t('sign.passwordAgain')}
        autoComplete="new-password"
        maxLength={128}
        error={errors.again?.message}
        {...form.register('again', {
          validate: (text, values) => text === values.password || t('sign.passwordMismatch'),
        })}
      />
    </>
  );
}
