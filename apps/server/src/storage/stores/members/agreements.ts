import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { SHIPPED_AUTHOR } from '../../../content/ports.ts';
import { appendAudit, type TakesStatements } from '../audit-log.ts';

/** Legal pages of the operator's own, by kind; empty where the hub shows its own text. */
export type LegalLinks = Readonly<Record<'terms' | 'privacy', string>>;

/** A sign-up, or a demo that is kept, as far as it is an agreement. */
export interface Agreement {
  readonly member: UserId;
  /** In which the texts were shown. */
  readonly language: 'en' | 'ja' | 'ko';
  /** For the audit log. */
  readonly call: string;
  /** When and from where. */
  readonly session: { readonly createdAt: Millis; readonly address: string };
}

const IN_FORCE = `insert into agreements (member, kind, version, at, address, lang, text_sha256, link)
  select $1, c.kind, c.version, $2, $3, $4, encode(sha256(convert_to(t.title || E'\\n' || t.body, 'UTF8')), 'hex'), null
  from content c join content_texts t on t.content = c.id and t.lang = $4
  where c.kind = $5 and c.publish_at <= $2 order by c.version desc limit 1`;
const LINKED = `insert into agreements (member, kind, version, at, address, lang, link) values ($1, $5, 0, $2, $3, $4, $6)`;

/** Whether who signs up now would agree to a text that comes with the program, and that the operator was to replace. */
export async function agreesToShipped(
  client: Pick<PoolClient, 'query'>,
  now: Millis,
  links: LegalLinks,
): Promise<boolean> {
  const own = (['terms', 'privacy'] as const).filter((kind) => links[kind] === '');
  const { rows } = await client.query(
    `select from (select distinct on (kind) author from content where kind = any ($1) and publish_at <= $2
       order by kind, version desc) shown where author = $3`,
    [own, now, SHIPPED_AUTHOR],
  );
  return rows.length > 0;
}

/** Keeps what a new member agreed to, and that there is a new member, in the transaction that makes the member. */
export async function keepAgreements(
  client: TakesStatements,
  agreement: Agreement,
  links: LegalLinks,
): Promise<void> {
  const { member, language: lang } = agreement;
  const { createdAt: at, address } = agreement.session;
  for (const kind of ['terms', 'privacy'] as const) {
    const link = links[kind];
    const values = [member, at, address, lang, kind];
    if (link === '') await client.query(IN_FORCE, values);
    else await client.query(LINKED, [...values, link]);
  }
  await appendAudit(client, {
    ...{ at, actor: { kind: 'member', id: String(member) }, address, call: agreement.call },
    outcome: 'ok',
    details: { agreed: ['terms', 'privacy'], lang },
  });
}
