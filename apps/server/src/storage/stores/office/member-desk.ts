import type { AdminMemberRow } from '@crossbook/contract';
import { type Millis, normaliseEmail } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { masked } from '../../../accounts/contacts.ts';
import type { SessionEnd } from '../../../accounts/ports.ts';
import type { Act, ActOutcome, MemberDesk, Page, PageOf } from '../../../back-office/ports.ts';
import type { Database, SqlValue } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
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
}

interface ViewColumns extends MemberColumns {
  readonly frozen_by_staff: boolean;
  readonly tkropen: boolean;
  readonly language: string;
  readonly authenticator: boolean;
  readonly kyc: 'none' | 'pending' | 'refused' | 'done';
  readonly locked_until: string | null;
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

function rowOf(row: MemberColumns): AdminMemberRow {
  const { id, nickname, email, mobile, country } = row;
  return {
    ...{ id, nickname, country },
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

/** Pages by id, or by nickname and id; the cursor is the id of the last row shown. */
async function page(
  database: Database,
  search: Search,
  { limit, cursor }: PageOf,
): Promise<readonly MemberColumns[]> {
  const from = /^[0-9]{1,9}$/.test(cursor ?? '') ? Number(cursor) : undefined;
  const byName = search.order === 'nickname';
  const after = byName
    ? `(${NAME}, id) > (coalesce((select ${NAME} from members where id = $1), ''), $1)`
    : 'id < $1';
  return database.query<MemberColumns>(
    `select ${LISTED} from members where ${search.where} and ${after}
     order by ${byName ? `${NAME}, id` : 'id desc'} limit $2`,
    [from ?? (byName ? 0 : 2_147_483_647), limit + 1, ...search.values],
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

/** Members as the back office sees and changes them. @param ended told of sessions that ended. */
export function memberDesk(database: Database, ended: (end: SessionEnd) => void): MemberDesk {
  const tell = (ends: readonly SessionEnd[]): number => {
    for (const end of ends) ended(end);
    return ends.length;
  };
  return {
    async search(wanted, of) {
      const search = searchOf(wanted);
      const found = await page(database, search, of);
      const shown = found.slice(0, of.limit);
      const last = shown.at(-1);
      const next = found.length > of.limit && last !== undefined ? String(last.id) : null;
      return { rows: shown.map(rowOf), next } satisfies Page<AdminMemberRow>;
    },
    view: (member, now) => view(database, member, now),
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

async function view(database: Database, member: number, now: Millis): ReturnType<MemberDesk['view']> {
  const [row] = await database.query<ViewColumns>(
    `select ${LISTED}, frozen_by_staff, tkropen, language, referral_code, kol_referral_code, kol_rate_bps,
       floor(extract(epoch from money_locked_until(id)) * 1000)::bigint as locked_until,
       exists (select from otp_secrets o where o.member = m.id and o.state = 'active' and not otp_is_reset(m.id))
         as authenticator,
       coalesce((select k.state from kyc_cases k where k.member = m.id order by k.attempt desc limit 1), 'none') as kyc,
       (select count(*)::int from referrals r where r.referrer = m.id) as invitees
     from members m where id = $1`,
    [member],
  );
  if (row === undefined) return undefined;
  const sessions = await database.query<SessionColumns>(
    `select address, user_agent, created_at, expires_at from sessions
     where member = $1 and ended_at is null and expires_at > $2 order by created_at desc limit ${SESSIONS_SHOWN_MAX}`,
    [member, now],
  );
  const { tkropen, language, authenticator, kyc, invitees } = row;
  return {
    ...{ ...rowOf(row), tkropen, language, authenticator, kyc, invitees },
    frozenAt: numberOrNull(row.frozen_at),
    frozenByStaff: row.frozen_by_staff,
    moneyLockedUntil: numberOrNull(row.locked_until),
    referralCode: row.referral_code,
    kolCode: row.kol_referral_code,
    kolRateBps: row.kol_rate_bps,
    sessions: sessions.map(({ address, user_agent: userAgent, ...times }) => ({
      ...{ address, userAgent },
      ...{ createdAt: Number(times.created_at), expiresAt: Number(times.expires_at) },
    })),
  };
}
