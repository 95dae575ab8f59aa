import type { CallResponse } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { formatDateTime } from '../../../i18n/format.ts';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { securityChanged } from '../../../stores/member/security.ts';
import { renewSession, whileRenewing } from '../../../stores/member/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyText } from '../../../ui/CopyText.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner, Skeleton } from '../../../ui/states.tsx';
import { TOTP } from '../../fields/FactorField.tsx';
import { QrCode } from '../../fields/QrCode.tsx';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { ShownCodes } from './RecoveryCodes.tsx';
import { useAct } from './use-act.ts';

type Secret = CallResponse<'security/usergooglesecret'>;

/** Turning the authenticator on: a proof of who acts, the five steps of spec section 2, and the recovery codes. */
export function AuthenticatorSetup({ security, onClose }: ActProps) {
  const t = useText();
  const [begun, setBegun] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>();
  // What this session has begun goes on for ten minutes, whatever was closed or reloaded meanwhile.
  const pending = useQuery(
    {
      queryKey: ['pending authenticator', security.tid],
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      queryFn: async () => {
        const answer = await call('security/usergooglesecret', {}, { quiet: true });
        return answer.ok ? answer.data : null;
      },
    },
    queryClient,
  );
  const [isOver, setOver] = useState(false);
  const secret = begun ?? (isOver ? undefined : (pending.data ?? undefined));
  const beginAgain = () => {
    setOver(true);
    setBegun(undefined);
  };
  if (codes !== undefined) return <ShownCodes codes={codes} onClose={onClose} />;
  if (secret !== undefined)
    return <FiveSteps secret={secret} onDone={setCodes} onOver={beginAgain} onClose={onClose} />;
  if (pending.isPending) {
    return (
      <Dialog open onClose={onClose} title={t('security.otp.title')} closeLabel={t('common.close')}>
        <Skeleton className="h-40 w-full" />
      </Dialog>
    );
  }
  return <Begin security={security} onClose={onClose} onBegun={setBegun} />;
}

function Begin(props: ActProps & { readonly onBegun: (secret: Secret) => void }) {
  const t = useText();
  const act = useAct(props.security);
  const form = useForm({ defaultValues: { proof: '' } });
  const submit = form.handleSubmit(async ({ proof }) => {
    const done = await act(proof, (grant) => call('security/usergooglesecret', { grant }));
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    props.onBegun(done.data);
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('security.otp.title')}
        lead={t('security.otp.lead')}
        button={t('recovery.next')}
        onSubmit={submit}
        onClose={props.onClose}
      >
        <ProofField security={props.security} />
      </ActDialog>
    </FormProvider>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li className="flex flex-col gap-2 border-t border-line pt-3 text-[13px] text-soft [counter-increment:step] first:border-t-0 first:pt-0">
      <h3 className="text-sm font-medium text-text before:mr-2 before:text-faint before:content-[counter(step)]">
        {title}
      </h3>
      {children}
    </li>
  );
}

/** `flow-invalid` of the error catalogue. */
const FLOW_INVALID = 2009;

/** `ABCD EFGH ...`: easier to read and to type. */
function grouped(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}

const copied = (done: boolean): void =>
  notify(done ? 'success' : 'error', { id: done ? 'common.copied' : 'common.copyFailed' });

function FiveSteps(props: {
  readonly secret: Secret;
  readonly onDone: (codes: readonly string[]) => void;
  /** The key waited too long, or another tab has used it. */
  readonly onOver: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const locale = useLocale();
  const { secret, uri, setupId, expiresAt } = props.secret;
  return (
    <Dialog
      open
      wide
      kind="alert"
      onClose={props.onClose}
      title={t('security.otp.title')}
      closeLabel={t('common.close')}
    >
      <ol className="flex flex-col gap-3">
        <Step title={t('security.otp.download')}>
          <p>{t('security.otp.downloadText')}</p>
        </Step>
        <Step title={t('security.otp.scan')}>
          <p>{t('security.otp.scanText')}</p>
          <QrCode text={uri} label={t('security.otp.qr')} />
          <a href={uri} className="self-start text-link underline">
            {t('security.otp.open')}
          </a>
        </Step>
        <Step title={t('security.otp.key')}>
          <p>{t('security.otp.keyText')}</p>
          <p className="font-mono text-sm break-words text-text">
            <CopyText
              value={secret}
              shown={grouped(secret)}
              label={t('security.otp.copyKey')}
              onCopied={copied}
            />
          </p>
        </Step>
        <Step title={t('security.otp.guide')}>
          <p>{t('security.otp.guideText')}</p>
        </Step>
        <Step title={t('security.otp.enable')}>
          <Banner>{t('security.otp.lockAhead')}</Banner>
          <Enable setupId={setupId} onDone={props.onDone} onOver={props.onOver} />
          <p className="text-xs text-faint">
            {t('security.otp.until', { time: formatDateTime(expiresAt, locale) })}
          </p>
        </Step>
      </ol>
    </Dialog>
  );
}

function Enable(props: {
  readonly setupId: string;
  readonly onDone: (codes: readonly string[]) => void;
  readonly onOver: () => void;
}) {
  const t = useText();
  const form = useForm({ defaultValues: { totp: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ totp }) => {
    const request = { setupId: props.setupId, totp: totp.replace(/\s/g, '') };
    const answer = await whileRenewing(async () => {
      const bound = await call('security/bindgoogle', request);
      if (bound.ok) renewSession(bound.data.token);
      return bound;
    });
    if (isRefused(answer, FLOW_INVALID)) {
      securityChanged();
      return props.onOver();
    }
    if (!answer.ok) return form.setError('totp', { message: problemOf(answer) ?? '' });
    securityChanged();
    props.onDone(answer.data.recoveryCodes);
  });
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t('security.proofTotp')}
        className="flex-1"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        error={errors.totp?.message}
        {...form.register('totp', {
          validate: (text) => TOTP.test(text.replace(/\s/g, '')) || t('security.proofTotpInvalid'),
        })}
      />
      <Button type="submit" tone="primary" busy={isSubmitting} className="mt-5 h-10">
        {t('security.otp.enableButton')}
      </Button>
    </form>
  );
}
