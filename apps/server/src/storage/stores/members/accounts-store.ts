import type { Millis, Result, UserId } from '@crossbook/domain';
import { ok, refused } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { KycState } from '../../../accounts/kyc/kyc-states.ts';
import type {
  CaptchaStore,
  CodeComparison,
  CodeLetter,
  CodeStore,
  DeviceStore,
  MemberRecord,
  MemberStore,
  NewCode,
  Registration,
  RegistrationRefusal,
  SessionStore,
} from '../../../accounts/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { agreesToShipped, keepAgreements, type LegalLinks } from './agreements.ts';
import { linkProvider } from './provider-store.ts';
import { keepReferral } from './referral-store.ts';
import { deviceStore, openSession, sessionStore } from './session-store.ts';

/** Sessions and used captchas are kept this long after their end, for the login history. */
const SESSION_KEEP_MILLIS = 30 * 86_400_000;

/** A browser that was not used so long has lost its cookie. */
const DEVICE_KEEP_MILLIS = 400 * 86_400_000;

/** Tables whose rows are worth nothing once they have expired. */
const SHORT_LIVED = [
  'auth_flows',
  'grants',
  'freeze_tokens',
  'otp_secrets',
  'used_challenges',
  'provider_requests',
  'provider_arrivals',
];

/** The stores of the accounts feature. */
export interface AccountsStore {
  readonly members: MemberStore;
  readonly sessions: SessionStore;
  readonly codes: CodeStore;
  readonly devices: DeviceStore;
  readonly captchas: CaptchaStore;
  /** Deletes what has expired; called now and then. */
  sweep(now: Millis): Promise<void>;
}

interface MemberRow {
  readonly id: number;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly password_hash: string | null;
  readonly nickname: string;
  readonly referral_code: string;
  readonly kol_referral_code: string | null;
  readonly tkropen: boolean;
  readonly last_login_at: string | null;
  readonly last_login_address: string | null;
}

const MEMBER_COLUMNS =
  'id, email, mobile, password_hash, nickname, referral_code, kol_referral_code, tkropen, last_login_at, last_login_address';

