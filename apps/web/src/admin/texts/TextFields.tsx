import { LANGUAGE_NAMES, useText } from '../../i18n/i18n.ts';
import { Markdown } from '../../screens/reading/Markdown.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import {
  type DraftForm,
  GROWING,
  isTooLong,
  LANGUAGES,
  type Lang,
  LEGAL,
  type TextKind,
  type Words,
} from './draft-form.ts';

/** The words of one language, with a tab for each. */
export function WordFields(props: {
  readonly lang: Lang;
  readonly onLang: (lang: Lang) => void;
  readonly words: Words;
  readonly onWords: (words: Words) => void;
}) {
  const t = useText();
  const { lang, words, onWords } = props;
  return (
    <>
      <Tabs
        label={t('nav.language')}
        items={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={lang}
        onChange={props.onLang}
      />
      <Field
        label={t('admin.texts.title')}
        value={words.title}
        maxLength={120}
        lang={lang}
        onChange={(event) => onWords({ ...words, title: event.target.value })}
      />
      <Field
        label={t('admin.texts.summary')}
        value={words.summary}
        maxLength={300}
        lang={lang}
        onChange={(event) => onWords({ ...words, summary: event.target.value })}
      />
      <TextArea
        label={t('admin.texts.body')}
        hint={t('admin.texts.bodyHint', { name: '{name}' })}
        error={isTooLong(words) ? t('admin.texts.tooLong') : undefined}
        value={words.body}
        rows={14}
        maxLength={16_000}
        lang={lang}
        onChange={(event) => onWords({ ...words, body: event.target.value })}
      />
    </>
  );
}

/** When a text holds, and where it stands in lists. */
export function PlanFields(props: {
  readonly form: DraftForm;
  readonly kind: TextKind;
  readonly onChange: (form: DraftForm) => void;
}) {
  const t = useText();
  const { form, kind, onChange } = props;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Field
          type="datetime-local"
          label={t('admin.texts.publishAt')}
          value={form.publishAt}
          onChange={(event) => onChange({ ...form, publishAt: event.target.value })}
        />
        {kind === 'event' && (
          <Field
            type="datetime-local"
            label={t('admin.texts.endsAt')}
            value={form.endsAt}
            onChange={(event) => onChange({ ...form, endsAt: event.target.value })}
          />
        )}
        {LEGAL.includes(kind) && (
          <Field
            type="datetime-local"
            label={t('admin.texts.effectiveAt')}
            value={form.effectiveAt}
            onChange={(event) => onChange({ ...form, effectiveAt: event.target.value })}
          />
        )}
        <Field
          label={t('admin.texts.position')}
          inputMode="numeric"
          value={form.position}
          maxLength={4}
          onChange={(event) => onChange({ ...form, position: event.target.value.replace(/\D/g, '') })}
        />
      </div>
      {LEGAL.includes(kind) && (
        <Checkbox
          checked={form.material}
          onChange={(event) => onChange({ ...form, material: event.target.checked })}
          label={t('admin.texts.material')}
        />
      )}
      {GROWING.includes(kind) && (
        <Checkbox
          checked={form.withdrawn}
          onChange={(event) => onChange({ ...form, withdrawn: event.target.checked })}
          label={t('admin.texts.withdrawn')}
        />
      )}
    </>
  );
}

/** The words as members will read them. */
export function Preview({ words }: { readonly words: Words }) {
  const t = useText();
  return (
    <section
      aria-label={t('admin.texts.preview')}
      className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-page p-4"
    >
      <p className="text-xs text-faint">{t('admin.texts.preview')}</p>
      <article className="flex flex-col gap-4">
        <h3 className="text-2xl font-medium text-balance break-words">{words.title}</h3>
        {words.summary !== '' && <p className="text-sm text-soft">{words.summary}</p>}
        <Markdown text={words.body} below={1} />
      </article>
    </section>
  );
}
