import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import type { KycForm as Form, KycStanding } from '../../../stores/member/kyc.ts';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { securityChanged } from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { likelyCountry, useCountries } from '../../fields/use-countries.ts';
import { PictureField } from './PictureField.tsx';

const DOCUMENTS = ['passport', 'id-card', 'driving-licence', 'residence-card'] as const;
const NUMBER = /^[\p{L}\p{N} ./-]{4,30}$/u;
const AGE_YEARS_MIN = 18;

interface Typed {
  readonly fullName: string;
  readonly birthDate: string;
  readonly documentNumber: string;
  readonly documentExpires: string;
  readonly address: string;
  readonly country: string;
  readonly documentKind: Form['documentKind'];
  readonly front: string;
  readonly back: string;
  readonly face: string;
  readonly consent: boolean;
}

/** Whether who was born on that day is old enough today. */
function isOfAge(birthDate: string, today: Date): boolean {
  const born = new Date(`${birthDate}T00:00:00`);
  return (
    !Number.isNaN(born.getTime()) && born.setFullYear(born.getFullYear() + AGE_YEARS_MIN) <= today.getTime()
  );
}

function given(typed: Typed): Form {
  const { documentExpires, address, back, consent: _consent, ...needed } = typed;
  return {
    ...needed,
    consent: 'true',
    ...(documentExpires === '' ? {} : { documentExpires }),
    ...(address.trim() === '' ? {} : { address }),
    ...(typed.documentKind === 'passport' || back === '' ? {} : { back }),
  };
}

/** `kyc-state` of the error catalogue. */
const KYC_STATE = 2024;

/** Who the member is, and the pictures that show it. What is wrong stands beside its field before anything is sent. */
export function KycForm({ standing, now }: { readonly standing: KycStanding; readonly now: number }) {
  const t = useText();
  const locale = useLocale();
  const countries = useCountries();
  const form = useForm<Typed>({
    defaultValues: {
      ...{ fullName: '', birthDate: '', documentNumber: '', documentExpires: '', address: '' },
      ...{ documentKind: 'passport', country: standing.country ?? likelyCountry(locale) },
      ...{ front: '', back: '', face: '', consent: false },
    },
  });
  const { errors, isSubmitting } = form.formState;
  const [country, documentKind] = [form.watch('country'), form.watch('documentKind')];
  const submit = form.handleSubmit(async (typed) => {
    const answer = await call('x/kyc/Submit', given(typed));
    // Another tab was quicker: the page shows how it stands.
    if (isRefused(answer, KYC_STATE)) return securityChanged();
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
    notify('success', { id: 'kyc.sent' });
    securityChanged();
  });
  const text = (
    name: 'fullName' | 'birthDate' | 'documentNumber' | 'documentExpires' | 'address',
    more: object,
  ) => ({
    label: t(`kyc.${name}`),
    error: errors[name]?.message,
    autoComplete: 'off',
    ...more,
  });
  const needed = (value: string): true | string => value.trim() !== '' || t('kyc.needed');
  return (
    <form
      noValidate
      className="flex max-w-2xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Columns>
        <Field
          {...text('fullName', { maxLength: 100, hint: t('kyc.asOnDocument') })}
          {...form.register('fullName', { validate: needed })}
        />
        <Field
          {...text('birthDate', { type: 'date' })}
          {...form.register('birthDate', {
            validate: (day) =>
              day === ''
                ? t('kyc.needed')
                : isOfAge(day, new Date(now)) || t('kyc.tooYoung', { years: AGE_YEARS_MIN }),
          })}
        />
        <CountrySelect
          countries={countries}
          country={country}
          isRestricted={standing.restricted.includes(country)}
          onChange={(code) => form.setValue('country', code)}
        />
        <Select
          label={t('kyc.documentKind')}
          value={documentKind}
          onChange={(kind) => form.setValue('documentKind', kind)}
          options={DOCUMENTS.map((value) => ({ value, label: t(`kyc.document.${value}`) }))}
        />
        <Field
          {...text('documentNumber', { maxLength: 30 })}
          {...form.register('documentNumber', {
            validate: (number) => NUMBER.test(number.trim()) || t('kyc.numberRule'),
          })}
        />
        <Field {...text('documentExpires', { type: 'date' })} {...form.register('documentExpires')} />
      </Columns>
      <Field {...text('address', { maxLength: 200 })} {...form.register('address')} />
      <Columns>
        <Picture form={form} name="front" />
        {documentKind !== 'passport' && <Picture form={form} name="back" />}
        <Picture form={form} name="face" />
      </Columns>
      <Checkbox
        label={t('kyc.consent')}
        error={errors.consent?.message}
        {...form.register('consent', { validate: (agreed) => agreed || t('kyc.needed') })}
      />
      <FormError message={errors.root?.message} />
      <Button
        type="submit"
        tone="primary"
        className="self-start"
        busy={isSubmitting}
        disabled={standing.restricted.includes(country)}
      >
        {t('kyc.send')}
      </Button>
    </form>
  );
}

function Columns({ children }: { readonly children: ReactNode }) {
  return <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">{children}</div>;
}

function CountrySelect(props: {
  readonly countries: ReturnType<typeof useCountries>;
  readonly country: string;
  readonly isRestricted: boolean;
  readonly onChange: (code: string) => void;
}) {
  const t = useText();
  const { data = [], isError } = props.countries;
  const waiting = [
    { value: props.country, label: t(isError ? 'account.countriesFailed' : 'common.loading') },
  ];
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={t('profile.country')}
        value={props.country}
        disabled={data.length === 0}
        onChange={props.onChange}
        options={data.length === 0 ? waiting : data.map(({ code, name }) => ({ value: code, label: name }))}
      />
      {props.isRestricted && (
        <p role="alert" className="text-xs text-danger">
          {t('kyc.regionOwn')}
        </p>
      )}
    </div>
  );
}

function Picture({
  form,
  name,
}: {
  readonly form: ReturnType<typeof useForm<Typed>>;
  readonly name: 'front' | 'back' | 'face';
}) {
  const t = useText();
  form.register(name, {
    validate: (id, typed) =>
      id !== '' || (name === 'back' && typed.documentKind === 'passport') || t('kyc.pictureNeeded'),
  });
  return (
    <PictureField
      label={t(`kyc.${name}`)}
      hint={t(name === 'face' ? 'kyc.faceHint' : 'kyc.pictureHint')}
      kind={`kyc-${name}`}
      error={form.formState.errors[name]?.message}
      onChange={(id) => {
        form.setValue(name, id ?? '');
        if (id !== undefined) form.clearErrors(name);
      }}
    />
  );
}
