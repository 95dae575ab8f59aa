import { type Millis, ok, type Result, refused } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { Mail, SessionEnd } from '../../../accounts/ports.ts';
import type { Acted, ActRefusal, Effect, Proof, SecurityAct } from '../../../accounts/security-ports.ts';
import { type Database, type SqlValue, takenBy } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import type { Seal } from '../seal.ts';
import type { LegalLinks } from './agreements.ts';
import { noteChange } from './credential-changes.ts';
import { keepDemo } from './demo-store.ts';
import {
  clearReset,
  dropYoungFactors,
  endReset,
  noteFirstFactor,
  performOnPasskeys,
  performOnReset,
  replaceRecoveryCodes,
} from './passkey-store.ts';
import { performOnProviders } from './provider-store.ts';
import { endRecoveries, performRecovered } from './recovery-store.ts';
import { type EndedRow, endByHash, endCrowded, openSession, sessionEnd } from './session-store.ts';
import { forgetDevice } from './trusted-devices.ts';

/** What an act needs besides the database. */
export interface ActDeps {
  /** Pages of the operator's own that members agree to; absent: the hub's texts. */
  readonly legalLinks?: LegalLinks;
  readonly seal: Seal;
  /** Writes a mail in the transaction of what it tells. */
  readonly putMail: (client: PoolClient, mail: Mail, now: Millis) => Promise<void>;
  /** There may be mails to send. */
  readonly mailsWritten: () => void;
}

/** Undoes an act from inside its transaction. */
class ActRefused extends Error {
  override readonly name = 'ActRefused';
  readonly why: ActRefusal;
  constructor(why: ActRefusal) {
    super(why);
    this.why = why;
  }
}

/** What secrets of an authenticator are sealed for. */
export function otpContext(user: number, setupId: string): string {
  return `otp:${user}:${setupId}`;
}

/** What a member's word is sealed for. */
export function antiPhishingContext(user: number): string {
  return `anti-phishing:${user}`;
}

/** What the answer of a log-in is sealed for. */
export function logInContext(flow: string): string {
  return `log-in:${flow}`;
}

/** How long a session's former cookie still answers: requests under way while it changed. */
const FORMER_COOKIE_MILLIS = 1_000;

type Statement = readonly [text: string, values: SqlValue[], refusal: ActRefusal];

function proofStatement(proof: Proof, { user, now }: SecurityAct, seal: Seal): Statement {
  switch (proof.kind) {
    case 'totp':
      return [
        `update otp_secrets set last_step = $2 where member = $1 and state = 'active' and last_step < $2`,
        [user, proof.step],
        'factor-wrong',
      ];
    case 'recovery':
      return [
        'update recovery_codes set used_at = $3 where member = $1 and hash = $2 and used_at is null',
        [user, proof.hash, now],
        'factor-wrong',
      ];
    case 'code':
      return [
        `update verification_codes set consumed_at = $4 where id = $1 and target = $2 and purpose = $3
           and verified_at is not null and consumed_at is null and expires_at > $4`,
        [proof.id, proof.target, proof.purpose, now],
        'flow-invalid',
      ];
    case 'grant':
      return [
        `update grants set used_at = $4 where hash = $1 and session = $2 and purpose = $3
           and used_at is null and expires_at > $4`,
        [proof.hash, proof.session, proof.purpose, now],
        'grant-invalid',
      ];
    case 'step':
      return [
        `update auth_flows set steps = steps[2:], answer = $4, answered_at = $5, factors = $6
         where id = $1 and member = $2 and steps[1] = $3 and expires_at > $5`,
        [proof.flow, user, proof.step, seal.seal(proof.answer, logInContext(proof.flow)), now, proof.factors],
        'flow-invalid',
      ];
    case 'arrival':
      return [
        'update provider_arrivals set used_at = $2 where id = $1 and used_at is null and expires_at > $2',
        [proof.id, now],
        'flow-invalid',
      ];
    case 'freeze':
      return [
        'update freeze_tokens set used_at = coalesce(used_at, $3) where hash = $1 and member = $2 and expires_at > $3',
        [proof.hash, user, now],
        'flow-invalid',
      ];
    case 'challenge':
      return [
        'insert into used_challenges (hash, expires_at) values ($1, $2) on conflict do nothing',
        [proof.hash, proof.expiresAt],
        'passkey-failed',
      ];
    case 'passkey':
      // Those that are synced do not count; one that counts and went back has a copy somewhere.
      return [
        `update passkeys set counter = $3, backed_up = $4, last_used_at = $5
         where id = $1 and member = $2 and (counter < $3 or (counter = 0 and $3 = 0)) and not otp_is_reset(member)`,
        [proof.id, user, proof.counter, proof.backedUp, now],
        'passkey-failed',
      ];
  }
}

