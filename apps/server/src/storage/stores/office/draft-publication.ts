import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { sha256Hex } from '../../../accounts/keyed-hash.ts';
import type { ContentRefusal, DraftSeal, SeenDraft } from '../../../back-office/content-ports.ts';
import type { ContentLanguage, ContentText, NewContent } from '../../../content/ports.ts';
import { insertVersion } from '../content-store.ts';

/** A row of `content_drafts`. */
export interface DraftColumns {
  readonly revision: number;
  readonly texts: Readonly<Partial<Record<ContentLanguage, ContentText>>>;
  readonly publish_at: string | null;
  readonly ends_at: string | null;
  readonly position: number;
  readonly withdrawn: boolean;
  readonly material: boolean;
  readonly effective_at: string | null;
  readonly author: string;
  readonly saved_at: string;
}

const LANGUAGES = ['en', 'ja', 'ko'] as const;
const NAMES = { en: 'English', ja: 'Japanese', ko: 'Korean' } as const;
/** What stands in each of them. */
const PARTS = { title: 'title', body: 'text' } as const;

/** What a draft lacks, in words that the catalogue of refusals has in every language; `undefined` when it can be published. */
function missingOf({ texts, ends_at }: DraftColumns, publishAt: number): string | undefined {
  for (const lang of LANGUAGES) {
    for (const part of ['title', 'body'] as const)
      if ((texts[lang]?.[part] ?? '').trim() === '') return `the ${PARTS[part]} in ${NAMES[lang]}`;
  }
  return ends_at !== null && Number(ends_at) <= publishAt ? 'an end after its beginning' : undefined;
}

/** Whatever of a draft is published, always in the same order. */
export function sealOf(name: SeenDraft, row: DraftColumns): DraftSeal {
  const { texts, publish_at, ends_at, position, withdrawn, material, effective_at } = row;
  // What waited for a second admin before there were material versions keeps its seal.
  const legal = material || effective_at !== null ? [material, effective_at] : [];
  const words = LANGUAGES.map((lang) => [texts[lang]?.title, texts[lang]?.summary, texts[lang]?.body]);
  return {
    ...name,
    sha256: sha256Hex(JSON.stringify([words, publish_at, ends_at, position, withdrawn, ...legal])),
  };
}

/** The draft that somebody looked at, kept from others until the transaction ends. */
export async function seenDraft(
  client: Pick<PoolClient, 'query'>,
  { kind, slug, revision }: SeenDraft,
): Promise<{ readonly ok: true; readonly row: DraftColumns } | ContentRefusal> {
  const { rows } = await client.query<DraftColumns>(
    'select * from content_drafts where kind = $1 and slug = $2 for update',
    [kind, slug],
  );
  const [row] = rows;
  if (row === undefined) return { ok: false, why: 'subject-unknown' };
  return row.revision === revision ? { ok: true, row } : { ok: false, why: 'already-decided' };
}

/** The seal of a draft that is complete. */
export async function sealDraft(
  client: Pick<PoolClient, 'query'>,
  draft: SeenDraft,
  now: Millis,
): Promise<{ readonly ok: true; readonly seal: DraftSeal; readonly content: NewContent } | ContentRefusal> {
  const seen = await seenDraft(client, draft);
  if (!seen.ok) return seen;
  const { row } = seen;
  const publishAt = Math.max(Number(row.publish_at ?? now), now) as Millis;
  const missing = missingOf(row, publishAt);
  if (missing !== undefined) return { ok: false, why: 'content-incomplete', missing };
  const { kind, slug } = draft;
  const content: NewContent = {
    ...{ kind, slug, publishAt, position: row.position, withdrawn: row.withdrawn, author: row.author },
    ...(row.ends_at === null ? {} : { endsAt: Number(row.ends_at) as Millis }),
    ...{ material: row.material },
    ...(row.effective_at === null ? {} : { effectiveAt: Number(row.effective_at) as Millis }),
    texts: row.texts as NewContent['texts'],
  };
  return { ok: true, seal: sealOf(draft, row), content };
}

/** Makes a draft the next version and deletes it. @param sha256 what was approved, where a second admin has decided. */
export async function publishDraft(
  client: PoolClient,
  draft: SeenDraft,
  { now, sha256 }: { readonly now: Millis; readonly sha256?: string },
): Promise<{ readonly ok: true; readonly version: number } | ContentRefusal> {
  const sealed = await sealDraft(client, draft, now);
  if (!sealed.ok) return sealed;
  if (sha256 !== undefined && sealed.seal.sha256 !== sha256) return { ok: false, why: 'already-decided' };
  const version = await insertVersion(client, sealed.content);
  await client.query('delete from content_drafts where kind = $1 and slug = $2', [draft.kind, draft.slug]);
  return { ok: true, version };
}
