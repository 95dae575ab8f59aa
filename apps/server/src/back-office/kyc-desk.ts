import type { AdminCaller, AdminHandlers, AdminResponse, CallAnswer, ErrorName } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { AccountBudgets } from '../accounts/budgets.ts';
import type { KycQueueRow, KycVerdict, Reviewer } from '../accounts/kyc/kyc-ports.ts';
import type { DecideRefusal, KycReview, ShownCase } from '../accounts/kyc/kyc-review.ts';
import { refusal } from '../accounts/ports.ts';
import type { AdminStore } from './ports.ts';
import { actingOf } from './sign-in.ts';

/** What deciding about papers needs. */
export interface KycDeskDeps {
  readonly kyc: KycReview;
  readonly budgets: AccountBudgets;
  readonly store: Pick<AdminStore, 'noteRefused'>;
}

/** The calls of who decides about papers. */
export type KycDeskCall = Extract<keyof AdminHandlers, `x/admin/Kyc${string}`>;

const ERRORS: Readonly<Record<Exclude<DecideRefusal, 'reason-required'>, ErrorName>> = {
  unknown: 'subject-unknown',
  own: 'four-eyes',
  decided: 'already-decided',
};

function reviewerOf({ admin, adminName, address }: AdminCaller): Reviewer {
  return { id: `admin ${admin}`, email: adminName, address };
}

/** Strangers share the two demo admins: each network has its own share, and uses up nobody else's. */
function sharesOf({ admin, address, demo }: AdminCaller): {
  readonly address: string;
  readonly device?: string;
} {
  return demo ? { address } : { address, device: `admin ${admin}` };
}

function rowOf(row: KycQueueRow): AdminResponse<'x/admin/KycQueue'>['rows'][number] {
  const { id, member, nickname, country, documentKind, attempt, submittedAt, duplicates } = row;
  return { id, member, nickname, country, documentKind, attempt, submittedAt, duplicates };
}

function caseOf(shown: ShownCase): AdminResponse<'x/admin/KycView'> {
  const { fullName, birthDate, documentNumber, documentExpires = null, address = null } = shown.fields;
  const { version, language, own } = shown;
  return {
    ...{ ...rowOf(shown), version, language, own },
    fields: { fullName, birthDate, documentNumber, documentExpires, address },
    pictures: [...shown.pictures],
  };
}

/** Where a page begins, as the page before wrote it. */
function placeOf(cursor: string | undefined): { readonly at: Millis; readonly id: string } | undefined {
  const [, at, id] = /^([0-9]{1,15})_([0-9a-f-]{36})$/.exec(cursor ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at) as Millis, id };
}

async function decide(
  { kyc, store }: KycDeskDeps,
  caller: AdminCaller,
  { call, verdict }: { readonly call: KycDeskCall; readonly verdict: KycVerdict },
): Promise<CallAnswer<Record<string, never>>> {
  const done = await kyc.decide(verdict, reviewerOf(caller), caller.now);
  if (done.ok) return { ok: true, value: {} };
  if (done.code === 'reason-required') {
    return refusal({ error: 'field-invalid', field: 'note', allowed: 'needed where the reason is other' });
  }
  const outcome = ERRORS[done.code];
  await store.noteRefused({ ...actingOf(caller), call, outcome });
  return refusal({ error: outcome });
}

/** Papers of members that wait for a person. */
export function kycDesk(deps: KycDeskDeps): Pick<AdminHandlers, KycDeskCall> {
  const { kyc, budgets } = deps;
  return {
    'x/admin/KycQueue': async (_caller, { limit, cursor }) => {
      const after = placeOf(cursor);
      const found = await kyc.list({
        ...{ state: 'pending', limit: limit + 1 },
        ...(after === undefined ? {} : { after }),
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const next = found.length > limit && last !== undefined ? `${last.at}_${last.id}` : null;
      return { ok: true, value: { rows: rows.map(rowOf), next } };
    },
    'x/admin/KycView': async (caller, { case: caseId }) => {
      const limited = await budgets.take('kycViewsPerReviewer', sharesOf(caller), caller.now);
      if (limited !== undefined) return limited;
      const opened = await kyc.open(caseId, reviewerOf(caller), caller.now);
      if (opened.ok) return { ok: true, value: caseOf(opened.value) };
      // Nothing was shown.
      await budgets.undoTake('kycViewsPerReviewer', sharesOf(caller));
      return refusal({ error: ERRORS[opened.code] });
    },
    'x/admin/KycPicture': async (caller, { case: caseId, picture: id }) => {
      const shown = await kyc.picture({ caseId, id }, reviewerOf(caller), caller.now);
      return shown.ok ? { ok: true, value: shown.value } : refusal({ error: ERRORS[shown.code] });
    },
    'x/admin/KycPass': (caller, { case: caseId, version, reason: because }) =>
      decide(deps, caller, {
        call: 'x/admin/KycPass',
        verdict: { caseId, version, decision: 'approve', because },
      }),
    'x/admin/KycRefuse': (caller, { case: caseId, version, why: reason, note, reason: because }) =>
      decide(deps, caller, {
        call: 'x/admin/KycRefuse',
        verdict: { caseId, version, decision: 'refuse', reason, note, because },
      }),
  };
}
