import type { AdminContent, AdminContentRow } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { ContentDesk, ContentName, ContentSave } from '../../../back-office/content-ports.ts';
import type { ContentLanguage, ContentText } from '../../../content/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { type DraftColumns, publishDraft, sealDraft, sealOf, seenDraft } from './draft-publication.ts';
import { auditAct } from './member-desk.ts';

interface VersionColumns {
  readonly id: string;
  readonly version: number;
  readonly publish_at: string;
  readonly ends_at: string | null;
  readonly position: number;
  readonly withdrawn: boolean;
  readonly material: boolean;
  readonly effective_at: string | null;
  readonly author: string;
}

interface ListColumns {
  readonly slug: string;
  readonly title: string | null;
  readonly version: number | null;
  readonly publish_at: string | null;
  readonly ends_at: string | null;
  readonly withdrawn: boolean | null;
  readonly drafted: boolean;
}

/** Texts of which there is one each, at a fixed address. */
const FIXED = ['page', 'terms', 'privacy'];
const VERSIONS_SHOWN_MAX = 20;
const NOTHING: ContentText = { title: '', summary: '', body: '' };

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function stateOf(row: ListColumns, now: Millis): AdminContentRow['state'] {
  if (row.version === null) return 'draft';
  if (Number(row.publish_at) > now) return 'scheduled';
  if (row.withdrawn === true) return 'withdrawn';
  return row.ends_at !== null && Number(row.ends_at) <= now ? 'over' : 'live';
}

function listRow(row: ListColumns, now: Millis): AdminContentRow {
  const { slug, title, version, drafted } = row;
  return {
    ...{ slug, title: title ?? '', state: stateOf(row, now), version, drafted },
    publishAt: numberOrNull(row.publish_at),
    endsAt: numberOrNull(row.ends_at),
  };
}

/** Newest versions and drafts, by address. */
const LIST = `select s.slug, c.version, c.publish_at, c.ends_at, c.withdrawn, d.slug is not null as drafted,
    coalesce(nullif(d.texts->'en'->>'title', ''), t.title) as title
  from (select slug from content where kind = $1 and slug > $2
        union select slug from content_drafts where kind = $1 and slug > $2 order by slug limit $3) s
  left join lateral (select * from content where kind = $1 and slug = s.slug order by version desc limit 1) c on true
  left join content_texts t on t.content = c.id and t.lang = 'en'
  left join content_drafts d on d.kind = $1 and d.slug = s.slug
  order by s.slug`;

type Reader = Pick<Database, 'query'>;

async function versionsOf(database: Reader, { kind, slug }: ContentName): Promise<readonly VersionColumns[]> {
  return database.query<VersionColumns>(
    `select id, version, publish_at, ends_at, position, withdrawn, material, effective_at, author from content
     where kind = $1 and slug = $2 order by version desc limit ${VERSIONS_SHOWN_MAX}`,
    [kind, slug],
  );
}

type Texts = Record<ContentLanguage, ContentText>;

function wholeTexts(texts: Partial<Texts>): Texts {
  const { en = NOTHING, ja = NOTHING, ko = NOTHING } = texts;
  return { en, ja, ko };
}

/** The words of the newest version; empty where there is none. */
async function newestTexts(
  query: (
    text: string,
    values: string[],
  ) => Promise<readonly (ContentText & { readonly lang: ContentLanguage })[]>,
  { kind, slug }: ContentName,
): Promise<Texts> {
  const rows = await query(
    `select t.lang, t.title, t.summary, t.body from content_texts t where t.content =
       (select id from content where kind = $1 and slug = $2 order by version desc limit 1)`,
    [kind, slug],
  );
  return wholeTexts(Object.fromEntries(rows.map(({ lang, ...text }) => [lang, text])));
}

async function view(database: Reader, name: ContentName): Promise<AdminContent | undefined> {
  const [draft] = await database.query<DraftColumns>(
    'select * from content_drafts where kind = $1 and slug = $2',
    [name.kind, name.slug],
  );
  const versions = await versionsOf(database, name);
  const of = draft ?? versions[0];
  if (of === undefined) return undefined;
  const texts =
    draft === undefined
      ? await newestTexts((text, values) => database.query(text, values), name)
      : wholeTexts(draft.texts);
  const plan = {
    ...{ endsAt: numberOrNull(of.ends_at), position: of.position, withdrawn: of.withdrawn },
    // Of a version before, neither says anything of the next one.
    material: draft?.material ?? false,
    effectiveAt: numberOrNull(draft?.effective_at ?? null),
    publishAt: draft === undefined ? null : numberOrNull(draft.publish_at),
  };
  return {
    ...{ texts, plan },
    draft:
      draft === undefined
        ? null
        : {
            ...{ ...plan, revision: draft.revision, author: draft.author, savedAt: Number(draft.saved_at) },
            sha256: sealOf({ ...name, revision: draft.revision }, draft).sha256,
          },
    versions: versions.map((row) => ({
      ...{ version: row.version, withdrawn: row.withdrawn, author: row.author },
      ...{ publishAt: Number(row.publish_at), endsAt: numberOrNull(row.ends_at) },
      ...{ material: row.material, effectiveAt: numberOrNull(row.effective_at) },
    })),
  };
}

