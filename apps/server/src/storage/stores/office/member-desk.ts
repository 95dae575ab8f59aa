import type { AdminMemberRow } from '@crossbook/contract';
import { type Amount, formatAmount, type Millis, normaliseEmail } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { masked } from '../../../accounts/contacts.ts';
import type { SessionEnd } from '../../../accounts/ports.ts';
import type { Act, ActOutcome, MemberDesk, Page, PageOf } from '../../../back-office/ports.ts';
import type { Database, SqlValue } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import { stopRecoveries } from '../members/recovery-store.ts';
import { type EndedRow, sessionEnd } from '../members/session-store.ts';
import { adminActor } from './admin-store.ts';

interface MemberColumns {
  readonly id: number;
  readonly nickname: string;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly country: string | null;
  readonly frozen_at: string | null;
  readonly created_at: string;
  readonly last_login_at: string | null;
  readonly kyc: 'none' | 'pending' | 'refused' | 'done' | 'expired';
  readonly equity: string;
  readonly unpriced: boolean;
}

interface ViewColumns extends MemberColumns {
  readonly frozen_by_staff: boolean;
  readonly tkropen: boolean;
  readonly language: string;
  readonly authenticator: boolean;
  readonly locked_until: string | null;
  readonly kyc_until: string | null;
  readonly referral_code: string;
  readonly kol_referral_code: string | null;
  readonly kol_rate_bps: number | null;
  readonly invitees: number;
}

interface SessionColumns {
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly expires_at: string;
}

const LISTED = 'id, nickname, email, mobile, country, frozen_at, created_at, last_login_at';
/** As it is indexed. */
const NAME = 'lower(nickname) collate "C"';
const SESSIONS_SHOWN_MAX = 20;

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

type MemberRow = Omit<AdminMemberRow, 'tier'>;

function rowOf(row: MemberColumns): MemberRow {
  const { id, nickname, email, mobile, country, kyc, equity } = row;
  return {
    ...{ id, nickname, country, kyc, equity, equityWhole: !row.unpriced },
    email: email === null ? null : masked({ kind: 'email', to: email }),
    mobile: mobile === null ? null : masked({ kind: 'mobile', to: mobile }),
    frozen: row.frozen_at !== null,
    createdAt: Number(row.created_at),
    lastLoginAt: numberOrNull(row.last_login_at),
  };
}

/** A search as a statement: the newest first, or by nickname. The key of the last row is where the next page begins. */
interface Search {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly order: 'id' | 'nickname';
}

