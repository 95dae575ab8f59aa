import { useEffect, useState } from 'react';
import { isMobile, mobileOf } from '../../calculators/mobile-number.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { likelyCountry, useCountries } from './use-countries.ts';

/** A mobile number: its country's code, and the number as it is dialled there. The number as it is sent is shown below. */
export function MobileField(props: {
  readonly label: string;
  /** What was typed elsewhere. */
  readonly typed?: string | undefined;
  readonly error: string | undefined;
  /** Gets the number in E.164; what is no number yet as well. */
  readonly onChange: (mobile: string) => void;
  readonly onBlur?: () => void;
}) {
  const t = useText();
  const locale = useLocale();
  const [country, setCountry] = useState(() => likelyCountry(locale));
  const [typed, setTyped] = useState(props.typed ?? '');
  const { data = [], isError } = useCountries();
  const dial = data.find((row) => row.code === country)?.dial;
  // Without its country's code a number would be somebody else's: it waits for the list, unless it brings its own.
  const mobile = dial === undefined && !typed.trim().startsWith('+') ? '' : mobileOf(dial ?? '', typed);
  const { onChange } = props;
  useEffect(() => {
    onChange(typed === '' ? '' : mobile);
  }, [onChange, typed, mobile]);
  return (
    <div className="flex flex-col gap-4">
      <Select
        label={t('account.countryCode')}
        value={country}
        disabled={data.length === 0}
        onChange={setCountry}
        options={
          data.length === 0
            ? [{ value: country, label: isError ? t('account.countriesFailed') : t('common.loading') }]
            : data.map(({ code, name, dial }) => ({ value: code, label: `${name} +${dial}` }))
        }
      />
      <Field
        label={props.label}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        value={typed}
        error={props.error}
        hint={isMobile(mobile) ? t('account.numberSent', { mobile }) : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={props.onBlur}
      />
    </div>
  );
}