async function bindOtp(
  client: PoolClient,
  act: SecurityAct,
  effect: Effect & { kind: 'otp' },
): Promise<void> {
  const { user, now } = act;
  const pending = await client.query(
    `select 1 from otp_secrets where member = $1 and state = 'pending' and setup_id = $2 and expires_at > $3 for update`,
    [user, effect.setupId, now],
  );
  if (pending.rowCount !== 1) throw new ActRefused('flow-invalid');
  await clearReset(client, user);
  await client.query('delete from otp_resets where member = $1', [user]);
  const active = await client.query(`select 1 from otp_secrets where member = $1 and state = 'active'`, [
    user,
  ]);
  if (active.rowCount !== 0) throw new ActRefused('flow-invalid');
  await noteFirstFactor(client, user);
  // The code that proved it is used.
  await client.query(
    `update otp_secrets set state = 'active', expires_at = null, last_step = $2
     where member = $1 and state = 'pending'`,
    [user, effect.step],
  );
}

async function changeContact(
  client: PoolClient,
  user: number,
  change: Effect & { kind: 'email' | 'mobile' },
): Promise<void> {
  const { kind: column } = change;
  const to = change.kind === 'email' ? change.email : change.mobile;
  const taken = await client.query(`select 1 from members where ${column} = $1`, [to]);
  if (taken.rowCount !== 0) throw new ActRefused('contact-taken');
  await client.query(`update members set ${column} = $2 where id = $1`, [user, to]);
}

async function kept(keeping: ReturnType<typeof keepDemo>): Promise<readonly SessionEnd[]> {
  const why = await keeping;
  if (why !== undefined) throw new ActRefused(why);
  return [];
}

/** Where a member is logged in at once; beyond it the oldest session ends. */
const SESSIONS_PER_MEMBER_MAX = 20;

/** Grants and sessions; answers the sessions that end. */
async function performOnSessions(
  client: PoolClient,
  { user, now }: SecurityAct,
  effect: Extract<Effect, { kind: 'grant' | 'session' | 'end-session' | 'forget-device' }>,
): Promise<readonly SessionEnd[]> {
  switch (effect.kind) {
    case 'grant':
      await client.query('insert into grants (hash, session, purpose, expires_at) values ($1, $2, $3, $4)', [
        effect.hash,
        effect.session,
        effect.purpose,
        effect.expiresAt,
      ]);
      return [];
    case 'session': {
      const former =
        effect.replaces === undefined ? undefined : await endByHash(client, effect.replaces, now);
      await openSession(client, user, { ...effect.session, factors: effect.factors });
      const crowded = await endCrowded(client, user, { now, sessionsMax: SESSIONS_PER_MEMBER_MAX });
      return [...(former === undefined ? [] : [former]), ...crowded];
    }
    case 'end-session': {
      const ended = await client.query<EndedRow>(
        'update sessions set ended_at = $3 where id = $1 and member = $2 and ended_at is null returning id, hash, prev_hash',
        [effect.id, user, now],
      );
      return ended.rows.map(sessionEnd);
    }
    case 'forget-device':
      return forgetDevice(client, { user, now, device: effect.device });
  }
}

