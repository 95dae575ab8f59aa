import {
  ADMIN_CALLS,
  type AdminCallName,
  type AdminRequest,
  type ErrorName,
  type RefusedAct,
} from '@crossbook/contract';
import { platformOfType } from '@crossbook/domain';
import { type AdminStore, type ApprovalStore, actingOf } from './ports.ts';

/** What a refused act needs to be written down. */
interface RefusedActDeps {
  readonly store: Pick<AdminStore, 'noteRefused'>;
  readonly approvals: Pick<ApprovalStore, 'asked'>;
}

/** These decide nothing about who asks or what about: the fields were wrong, or the hub had no time. */
const NOTHING_DECIDED: readonly ErrorName[] = ['field-invalid', 'busy', 'unavailable', 'outcome-unknown'];

/** Looks at papers change nothing, and are audited all the same. */
const AUDITED_LOOKS: readonly AdminCallName[] = [
  'x/admin/KycView',
  'x/admin/KycPicture',
  'x/admin/RecoveryView',
];

type SubjectOf<Name extends AdminCallName> = (request: AdminRequest<Name>) => string;

const ofMember = ({ member }: { readonly member: number }) => `member ${member}`;
const ofCase = ({ case: id }: { readonly case: string }) => `kyc ${id}`;
const ofRecovery = ({ recovery }: { readonly recovery: string }) => `recovery ${recovery}`;
const ofAdmin = ({ admin }: { readonly admin: number }) => `admin ${admin}`;
const ofText = ({ kind, slug }: { readonly kind: string; readonly slug: string }) => `${kind} ${slug}`;
const ofPlatform = ({ platformType }: { readonly platformType: number }) =>
  `platform ${platformOfType(platformType)?.name ?? platformType}`;

/** Whom or what an act is about, in the words that the act itself uses. Decisions of two say it themselves. */
const SUBJECTS: { readonly [Name in AdminCallName]?: SubjectOf<Name> } = {
  ...{ 'x/admin/MemberFreeze': ofMember, 'x/admin/MemberEndSessions': ofMember },
  ...{ 'x/admin/MemberTkropen': ofMember, 'x/admin/MemberUnfreeze': ofMember },
  ...{ 'x/admin/MemberKol': ofMember, 'x/admin/MemberReveal': ofMember, 'x/admin/KycRevoke': ofMember },
  ...{ 'x/admin/KycView': ofCase, 'x/admin/KycPicture': ofCase },
  ...{ 'x/admin/KycPass': ofCase, 'x/admin/KycRefuse': ofCase },
  ...{ 'x/admin/RecoveryView': ofRecovery, 'x/admin/RecoveryApprove': ofRecovery },
  'x/admin/RecoveryRefuse': ofRecovery,
  ...{ 'x/admin/AdminRoles': ofAdmin, 'x/admin/AdminDisable': ofAdmin, 'x/admin/AdminInvite': () => 'admin' },
  ...{ 'x/admin/ContentDraft': ofText, 'x/admin/ContentDiscard': ofText, 'x/admin/ContentPublish': ofText },
  ...{ 'x/admin/PlatformClose': ofPlatform, 'x/admin/PlatformOpen': ofPlatform },
  'x/admin/GateOpen': () => 'money gate',
  'x/admin/OrderResolve': ({ order }) => `order ${order}`,
  'x/admin/AuditExport': () => 'audit log',
  'x/admin/LimitSet': ({ what, tier }) => `limit ${what} tier ${tier}`,
  'x/admin/FeeSet': () => 'fee rewards',
  'x/admin/CurrencySet': ({ asset }) => `currency ${asset}`,
  'x/admin/NetworkSet': ({ asset, network }) => `network ${asset}/${network}`,
  'x/admin/MailRetry': ({ mail }) => (mail === undefined ? 'mails' : `mail ${mail}`),
};

/** A request as the contract has parsed it; `approval` and `reason` where the call has them. */
interface Given {
  readonly approval?: string;
  readonly reason?: string;
}

async function subjectOf(
  { approvals }: RefusedActDeps,
  { call, request }: RefusedAct,
): Promise<string | undefined> {
  if (request === undefined) return undefined;
  const { approval } = request as Given;
  if (approval !== undefined) return (await approvals.asked(approval))?.subject;
  // The door has parsed it by the schema of this call.
  return (SUBJECTS[call] as ((request: unknown) => string) | undefined)?.(request);
}

/**
 * Writes a try that was refused into the audit log: who, which act, whom it was about, and the reason that was given. For
 * every call that changes something and every look at papers; of other calls those that the role does not allow.
 */
export async function noteRefusedAct(deps: RefusedActDeps, tried: RefusedAct): Promise<void> {
  const { caller, call, outcome, request } = tried;
  const isAct = ADMIN_CALLS[call].changes || AUDITED_LOOKS.includes(call);
  if (NOTHING_DECIDED.includes(outcome) || !(isAct || outcome === 'role-missing')) return;
  const { approval, reason } = (request ?? {}) as Given;
  const subject = await subjectOf(deps, tried);
  await deps.store.noteRefused({
    ...{ ...actingOf(caller), call, outcome },
    ...{ subject, reason, details: { session: caller.sessionId, ...(approval && { approval }) } },
  });
}
