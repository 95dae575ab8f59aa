import type { AdminCaller, AdminHandlers, AdminResponse, AdminRole, CallAnswer } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { masked } from '../accounts/contacts.ts';
import { sha256Hex } from '../accounts/keyed-hash.ts';
import { type RandomBytes, refusal } from '../accounts/ports.ts';
import type { Act, Asking } from './ports.ts';
import type { StaffChange, StaffDesk } from './staff-ports.ts';

/** The calls about admins. */
export type StaffCall =
  | 'x/admin/Admins'
  | 'x/admin/AdminInvite'
  | 'x/admin/AdminLink'
  | 'x/admin/AdminRoles'
  | 'x/admin/AdminDisable';

/** What the calls about admins need. */
export interface StaffCallsDeps {
  readonly staff: StaffDesk;
  readonly random: RandomBytes;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  readonly nameShownTo: (caller: AdminCaller, name: string) => string;
  /** Asks for a decision of two. */
  readonly ask: Asking;
}

/** A link lasts as long as one of the operator's command. */
const LINK_LIFE_MILLIS = 15 * 60_000;
const TOKEN_BYTES = 32;

type Asked = CallAnswer<AdminResponse<'x/admin/AdminRoles'>>;

/** Asks for a change of an admin who is there as the asker sees him. */
async function askChange(
  { staff, ask }: StaffCallsDeps,
  act: Act,
  { admin, to }: { readonly admin: number; readonly to?: readonly AdminRole[] },
): Promise<Asked> {
  const found = await staff.one(admin);
  if (found === undefined || found.demo) return refusal({ error: 'subject-unknown' });
  const isSame = to !== undefined && to.join() === found.roles.join();
  if (found.disabled || isSame) return refusal({ error: 'already-decided' });
  // Looked at again when it is done; told now so that nobody waits for nothing.
  if (to?.includes('admin') !== true && (await staff.isLast(admin))) return refusal({ error: 'last-admin' });
  const what: StaffChange = { admin, roles: found.roles, ...(to === undefined ? {} : { to }) };
  return ask(act, {
    ...{ kind: to === undefined ? 'admin-disable' : 'admin-roles', subject: `admin ${admin}`, what },
  });
}

/** Who is an admin, and as what: decided by two. Demo admins are strangers and only look. */
export function staffCalls(deps: StaffCallsDeps): Pick<AdminHandlers, StaffCall> {
  const { staff, ask, actOf, random, nameShownTo } = deps;
  return {
    'x/admin/Admins': async (caller, page) => {
      const { rows, next } = await staff.list({ limit: page.limit, cursor: page.cursor });
      const shown = rows.map((row) => ({
        ...{ ...row, name: nameShownTo(caller, row.name), own: row.id === caller.admin },
      }));
      const invitations = await staff.invitations(caller.admin, caller.now);
      const mine = invitations.map((row) => ({ ...row, roles: [...row.roles] }));
      return { ok: true, value: { rows: shown, next, invitations: mine } };
    },
    'x/admin/AdminInvite': async (caller, { email, roles, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      if (await staff.isThere(email)) return refusal({ error: 'already-decided' });
      const act = actOf(caller, 'x/admin/AdminInvite', reason);
      const named = { email: masked({ kind: 'email', to: email }), roles };
      return ask(act, { kind: 'admin-invite', subject: 'admin', what: { email, roles }, audited: named });
    },
    'x/admin/AdminLink': async (caller, { approval, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
      const expiresAt = (caller.now + LINK_LIFE_MILLIS) as Millis;
      const act = actOf(caller, 'x/admin/AdminLink', reason);
      const outcome = await staff.writeLink(act, { approval, hash: sha256Hex(token), expiresAt });
      if (outcome === 'ok') return { ok: true, value: { token, expiresAt } };
      return refusal({ error: outcome });
    },
    'x/admin/AdminRoles': async (caller, { admin, roles, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      return askChange(deps, actOf(caller, 'x/admin/AdminRoles', reason), { admin, to: roles });
    },
    'x/admin/AdminDisable': async (caller, { admin, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      return askChange(deps, actOf(caller, 'x/admin/AdminDisable', reason), { admin });
    },
  };
}
