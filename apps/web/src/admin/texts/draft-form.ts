import type { AdminContent } from '@crossbook/contract';
import { fieldOfMoment, momentOfField } from '../../calculators/local-moment.ts';
import { adminCall } from '../../stores/admin/admin-service.ts';
import type { CallResult } from '../../wire/api-client.ts';

/** Languages of a text. */
export const LANGUAGES = ['en', 'ja', 'ko'] as const;
/** One of them. */
export type Lang = (typeof LANGUAGES)[number];
/** What a text is. */
export type TextKind = 'event' | 'announcement' | 'faq' | 'page' | 'terms' | 'privacy';
/** Kinds that come and go; of the others there is one each, at a fixed address, always. */
export const GROWING: readonly TextKind[] = ['event', 'announcement', 'faq'];
/** What members agree to. */
export const LEGAL: readonly TextKind[] = ['terms', 'privacy'];
/** Which text. */
export interface TextName {
  readonly kind: TextKind;
  readonly slug: string;
}
/** Words in one language. */
export type Words = AdminContent['texts']['en'];

/** What stands in the fields. */
export interface DraftForm {
  readonly texts: Readonly<Record<Lang, Words>>;
  readonly publishAt: string;
  readonly endsAt: string;
  readonly position: string;
  readonly withdrawn: boolean;
  readonly material: boolean;
  readonly effectiveAt: string;
}

/** A request is refused above 64 kB, other fields included. */
const ENCODED_BYTES_MAX = 60_000;

const NOTHING: Words = { title: '', summary: '', body: '' };

/** The form of a text; an empty one where there is none yet. */
export function formOf(text: AdminContent | undefined): DraftForm {
  if (text === undefined) {
    const texts = { en: NOTHING, ja: NOTHING, ko: NOTHING };
    return {
      texts,
      publishAt: '',
      endsAt: '',
      position: '0',
      withdrawn: false,
      material: false,
      effectiveAt: '',
    };
  }
  const { publishAt, endsAt, position, withdrawn, material, effectiveAt } = text.plan;
  return {
    ...{ texts: text.texts, position: String(position), withdrawn, material },
    effectiveAt: fieldOfMoment(effectiveAt),
    ...{ publishAt: fieldOfMoment(publishAt), endsAt: fieldOfMoment(endsAt) },
  };
}

/** Whether the words of one language are too long for one request. */
export function isTooLong({ title, summary, body }: Words): boolean {
  return encodeURIComponent(title + summary + body).length > ENCODED_BYTES_MAX;
}

/** Languages whose words differ, or the first where only dates do; none when nothing was changed. */
export function changedLanguages(before: DraftForm, after: DraftForm): readonly Lang[] {
  const changed = LANGUAGES.filter(
    (lang) => JSON.stringify(before.texts[lang]) !== JSON.stringify(after.texts[lang]),
  );
  if (changed.length > 0) return changed;
  const { texts: _before, ...planBefore } = before;
  const { texts: _after, ...planAfter } = after;
  return JSON.stringify(planBefore) === JSON.stringify(planAfter) ? [] : ['en'];
}

/** Saves what was changed, language by language; ends with the first that is refused. */
export async function saveDraft(
  name: TextName,
  form: DraftForm,
  {
    revision,
    base,
    languages,
    reason,
  }: {
    readonly revision: number;
    /** The newest version that is changed; 0 for a new text. */
    readonly base: number;
    readonly languages: readonly Lang[];
    readonly reason: string;
  },
): Promise<CallResult<unknown>> {
  const publishAt = momentOfField(form.publishAt);
  const endsAt = momentOfField(form.endsAt);
  const effectiveAt = momentOfField(form.effectiveAt);
  let seen = revision;
  let answer: CallResult<{ readonly revision: number }> | undefined;
  for (const lang of languages) {
    answer = await adminCall('x/admin/ContentDraft', {
      ...{ ...name, revision: seen, base, lang, ...form.texts[lang], reason },
      ...{ position: Number(form.position) || 0, withdrawn: form.withdrawn, material: form.material },
      ...(effectiveAt === undefined ? {} : { effectiveAt }),
      ...(publishAt === undefined ? {} : { publishAt }),
      ...(endsAt === undefined ? {} : { endsAt }),
    });
    if (!answer.ok) return answer;
    seen = answer.data.revision;
  }
  return answer ?? { ok: true, data: {} };
}
