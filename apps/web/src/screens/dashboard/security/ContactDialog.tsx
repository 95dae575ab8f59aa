import { isEmail, normaliseEmail } from '@crossbook/domain';
import { useRef, useState } from 'react';
import { Controller, FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { isMobile } from '../../../calculators/mobile-number.ts';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call, problemOf } from '../../../stores/member/own-service.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { Field } from '../../../ui/Field.tsx';
import { CodeField, isCode } from '../../fields/CodeField.tsx';
import { type ContactKind, wrongContact } from '../../fields/ContactField.tsx';
import { MobileField } from '../../fields/MobileField.tsx';
import { SendCode } from '../../fields/SendCode.tsx';
import { ActDialog, type ActProps, ProofField, type ProofForm } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

type Purpose = 'bind' | 'modify-new' | 'modify-old';

interface ContactForm extends ProofForm {
  readonly target: string;
  readonly code: string;
  readonly oldCode: string;
}

/** A contact that is bound already, whose holder says so. */
interface Bound {
  readonly channel: ContactKind;
  readonly to: string;
}

/** What a code goes to besides the new contact: the one that goes, or the number of who has no mailbox yet. */
function proverOf(channel: ContactKind, user: { email: string | null; mobile: string | null } | undefined) {
  const former = user?.[channel] ?? undefined;
  const mobile = user?.mobile ?? undefined;
  const old: Bound | undefined =
    former !== undefined
      ? { channel, to: former }
      : channel === 'email' && mobile !== undefined
        ? { channel: 'mobile', to: mobile }
        : undefined;
  return { isFirst: former === undefined, old };
}

interface ContactProps extends ActProps {
  readonly channel: ContactKind;
}

/** Verifies the codes, each once: a code that was right stays right while something else is mended. */
function useFlows() {
  const proved = useRef(new Map<string, string>());
  return async (target: string, purpose: Purpose, typed: string) => {
    const code = typed.trim();
    const name = `${purpose} ${target} ${code}`;
    const known = proved.current.get(name);
    if (known !== undefined) return { flow: known };
    const answer = await call('user/checkcode', { target, purpose, code });
    if (!answer.ok) return { problem: problemOf(answer) ?? '' };
    proved.current.set(name, answer.data.flow);
    return answer.data;
  };
}

/** What an act on a contact sends, once the codes are proved. */
function changed(
  { channel, to }: Bound,
  flows: { readonly flow: string; readonly oldFlow: string; readonly isFirst: boolean },
) {
  const { flow, oldFlow, isFirst } = flows;
  return (grant: string) => {
    if (channel === 'email') {
      const besides = oldFlow === '' ? {} : { oldFlow };
      return isFirst
        ? call('security/bindemail', { email: to, flow, ...besides, grant })
        : call('security/modifyemail', { email: to, flow, oldFlow, grant });
    }
    return isFirst
      ? call('security/bindphone', { mobile: to, flow, grant })
      : call('security/modifyphone', { mobile: to, flow, oldFlow, grant });
  };
}

/** Binds a contact or replaces it: a code to the new one, one to the one that goes, and who acts proves it is the member. */
export function ContactDialog({ security, channel, onClose }: ContactProps) {
  const t = useText();
  const act = useAct(security);
  const flowOf = useFlows();
  const form = useForm<ContactForm>({ defaultValues: { target: '', code: '', oldCode: '', proof: '' } });
  const { isFirst, old } = proverOf(channel, sessionStore.getState().user);
  const submit = form.handleSubmit(async ({ target, code, oldCode, proof }) => {
    const to = channel === 'email' ? normaliseEmail(target) : target;
    const fresh = await flowOf(to, isFirst ? 'bind' : 'modify-new', code);
    if ('problem' in fresh) return form.setError('code', { message: fresh.problem });
    const held = old === undefined ? { flow: '' } : await flowOf(old.to, 'modify-old', oldCode);
    if ('problem' in held) return form.setError('oldCode', { message: held.problem });
    const flows = { flow: fresh.flow, oldFlow: held.flow, isFirst };
    const done = await act(proof, changed({ channel, to }, flows));
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    sessionStore.setState({ user: undefined });
    notify('success', { id: isFirst ? 'account.set' : 'account.modified' });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t(`security.${channel}.title`)}
        lead={t(old === undefined ? 'security.contact.bindLead' : 'security.contact.lead')}
        locks
        button={t(isFirst ? 'security.set' : 'security.change')}
        onSubmit={submit}
        onClose={onClose}
      >
        <TargetField form={form} channel={channel} />
        <ContactCode form={form} name="code" purpose={isFirst ? 'bind' : 'modify-new'} channel={channel} />
        {old !== undefined && (
          <ContactCode
            form={form}
            name="oldCode"
            purpose="modify-old"
            channel={old.channel}
            sentTo={old.to}
          />
        )}
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

interface Fields {
  readonly form: UseFormReturn<ContactForm>;
  readonly channel: ContactKind;
}

function TargetField({ form, channel }: Fields) {
  const t = useText();
  if (channel === 'email') {
    return (
      <Field
        label={t('security.email.new')}
        type="email"
        autoComplete="email"
        error={form.formState.errors.target?.message}
        {...form.register('target', { validate: (text) => isEmail(text.trim()) || t('sign.emailInvalid') })}
      />
    );
  }
  return (
    <Controller
      name="target"
      control={form.control}
      rules={{ validate: (text) => isMobile(text) || t('account.mobileInvalid') }}
      render={({ field, fieldState }) => (
        <MobileField
          label={t('security.mobile.new')}
          error={fieldState.error?.message}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    />
  );
}

function ContactCode(
  props: Fields & {
    readonly name: 'code' | 'oldCode';
    readonly purpose: Purpose;
    /** Absent: the new contact. */
    readonly sentTo?: string;
  },
) {
  const { form, channel, name, purpose, sentTo } = props;
  const t = useText();
  const [isSent, setSent] = useState(false);
  const typed = form.watch('target');
  const target = channel === 'email' ? normaliseEmail(typed) : typed;
  const send = async () => {
    const wrong = sentTo === undefined ? wrongContact(channel, target, t) : undefined;
    if (wrong !== undefined) return wrong;
    const to = sentTo === undefined ? { target } : {};
    return problemOf(await call('usersms/usersms', { purpose, channel, ...to }));
  };
  return (
    <CodeField
      label={t(sentTo === undefined ? 'security.contact.newCode' : 'security.contact.oldCode')}
      sentTo={sentTo ?? target}
      withOutbox={isSent}
      error={form.formState.errors[name]?.message}
      onUse={(code) => form.setValue(name, code, { shouldValidate: true })}
      suffix={
        <SendCode
          send={send}
          onSent={() => {
            setSent(true);
            form.setFocus(name);
          }}
          onProblem={(message) => form.setError(sentTo === undefined ? 'target' : name, { message })}
        />
      }
      field={form.register(name, { validate: (text) => isCode(text) || t('sign.codeInvalid') })}
    />
  );
}
