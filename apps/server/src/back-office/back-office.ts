import {
  type AdminCaller,
  type AdminHandlers,
  APPROVERS,
  type ApprovalKind,
  type CallAnswer,
} from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { wideNetworkOf } from '../accounts/budgets.ts';
import { masked } from '../accounts/contacts.ts';
import { sha256Hex } from '../accounts/keyed-hash.ts';
import { tierOf } from '../accounts/kyc/kyc-states.ts';
import { refusal } from '../accounts/ports.ts';
import { contentCalls } from './content-calls.ts';
import type { ContentDesk } from './content-ports.ts';
import { disclosureCalls } from './disclosure-calls.ts';
import { type KycDeskDeps, kycDesk, revocationLetter } from './kyc-desk.ts';
import { type MailCallsDeps, mailCalls } from './mail-calls.ts';
import { type OfferCallsDeps, offerCalls } from './offer-calls.ts';
import { type OrderCallsDeps, orderCalls } from './order-calls.ts';
import { passkeyCalls } from './passkey-calls.ts';
import { type PlatformCallsDeps, platformCalls } from './platform-calls.ts';
import type {
  Act,
  ActOutcome,
  ApprovalStore,
  AskedApproval,
  Letters,
  MemberDesk,
  RunningParts,
  StoredApproval,
  Wanted,
  WatchDesk,
} from './ports.ts';
import { actingOf } from './ports.ts';
import { approvedLetters, type RecoveryLettersDeps, recoveryCalls } from './recovery-calls.ts';
import { type ReferralDesk, referralCalls } from './referral-calls.ts';
import { type SettingCallsDeps, settingCalls } from './setting-calls.ts';
import { type AdminSignInDeps, adminSignIn } from './sign-in.ts';
import { type StaffCallsDeps, staffCalls } from './staff-calls.ts';

/** What the back office is made of. */
export interface BackOfficeDeps
  extends AdminSignInDeps,
    Pick<KycDeskDeps, 'kyc'>,
    Pick<OrderCallsDeps, 'orders'>,
    Pick<StaffCallsDeps, 'staff'>,
    Pick<PlatformCallsDeps, 'platforms'>,
    Pick<OfferCallsDeps, 'offer'>,
    Pick<SettingCallsDeps, 'settings'>,
    Pick<MailCallsDeps, 'mails'> {
  readonly recovery: Omit<RecoveryLettersDeps, 'random'>;
  readonly referrals: ReferralDesk;
  /** Writes down what was earned for bringing members: what is decided next counts for what is earned afterwards. */
  readonly accrueRewards: () => Promise<void>;
  readonly members: MemberDesk;
  readonly approvals: ApprovalStore;
  readonly watch: WatchDesk;
  readonly content: ContentDesk;
  readonly running: RunningParts;
}

/** What nobody has decided by then is over. */
const APPROVAL_LIFE_MILLIS = 24 * 3_600_000;

/** A whole verification is dear: strangers who look around share one of so long ago. */
const DEMO_VERDICT_MILLIS_MAX = 60_000;

function answered(outcome: ActOutcome): CallAnswer<Record<string, never>> {
  return outcome === 'ok' ? { ok: true, value: {} } : refusal({ error: outcome });
}

function actOf(caller: AdminCaller, call: string, reason: string): Act {
  return { ...actingOf(caller), call, reason };
}

/** Strangers play demo admins: they are no second pair of eyes for what everybody agrees to, nor for who is an admin. */
const NOT_FOR_DEMOS: readonly ApprovalKind[] = [
  'terms',
  'admin-invite',
  'admin-roles',
  'admin-disable',
  'platform-open',
  'limit-set',
  'fee-set',
  'currency-set',
  'network-set',
  'recovery',
];

/** A demo admin is a stranger: he sees neither where others come from nor with what. */
function shownTo<Row extends { readonly address: string; readonly userAgent?: string }>(
  { demo }: AdminCaller,
  row: Row,
): Row {
  if (!demo) return row;
  const masked = { ...row, address: wideNetworkOf(row.address) };
  return row.userAgent === undefined ? masked : { ...masked, userAgent: '' };
}

/** An admin logs in with his name, which is an address: strangers read their own alone. */
function nameShownTo<Name extends string | null>(
  { demo, adminName }: AdminCaller,
  name: Name,
): Name | string {
  return name === null || !demo || name === adminName ? name : masked({ kind: 'email', to: name });
}

/** An invitation names an address in whole: strangers read it masked, and approve nothing by it. */
function payloadShownTo(caller: AdminCaller, { kind, payload }: StoredApproval): string {
  if (!caller.demo || kind !== 'admin-invite') return payload;
  const { email, ...rest } = JSON.parse(payload) as { readonly email: string };
  return JSON.stringify({ email: masked({ kind: 'email', to: email }), ...rest });
}

