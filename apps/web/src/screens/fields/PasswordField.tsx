import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { Field, type FieldProps } from '../../ui/Field.tsx';

/** A password field whose text can be shown. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'suffix'>) {
  const t = useText();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          aria-label={t(shown ? 'sign.hidePassword' : 'sign.showPassword')}
          onClick={() => setShown(!shown)}
          className="-mr-2 grid size-8 place-items-center rounded-md text-faint hover:text-text"
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      }
    />
  );
}
