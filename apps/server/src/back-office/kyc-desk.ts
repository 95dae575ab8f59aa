import type {
  AdminCaller,
  AdminHandlers,
  AdminResponse,
  ApprovalKind,
  CallAnswer,
  ErrorName,
} from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { AccountBudgets } from '../accounts/budgets.ts';
import type {
  KycQueueRow,
  KycReason,
  KycVerdict,
  LookRefusal,
  PictureFault,
  Reviewer,
} from '../accounts/kyc/kyc-ports.ts';
import type { DecideRefusal, KycReview, ShownCase } from '../accounts/kyc/kyc-review.ts';
import { type Mail, refusal } from '../accounts/ports.ts';
import type { Act, Asking } from './ports.ts';

/** What deciding about papers needs. */
export interface KycDeskDeps {
  readonly kyc: KycReview;
  readonly budgets: AccountBudgets;
}

/** What asking for a decision of two needs. */
export interface KycAsking {
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  readonly ask: Asking;
}

/** The calls of who decides about papers. */
export type KycDeskCall = Extract<keyof AdminHandlers, `x/admin/Kyc${string}`>;

const ERRORS: Readonly<Record<Exclude<DecideRefusal, 'reason-required'>, ErrorName>> = {
  unknown: 'subject-unknown',
  own: 'four-eyes',
  decided: 'already-decided',
  claimed: 'case-claimed',
  unseen: 'case-unseen',
};

/** Why a picture is not shown: what cannot be marked is not shown either. */
const PICTURE_ERRORS: Readonly<Record<LookRefusal | PictureFault, ErrorName>> = {
  ...ERRORS,
  busy: 'busy',
  away: 'unavailable',
  unreadable: 'unavailable',
};

/** Strangers share the demo admins: they take no case, so that nobody keeps reviewers from their work. */
function reviewerOf({ admin, adminName, address, demo }: AdminCaller): Reviewer {
  return { id: `admin ${admin}`, email: adminName, address, claims: demo ? undefined : admin };
}

/** Strangers share the two demo admins: each network has its own share, and uses up nobody else's. */
function sharesOf({ admin, address, demo }: AdminCaller): {
  readonly address: string;
  readonly device?: string;
} {
  return demo ? { address } : { address, device: `admin ${admin}` };
}

/** Of a date that begins with its year. */
const YEAR_DIGITS = 4;

/** What a stranger reads instead of what a member states about himself. */
const MASK = '***';

function rowOf(
  { demo, now }: AdminCaller,
  row: KycQueueRow,
): AdminResponse<'x/admin/KycQueue'>['rows'][number] {
  const { id, member, country, documentKind, attempt, submittedAt, duplicates } = row;
  const claim = row.claim !== undefined && row.claim.until > now ? row.claim : undefined;
  const [nickname, claimant] = demo ? [MASK, MASK] : [row.nickname, claim?.by ?? null];
  return {
    ...{ id, member, nickname, country, documentKind, attempt, submittedAt, duplicates },
    ...{ claimedBy: claim === undefined ? null : claimant, claimedUntil: claim?.until ?? null },
  };
}

/** A case as an admin may see it: a demo admin is a stranger, who sees neither names and numbers nor pictures. */
function caseOf(caller: AdminCaller, shown: ShownCase): AdminResponse<'x/admin/KycView'> {
  const { fullName, birthDate, documentNumber, documentExpires = null, address = null } = shown.fields;
  const { version, language, own } = shown;
  const seen = { ...rowOf(caller, shown), version, language, own, masked: caller.demo };
  if (!caller.demo) {
    const fields = { fullName, birthDate, documentNumber, documentExpires, address };
    return { ...seen, fields, pictures: [...shown.pictures] };
  }
  const masked = (given: string | null) => (given === null ? null : MASK);
  return {
    ...seen,
    fields: {
      ...{ fullName: MASK, birthDate: birthDate.slice(0, YEAR_DIGITS), documentNumber: MASK },
      ...{ documentExpires: masked(documentExpires), address: masked(address) },
    },
    pictures: [],
  };
}

const CURSOR = /^([0-9]{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where a page begins, as the page before wrote it; `undefined` where no page wrote that. */
function placeOf(cursor: string): { readonly at: Millis; readonly id: string } | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at) as Millis, id };
}

