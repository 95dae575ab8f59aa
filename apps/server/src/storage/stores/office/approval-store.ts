import type { ApprovalKind } from '@crossbook/contract';
import { amount, type Millis, type Platform } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { sha256Hex } from '../../../accounts/keyed-hash.ts';
import type { DraftSeal } from '../../../back-office/content-ports.ts';
import type {
  Act,
  ActOutcome,
  ApprovalStore,
  AskedApproval,
  Letters,
  OrderEnd,
  StoredApproval,
} from '../../../back-office/ports.ts';
import type { StaffChange } from '../../../back-office/staff-ports.ts';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { type Database, takenBy } from '../../postgres/database.ts';
import { type LimitName, type NewLimit, setLimit } from '../limit-store.ts';
import { takeBack } from '../members/kyc/kyc-store.ts';
import { setKolCode } from '../members/referral-store.ts';
import type { ActDeps } from '../members/security-acts.ts';
import { sayPlatform } from '../platform-state-store.ts';
import { type NewSettings, type SettingKind, setSettings } from '../setting-store.ts';
import { publishDraft } from './draft-publication.ts';
import { auditAct } from './member-desk.ts';
import { requestEnd } from './order-desk.ts';
import { beginWait } from './recovery-desk.ts';
import { changeStaff } from './staff-desk.ts';

interface ApprovalColumns {
  readonly id: string;
  readonly kind: ApprovalKind;
  readonly subject: string;
  readonly payload: string;
  readonly payload_hash: string;
  readonly maker: number;
  readonly maker_session: string;
  readonly reason: string;
  readonly made_at: string;
  readonly expires_at: string;
  readonly state: StoredApproval['state'];
  readonly decided_at: string | null;
}

interface ShownColumns extends ApprovalColumns {
  readonly maker_name: string;
  readonly checker_name: string | null;
}

function shown(row: ShownColumns): StoredApproval {
  const { id, kind, subject, payload, reason, state, maker: makerId } = row;
  return {
    ...{ id, kind, subject, payload, reason, state, makerId },
    payloadHash: row.payload_hash,
    maker: row.maker_name,
    checker: row.checker_name,
    madeAt: Number(row.made_at),
    expiresAt: Number(row.expires_at),
    decidedAt: row.decided_at === null ? null : Number(row.decided_at),
  };
}

/** Undoes a decision from inside its transaction. */
class DecisionRefused extends Error {
  override readonly name = 'DecisionRefused';
  readonly why: Exclude<ActOutcome, 'ok'>;
  constructor(why: Exclude<ActOutcome, 'ok'>) {
    super(why);
    this.why = why;
  }
}

async function unfreeze(client: PoolClient, member: number, frozenAt: number): Promise<void> {
  const done = await client.query(
    'update members set frozen_at = null, frozen_by_staff = false where id = $1 and frozen_at = $2',
    [member, frozenAt],
  );
  // Frozen anew or opened meanwhile: that is not what was asked about.
  if (done.rowCount !== 1) throw new DecisionRefused('already-decided');
  // As when a member opens the account himself.
  await client.query(`insert into credential_changes (member, kind, locks) values ($1, 'unfreeze', true)`, [
    member,
  ]);
}

const GATE_STANDING = `select coalesce(max(id), 0)::text as id from money_gate_events where event in ('closed', 'opened')`;

async function requestOpening(client: PoolClient, approval: string, standing: unknown): Promise<void> {
  // As what closes and opens the gate does: nothing comes between the comparison and the request.
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.gate]);
  const { rows } = await client.query<{ id: string }>(GATE_STANDING);
  if (rows[0]?.id !== standing) throw new DecisionRefused('already-decided');
  await client.query('select money_gate_request_approved($1)', [approval]);
}

async function publishTerms(client: PoolClient, seal: DraftSeal, now: Millis): Promise<void> {
  const done = await publishDraft(client, seal, { now, sha256: seal.sha256 });
  // Written anew, thrown away or published meanwhile.
  if (!done.ok) throw new DecisionRefused('already-decided');
}

function limitOf(what: Readonly<Record<string, unknown>>): Pick<NewLimit, 'what' | 'tier' | 'most' | 'was'> {
  const [most, was] = [amount(String(what.most)), amount(String(what.was))];
  return { what: what.what as LimitName, tier: what.tier === 1 ? 1 : 0, most, was };
}