/** Asks for a decision about a subject. The payload is kept as text: what is shown, hashed and done is one thing. */
async function ask(
  { approvals }: BackOfficeDeps,
  act: Act,
  { kind, subject, what, audited = what }: Wanted,
): Promise<CallAnswer<{ approval: string }>> {
  const payload = JSON.stringify(what);
  const expiresAt = (act.now + APPROVAL_LIFE_MILLIS) as Millis;
  const payloadHash = sha256Hex(payload);
  const approval = await approvals.ask(act, {
    ...{ kind, subject, payload, payloadHash, expiresAt, audited: JSON.stringify(audited) },
  });
  return { ok: true, value: { approval } };
}

function memberCalls(
  deps: BackOfficeDeps,
): Pick<
  AdminHandlers,
  Exclude<Extract<keyof AdminHandlers, `x/admin/Member${string}`>, 'x/admin/MemberReveal'>
> {
  const { members } = deps;
  return {
    'x/admin/MemberSearch': async (_caller, { query, frozen = false, limit, cursor }) => {
      const { rows, next } = await members.search({ query, frozen }, { limit, cursor });
      return { ok: true, value: { rows: rows.map((row) => ({ ...row, tier: tierOf(row.kyc) })), next } };
    },
    'x/admin/MemberView': async (caller, { member }) => {
      const value = await members.view(member, caller.now);
      if (value === undefined) return refusal({ error: 'subject-unknown' });
      const sessions = value.sessions.map((row) => shownTo(caller, row));
      return { ok: true, value: { ...value, tier: tierOf(value.kyc), sessions } };
    },
    'x/admin/MemberFreeze': async (caller, { member, reason }) =>
      answered(await members.freeze(actOf(caller, 'x/admin/MemberFreeze', reason), member)),
    'x/admin/MemberEndSessions': async (caller, { member, reason }) => {
      const act = actOf(caller, 'x/admin/MemberEndSessions', reason);
      const ended = await members.endSessions(act, member);
      return ended === undefined ? refusal({ error: 'subject-unknown' }) : { ok: true, value: { ended } };
    },
    'x/admin/MemberTkropen': async (caller, { member, open, reason }) =>
      answered(await members.setTkropen(actOf(caller, 'x/admin/MemberTkropen', reason), member, open)),
    'x/admin/MemberUnfreeze': async (caller, { member, reason }) => {
      const shown = await members.view(member, caller.now);
      if (shown === undefined) return refusal({ error: 'subject-unknown' });
      if (!shown.frozen) return refusal({ error: 'already-decided' });
      return ask(deps, actOf(caller, 'x/admin/MemberUnfreeze', reason), {
        ...{ kind: 'unfreeze', subject: `member ${member}` },
        what: { member, frozenAt: shown.frozenAt },
      });
    },
    'x/admin/MemberKol': async (caller, { member, code, rateBps, reason }) => {
      if ((await members.view(member, caller.now)) === undefined)
        return refusal({ error: 'subject-unknown' });
      return ask(deps, actOf(caller, 'x/admin/MemberKol', reason), {
        ...{ kind: 'kol', subject: `member ${member}` },
        what: { member, code, rateBps },
      });
    },
  };
}

/** What members are told of a decision once it is done. */
async function lettersOf(
  deps: BackOfficeDeps,
  caller: AdminCaller,
  asked: AskedApproval,
): Promise<CallAnswer<Letters | undefined>> {
  if (asked.kind === 'recovery') {
    const { recovery } = JSON.parse(asked.payload) as { readonly recovery: string };
    const value = await approvedLetters({ ...deps.recovery, random: deps.random }, caller, recovery);
    return value === undefined ? refusal({ error: 'already-decided' }) : { ok: true, value };
  }
  const letter = await revocationLetter(deps, caller, asked);
  if (!letter.ok) return letter;
  return { ok: true, value: letter.value === undefined ? undefined : { mails: [letter.value] } };
}

type ApprovalCall = 'x/admin/GateOpen' | 'x/admin/Approvals' | 'x/admin/Approve' | 'x/admin/Refuse';

