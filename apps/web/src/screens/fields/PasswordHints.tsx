import { type PasswordGap, passwordGaps } from '@crossbook/domain';
import { Check, Minus } from 'lucide-react';
import { useText } from '../../i18n/i18n.ts';

const GAPS = [
  'length',
  'number',
  'uppercase',
  'lowercase',
  'special',
] as const satisfies readonly PasswordGap[];

/** A hint for each class of character, marked when it is there (spec section 5). */
export function PasswordHints({ password }: { readonly password: string }) {
  const t = useText();
  const missing = passwordGaps(password);
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs">
      {GAPS.map((gap) => {
        const met = !missing.includes(gap);
        const Icon = met ? Check : Minus;
        return (
          <li key={gap} className={`flex items-center gap-1.5 ${met ? 'text-up' : 'text-faint'}`}>
            <Icon size={12} aria-hidden="true" />
            {t(`sign.gap.${gap}`)}
            <span className="sr-only">: {t(met ? 'sign.gapMet' : 'sign.gapMissing')}</span>
          </li>
        );
      })}
    </ul>
  );
}