/** Does what was decided, as its payload says it. */
async function carryOut(
  client: PoolClient,
  { id, kind, payload, maker, reason }: ApprovalColumns,
  act: Act,
): Promise<void> {
  const { admin, now } = act;
  const what = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'unfreeze':
      return unfreeze(client, Number(what.member), Number(what.frozenAt));
    case 'kol': {
      const grant = { member: Number(what.member), code: String(what.code), rateBps: Number(what.rateBps) };
      if (!(await setKolCode(client, grant))) throw new DecisionRefused('already-decided');
      return;
    }
    case 'gate-open':
      return requestOpening(client, id, what.standing);
    case 'terms':
      return publishTerms(client, what as unknown as DraftSeal, now);
    case 'resolve-order': {
      const by = { operator: `admins ${maker} and ${admin}`, reason, now, approval: id };
      const asked = await requestEnd(client, what as unknown as OrderEnd, by);
      if (!asked) throw new DecisionRefused('already-decided');
      return;
    }
    case 'admin-invite':
      // Who asked makes the link, so that nobody else reads it.
      return;
    case 'platform-open': {
      const by = { by: `admins ${maker} and ${admin}`, reason, at: now, approval: id };
      const saying = { platform: Number(what.platform) as Platform, state: 'live', ...by } as const;
      if (!(await sayPlatform(client, saying, String(what.standing))))
        throw new DecisionRefused('already-decided');
      return;
    }
    case 'limit-set': {
      const by = { by: `admins ${maker} and ${admin}`, reason, approval: id };
      const set = await setLimit(client, { ...limitOf(what), ...by }, String(what.standing));
      if (!set) throw new DecisionRefused('already-decided');
      return;
    }
    case 'fee-set':
    case 'currency-set':
    case 'network-set': {
      const by = { by: `admins ${maker} and ${admin}`, reason, approval: id };
      const asked = what as unknown as Pick<NewSettings, 'subject' | 'set' | 'was' | 'standing'>;
      const of = kind.replace(/-set$/, '') as SettingKind;
      if (!(await setSettings(client, { ...asked, kind: of, ...by })))
        throw new DecisionRefused('already-decided');
      return;
    }
    case 'recovery': {
      const refused = await beginWait(client, act, { approval: id, recovery: String(what.recovery), maker });
      if (refused !== undefined) throw new DecisionRefused(refused);
      return;
    }
    case 'kyc-revoke': {
      const papers = { caseId: String(what.case), version: Number(what.version), why: String(what.why) };
      const by = { id: `admins ${maker} and ${admin}`, address: act.address, reason, now };
      const done = await takeBack(client, papers, by);
      if (!done) throw new DecisionRefused('already-decided');
      return;
    }
    case 'admin-roles':
    case 'admin-disable': {
      const outcome = await changeStaff(client, act, what as unknown as StaffChange);
      if (outcome !== 'ok') throw new DecisionRefused(outcome);
    }
  }
}

/** The row while it still waits, kept from others until the transaction ends. */
async function waiting(
  client: PoolClient,
  approval: string,
  now: Millis,
): Promise<ApprovalColumns & { readonly maker_gone: boolean }> {
  const { rows } = await client.query<ApprovalColumns & { readonly maker_gone: boolean }>(
    `select p.*, exists (select from admins m where m.id = p.maker and m.disabled_at is not null) as maker_gone
     from approvals p where id = $1 and state = 'waiting' and expires_at > $2 for update`,
    [approval, now],
  );
  const [row] = rows;
  if (row === undefined) throw new DecisionRefused('already-decided');
  return row;
}

