import type { Millis, UserId } from '@crossbook/domain';
import type {
  Agreed,
  LogInFlow,
  LogInStep,
  SecurityProfile,
  SecurityStore,
  ShownSession,
} from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';
import type { Seal } from '../seal.ts';
import { type ActDeps, antiPhishingContext, logInContext, otpContext, securityAct } from './security-acts.ts';
import { trustedDevices } from './trusted-devices.ts';

interface FlowRow {
  readonly id: string;
  readonly member: number;
  readonly device: string;
  readonly cookie: string | null;
  readonly steps: readonly LogInStep[];
  readonly factors: string;
  readonly answer: string | null;
  readonly answered_at: string | null;
}

interface KeptRow {
  readonly device: string;
  readonly cookie: string | null;
  readonly answer: string;
  readonly answered_at: string;
}

interface ShownRow {
  readonly id: string;
  readonly user_agent: string;
  readonly address: string;
  readonly factors: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly expires_at: string;
  readonly ended: boolean;
}

const SHOWN = `select id, user_agent, address, factors, created_at, coalesce(seen_at, created_at) as seen_at, expires_at,
    ended_at is not null as ended
  from sessions where member = $1`;

function shown(row: ShownRow): ShownSession {
  const { id, user_agent: userAgent, address, factors, ended } = row;
  const createdAt = Number(row.created_at) as Millis;
  const [seenAt, expiresAt] = [Number(row.seen_at) as Millis, Number(row.expires_at) as Millis];
  return { id, userAgent, address, factors, createdAt, seenAt, expiresAt, ended };
}

interface ProfileRow {
  readonly id: number;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly language: SecurityProfile['language'];
  readonly anti_phishing: string | null;
  readonly country: string | null;
  readonly password_changed_at: string | null;
}

interface OtpRow {
  readonly setup_id: string;
  readonly secret: string;
  readonly expires_at: string;
}

function flowOf(row: FlowRow | undefined): LogInFlow | undefined {
  if (row === undefined) return undefined;
  const { id, device, steps, factors, answer } = row;
  const answeredAt = row.answered_at === null ? undefined : (Number(row.answered_at) as Millis);
  return {
    id,
    user: row.member as UserId,
    device,
    steps,
    factors,
    cookie: row.cookie ?? undefined,
    answer: answer ?? undefined,
    answeredAt,
  };
}

