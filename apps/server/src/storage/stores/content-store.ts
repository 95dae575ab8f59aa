import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type {
  ContentKind,
  ContentQuery,
  ContentStore,
  LiveContent,
  NewContent,
} from '../../content/ports.ts';
import { SHIPPED_AUTHOR } from '../../content/ports.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database, SqlValue } from '../postgres/database.ts';
import { appendAudit } from './audit-log.ts';

interface ContentRow {
  readonly kind: ContentKind;
  readonly slug: string;
  readonly version: number;
  readonly position: number;
  readonly publish_at: string;
  readonly published_at: string;
  readonly ends_at: string | null;
  readonly effective_at: string | null;
  readonly title: string;
  readonly summary: string;
  readonly body: string;
}

/** Of each slug the newest version whose date has come, unless that one withdraws it. */
const IN_FORCE = `select * from (
    select distinct on (slug) c.*, min(publish_at) over (partition by slug) as published_at, t.title, t.summary, t.body
    from content c join content_texts t on t.content = c.id and t.lang = $2
    where kind = $1 and publish_at <= $3 order by slug, version desc) newest
  where not withdrawn`;

function momentOf(text: string | null): Millis | undefined {
  return text === null ? undefined : (Number(text) as Millis);
}

function contentOf(row: ContentRow): LiveContent {
  const { kind, slug, version, position, title, summary, body } = row;
  return {
    ...{ kind, slug, version, position, title, summary, body },
    publishedAt: Number(row.published_at) as Millis,
    updatedAt: Number(row.publish_at) as Millis,
    endsAt: momentOf(row.ends_at),
    effectiveAt: momentOf(row.effective_at),
  };
}

/** Writes the next version of a text. Whoever calls audits it. @returns its version. */
export async function insertVersion(client: PoolClient, content: NewContent): Promise<number> {
  const { kind, slug, publishAt, endsAt = null, position = 0, withdrawn = false, author, texts } = content;
  const { material = false, effectiveAt = null } = content;
  const { rows } = await client.query<{ id: string; version: number }>(
    `insert into content (kind, slug, version, publish_at, ends_at, position, withdrawn, author, material, effective_at)
     select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7, $8, $9 from content where kind = $1 and slug = $2
     returning id, version`,
    [kind, slug, publishAt, endsAt, position, withdrawn, author, material, effectiveAt],
  );
  const [made] = rows;
  if (made === undefined) throw new Error('a version was not written');
  for (const [lang, { title, summary, body }] of Object.entries(texts)) {
    await client.query(
      'insert into content_texts (content, lang, title, summary, body) values ($1, $2, $3, $4, $5)',
      [made.id, lang, title, summary, body],
    );
  }
  return made.version;
}

async function publish(client: PoolClient, content: NewContent, now: Millis): Promise<number> {
  const { kind, slug, publishAt, withdrawn = false, material = false, author } = content;
  const version = await insertVersion(client, content);
  await appendAudit(client, {
    at: now,
    actor: { kind: author === SHIPPED_AUTHOR ? 'system' : 'operator', id: author },
    ...{ call: 'content/publish', subject: `${kind} ${slug}`, outcome: 'ok' },
    details: { version, publishAt, withdrawn, material },
  });
  return version;
}

/** The texts of the hub in PostgreSQL. */
export function contentStore(database: Database): ContentStore {
  const inForce = async (
    { kind, lang, now }: ContentQuery,
    rest: string,
    values: readonly SqlValue[],
  ): Promise<readonly LiveContent[]> => {
    const rows = await database.query<ContentRow>(`${IN_FORCE} ${rest}`, [kind, lang, now, ...values]);
    return rows.map(contentOf);
  };
  return {
    list: (query, after, rowsMax) =>
      inForce(
        query,
        `and ($4::int is null or (position, -published_at, slug) > ($4, -$5::bigint, $6))
         order by position, published_at desc, slug limit $7`,
        [after?.position ?? null, after?.publishedAt ?? null, after?.slug ?? null, rowsMax],
      ),
    get: async (query, slug) => (await inForce(query, 'and slug = $4', [slug]))[0],
    publish: (content, now) => database.withTransaction((client) => publish(client, content, now)),
    publishMissing: (contents, now) =>
      database.withTransaction(async (client) => {
        // Hubs that start together ship once.
        await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.content]);
        const { rows } = await client.query<{ name: string }>(
          `select kind || '/' || slug as name from content`,
        );
        const there = new Set(rows.map(({ name }) => name));
        for (const content of contents) {
          if (!there.has(`${content.kind}/${content.slug}`)) await publish(client, content, now);
        }
      }),
  };
}
