import type { CallInput, ContentRow, ContentText } from '@crossbook/contract';
import type { Language } from '../app/settings.ts';
import { type DueText, termsSheet } from '../app/terms-sheet.ts';
import { call, isRefused } from './own-service.ts';

/** What a text is. */
export type ContentKind = CallInput<'x/content/List'>['kind'];

/** No text of this kind and name is in force. */
const CONTENT_UNKNOWN = 7001;

/** A page of a list of texts. Rejects when there was no usable answer, so that the query shows its error state. */
export async function readContents(
  kind: ContentKind,
  lang: Language,
  cursor: string | undefined,
): Promise<{ readonly rows: readonly ContentRow[]; readonly next?: string | undefined }> {
  const input = { kind, lang, ...(cursor === undefined ? {} : { cursor }) };
  const answer = await call('x/content/List', input, { quiet: true });
  if (!answer.ok) throw new Error('the list was not answered');
  return answer.data;
}

/** A text; `null` when there is none. Rejects when there was no usable answer. */
export async function readContent(
  kind: ContentKind,
  slug: string,
  lang: Language,
): Promise<ContentText | null> {
  // A name that nobody could have given is answered here: the address line is typed by hand.
  if (!/^[a-z0-9-]{1,60}$/.test(slug)) return null;
  const answer = await call('x/content/Get', { kind, slug, lang }, { quiet: true });
  if (answer.ok) return answer.data;
  if (answer.kind === 'refused' && answer.code === CONTENT_UNKNOWN) return null;
  throw new Error('the text was not answered');
}

/** Of a version that is not shown any more. */
const FIELD_INVALID = 1001;

/** Asks what the member has still to agree to, and shows it; what he put off himself stays put off. */
export async function readDueTerms(signal?: AbortSignal): Promise<void> {
  const answer = await call('x/terms/Due', {}, { quiet: true, ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok || signal?.aborted === true) return;
  termsSheet.setState({ due: answer.data.due, open: answer.data.due.length > 0 });
}

/** The words that are shown now of each text. Rejects when one was not answered. */
export function readDueTexts(due: readonly DueText[], lang: Language): Promise<readonly ContentText[]> {
  return Promise.all(
    due.map(async ({ kind }) => {
      const text = await readContent(kind, kind, lang);
      if (text === null) throw new Error('a text that is to be agreed to is not there');
      return text;
    }),
  );
}

/** Agrees to what was read. @returns `changed` where a text was changed meanwhile; `not` where it was refused otherwise, which a toast says. */
export async function agreeTo(texts: readonly ContentText[]): Promise<'done' | 'changed' | 'not'> {
  for (const { kind, version } of texts) {
    if (kind !== 'terms' && kind !== 'privacy') throw new Error('a text that nobody agrees to');
    const answer = await call('x/terms/Agree', { kind, version });
    if (!answer.ok) return isRefused(answer, FIELD_INVALID) ? 'changed' : 'not';
  }
  termsSheet.setState({ due: [], open: false });
  return 'done';
}
