import { type AdminContent, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, problemOf, say } from '../../stores/admin/admin-service.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Banner } from '../../ui/states.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';
import { readAgain } from '../parts/PagedTable.tsx';
import { Unread } from '../parts/Reading.tsx';
import {
  changedLanguages,
  type DraftForm,
  formOf,
  isTooLong,
  type Lang,
  saveDraft,
  type TextName,
} from './draft-form.ts';
import { PlanFields, Preview, WordFields } from './TextFields.tsx';

const UNKNOWN = 6004;

/** One text in three languages: its fields, how it will be read, and what may be done with it. */
export function TextEditor({ onBack, ...name }: TextName & { readonly onBack: () => void }) {
  const t = useText();
  const query = useQuery(
    {
      queryKey: [ADMIN_KEY, 'text', name.kind, name.slug],
      queryFn: async (): Promise<AdminContent | null> => {
        const answer = await adminCall('x/admin/ContentView', name);
        if (answer.ok) return answer.data;
        if (answer.kind === 'refused' && answer.code === UNKNOWN) return null;
        throw new Error(problemOf(answer));
      },
      // Read anew, what somebody else has saved would take the place of what is being typed: the save says so instead.
      ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
    },
    queryClient,
  );
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" onClick={onBack}>
          {t('admin.texts.back')}
        </Button>
        <h2 className="text-base font-medium break-all">
          {t(`admin.texts.kind.${name.kind}`)}: {name.slug}
        </h2>
        {query.data?.draft != null && (
          <span className="text-xs text-faint">
            {t('admin.texts.revision', { revision: query.data.draft.revision })}
          </span>
        )}
        {query.data?.draft != null && <Digest sha256={query.data.draft.sha256} />}
      </div>
      {query.data !== undefined ? (
        <Draft
          key={String(query.data?.draft?.revision ?? 0)}
          name={name}
          text={query.data ?? undefined}
          onBack={onBack}
        />
      ) : (
        <Unread query={query} height="h-64" />
      )}
    </section>
  );
}

/** Of what would be published: the same for who asks for it and for who decides. */
function Digest({ sha256 }: { readonly sha256: string }) {
  return <code className="text-xs break-all text-faint">SHA-256 {sha256}</code>;
}

interface DraftProps {
  readonly name: TextName;
  readonly text: AdminContent | undefined;
  readonly onBack: () => void;
}

type Deed = 'save' | 'publish' | 'discard';

function Draft({ name, text, onBack }: DraftProps) {
  const t = useText();
  const [before] = useState(() => formOf(text));
  const [form, setForm] = useState<DraftForm>(before);
  const [lang, setLang] = useState<Lang>('en');
  const [deed, setDeed] = useState<Deed>();
  const roles = useStore(adminSession, ({ self }) => self?.roles ?? []);
  const mayWrite = mayCall('x/admin/ContentDraft', roles);
  const changed = changedLanguages(before, form);
  const drafted = text?.draft !== null && text !== undefined;
  return (
    <>
      <div className="grid grid-cols-2 gap-6 max-lg:grid-cols-1">
        <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-3">
          <WordFields
            lang={lang}
            onLang={setLang}
            words={form.texts[lang]}
            onWords={(words) => setForm({ ...form, texts: { ...form.texts, [lang]: words } })}
          />
          <PlanFields form={form} kind={name.kind} onChange={setForm} />
        </fieldset>
        <Preview words={form.texts[lang]} />
      </div>
      {mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            tone="primary"
            disabled={changed.length === 0 || changed.some((each) => isTooLong(form.texts[each]))}
            onClick={() => setDeed('save')}
          >
            {t('admin.texts.save')}
          </Button>
          {mayCall('x/admin/ContentPublish', roles) && (
            <Button disabled={!drafted || changed.length > 0} onClick={() => setDeed('publish')}>
              {t('admin.texts.publish')}
            </Button>
          )}
          {drafted && (
            <Button tone="danger" onClick={() => setDeed('discard')}>
              {t('admin.texts.discard')}
            </Button>
          )}
          {changed.length > 0 && <Banner tone="plain">{t('admin.texts.saveFirst')}</Banner>}
        </div>
      )}
      {deed !== undefined && (
        <DraftDeed
          {...{ deed, name, form, onBack }}
          revision={text?.draft?.revision ?? 0}
          sha256={text?.draft?.sha256}
          base={text?.versions[0]?.version ?? 0}
          languages={changed}
          onClose={() => setDeed(undefined)}
        />
      )}
    </>
  );
}

function DraftDeed(props: {
  readonly deed: Deed;
  readonly name: TextName;
  readonly form: DraftForm;
  readonly revision: number;
  readonly sha256: string | undefined;
  readonly base: number;
  readonly languages: readonly Lang[];
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { deed, name, form, revision, sha256, base, languages } = props;
  const isLegal = name.kind === 'terms' || name.kind === 'privacy';
  const send = (reason: string) => {
    switch (deed) {
      case 'save':
        return saveDraft(name, form, { revision, base, languages, reason });
      case 'publish':
        return adminCall('x/admin/ContentPublish', { ...name, revision, reason });
      case 'discard':
        return adminCall('x/admin/ContentDiscard', { ...name, revision, reason });
    }
  };
  return (
    <ActDialog
      title={t(`admin.texts.${deed}`)}
      lead={
        <>
          {t(`admin.texts.${deed}Lead`, { kind: t(`admin.texts.kind.${name.kind}`), slug: name.slug })}
          {deed === 'publish' && sha256 !== undefined && (
            <>
              <br />
              <Digest sha256={sha256} />
            </>
          )}
        </>
      }
      button={t(`admin.texts.${deed}`)}
      danger={deed === 'discard'}
      onAct={send}
      onDone={() => {
        say(deed === 'publish' && isLegal ? 'admin.asked' : 'admin.done');
        readAgain();
        if (deed !== 'save') props.onBack();
      }}
      onClose={props.onClose}
    />
  );
}
