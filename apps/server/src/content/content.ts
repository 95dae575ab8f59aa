import type { CallHandlers } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { ContentPlace, ContentStore, LiveContent } from './ports.ts';

/** The calls about texts. */
export type ContentCall = 'x/content/List' | 'x/content/Get';

/** `3_1800000000000_first-steps`: fits the field for a cursor. */
function cursorOf({ position, publishedAt, slug }: ContentPlace): string {
  return `${position}_${publishedAt}_${slug}`;
}

function placeOf(cursor: string): ContentPlace | undefined {
  const [, position, publishedAt, slug] = /^([0-9]{1,4})_([0-9]{1,15})_([a-z0-9-]{1,60})$/.exec(cursor) ?? [];
  if (slug === undefined) return undefined;
  return { position: Number(position), publishedAt: Number(publishedAt) as Millis, slug };
}

/** @param productName stands for `{name}` in every text. */
export function contentHandlers(store: ContentStore, productName: string): Pick<CallHandlers, ContentCall> {
  const named = (text: string): string => text.replaceAll('{name}', productName);
  const headOf = ({ kind, slug, title, summary, version, ...times }: LiveContent) => ({
    ...{ kind, slug, version, title: named(title), summary: named(summary) },
    ...{ publishedAt: times.publishedAt, updatedAt: times.updatedAt, endsAt: times.endsAt ?? null },
    effectiveAt: times.effectiveAt ?? null,
  });
  return {
    'x/content/List': async (caller, { kind, lang = caller.language, limit, cursor }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      if (cursor !== undefined && after === undefined) {
        const allowed = 'the "next" of the page before';
        return { ok: false, code: { error: 'field-invalid', field: 'cursor', allowed } };
      }
      const found = await store.list({ kind, lang, now: caller.now }, after, limit + 1);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      // Answers are short and shown with their questions; other bodies have pages of their own.
      const rows = shown.map((row) => ({
        ...headOf(row),
        ...(kind === 'faq' ? { body: named(row.body) } : {}),
      }));
      const next = found.length > limit && last !== undefined ? { next: cursorOf(last) } : {};
      return { ok: true, value: { rows, ...next } };
    },
    'x/content/Get': async (caller, { kind, slug, lang = caller.language }) => {
      const found = await store.get({ kind, lang, now: caller.now }, slug);
      if (found === undefined) return { ok: false, code: { error: 'content-unknown' } };
      return { ok: true, value: { ...headOf(found), body: named(found.body) } };
    },
  };
}
