import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useStore } from 'zustand';
import { formatDateTime } from '../../i18n/format.ts';
import { LANGUAGE_NAMES, useLocale, useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { offeredLanguages } from '../../stores/member/language.ts';
import { call, problemOf } from '../../stores/member/own-service.ts';
import { type MemberSecurity, readSecurity, securityChanged } from '../../stores/member/security.ts';
import { sessionStore } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyText } from '../../ui/CopyText.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Badge, EmptyState } from '../../ui/states.tsx';
import { AccountCard, AccountPage } from '../fields/AccountPage.tsx';
import { FormError } from '../fields/FormError.tsx';

const NICKNAME = /^[\p{L}\p{N}_-]{2,20}$/u;

/** /dashboard/profile: what the hub knows of the member, what he chose, and what he agreed to. */
export function ProfileScreen() {
  const t = useText();
  return (
    <AccountPage title={t('nav.dashboard.profile')} name="page" read={readSecurity}>
      {(profile) => (
        <>
          <AccountCard title={t('profile.details')}>
            <Details profile={profile} />
          </AccountCard>
          <AccountCard title={t('profile.edit')}>
            {/* Another member, or values changed elsewhere, begin the form anew. */}
            <Choices key={`${profile.tid} ${profile.nickname} ${profile.language}`} profile={profile} />
          </AccountCard>
          <AccountCard title={t('profile.agreed')}>
            <Agreed agreed={profile.agreed} />
          </AccountCard>
        </>
      )}
    </AccountPage>
  );
}

const copied = (done: boolean): void =>
  notify(done ? 'success' : 'error', { id: done ? 'common.copied' : 'common.copyFailed' });

function countryName(code: string | null, locale: string): string {
  return code === null ? '-' : (new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code);
}

function Details({ profile }: { readonly profile: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const { memberId, email, mobile, password, kolReferralCode, lastLogin } = profile;
  const changedAt = password.changedAt;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      t('profile.memberId'),
      <CopyText key="id" value={memberId} label={t('profile.copyId')} onCopied={copied} />,
    ],
    [t('sign.email'), email ?? t('security.notSet')],
    [t('account.mobile'), mobile ?? t('security.notSet')],
    [
      t('sign.password'),
      changedAt === null
        ? t('security.unchanged')
        : t('security.changedAt', { time: formatDateTime(changedAt, locale) }),
    ],
    [
      t('security.otp.name'),
      <Badge key="otp" tone={profile.googleAuth ? 'up' : 'warning'}>
        {t(profile.googleAuth ? 'security.on' : 'security.off')}
      </Badge>,
    ],
    [
      t('profile.kyc'),
      <span key="kyc" className="flex flex-wrap gap-x-3">
        {t(`profile.kyc.${profile.kycStatus}`)}
        <Link to="/dashboard/kyc" className="text-link hover:underline">
          {t(profile.kycStatus === 'pending' || profile.kycStatus === 'done' ? 'kyc.show' : 'kyc.begin')}
        </Link>
      </span>,
    ],
    [t('profile.country'), countryName(profile.country, locale)],
    [t('profile.referral'), profile.referralCode],
    ...(kolReferralCode === null ? [] : [[t('profile.kol'), kolReferralCode] as const]),
    [t('profile.lastLogin'), lastLogin === null ? '-' : formatDateTime(lastLogin, locale)],
    [t('profile.ip'), profile.ip],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-[13px] max-md:grid-cols-1">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line pt-2">
          <dt className="text-faint">{name}</dt>
          <dd className="min-w-0 break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Choices({ profile }: { readonly profile: MemberSecurity }) {
  const t = useText();
  const session = useStore(sessionStore);
  const { nickname, language } = profile;
  const form = useForm({ defaultValues: { nickname, language } });
  const { errors, isSubmitting, isDirty } = form.formState;
  const submit = form.handleSubmit(async (typed) => {
    const chosen = { nickname: typed.nickname.trim(), language: typed.language };
    const answer = await call('security/modifyuserinfo', chosen);
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
    sessionStore.setState({ user: undefined });
    notify('success', { id: 'account.modified' });
    securityChanged();
  });
  const languages = (['en', 'ja', 'ko'] as const).filter(
    (one) => one === language || offeredLanguages(session).includes(one),
  );
  return (
    <form
      noValidate
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t('profile.nickname')}
        autoComplete="nickname"
        maxLength={20}
        error={errors.nickname?.message}
        hint={t('profile.nicknameHint')}
        {...form.register('nickname', {
          validate: (text) => NICKNAME.test(text.trim()) || t('profile.nicknameHint'),
        })}
      />
      <Select
        label={t('profile.language')}
        value={form.watch('language')}
        onChange={(chosen) => form.setValue('language', chosen, { shouldDirty: true })}
        options={languages.map((one) => ({ value: one, label: LANGUAGE_NAMES[one] }))}
      />
      <FormError message={errors.root?.message} />
      <Button type="submit" tone="primary" className="self-start" busy={isSubmitting} disabled={!isDirty}>
        {t('profile.save')}
      </Button>
    </form>
  );
}

function Agreed({ agreed }: Pick<MemberSecurity, 'agreed'>) {
  const t = useText();
  const locale = useLocale();
  if (agreed.length === 0) return <EmptyState title={t('profile.none')} />;
  return (
    <ul className="flex flex-col gap-2 text-[13px]">
      {agreed.map(({ kind, version, link, at }) => (
        <li key={`${kind} ${version}`} className="flex flex-wrap justify-between gap-x-4">
          <a
            href={link ?? `/${kind}`}
            target="_blank"
            rel="noopener noreferrer"
            className="text-link hover:underline"
          >
            {t(`profile.${kind}`)}
            <span className="sr-only"> ({t('footer.newTab')})</span>
          </a>
          <span className="text-soft">
            {t(link === null ? 'profile.version' : 'profile.linked', {
              version,
              time: formatDateTime(at, locale),
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}
