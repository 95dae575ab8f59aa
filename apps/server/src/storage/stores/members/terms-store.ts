import type { Millis } from '@crossbook/domain';
import type { LegalKind, TermsStore } from '../../../accounts/terms.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import type { LegalLinks } from './agreements.ts';

interface TextRow {
  readonly kind: LegalKind;
  readonly version: number;
  readonly effective_at: string;
}

/** Versions that members agree to, on PostgreSQL. @param links pages of the operator's own, whose versions nobody here knows. */
export function termsStore(database: Database, links: LegalLinks): TermsStore {
  const own = (['terms', 'privacy'] as const).filter((kind) => links[kind] === '');
  return {
    async material(now) {
      const rows = await database.query<TextRow>(
        `select distinct on (kind) kind, version, greatest(publish_at, effective_at) as effective_at from content
         where material and kind = any ($1) and greatest(publish_at, effective_at) <= $2 order by kind, version desc`,
        [own, now],
      );
      return rows.map(({ kind, version, effective_at: at }) => ({
        ...{ kind, version, effectiveAt: Number(at) as Millis },
      }));
    },
    async agreedUpTo(user) {
      const rows = await database.query<{ demo: boolean; kind: LegalKind | null; version: number }>(
        `select m.demo, a.kind, max(a.version) as version from members m left join agreements a on a.member = m.id
         where m.id = $1 group by m.demo, a.kind`,
        [user],
      );
      if (rows[0]?.demo !== false) return undefined;
      return Object.fromEntries(
        rows.flatMap(({ kind, version }) => (kind === null ? [] : [[kind, version]])),
      );
    },
    agree: ({ user, kind, version, language, address, now }) =>
      database.withTransaction(async (client) => {
        const { rows } = await client.query<{ fresh: boolean }>(
          `with shown as (
             select c.kind, c.version, encode(sha256(convert_to(t.title || E'\\n' || t.body, 'UTF8')), 'hex') as words
             from content c join content_texts t on t.content = c.id and t.lang = $5
             where c.kind = $2 and c.publish_at <= $4 order by c.version desc limit 1),
           kept as (
             insert into agreements (member, kind, version, at, address, lang, text_sha256)
             select $1, kind, version, $4, $6, $5, words from shown where version = $3
             on conflict do nothing returning 1)
           select exists (select from kept) as fresh from shown where version = $3`,
          [user, kind, version, now, language, address],
        );
        const [shown] = rows;
        // Twice, from two tabs: the first one counts.
        if (shown?.fresh === true) {
          await appendAudit(client, {
            ...{ at: now, actor: { kind: 'member', id: String(user) }, address, call: 'x/terms/Agree' },
            ...{ subject: `${kind} ${version}`, outcome: 'ok', details: { lang: language } },
          });
        }
        return shown !== undefined;
      }),
  };
}