function approvalCalls(deps: BackOfficeDeps): Pick<AdminHandlers, ApprovalCall> {
  const { approvals } = deps;
  const mayDecide = (caller: AdminCaller, kind: ApprovalKind): boolean =>
    !(caller.demo && NOT_FOR_DEMOS.includes(kind)) &&
    caller.roles.some((role) => APPROVERS[kind].includes(role));
  return {
    'x/admin/GateOpen': async (caller, { reason }) => {
      const what = { gate: 'open', standing: await approvals.gateStanding() };
      const act = actOf(caller, 'x/admin/GateOpen', reason);
      return ask(deps, act, { kind: 'gate-open', subject: 'money gate', what });
    },
    'x/admin/Approvals': async (caller, { limit, cursor }) => {
      const { rows, next } = await approvals.list({ limit, cursor });
      const shown = rows.map((stored) => {
        const { makerId, ...row } = { ...stored, payload: payloadShownTo(caller, stored) };
        const own = makerId === caller.admin;
        const [maker, checker] = [nameShownTo(caller, row.maker), nameShownTo(caller, row.checker)];
        return { ...row, maker, checker, own, mayDecide: !own && mayDecide(caller, row.kind) };
      });
      return { ok: true, value: { rows: shown, next } };
    },
    'x/admin/Approve': async (caller, { approval, payloadHash, reason }) => {
      const act = actOf(caller, 'x/admin/Approve', reason);
      const asked = await approvals.asked(approval);
      if (asked === undefined) return refusal({ error: 'subject-unknown' });
      const { kind } = asked;
      if (!mayDecide(caller, kind)) return refusal({ error: 'role-missing' });
      const letters = await lettersOf(deps, caller, asked);
      if (!letters.ok) return letters;
      if (kind === 'fee-set' || kind === 'kol') await deps.accrueRewards();
      const outcome = await approvals.approve(act, approval, payloadHash, letters.value);
      if (outcome === 'ok' && kind === 'platform-open') await deps.platforms.refresh();
      return answered(outcome);
    },
    'x/admin/Refuse': async (caller, { approval, reason }) => {
      const kind = (await approvals.asked(approval))?.kind;
      if (kind === undefined) return refusal({ error: 'subject-unknown' });
      const act = actOf(caller, 'x/admin/Refuse', reason);
      return answered(await approvals.refuse(act, approval, mayDecide(caller, kind)));
    },
  };
}

type WatchCall =
  | 'x/admin/AuditSearch'
  | 'x/admin/AuditVerify'
  | 'x/admin/Funds'
  | 'x/admin/Health'
  | 'x/admin/Incidents';

function watchCalls({ watch, running }: BackOfficeDeps): Pick<AdminHandlers, WatchCall> {
  return {
    'x/admin/AuditSearch': async (caller, { by, value, limit, cursor }) => {
      const filter = by === undefined || value === undefined ? undefined : { by, value };
      const { rows, next } = await watch.audit(filter, { limit, cursor });
      return { ok: true, value: { rows: rows.map((row) => shownTo(caller, row)), next } };
    },
    'x/admin/AuditVerify': async ({ demo }) => {
      const value = await running.verifyAudit(demo ? DEMO_VERDICT_MILLIS_MAX : 0);
      return { ok: true, value };
    },
    'x/admin/Health': async ({ now }) => ({
      ok: true,
      value: {
        gate: await running.gate(),
        invariants: running.invariants(),
        seals: await watch.seals(now),
        gateHistory: await watch.gateHistory(),
        venues: running.venues(),
        surroundings: running.surroundings(),
        membersStopped: running.membersStopped(),
        differences: running.differences(),
        ordersWaiting: running.ordersWaiting(),
        ...(await watch.mails()),
      },
    }),
    'x/admin/Funds': async ({ now }, page) => {
      const { rows, next } = await watch.funds({ limit: page.limit, cursor: page.cursor });
      const accounts = await watch.accounts(now);
      return { ok: true, value: { rows: [...rows], next, accounts: [...accounts] } };
    },
    'x/admin/Incidents': async (_caller, { all = false, limit, cursor }) => {
      const { rows, next } = await watch.incidents(all, { limit, cursor });
      return { ok: true, value: { rows: [...rows], next } };
    },
  };
}

/** All calls of the back office. No call changes a balance, a password or a code, or acts as a member. */
export function backOfficeHandlers(deps: BackOfficeDeps): AdminHandlers {
  const askFor = (act: Act, wanted: Wanted) => ask(deps, act, wanted);
  const texts = contentCalls({
    ...{ content: deps.content, actOf, answered, nameShownTo },
    ask: (act, seal) => askFor(act, { kind: 'terms', subject: `${seal.kind} ${seal.slug}`, what: seal }),
  });
  return {
    ...{
      ...adminSignIn(deps),
      ...passkeyCalls(deps),
      ...memberCalls(deps),
      ...kycDesk({ ...deps, ask: askFor, actOf }),
    },
    ...{ ...approvalCalls(deps), ...watchCalls(deps), ...texts },
    ...disclosureCalls({ ...deps, actOf }),
    ...recoveryCalls({ ...deps, ...deps.recovery, ask: askFor, actOf }),
    ...{ ...mailCalls({ ...deps, actOf }), ...referralCalls(deps) },
    ...orderCalls({ ...deps, ask: askFor, actOf }),
    ...platformCalls({ ...deps, ask: askFor, actOf }),
    ...offerCalls({ ...deps, ask: askFor, actOf }),
    ...settingCalls({ ...deps, ask: askFor, actOf }),
    ...staffCalls({ ...deps, ask: askFor, actOf, nameShownTo }),
  };
}
