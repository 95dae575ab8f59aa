import type { AdminCaller, AdminHandlers, CallAnswer } from '@crossbook/contract';
import type { AccountBudgets, Sender, SenderBudgetName } from '../accounts/budgets.ts';
import { type Refused, refusal } from '../accounts/ports.ts';
import type { Act, MemberDesk, WatchDesk } from './ports.ts';

/** What handing out needs. */
export interface DisclosureDeps {
  readonly members: Pick<MemberDesk, 'reveal'>;
  readonly watch: Pick<WatchDesk, 'auditFile'>;
  readonly budgets: AccountBudgets;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
}

function senderOf({ admin, address }: AdminCaller): Sender {
  return { address, device: `admin ${admin}` };
}

/** No stranger, and not in bulk. */
async function permitted(
  { budgets }: DisclosureDeps,
  caller: AdminCaller,
  budget: SenderBudgetName,
): Promise<Refused | undefined> {
  return caller.demo
    ? refusal({ error: 'demo-refused' })
    : budgets.take(budget, senderOf(caller), caller.now);
}

/** What leaves the hub whole, with a reason: a contact of a member, places of the audit log. */
export function disclosureCalls(
  deps: DisclosureDeps,
): Pick<AdminHandlers, 'x/admin/MemberReveal' | 'x/admin/AuditExport'> {
  const { members, watch, budgets, actOf } = deps;
  return {
    'x/admin/MemberReveal': async (caller, { member, field, reason }) => {
      const [call, budget] = ['x/admin/MemberReveal', 'contactsPerAdmin'] as const;
      const refused = await permitted(deps, caller, budget);
      if (refused !== undefined) return refused;
      const value = await members.reveal(actOf(caller, call, reason), member, field);
      if (typeof value === 'string') return { ok: true, value: { value } };
      // Nothing was shown.
      await budgets.undoTake(budget, senderOf(caller));
      if (value === undefined) return refusal({ error: 'subject-unknown' });
      return refusal({ error: 'field-invalid', field: 'field', allowed: 'a contact that the member has' });
    },
    'x/admin/AuditExport': async (caller, { after, reason }): Promise<CallAnswer<Uint8Array>> => {
      const [call, budget] = ['x/admin/AuditExport', 'auditFilesPerAdmin'] as const;
      const refused = await permitted(deps, caller, budget);
      if (refused !== undefined) return refused;
      return { ok: true, value: await watch.auditFile(actOf(caller, call, reason), after) };
    },
  };
}