/** Passkeys, log-ins of another service, and the way back of who has lost everything. */
async function performOnWaysIn(
  client: PoolClient,
  act: SecurityAct,
  effect: Extract<Effect, { kind: `passkey${string}` | `provider-${string}` | 'recovered' }>,
): Promise<void> {
  if (effect.kind === 'recovered') {
    if (!(await performRecovered(client, act, effect))) throw new ActRefused('flow-invalid');
    return;
  }
  const isProvider = effect.kind === 'provider-link' || effect.kind === 'provider-unlink';
  const refusal = isProvider
    ? await performOnProviders(client, act, effect)
    : await performOnPasskeys(client, act, effect);
  if (refusal !== undefined) throw new ActRefused(refusal);
}

/** Shutting an account, and opening one again. */
async function performOnShut(
  client: PoolClient,
  { user, now }: SecurityAct,
  kind: 'freeze' | 'young-factors-removed' | 'unfreeze',
): Promise<void> {
  if (kind === 'unfreeze') {
    await client.query('update members set frozen_at = null where id = $1', [user]);
    return;
  }
  const dropped = await dropYoungFactors(client, user);
  if (kind === 'freeze')
    await client.query('update members set frozen_at = coalesce(frozen_at, $2) where id = $1', [user, now]);
  else if (!dropped) throw new ActRefused('flow-invalid');
}

/** What an effect does; answers the sessions that it ends. */
async function perform(
  client: PoolClient,
  act: SecurityAct,
  { effect, deps }: { readonly effect: Effect; readonly deps: ActDeps },
): Promise<readonly SessionEnd[]> {
  const { user, now } = act;
  const { seal, legalLinks } = deps;
  switch (effect.kind) {
    case 'keep-demo':
      return kept(keepDemo(client, act, { effect, legalLinks }));
    case 'password':
      await client.query('update members set password_hash = $2, password_changed_at = $3 where id = $1', [
        user,
        effect.hash,
        now,
      ]);
      return [];
    case 'email':
    case 'mobile':
      await changeContact(client, user, effect);
      return [];
    case 'otp-reset':
    case 'otp-reset-done':
    case 'otp-removed':
      if (!(await performOnReset(client, user, effect.kind))) throw new ActRefused('flow-invalid');
      return [];
    case 'otp':
      await bindOtp(client, act, effect);
      return [];
    case 'pending-otp':
      await client.query(`delete from otp_secrets where member = $1 and state = 'pending'`, [user]);
      await client.query(
        `insert into otp_secrets (member, state, setup_id, secret, created_at, expires_at, session) values ($1, 'pending', $2, $3, $4, $5, $6)`,
        [
          user,
          effect.setupId,
          seal.seal(Buffer.from(effect.secret).toString('hex'), otpContext(user, effect.setupId)),
          now,
          effect.expiresAt,
          effect.session,
        ],
      );
      return [];
    case 'passkey':
    case 'passkey-name':
    case 'passkey-removed':
    case 'provider-link':
    case 'provider-unlink':
    case 'recovered':
      await performOnWaysIn(client, act, effect);
      return [];
    case 'recovery-codes':
      await replaceRecoveryCodes(client, user, effect.hashes);
      return [];
    case 'profile':
      await client.query(
        `update members set nickname = coalesce($2, nickname), language = coalesce($3, language),
           anti_phishing = coalesce($4, anti_phishing) where id = $1`,
        [
          user,
          effect.nickname ?? null,
          effect.language ?? null,
          effect.antiPhishing === undefined
            ? null
            : seal.seal(effect.antiPhishing, antiPhishingContext(user)),
        ],
      );
      return [];
    case 'freeze':
    case 'young-factors-removed':
    case 'unfreeze':
      await performOnShut(client, act, effect.kind);
      return [];
    default:
      return performOnSessions(client, act, effect);
  }
}

