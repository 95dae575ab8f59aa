import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { type NoticeReader, newTextMail, rewardSettledMail } from '../../../accounts/notice-mails.ts';
import { SHIPPED_AUTHOR } from '../../../content/ports.ts';
import type { Database } from '../../postgres/database.ts';
import type { LegalLinks } from '../members/agreements.ts';
import { antiPhishingContext } from '../members/security-acts.ts';
import type { Seal } from '../seal.ts';
import type { MailRoom } from './approval-store.ts';

/** Members who are written to in one transaction. */
const READERS_MAX = 100;
/** Transactions of one turn; the next turn goes on. */
const PAGES_MAX = 20;

/** Writes to members about what none of their own calls has caused. */
export interface MemberNotices {
  /** What is due: in turns, and each once, also where a process dies on the way. */
  tell(now: Millis): Promise<void>;
}

/** What notices need. */
export interface MemberNoticesDeps {
  readonly seal: Seal;
  readonly mails: MailRoom;
  readonly productName: string;
  /** Pages of the operator's own, which say themselves that they are new. */
  readonly legalLinks: LegalLinks;
  /** Where members reach the hub. */
  readonly origin: string;
}

interface ReaderRow {
  readonly id: number;
  readonly email: string | null;
  readonly language: NoticeReader['language'];
  readonly anti_phishing: string | null;
}
const READER = 'm.id, m.email, m.language, m.anti_phishing';

function readerOf(
  { seal }: MemberNoticesDeps,
  { id, language, anti_phishing: word }: ReaderRow,
): NoticeReader {
  const antiPhishing = word === null ? undefined : seal.open(word, antiPhishingContext(id));
  return { language, antiPhishing };
}

/** One mail for all that a member was paid since the last one. @returns how many members had something. */
async function tellRewards(client: PoolClient, deps: MemberNoticesDeps, now: Millis): Promise<number> {
  const { rows } = await client.query<ReaderRow & { readonly amount: string }>(
    `with due as (
       select w.referrer from referral_rewards w where w.state = 'settled' and w.mailed_at is null
       group by w.referrer order by w.referrer limit ${READERS_MAX}),
     mailed as (
       update referral_rewards w set mailed_at = $1
       where w.referrer in (select referrer from due) and w.state = 'settled' and w.mailed_at is null
       returning w.referrer, w.amount)
     select ${READER}, trim_scale(sum(p.amount))::text as amount
     from mailed p join members m on m.id = p.referrer group by m.id`,
    [now],
  );
  for (const row of rows) {
    if (row.email === null) continue;
    const text = rewardSettledMail(deps.productName, readerOf(deps, row), row.amount);
    await deps.mails.putMail(client, { to: row.email, ...text }, now);
  }
  return rows.length;
}

interface TextRow {
  readonly id: string;
  readonly kind: 'terms' | 'privacy';
  readonly version: number;
  readonly holds_from: string;
}

/** The newest versions of Terms and Privacy that somebody has published here. */
const NEWEST = `select id, kind, version, greatest(publish_at, effective_at) as holds_from from (
    select distinct on (kind) * from content where kind = any ($1) order by kind, version desc) newest
  where author <> '${SHIPPED_AUTHOR}' and not withdrawn`;

/** A page of members, by their numbers. @returns how many were looked at. */
async function tellText(
  client: PoolClient,
  deps: MemberNoticesDeps,
  { text, now }: { readonly text: TextRow; readonly now: Millis },
): Promise<number> {
  await client.query('insert into text_notices (content, until) values ($1, 0) on conflict do nothing', [
    text.id,
  ]);
  const marks = await client.query<{ until: number }>(
    'select until from text_notices where content = $1 for update skip locked',
    [text.id],
  );
  const until = marks.rows[0]?.until;
  if (until === undefined) return 0;
  const { rows } = await client.query<ReaderRow & { readonly agreed: boolean }>(
    `select ${READER}, exists (
       select from agreements a where a.member = m.id and a.kind = $2 and a.version >= $3) as agreed
     from members m where m.id > $1 order by m.id limit ${READERS_MAX}`,
    [until, text.kind, text.version],
  );
  const from = new Date(Number(text.holds_from)).toISOString().slice(0, 10);
  for (const row of rows) {
    if (row.email === null || row.agreed) continue;
    const link = `${deps.origin}/${text.kind}`;
    const mail = newTextMail(deps.productName, readerOf(deps, row), { kind: text.kind, from, link });
    await deps.mails.putMail(client, { to: row.email, ...mail }, now);
  }
  const last = rows.at(-1);
  if (last !== undefined)
    await client.query('update text_notices set until = $2 where content = $1', [text.id, last.id]);
  return rows.length;
}

/** Makes them, on PostgreSQL. */
export function memberNotices(database: Database, deps: MemberNoticesDeps): MemberNotices {
  /** Page after page, until one is not full. */
  const all = async (page: (client: PoolClient) => Promise<number>): Promise<void> => {
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const read = await database.withTransaction(page);
      if (read > 0) deps.mails.mailsWritten();
      if (read < READERS_MAX) return;
    }
  };
  return {
    async tell(now) {
      await all((client) => tellRewards(client, deps, now));
      const own = (['terms', 'privacy'] as const).filter((kind) => deps.legalLinks[kind] === '');
      for (const text of await database.query<TextRow>(NEWEST, [own]))
        await all((client) => tellText(client, deps, { text, now }));
    },
  };
}