function memberOf(row: MemberRow | undefined): MemberRecord | undefined {
  if (row === undefined) return undefined;
  return {
    user: row.id as UserId,
    email: row.email ?? undefined,
    mobile: row.mobile ?? undefined,
    passwordHash: row.password_hash ?? undefined,
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

async function insertMember(client: PoolClient, registration: Registration): Promise<UserId> {
  const { email = null, mobile = null, codeId, session } = registration;
  if (codeId !== undefined) await useCode(client, { ...registration, codeId });
  const made = await client.query<{ id: number }>(
    `insert into members (email, mobile, password_hash, nickname, country, referral_code, referred_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id`,
    [
      email,
      mobile,
      registration.passwordHash,
      registration.nickname,
      registration.country ?? null,
      registration.referralCode,
      registration.referredBy ?? null,
      session.createdAt,
    ],
  );
  const row = made.rows[0];
  if (row !== undefined) return row.id as UserId;
  const taken = await client.query('select 1 from members where email = $1 or mobile = $2', [email, mobile]);
  throw new RegistrationRefused(taken.rows.length > 0 ? 'contact-taken' : 'referral-code-taken');
}

async function useCode(
  client: PoolClient,
  {
    codeId,
    email,
    mobile,
    session,
  }: Pick<Registration, 'email' | 'mobile' | 'session'> & { readonly codeId: string },
): Promise<void> {
  const code = await client.query(
    `update verification_codes set consumed_at = $1
     where id = $2 and target = $3 and purpose = 'register'
       and verified_at is not null and consumed_at is null and expires_at > $1`,
    [session.createdAt, codeId, email ?? mobile ?? ''],
  );
  if (code.rowCount !== 1) throw new RegistrationRefused('code-gone');
}

/** Who came from a log-in service is used up and opens the account from now on; one who opens another opens none here. */
async function linkArrival(
  client: PoolClient,
  user: UserId,
  { id, now }: { readonly id: string; readonly now: Millis },
): Promise<void> {
  const used = await client.query<{ issuer: string; subject: string }>(
    `update provider_arrivals set used_at = $2 where id = $1 and used_at is null and expires_at > $2
     returning issuer, subject`,
    [id, now],
  );
  const [arrival] = used.rows;
  const isLinked = arrival !== undefined && (await linkProvider(client, { ...arrival, user, now }));
  if (!isLinked) throw new RegistrationRefused('code-gone');
}

function memberStore(database: Database, legalLinks: LegalLinks, realMoney: boolean): MemberStore {
  const one = async (where: string, value: string | number): Promise<MemberRecord | undefined> => {
    const name = `member-by-${where}`;
    const text = `select ${MEMBER_COLUMNS} from members where ${where} = $1`;
    return memberOf((await database.query<MemberRow>({ name, text }, [value]))[0]);
  };
  return {
    byContact: (to) => one(to.startsWith('+') ? 'mobile' : 'email', to),
    byId: (user) => one('id', user),
    async shown(user) {
      const [row] = await database.query<MemberRow & { google_auth: boolean; kyc_state: KycState | null }>(
        {
          name: 'member-shown',
          text: `select ${MEMBER_COLUMNS},
              exists (select from otp_secrets where member = $1 and state = 'active' and not otp_is_reset($1)) as google_auth,
              (select kyc_stands(state, valid_until) from kyc_cases where member = $1 order by attempt desc limit 1) as kyc_state
            from members where id = $1`,
        },
        [user],
      );
      const member = memberOf(row);
      if (row === undefined || member === undefined) return undefined;
      return { ...member, googleAuth: row.google_auth, kycState: row.kyc_state ?? 'none' };
    },
    async byReferralCode(code) {
      const rows = await database.query<{ id: number }>(
        'select id from members where (referral_code = $1 or kol_referral_code = $1) and not demo',
        [code],
      );
      return rows[0]?.id as UserId | undefined;
    },
    async register(registration): Promise<Result<UserId, RegistrationRefusal>> {
      try {
        return ok(
          await database.withTransaction(async (client) => {
            if (realMoney && (await agreesToShipped(client, registration.session.createdAt, legalLinks)))
              throw new RegistrationRefused('terms-unpublished');
            const user = await insertMember(client, registration);
            const { session, arrivalId } = registration;
            if (arrivalId !== undefined) {
              await linkArrival(client, user, { id: arrivalId, now: session.createdAt });
            }
            await openSession(client, user, session);
            await keepReferral(client, user, { ...registration, at: registration.session.createdAt });
            await keepAgreements(client, { member: user, ...registration }, legalLinks);
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

const CODE_INSERT = `insert into verification_codes as c
    (target, purpose, asker, id, hash, tries_left, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (target, purpose, asker) do update set id = excluded.id, hash = excluded.hash,
    tries_left = excluded.tries_left, created_at = excluded.created_at, expires_at = excluded.expires_at,
    verified_at = null, consumed_at = null`;

/** Codes younger than the spacing, or in use, stay. */
const CODE_SPACED = `${CODE_INSERT}
  where c.consumed_at is not null or c.expires_at <= excluded.created_at
    or (c.verified_at is null and abs(excluded.created_at - c.created_at) >= $9)
  returning 1`;

function codeValues(code: NewCode): readonly (string | number)[] {
  const { target, purpose, asker, id, hash, tries, createdAt, expiresAt } = code;
  return [target, purpose, asker, id, hash, tries, createdAt, expiresAt];
}

/** How letters with codes leave. */
export interface LetterRoom {
  /** Writes one in the transaction of its code; to nobody, where it is not meant. */
  readonly putLetter: (client: PoolClient, letter: CodeLetter, now: Millis) => Promise<void>;
  /** There may be some to send. */
  readonly mailsWritten: () => void;
}

function codeStore(database: Database, { putLetter, mailsWritten }: LetterRoom): CodeStore {
  /** One commit for code and letter, and the same, of as many rows, where nobody gets the letter. @returns whether the code was kept. */
  const keep = async (
    statement: string,
    values: readonly (string | number)[],
    {
      letter,
      code: { createdAt: now, expiresAt },
    }: { readonly letter: CodeLetter | undefined; readonly code: NewCode },
  ): Promise<boolean> => {
    if (letter === undefined) return (await database.query(statement, values)).length === 1;
    const kept = await database.withTransaction(async (client) => {
      const rows = await client.query(statement, [...values]);
      if (rows.rowCount === 1) await putLetter(client, letter, now);
      if (rows.rowCount === 1 && letter.freeze !== undefined) {
        await client.query(
          `insert into freeze_tokens (hash, member, expires_at)
           select $1, m.id, case when m.id is null then $5::bigint else $2::bigint end
           from (values (1)) one left join members m on m.email = $3 and $4`,
          [letter.freeze.hash, letter.freeze.expiresAt, letter.mail.to, letter.isMeant, expiresAt],
        );
      }
      return rows.rowCount === 1;
    });
    mailsWritten();
    return kept;
  };
  return {
    async replace(code, letter) {
      await keep(`${CODE_INSERT} returning 1`, codeValues(code), { letter, code });
    },
    keepForAnybody: (code, spacingMillis, letter) =>
      keep(CODE_SPACED, [...codeValues(code), spacingMillis], { letter, code }),
    async liveId({ target, purpose, asker }, now) {
      const rows = await database.query<{ id: string }>(
        {
          name: 'code-live',
          text: `select id from verification_codes where target = $1 and purpose = $2 and asker = $3
            and tries_left > 0 and consumed_at is null and expires_at > $4`,
        },
        [target, purpose, asker, now],
      );
      return rows[0]?.id;
    },
    async compare(id, hash, now, counters) {
      const counted = [counters?.target, counters?.all].flatMap((counter) => [
        ...[counter?.key ?? null, counter?.usesMax ?? null],
        counter === undefined ? null : now + counter.windowMillis,
      ]);
      const rows = await database.query<{ came: CodeComparison }>(
        { name: 'code-check', text: 'select check_code($1, $2, $3, $4, $5, $6, $7, $8, $9) as came' },
        [id, hash, now, ...counted],
      );
      return rows[0]?.came ?? 'none';
    },
    async forget(id) {
      await database.query('delete from verification_codes where id = $1', [id]);
    },
  };
}

/**
 * The accounts feature's stores on PostgreSQL.
 * @param legalLinks pages of the operator's own that members agree to.
 * @param realMoney nobody agrees to the texts that come with the program then.
 */
export function accountsStore(
  database: Database,
  letters: LetterRoom,
  legalLinks: LegalLinks = { terms: '', privacy: '' },
  realMoney = false,
): AccountsStore {
  return {
    members: memberStore(database, legalLinks, realMoney),
    sessions: sessionStore(database),
    codes: codeStore(database, letters),
    devices: deviceStore(database),
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
      await database.query('delete from device_trusts where trusted_until < $1', [now - SESSION_KEEP_MILLIS]);
      for (const table of SHORT_LIVED) {
        await database.query(`delete from ${table} where expires_at < $1`, [now]);
      }
      await database.query('delete from devices where last_seen_at < $1', [now - DEVICE_KEEP_MILLIS]);
    },
  };
}