/** The words that a save changes: those of the draft, else of the newest version; nothing for a new text. */
async function wordsBefore(
  client: PoolClient,
  { kind, slug, revision, base }: ContentSave,
): Promise<Texts | 'subject-unknown' | 'already-decided'> {
  if (revision > 0) {
    const seen = await seenDraft(client, { kind, slug, revision });
    return seen.ok ? wholeTexts(seen.row.texts) : 'already-decided';
  }
  const { rows } = await client.query<{ newest: number }>(
    'select coalesce(max(version), 0) as newest from content where kind = $1 and slug = $2',
    [kind, slug],
  );
  const newest = rows[0]?.newest ?? 0;
  // Published by somebody else since it was read.
  if (newest !== base) return 'already-decided';
  if (newest === 0 && FIXED.includes(kind)) return 'subject-unknown';
  return newestTexts(async (text, values) => (await client.query(text, values)).rows, { kind, slug });
}

/** Texts as the back office writes them, on PostgreSQL. */
export function contentDesk(database: Database): ContentDesk {
  const subject = ({ kind, slug }: ContentName): string => `${kind} ${slug}`;
  return {
    async list(kind, now, { limit, cursor }) {
      const rows = await database.query<ListColumns>(LIST, [kind, cursor ?? '', limit + 1]);
      const shown = rows.slice(0, limit);
      const next = rows.length > limit ? (shown.at(-1)?.slug ?? null) : null;
      return { rows: shown.map((row) => listRow(row, now)), next };
    },
    view: (name) => view(database, name),
    save: (act, draft) =>
      database.withTransaction(async (client) => {
        const before = await wordsBefore(client, draft);
        if (typeof before === 'string') return { ok: false, why: before } as const;
        const { kind, slug, lang, text, publishAt, endsAt, position, withdrawn, author } = draft;
        const { material, effectiveAt } = draft;
        const saved = await client.query<{ revision: number }>(
          `insert into content_drafts as d
             (kind, slug, texts, publish_at, ends_at, position, withdrawn, author, saved_at, material, effective_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12)
           on conflict (kind, slug) do update set revision = default, texts = excluded.texts,
             publish_at = excluded.publish_at, ends_at = excluded.ends_at, position = excluded.position,
             withdrawn = excluded.withdrawn, author = excluded.author, saved_at = excluded.saved_at,
             material = excluded.material, effective_at = excluded.effective_at
           where d.revision = $10 returning revision`,
          [
            ...[kind, slug, JSON.stringify({ ...before, [lang]: text })],
            ...[publishAt ?? null, endsAt ?? null, position, withdrawn, author, act.now, draft.revision],
            ...[material, effectiveAt ?? null],
          ],
        );
        const revision = saved.rows[0]?.revision;
        // Somebody else has begun or changed a draft of it meanwhile.
        if (revision === undefined) return { ok: false, why: 'already-decided' } as const;
        await auditAct(client, act, { subject: subject(draft), details: { revision, lang } });
        return { ok: true, revision } as const;
      }),
    discard: (act, draft) =>
      database.withTransaction(async (client) => {
        const seen = await seenDraft(client, draft);
        if (!seen.ok) return seen.why === 'content-incomplete' ? 'already-decided' : seen.why;
        await client.query('delete from content_drafts where kind = $1 and slug = $2', [
          draft.kind,
          draft.slug,
        ]);
        await auditAct(client, act, { subject: subject(draft), details: { revision: draft.revision } });
        return 'ok';
      }),
    publish: (act, draft) =>
      database.withTransaction(async (client) => {
        const done = await publishDraft(client, draft, { now: act.now });
        if (done.ok)
          await auditAct(client, act, { subject: subject(draft), details: { version: done.version } });
        return done;
      }),
    seal: (draft, now) => database.withTransaction((client) => sealDraft(client, draft, now)),
  };
}
