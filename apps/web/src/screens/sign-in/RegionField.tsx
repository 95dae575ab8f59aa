import { Controller, useFormContext } from 'react-hook-form';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { Select } from '../../ui/Select.tsx';
import { Banner } from '../../ui/states.tsx';
import { likelyCountry, useCountries } from '../fields/use-countries.ts';

/** The field of a sign-up that says where somebody lives. */
export interface RegionForm {
  /** Absent where it is not asked for. */
  readonly country?: string;
}

/** Where a newcomer lives: asked where the operator does not serve every country, with those that are not. */
export function RegionField() {
  const t = useText();
  const locale = useLocale();
  const { control } = useFormContext<RegionForm>();
  const { data = [] } = useCountries();
  const restricted = data.filter((row) => row.restricted);
  if (restricted.length === 0) return null;
  const list = new Intl.ListFormat(locale).format(restricted.map(({ name }) => name));
  const isServed = (code: string | undefined) => !restricted.some((row) => row.code === code);
  return (
    <>
      <Controller
        control={control}
        name="country"
        defaultValue={likelyCountry(locale)}
        rules={{ validate: (code) => isServed(code) || t('kyc.regionOwn') }}
        render={({ field: { value = '', onChange } }) => (
          <div className="flex flex-col gap-1">
            <Select
              label={t('profile.country')}
              value={value}
              onChange={onChange}
              options={data.map(({ code, name }) => ({ value: code, label: name }))}
            />
            {!isServed(value) && (
              <p role="alert" className="text-xs text-danger">
                {t('kyc.regionOwn')}
              </p>
            )}
          </div>
        )}
      />
      <Banner tone="plain">{t('kyc.region', { list })}</Banner>
    </>
  );
}