function searchOf({
  query = '',
  frozen,
}: {
  readonly query: string | undefined;
  readonly frozen: boolean;
}): Search {
  const only = frozen ? ' and frozen_at is not null' : '';
  const of = (where: string, ...values: readonly SqlValue[]): Search => ({
    ...{ where: `${where}${only}`, values, order: 'id' },
  });
  if (query === '') return of('true');
  if (/^[0-9]{1,9}$/.test(query)) return of('id = $3', Number(query));
  if (query.includes('@')) return of('email = $3', normaliseEmail(query));
  if (query.startsWith('+')) return of('mobile = $3', query.replace(/[\s()-]/g, ''));
  const prefix = `${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return { ...of(`${NAME} like $3`, prefix), order: 'nickname' };
}

type Prices = ReadonlyMap<string, Amount>;

/**
 * Members with how their papers stand and what they hold. Only those shown are looked up, one by one: neither papers nor
 * accounts of others are read.
 */
const shownWith = (members: string, prices: string): string => `
  with shown as materialized (${members}),
  held as (
    select s.id, a.asset, a.total from shown s cross join lateral (
      select asset, sum(posted) as total from ledger_accounts
      where owner = s.id and class in ('FUNDING', 'TRADING', 'FUTURES') and posted <> 0 group by asset) a),
  worth as (
    select id, trunc(coalesce(sum(total * price), 0), 2) as equity, bool_or(price is null) as unpriced
    from held left join jsonb_to_recordset(${prices}::jsonb) as p(asset text, price numeric) using (asset) group by id)
  select s.*, coalesce(w.equity, 0)::numeric(60, 2)::text as equity, coalesce(w.unpriced, false) as unpriced,
    coalesce((select kyc_stands(k.state, k.valid_until) from kyc_cases k where k.member = s.id order by k.attempt desc limit 1), 'none') as kyc
  from shown s left join worth w using (id)`;

function pricesText(prices: Prices): string {
  return JSON.stringify([...prices].map(([asset, price]) => ({ asset, price: formatAmount(price) })));
}

/** Pages by id, or by nickname and id; the cursor is the id of the last row shown. */
async function page(
  database: Database,
  search: Search,
  { limit, cursor }: PageOf,
  prices: Prices,
): Promise<readonly MemberColumns[]> {
  const from = /^[0-9]{1,9}$/.test(cursor ?? '') ? Number(cursor) : undefined;
  const byName = search.order === 'nickname';
  const behind = `(${NAME}, id) > (coalesce((select ${NAME} from members where id = $1), ''), $1)`;
  // The first page begins at the name itself: with the comparison the index would be walked from its first name to that one.
  const after = byName ? (from === undefined ? '$1::int = 0' : behind) : 'id < $1';
  const order = byName ? `${NAME}, id` : 'id desc';
  const values = [from ?? (byName ? 0 : 2_147_483_647), limit + 1, ...search.values];
  return database.query<MemberColumns>(
    `${shownWith(
      `select ${LISTED} from members where ${search.where} and ${after} order by ${order} limit $2`,
      `$${values.length + 1}`,
    )} order by ${order}`,
    [...values, pricesText(prices)],
  );
}

/** Ends all of a member's sessions and forgets trusted browsers. */
async function endAll(client: PoolClient, member: number, now: Millis): Promise<readonly SessionEnd[]> {
  const ended = await client.query<EndedRow>(
    `update sessions set ended_at = $2 where member = $1 and ended_at is null and expires_at > $2
     returning id, hash, prev_hash`,
    [member, now],
  );
  await client.query('delete from device_trusts where member = $1', [member]);
  return ended.rows.map(sessionEnd);
}

/** Writes what an admin has done to a subject, in the transaction that does it. */
export async function auditAct(
  client: Pick<PoolClient, 'query'>,
  act: Act,
  { subject, details = {} }: { readonly subject: string; readonly details?: object },
): Promise<void> {
  const { admin, session, address, now, call, reason } = act;
  await appendAudit(client, {
    ...{ at: now, actor: adminActor(admin), address, call, subject, outcome: 'ok', reason },
    details: { ...details, session },
  });
}

/** What the desk asks and tells. */
export interface MemberDeskDeps {
  /** Told of sessions that ended. */
  readonly ended: (end: SessionEnd) => void;
  /** Last spot prices in USDT by asset. */
  readonly prices: () => Promise<Prices>;
}

/** Members as the back office sees and changes them. */
export function memberDesk(database: Database, { ended, prices }: MemberDeskDeps): MemberDesk {
  const tell = (ends: readonly SessionEnd[]): number => {
    for (const end of ends) ended(end);
    return ends.length;
  };
  return {
    async search(wanted, of) {
      const search = searchOf(wanted);
      const found = await page(database, search, of, await prices());
      const shown = found.slice(0, of.limit);
      const last = shown.at(-1);
      const next = found.length > of.limit && last !== undefined ? String(last.id) : null;
      return { rows: shown.map(rowOf), next } satisfies Page<MemberRow>;
    },
    view: async (member, now) => view(database, member, { now, prices: await prices() }),
    async freeze(act, member) {
      const done = await database.withTransaction(async (client) => {
        // Always another moment: a request to undo the freeze of before is not about this one.
        const frozen = await client.query(
          `update members set frozen_at = greatest(coalesce(frozen_at, 0) + 1, $2), frozen_by_staff = true
           where id = $1`,
          [member, act.now],
        );
        if (frozen.rowCount !== 1) return undefined;
        const ends = await endAll(client, member, act.now);
        await stopRecoveries(client, member, act.now);
        await auditAct(client, act, { subject: `member ${member}`, details: { ended: ends.length } });
        return ends;
      });
      if (done === undefined) return 'subject-unknown';
      tell(done);
      return 'ok';
    },
    async endSessions(act, member) {
      const done = await database.withTransaction(async (client) => {
        const { rowCount } = await client.query('select from members where id = $1 for update', [member]);
        if (rowCount !== 1) return undefined;
        const ends = await endAll(client, member, act.now);
        await auditAct(client, act, { subject: `member ${member}`, details: { ended: ends.length } });
        return ends;
      });
      return done && tell(done);
    },
    reveal: (act, member, field) =>
      database.withTransaction(async (client) => {
        const found = await client.query<MemberColumns>(`select ${LISTED} from members where id = $1`, [
          member,
        ]);
        const [row] = found.rows;
        if (row === undefined || row[field] === null) return row && null;
        await auditAct(client, act, { subject: `member ${member}`, details: { field } });
        return row[field];
      }),
    setTkropen: (act, member, open) =>
      database.withTransaction(async (client): Promise<ActOutcome> => {
        const { rowCount } = await client.query('update members set tkropen = $2 where id = $1', [
          member,
          open,
        ]);
        if (rowCount !== 1) return 'subject-unknown';
        await auditAct(client, act, { subject: `member ${member}`, details: { open } });
        return 'ok';
      }),
  };
}

async function view(
  database: Database,
  member: number,
  { now, prices }: { readonly now: Millis; readonly prices: Prices },
): ReturnType<MemberDesk['view']> {
  const [row] = await database.query<ViewColumns>(
    shownWith(
      `select ${LISTED}, frozen_by_staff, tkropen, language, referral_code, kol_referral_code, kol_rate_bps,
       floor(extract(epoch from money_locked_until(id)) * 1000)::bigint as locked_until,
       (select floor(extract(epoch from k.valid_until) * 1000)::bigint from kyc_cases k
        where k.member = m.id and k.state in ('done', 'expired') order by k.attempt desc limit 1) as kyc_until,
       exists (select from otp_secrets o where o.member = m.id and o.state = 'active' and not otp_is_reset(m.id))
         as authenticator,
       (select count(*)::int from referrals r where r.referrer = m.id) as invitees
     from members m where id = $1`,
      '$2',
    ),
    [member, pricesText(prices)],
  );
  if (row === undefined) return undefined;
  const sessions = await database.query<SessionColumns>(
    `select address, user_agent, created_at, expires_at from sessions
     where member = $1 and ended_at is null and expires_at > $2 order by created_at desc limit ${SESSIONS_SHOWN_MAX}`,
    [member, now],
  );
  const { tkropen, language, authenticator, invitees } = row;
  return {
    ...{ ...rowOf(row), tkropen, language, authenticator, invitees },
    frozenAt: numberOrNull(row.frozen_at),
    frozenByStaff: row.frozen_by_staff,
    moneyLockedUntil: numberOrNull(row.locked_until),
    kycValidUntil: numberOrNull(row.kyc_until),
    referralCode: row.referral_code,
    kolCode: row.kol_referral_code,
    kolRateBps: row.kol_rate_bps,
    sessions: sessions.map(({ address, user_agent: userAgent, ...times }) => ({
      ...{ address, userAgent },
      ...{ createdAt: Number(times.created_at), expiresAt: Number(times.expires_at) },
    })),
  };
}