/** Authenticators, and what a member chose. */
function factors(
  database: Database,
  seal: Seal,
): Pick<SecurityStore, 'otpSecret' | 'pendingOtp' | 'profile' | 'profileOf' | 'recoveryCodesLeft'> {
  const opened = (user: UserId, row: OtpRow): Uint8Array =>
    Buffer.from(seal.open(row.secret, otpContext(user, row.setup_id)), 'hex');
  const profileBy = async (
    column: 'id' | 'email' | 'mobile',
    value: string | number,
  ): Promise<SecurityProfile | undefined> => {
    const [row] = await database.query<ProfileRow>(
      `select id, email, mobile, language, anti_phishing, country, password_changed_at
       from members where ${column} = $1`,
      [value],
    );
    if (row === undefined) return undefined;
    const { id, anti_phishing: word, password_changed_at: changed } = row;
    return {
      email: row.email ?? undefined,
      mobile: row.mobile ?? undefined,
      language: row.language,
      antiPhishing: word === null ? undefined : seal.open(word, antiPhishingContext(id)),
      country: row.country ?? undefined,
      passwordChangedAt: changed === null ? undefined : (Number(changed) as Millis),
    };
  };
  return {
    async otpSecret(user) {
      const rows = await database.query<OtpRow>(
        `select setup_id, secret from otp_secrets
         where member = $1 and state = 'active' and not otp_is_reset($1)`,
        [user],
      );
      return rows[0] === undefined ? undefined : opened(user, rows[0]);
    },
    async pendingOtp(user, session, now) {
      const rows = await database.query<OtpRow>(
        `select setup_id, secret, expires_at from otp_secrets
         where member = $1 and state = 'pending' and session = $2 and expires_at > $3`,
        [user, session, now],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      return {
        setupId: row.setup_id,
        secret: opened(user, row),
        expiresAt: Number(row.expires_at) as Millis,
      };
    },
    async profile(user) {
      const profile = await profileBy('id', user);
      if (profile === undefined) throw new Error('a member without a row');
      return profile;
    },
    profileOf: (to) => profileBy(to.startsWith('+') ? 'mobile' : 'email', to),
    async recoveryCodesLeft(user) {
      const rows = await database.query<{ n: string }>(
        'select count(*) as n from recovery_codes where member = $1 and used_at is null',
        [user],
      );
      return Number(rows[0]?.n);
    },
  };
}

/** Log-ins of several steps, and answers of other steps. */
function logIns(
  database: Database,
  seal: Seal,
): Pick<SecurityStore, 'beginLogIn' | 'logInFlow' | 'keepAnswer' | 'keptAnswer' | 'takeTry'> {
  return {
    async beginLogIn({ id, user, device, cookie, steps, factors, tries, expiresAt }) {
      await database.query(
        `insert into auth_flows (id, member, device, steps, factors, tries_left, expires_at, cookie)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, user, device, steps, factors, tries, expiresAt, cookie ?? null],
      );
    },
    async logInFlow(id, now) {
      const rows = await database.query<FlowRow>(
        `select id, member, device, cookie, steps, factors, answer, answered_at from auth_flows
         where id = $1 and expires_at > $2 and member is not null`,
        [id, now],
      );
      const flow = flowOf(rows[0]);
      if (flow?.answer === undefined) return flow;
      return { ...flow, answer: seal.open(flow.answer, logInContext(id)) };
    },
    async keepAnswer({ id, device, cookie, answer, answeredAt, expiresAt }) {
      await database.query(
        `insert into auth_flows (id, device, cookie, steps, factors, tries_left, answer, answered_at, expires_at)
         values ($1, $2, $3, '{}', '', 0, $4, $5, $6)
         on conflict (id) do update set device = excluded.device, cookie = excluded.cookie, answer = excluded.answer,
           answered_at = excluded.answered_at, expires_at = excluded.expires_at`,
        [id, device, cookie ?? null, seal.seal(answer, logInContext(id)), answeredAt, expiresAt],
      );
    },
    async keptAnswer(id, now) {
      const rows = await database.query<KeptRow>(
        `select device, cookie, answer, answered_at from auth_flows
         where id = $1 and expires_at > $2 and member is null`,
        [id, now],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { device, cookie, answer, answered_at: at } = row;
      return {
        ...{ id, device, cookie: cookie ?? undefined, answeredAt: Number(at) as Millis },
        answer: seal.open(answer, logInContext(id)),
      };
    },
    async takeTry(id) {
      const rows = await database.query(
        'update auth_flows set tries_left = tries_left - 1 where id = $1 and tries_left > 0 returning 1',
        [id],
      );
      return rows.length === 1;
    },
  };
}

/** Everything about who a member is, on PostgreSQL. */
export function securityStore(database: Database, deps: ActDeps): SecurityStore {
  return {
    ...factors(database, deps.seal),
    ...logIns(database, deps.seal),
    act: (act) => securityAct(database, act, deps),
    async lockedUntil(user) {
      const rows = await database.query<{ until: string | null }>(
        'select floor(extract(epoch from money_locked_until($1)) * 1000)::bigint as until',
        [user],
      );
      const until = rows[0]?.until ?? null;
      return until === null ? undefined : (Number(until) as Millis);
    },
    async isFrozen(user) {
      const rows = await database.query('select 1 from members where id = $1 and frozen_at is not null', [
        user,
      ]);
      return rows.length > 0;
    },
    async factorsAreYoung(user) {
      const rows = await database.query<{ young: boolean }>('select factors_are_young($1) as young', [user]);
      return rows[0]?.young === true;
    },
    async resetsDone(limit) {
      const rows = await database.query<{ member: number }>(
        `select r.member from otp_resets r join members m on m.id = r.member
         where r.at <= db_clock() - interval '24 hours' and m.frozen_at is null order by r.at limit $1`,
        [limit],
      );
      return rows.map(({ member }) => member as UserId);
    },
    async agreed(user) {
      const rows = await database.query<Omit<Agreed, 'at'> & { readonly at: string }>(
        'select kind, version, link, at from agreements where member = $1 order by at desc, kind desc limit 100',
        [user],
      );
      return rows.map((row) => ({ ...row, at: Number(row.at) as Millis }));
    },
    async freezeTokenOwner(hash, now) {
      const rows = await database.query<{ member: number }>(
        'select member from freeze_tokens where hash = $1 and expires_at > $2 and member is not null',
        [hash, now],
      );
      return rows[0]?.member as UserId | undefined;
    },
    async sessions(user, now) {
      const rows = await database.query<ShownRow>(
        `${SHOWN} and ended_at is null and expires_at > $2 order by created_at desc limit 100`,
        [user, now],
      );
      return rows.map(shown);
    },
    devices: (user, session, now) => trustedDevices(database, user, { session, now }),
    async logIns(user, before, limit) {
      const rows = await database.query<ShownRow>(
        `${SHOWN} and created_at < $2 order by created_at desc limit $3`,
        [user, before, limit],
      );
      return rows.map(shown);
    },
  };
}
