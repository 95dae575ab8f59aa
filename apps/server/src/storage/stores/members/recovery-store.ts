import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { Contact } from '../../../accounts/contacts.ts';
import type { CodeLetter } from '../../../accounts/ports.ts';
import {
  RECOVERY_ASKED_DAYS_MAX,
  RECOVERY_DUE_DAYS_MAX,
  RECOVERY_WAIT_HOURS,
  type RecoveryAsk,
  type RecoveryStore,
} from '../../../accounts/recovery-ports.ts';
import type { SecurityAct } from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit, type TakesStatements } from '../audit-log.ts';
import type { Seal } from '../seal.ts';

/** What requests need besides the database. */
export interface RecoveryStoreDeps {
  readonly seal: Seal;
  /** Writes a letter in the transaction of what it tells; nothing by the same statement, where it is not meant. */
  readonly putLetter: (client: PoolClient, letter: CodeLetter, now: Millis) => Promise<void>;
  /** There may be some to send. */
  readonly mailsWritten: () => void;
}

/** Of one member at once: who knows the password asks for no more contacts than staff looks at. */
const ASKED_PER_MEMBER_MAX = 5;
const DAY_MILLIS = 86_400_000;
const DUE = `approved_at + interval '${RECOVERY_WAIT_HOURS} hours'`;

/** What a statement is sealed for. */
export function statementContext(member: number, contact: string): string {
  return `access-recovery:${member}:${contact}`;
}

/** Ends what a member, or somebody in his name, has asked for. */
export async function stopRecoveries(client: TakesStatements, member: number, now: Millis): Promise<void> {
  await client.query(
    `update access_recoveries set state = 'stopped', statement = null, ended_at = $2
     where member = $1 and state in ('asked', 'waiting')`,
    [member, now],
  );
}

/** Whoever proves anything of the account, or freezes it, is there: nobody has to be let in again. */
export async function endRecoveries(
  client: PoolClient,
  { user, proofs, effects, now }: SecurityAct,
): Promise<void> {
  const isTheWayBack = effects.some(({ kind }) => kind === 'recovered');
  if (proofs.length > 0 && !isTheWayBack) await stopRecoveries(client, user, now);
}

/**
 * Does what two have approved and nobody stopped in its waiting time: the contact takes the place of all, and second factors go. The
 * member's row is locked.
 * @returns false where it is not due, or not any more.
 */
export async function performRecovered(
  client: PoolClient,
  { user, now }: { readonly user: number; readonly now: Millis },
  { recovery, contact }: { readonly recovery: string; readonly contact: Contact },
): Promise<boolean> {
  const done = await client.query(
    `update access_recoveries set state = 'done', statement = null, ended_at = $4
     where id = $1 and member = $2 and contact = $3 and state = 'waiting' and ${DUE} <= db_clock()`,
    [recovery, user, contact.to, now],
  );
  if (done.rowCount !== 1) return false;
  await client.query('update members set email = $2, mobile = $3 where id = $1', [
    user,
    contact.kind === 'email' ? contact.to : null,
    contact.kind === 'mobile' ? contact.to : null,
  ]);
  for (const table of ['otp_secrets', 'passkeys', 'recovery_codes', 'otp_resets', 'first_factors'])
    await client.query(`delete from ${table} where member = $1`, [user]);
  await stopRecoveries(client, user, now);
  return true;
}

/** Keeps a request of a member who may be let in again, with its notices; of anybody else nothing, by the same statements. */
async function askIn(client: PoolClient, ask: RecoveryAsk, deps: RecoveryStoreDeps): Promise<boolean> {
  const { user, contact, codeId, statement, address, now, freezeToken, notices } = ask;
  const used = await client.query(
    `update verification_codes set consumed_at = $3 where id = $1 and target = $2 and purpose = 'regain'
       and verified_at is not null and consumed_at is null and expires_at > $3`,
    [codeId, contact, now],
  );
  if (used.rowCount !== 1) return false;
  const kept = await client.query<{ id: string }>(
    `insert into access_recoveries (member, contact, statement, asked_at, address)
     select m.id, $2, $3, $4, $5 from members m
     where m.id = $1 and m.frozen_at is null and not m.demo
       and exists (select from kyc_cases k where k.member = m.id and kyc_stands(k.state, k.valid_until) = 'done')
       and not exists (select from access_recoveries r where r.member = m.id and r.state = 'waiting')
       and (select count(*) from access_recoveries r where r.member = m.id and r.state = 'asked') < ${ASKED_PER_MEMBER_MAX}
     on conflict (member, contact) where state = 'asked' do nothing returning id`,
    [
      user ?? 0,
      contact,
      deps.seal.seal(JSON.stringify(statement), statementContext(user ?? 0, contact)),
      now,
      address,
    ],
  );
  const isKept = kept.rowCount === 1;
  await client.query(
    `insert into freeze_tokens (hash, member, expires_at) select $1, $2::int, $3::bigint where $4::boolean`,
    [freezeToken.hash, user ?? 0, freezeToken.expiresAt, isKept],
  );
  for (const mail of notices) await deps.putLetter(client, { mail, isMeant: isKept && mail.to !== '' }, now);
  await appendAudit(client, {
    ...{ at: now, actor: { kind: 'anonymous', id: '' }, address, call: 'x/recovery/Ask' },
    ...{ subject: isKept ? `recovery ${kept.rows[0]?.id}` : '', outcome: isKept ? 'ok' : 'login-failed' },
    details: isKept ? { member: user } : {},
  });
  return true;
}

interface WaitingRow {
  readonly id: string;
  readonly member: number;
  readonly due_at: string;
  readonly due: boolean;
}

/** Requests of members who have lost what proves them, on PostgreSQL. */
export function recoveryStore(database: Database, deps: RecoveryStoreDeps): RecoveryStore {
  return {
    async ask(ask) {
      const done = await database.withTransaction((client) => askIn(client, ask, deps));
      deps.mailsWritten();
      return done;
    },
    async waiting(contact) {
      const [row] = await database.query<WaitingRow>(
        `select id, member, floor(extract(epoch from ${DUE}) * 1000)::bigint as due_at, ${DUE} <= db_clock() as due
         from access_recoveries where contact = $1 and state = 'waiting'`,
        [contact],
      );
      if (row === undefined) return undefined;
      const { id, member, due_at: dueAt, due: isDue } = row;
      return { id, user: member as UserId, dueAt: Number(dueAt) as Millis, isDue };
    },
    async sweep(now) {
      await database.query(
        `update access_recoveries set state = 'lapsed', statement = null, ended_at = $1
         where (state = 'asked' and asked_at < $2)
           or (state = 'waiting' and ${DUE} + interval '${RECOVERY_DUE_DAYS_MAX} days' < db_clock())`,
        [now, now - RECOVERY_ASKED_DAYS_MAX * DAY_MILLIS],
      );
    },
  };
}
