import type { Millis, Result, UserId } from '@crossbook/domain';
import { ok, refused } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type {
  CaptchaStore,
  CodeStore,
  MemberRecord,
  MemberStore,
  NewCode,
  NewSession,
  Registration,
  RegistrationRefusal,
  SessionRecord,
  SessionStore,
} from '../../accounts/ports.ts';
import type { Database } from '../postgres/database.ts';

/** Sessions and used captchas are kept this long after their end, for the login history. */
const SESSION_KEEP_MILLIS = 30 * 86_400_000;

/** The stores of the accounts feature. */
export interface AccountsStore {
  readonly members: MemberStore;
  readonly sessions: SessionStore;
  readonly codes: CodeStore;
  readonly captchas: CaptchaStore;
  /** Deletes what has expired; called now and then. */
  sweep(now: Millis): Promise<void>;
}

interface MemberRow {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string;
  readonly nickname: string;
  readonly referral_code: string;
  readonly kol_referral_code: string | null;
  readonly tkropen: boolean;
  readonly last_login_at: string | null;
  readonly last_login_address: string | null;
}

interface SessionRow {
  readonly hash: string;
  readonly epoch: number;
  readonly member: number;
  readonly tkropen: boolean;
  readonly expires_at: string;
}

const MEMBER_COLUMNS =
  'id, email, password_hash, nickname, referral_code, kol_referral_code, tkropen, last_login_at, last_login_address';

function memberOf(row: MemberRow | undefined): MemberRecord | undefined {
  if (row === undefined) return undefined;
  return {
    user: row.id as UserId,
    email: row.email,
    passwordHash: row.password_hash,
    nickname: row.nickname,
    referralCode: row.referral_code,
    kolReferralCode: row.kol_referral_code ?? undefined,
    tkropen: row.tkropen,
    lastLoginAt: row.last_login_at === null ? undefined : (Number(row.last_login_at) as Millis),
    lastLoginAddress: row.last_login_address ?? '',
  };
}

/** Undoes a registration from inside its transaction. */
class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
  readonly why: RegistrationRefusal;
  constructor(why: RegistrationRefusal) {
    super(why);
    this.why = why;
  }
}