async function decide(
  { kyc }: KycDeskDeps,
  caller: AdminCaller,
  verdict: KycVerdict,
): Promise<CallAnswer<Record<string, never>>> {
  const done = await kyc.decide(verdict, reviewerOf(caller), caller.now);
  if (done.ok) return { ok: true, value: {} };
  if (done.code === 'reason-required') {
    return refusal({ error: 'field-invalid', field: 'note', allowed: 'needed where the reason is other' });
  }
  return refusal({ error: ERRORS[done.code] });
}

/** The letter about a check that is taken back; nothing for any other decision. */
export async function revocationLetter(
  { kyc }: Pick<KycDeskDeps, 'kyc'>,
  caller: AdminCaller,
  { kind, payload }: { readonly kind: ApprovalKind; readonly payload: string },
): Promise<CallAnswer<Mail | undefined>> {
  if (kind !== 'kyc-revoke') return { ok: true, value: undefined };
  const what = JSON.parse(payload) as { case: string; version: number; why: KycReason };
  const verdict = { caseId: what.case, version: what.version, decision: 'revoke', reason: what.why } as const;
  const letter = await kyc.letter(verdict, reviewerOf(caller));
  if (letter.ok) return letter;
  return refusal({ error: letter.code === 'reason-required' ? 'already-decided' : ERRORS[letter.code] });
}

/** Papers of members that wait for a person. */
export function kycDesk(deps: KycDeskDeps & KycAsking): Pick<AdminHandlers, KycDeskCall> {
  const { kyc, budgets } = deps;
  return {
    'x/admin/KycQueue': async (caller, { limit, cursor }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      if (cursor !== undefined && after === undefined) {
        return refusal({ error: 'field-invalid', field: 'cursor', allowed: 'next of the page before' });
      }
      const found = await kyc.list({
        ...{ state: 'pending', limit: limit + 1 },
        ...(after === undefined ? {} : { after }),
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const next = found.length > limit && last !== undefined ? `${last.at}_${last.id}` : null;
      return { ok: true, value: { rows: rows.map((row) => rowOf(caller, row)), next } };
    },
    'x/admin/KycView': async (caller, { case: caseId }) => {
      const limited = await budgets.take('kycViewsPerReviewer', sharesOf(caller), caller.now);
      if (limited !== undefined) return limited;
      const opened = await kyc.open(caseId, reviewerOf(caller), caller.now);
      if (opened.ok) return { ok: true, value: caseOf(caller, opened.value) };
      // Nothing was shown.
      await budgets.undoTake('kycViewsPerReviewer', sharesOf(caller));
      return refusal({ error: ERRORS[opened.code] });
    },
    'x/admin/KycRelease': async (caller, { case: caseId }) => {
      await kyc.release(caseId, reviewerOf(caller), caller.now);
      return { ok: true, value: {} };
    },
    'x/admin/KycPicture': async (caller, { case: caseId, picture: id }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const limited = await budgets.take('kycPicturesPerReviewer', sharesOf(caller), caller.now);
      if (limited !== undefined) return limited;
      const shown = await kyc.picture({ caseId, id }, reviewerOf(caller), caller.now);
      if (shown.ok) return { ok: true, value: shown.value };
      await budgets.undoTake('kycPicturesPerReviewer', sharesOf(caller));
      return refusal({ error: PICTURE_ERRORS[shown.code] });
    },
    'x/admin/KycPass': (caller, { case: caseId, version, checks, reason: because }) =>
      decide(deps, caller, { caseId, version, decision: 'approve', because, checks }),
    'x/admin/KycRevoke': async (caller, { member, why, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const passed = await kyc.passed(member as UserId);
      if (passed === undefined) return refusal({ error: 'subject-unknown' });
      const what = { member, case: passed.caseId, version: passed.version, why };
      const subject = `kyc ${passed.caseId}`;
      return deps.ask(deps.actOf(caller, 'x/admin/KycRevoke', reason), { kind: 'kyc-revoke', subject, what });
    },
    'x/admin/KycRefuse': async (caller, { case: caseId, version, why: reason, note, reason: because }) => {
      // Words of a stranger would reach the member as those of the house.
      if (caller.demo && note !== undefined) return refusal({ error: 'demo-refused' });
      const verdict = { caseId, version, decision: 'refuse', reason, note, because } as const;
      return decide(deps, caller, verdict);
    },
  };
}