/** Whether both sessions were begun in one browser. Demo admins are a game that a stranger plays alone. */
async function isOneBrowser(client: PoolClient, maker: string, checker: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from admin_sessions m join admin_sessions c on c.device = m.device join admins a on a.id = c.admin
     where m.id = $1 and c.id = $2 and not a.demo`,
    [maker, checker],
  );
  return rows.length > 0;
}

const ANEW_MILLIS = 24 * 3_600_000;

/** Whether a link, as a break-glass writes it, has set the secrets of an admin anew within a day. */
async function beganAnew(client: PoolClient, { admin, now }: Act): Promise<boolean> {
  const { rows } = await client.query(
    `select from admins a join admin_invites i on i.email = a.email
     where a.id = $1 and i.created_at > a.created_at and i.used_at > $2`,
    [admin, now - ANEW_MILLIS],
  );
  return rows.length > 0;
}

async function decide(
  client: PoolClient,
  act: Act,
  { id, subject, kind, state }: Pick<ApprovalColumns, 'id' | 'subject' | 'kind' | 'state'>,
): Promise<void> {
  const { admin, session, reason, now } = act;
  await client.query(
    `update approvals set state = $2, checker = $3, checker_session = $4, decision_reason = $5, decided_at = $6
     where id = $1`,
    [id, state, admin, session, reason, now],
  );
  await auditAct(client, act, { subject, details: { approval: id, kind, state } });
}

async function decided(work: Promise<void>): Promise<ActOutcome> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error instanceof DecisionRefused) return error.why;
    // A code, or a contact, that another decision has given away at the same moment.
    if (/^members_kol_referral_code_key$|^access_recoveries_/.test(takenBy(error) ?? ''))
      return 'already-decided';
    throw error;
  }
}

/** How a member is told of what was decided, in its transaction. */
export type MailRoom = Pick<ActDeps, 'putMail' | 'mailsWritten'>;

async function putLetters(
  client: PoolClient,
  { mails: letters, freezeToken }: Letters,
  { mails, now }: { readonly mails: MailRoom; readonly now: Millis },
): Promise<void> {
  if (freezeToken !== undefined) {
    await client.query('insert into freeze_tokens (hash, member, expires_at) values ($1, $2, $3)', [
      freezeToken.hash,
      freezeToken.member,
      freezeToken.expiresAt,
    ]);
  }
  for (const letter of letters) await mails.putMail(client, letter, now);
}

/** Decisions of two people on PostgreSQL. */
export function approvalStore(database: Database, mails: MailRoom): ApprovalStore {
  return {
    ask: (act, { kind, subject, payload, payloadHash, audited, expiresAt }) =>
      database.withTransaction(async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `insert into approvals (kind, subject, payload, payload_hash, maker, maker_session, reason, made_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
          [kind, subject, payload, payloadHash, act.admin, act.session, act.reason, act.now, expiresAt],
        );
        const id = rows[0]?.id ?? '';
        await auditAct(client, act, { subject, details: { approval: id, kind, payload: audited } });
        return id;
      }),
    async list({ limit, cursor }) {
      const rows = await database.query<ShownColumns>(
        `select p.*, (select email from admins where id = p.maker) as maker_name,
           (select email from admins where id = p.checker) as checker_name
         from approvals p where p.id < $1 order by p.id desc limit $2`,
        [/^[0-9]{1,18}$/.test(cursor ?? '') ? (cursor ?? '') : '9223372036854775807', limit + 1],
      );
      const page = rows.slice(0, limit);
      return { rows: page.map(shown), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
    async gateStanding() {
      const [row] = await database.query<{ id: string }>(GATE_STANDING);
      return row?.id ?? '0';
    },
    async asked(approval) {
      const [row] = await database.query<AskedApproval>(
        'select kind, subject, payload from approvals where id = $1',
        [approval],
      );
      return row;
    },
    async approve(act, approval, payloadHash, letters) {
      const outcome = await decided(
        database.withTransaction(async (client) => {
          const row = await waiting(client, approval, act.now);
          const isOwn = row.maker === act.admin || row.maker_session === act.session;
          if (isOwn || (await isOneBrowser(client, row.maker_session, act.session)))
            throw new DecisionRefused('four-eyes');
          // Whoever has the host could be anybody's second pair of eyes: a day for the others to see it.
          if (await beganAnew(client, act)) throw new DecisionRefused('four-eyes');
          // Who has asked counts no longer, and neither does what he has asked for.
          if (row.maker_gone) throw new DecisionRefused('already-decided');
          // Hashed anew: what was shown, what is stored and what is done are the same text.
          if (payloadHash !== row.payload_hash || sha256Hex(row.payload) !== row.payload_hash)
            throw new DecisionRefused('already-decided');
          await decide(client, act, { ...row, state: 'approved' });
          await carryOut(client, row, act);
          if (letters !== undefined) await putLetters(client, letters, { mails, now: act.now });
        }),
      );
      if (outcome === 'ok' && letters !== undefined) mails.mailsWritten();
      return outcome;
    },
    refuse: (act, approval, mayDecide) =>
      decided(
        database.withTransaction(async (client) => {
          const row = await waiting(client, approval, act.now);
          const isOwn = row.maker === act.admin;
          if (!isOwn && !mayDecide) throw new DecisionRefused('role-missing');
          await decide(client, act, { ...row, state: isOwn ? 'withdrawn' : 'refused' });
        }),
      ),
  };
}