async function openSession(client: PoolClient, user: UserId, session: NewSession): Promise<void> {
  await client.query(
    `insert into sessions (hash, member, epoch, created_at, expires_at, address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      session.hash,
      user,
      session.epoch,
      session.createdAt,
      session.expiresAt,
      session.address,
      session.userAgent,
    ],
  );
  await client.query('update members set last_login_at = $2, last_login_address = $3 where id = $1', [
    user,
    session.createdAt,
    session.address,
  ]);
}

async function insertMember(client: PoolClient, registration: Registration): Promise<UserId> {
  const code = await client.query(
    `update verification_codes set consumed_at = $1
     where id = $2 and target = $3 and purpose = 'register'
       and verified_at is not null and consumed_at is null and expires_at > $1`,
    [registration.session.createdAt, registration.codeId, registration.email],
  );
  if (code.rowCount !== 1) throw new RegistrationRefused('code-gone');
  const made = await client.query<{ id: number }>(
    `insert into members (email, password_hash, nickname, country, referral_code, referred_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
    [
      registration.email,
      registration.passwordHash,
      registration.nickname,
      registration.country ?? null,
      registration.referralCode,
      registration.referredBy ?? null,
      registration.session.createdAt,
    ],
  );
  const row = made.rows[0];
  if (row !== undefined) return row.id as UserId;
  const taken = await client.query('select 1 from members where email = $1', [registration.email]);
  throw new RegistrationRefused(taken.rows.length > 0 ? 'email-taken' : 'referral-code-taken');
}

function memberStore(database: Database): MemberStore {
  const one = async (where: string, value: string | number): Promise<MemberRecord | undefined> => {
    const name = `member-by-${where}`;
    const text = `select ${MEMBER_COLUMNS} from members where ${where} = $1`;
    return memberOf((await database.query<MemberRow>({ name, text }, [value]))[0]);
  };
  return {
    byEmail: (email) => one('email', email),
    byId: (user) => one('id', user),
    async byReferralCode(code) {
      const rows = await database.query<{ id: number }>(
        'select id from members where referral_code = $1 or kol_referral_code = $1',
        [code],
      );
      return rows[0]?.id as UserId | undefined;
    },
    async register(registration): Promise<Result<UserId, RegistrationRefusal>> {
      try {
        return ok(
          await database.withTransaction(async (client) => {
            const user = await insertMember(client, registration);
            await openSession(client, user, registration.session);
            return user;
          }),
        );
      } catch (error) {
        if (error instanceof RegistrationRefused) return refused(error.why);
        throw error;
      }
    },
    async replacePasswordHash(user, passwordHash) {
      await database.query('update members set password_hash = $2 where id = $1', [user, passwordHash]);
    },
  };
}

function sessionStore(database: Database): SessionStore {
  return {
    async open(user, session, replaces) {
      await database.withTransaction(async (client) => {
        if (replaces !== undefined) {
          await client.query('update sessions set ended_at = $2 where hash = $1 and ended_at is null', [
            replaces,
            session.createdAt,
          ]);
        }
        await openSession(client, user, session);
      });
    },
    async live(hash, now) {
      const rows = await database.query<SessionRow>(
        {
          name: 'session-live',
          text: `select s.hash, s.epoch, s.member, s.expires_at, m.tkropen
                 from sessions s join members m on m.id = s.member
                 where s.hash = $1 and s.ended_at is null and s.expires_at > $2`,
        },
        [hash, now],
      );
      const row = rows[0];
      if (row === undefined) return undefined;
      return {
        hash: row.hash,
        epoch: row.epoch,
        user: row.member as UserId,
        tkropen: row.tkropen,
        expiresAt: Number(row.expires_at) as Millis,
      } satisfies SessionRecord;
    },
    async end(hash, now) {
      await database.query('update sessions set ended_at = $2 where hash = $1 and ended_at is null', [
        hash,
        now,
      ]);
    },
  };
}

const CODE_INSERT = `insert into verification_codes as c
    (target, purpose, asker, id, hash, tries_left, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (target, purpose, asker) do update set id = excluded.id, hash = excluded.hash,
    tries_left = excluded.tries_left, created_at = excluded.created_at, expires_at = excluded.expires_at,
    verified_at = null, consumed_at = null`;

function codeValues(code: NewCode): readonly (string | number)[] {
  const { target, purpose, asker, id, hash, tries, createdAt, expiresAt } = code;
  return [target, purpose, asker, id, hash, tries, createdAt, expiresAt];
}

function codeStore(database: Database): CodeStore {
  return {
    async replace(code) {
      await database.query(CODE_INSERT, [...codeValues(code)]);
    },
    async keepForAnybody(code, spacingMillis) {
      const rows = await database.query(
        `${CODE_INSERT}
         where c.consumed_at is not null or c.expires_at <= excluded.created_at
           or (c.verified_at is null and abs(excluded.created_at - c.created_at) >= $9)
         returning 1`,
        [...codeValues(code), spacingMillis],
      );
      return rows.length === 1;
    },
    async takeTry({ target, purpose, asker }, now) {
      const rows = await database.query<{ id: string; hash: string }>(
        `update verification_codes set tries_left = tries_left - case when asker = '' then 0 else 1 end
         where target = $1 and purpose = $2 and asker = $3
           and tries_left > 0 and consumed_at is null and expires_at > $4
         returning id, hash`,
        [target, purpose, asker, now],
      );
      return rows[0];
    },
    async forget(id) {
      await database.query('delete from verification_codes where id = $1', [id]);
    },
    async markVerified(id, now) {
      await database.query('update verification_codes set verified_at = $2 where id = $1', [id, now]);
    },
  };
}

/** The accounts feature's stores on PostgreSQL. */
export function accountsStore(database: Database): AccountsStore {
  return {
    members: memberStore(database),
    sessions: sessionStore(database),
    codes: codeStore(database),
    captchas: {
      async useOnce(salt, expiresAt) {
        const rows = await database.query(
          'insert into used_captchas (salt, expires_at) values ($1, $2) on conflict do nothing returning 1',
          [salt, expiresAt],
        );
        return rows.length === 1;
      },
    },
    async sweep(now) {
      await database.query('delete from used_captchas where expires_at < $1', [now]);
      await database.query('delete from budgets where window_ends_at < $1', [now]);
      await database.query('delete from verification_codes where expires_at < $1', [now]);
      await database.query('delete from sessions where expires_at < $1', [now - SESSION_KEEP_MILLIS]);
    },
  };
}
