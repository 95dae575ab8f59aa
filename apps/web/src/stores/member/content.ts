import type { CallInput, ContentRow, ContentText } from '@crossbook/contract';
import type { Language } from '../app/settings.ts';
import { call } from './own-service.ts';

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