async function endSessions(
  client: PoolClient,
  { user, now, ends, renews }: SecurityAct,
): Promise<readonly SessionEnd[]> {
  if (ends === undefined) return [];
  const kept = ends === 'others' ? (renews?.session ?? null) : null;
  const ended = await client.query<EndedRow>(
    `update sessions set ended_at = $2 where member = $1 and ended_at is null and expires_at > $2
       and ($3::text is null or id <> $3) returning id, hash, prev_hash`,
    [user, now, kept],
  );
  await client.query(
    `delete from device_trusts where member = $1
       and ($2::text is null or device is distinct from (select device from sessions where id = $2))`,
    [user, kept],
  );
  return ended.rows.map(sessionEnd);
}

async function renewCookie(client: PoolClient, act: SecurityAct): Promise<Acted['renewed']> {
  const { renews, now, user } = act;
  if (renews === undefined) return undefined;
  // A changed credential ends the token of before as well; other tabs of a mere step-up go on with theirs.
  const epochs = act.ends === undefined ? 0 : 1;
  const changed = await client.query<{ epoch: number; expires_at: string; prev_hash: string }>(
    `update sessions set prev_hash = hash, prev_until = $4, hash = $3, epoch = epoch + $5
     where id = $1 and member = $2 and ended_at is null and expires_at > $6
     returning epoch, expires_at, prev_hash`,
    [renews.session, user, renews.hash, now + FORMER_COOKIE_MILLIS, epochs, now],
  );
  const [row] = changed.rows;
  if (row === undefined) throw new ActRefused('token-invalid');
  return { epoch: row.epoch, expiresAt: Number(row.expires_at) as Millis, formerHash: row.prev_hash };
}

/** What a member may do to a frozen account; to one that the hub's staff has frozen, nothing. */
function thaws({ effects }: SecurityAct): boolean {
  return effects.some(({ kind }) => kind === 'freeze' || kind === 'unfreeze');
}

async function actIn(client: PoolClient, act: SecurityAct, deps: ActDeps): Promise<Acted> {
  // Acts of one member follow one another.
  const { rows } = await client.query<{ frozen_at: string | null; frozen_by_staff: boolean }>(
    'select frozen_at, frozen_by_staff from members where id = $1 for update',
    [act.user],
  );
  for (const proof of act.proofs) {
    const [text, values, refusal] = proofStatement(proof, act, deps.seal);
    const used = await client.query(text, values);
    if (used.rowCount !== 1) throw new ActRefused(refusal);
  }
  // Told only to who has every proof.
  const byStaff = rows[0]?.frozen_by_staff === true;
  if (rows[0]?.frozen_at != null && (byStaff || !thaws(act))) throw new ActRefused('account-frozen');
  const ended: SessionEnd[] = [];
  for (const effect of act.effects) ended.push(...(await perform(client, act, { effect, deps })));
  ended.push(...(await endSessions(client, act)));
  await endReset(client, act);
  await endRecoveries(client, act);
  const renewed = await renewCookie(client, act);
  await noteChange(client, act);
  for (const mail of act.mails) await deps.putMail(client, mail, act.now);
  await appendAudit(client, {
    at: act.now,
    actor: { kind: 'member', id: String(act.user) },
    ...{ address: act.address, call: act.call, outcome: 'ok' },
    details: { proofs: act.proofs.map(({ kind }) => kind), effects: act.effects.map(({ kind }) => kind) },
  });
  return { ended, renewed };
}

/** Does an act in one transaction; what is refused has changed nothing. */
export async function securityAct(
  database: Database,
  act: SecurityAct,
  deps: ActDeps,
): Promise<Result<Acted, ActRefusal>> {
  try {
    const acted = await database.withTransaction((client) => actIn(client, act, deps));
    if (act.mails.length > 0) deps.mailsWritten();
    return ok(acted);
  } catch (error) {
    if (error instanceof ActRefused) return refused(error.why);
    if (/^members_(email|mobile)$/.test(takenBy(error) ?? '')) return refused('contact-taken');
    throw error;
  }
}
