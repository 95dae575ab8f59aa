import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { carryOut, type SecurityDeps } from '../acts/security-desk.ts';
import { type Contact, contactOf, contactRefusal } from '../contacts.ts';
import { codeOfFlow, FREEZE_LINK_LIFE_MILLIS, freezeLink } from '../factors/codes.ts';
import { sha256Hex } from '../keyed-hash.ts';
import { type Mail, type MemberRecord, type Refused, refusal } from '../ports.ts';
import { RECOVERY_ASKED_DAYS_MAX, RECOVERY_WAIT_HOURS, type RecoveryStore } from '../recovery-ports.ts';

/** What the way back needs. */
export interface LostAccessDeps extends SecurityDeps {
  readonly recoveries: RecoveryStore;
}

/** A contact that its holder has proved, and the code that did. */
interface ProvedContact {
  readonly ok: true;
  readonly contact: Contact;
  readonly codeId: string;
}

async function provedContact(
  deps: LostAccessDeps,
  caller: Caller,
  { contact: typed, flow }: { readonly contact: string; readonly flow: string },
): Promise<ProvedContact | Refused> {
  const contact = contactOf(typed);
  if (contact === undefined) return contactRefusal(typed, 'contact');
  const codeId = await codeOfFlow(deps, caller, flow, { target: contact.to, purpose: 'regain' });
  return codeId === undefined ? refusal({ error: 'flow-invalid' }) : { ok: true, contact, codeId };
}

/** What every contact of the account is told, with the link that stops it; nobody's where there is no account. */
async function noticesOf(
  deps: LostAccessDeps,
  caller: Caller,
  {
    member,
    account,
    token,
  }: { readonly member: MemberRecord | undefined; readonly account: string; readonly token: string },
): Promise<readonly Mail[]> {
  const reader = await deps.security.profileOf(account);
  const { language = caller.language, antiPhishing } = reader ?? {};
  const facts = { language, freezeLink: freezeLink(deps, caller, token) };
  const at = new Date(caller.now).toISOString();
  const mail = deps.mails.security('recovery-asked', { ...facts, antiPhishing, address: caller.address, at });
  const body = deps.mails.securityText('recovery-asked', facts);
  return [
    { to: member?.email ?? '', ...mail },
    { to: member?.mobile ?? '', subject: 'SMS', body },
  ];
}

/**
 * x/recovery/Ask: who knows the password of an account, states whose papers it passed by and has a new contact asks the staff to
 * let that contact open it. Whether there is such an account, and whether the password was right, is told to nobody but its
 * contacts: the answer and its work are the same.
 */
export async function askRecovery(
  deps: LostAccessDeps,
  caller: Caller,
  request: CallRequest<'x/recovery/Ask'>,
): Promise<CallAnswer<CallResponse<'x/recovery/Ask'>>> {
  const account = contactOf(request.account);
  if (account === undefined) return contactRefusal(request.account, 'account');
  if ((await deps.captcha.redeem(request.captcha, caller.now)) === undefined)
    return refusal({ error: 'captcha-invalid' });
  const proved = await provedContact(deps, caller, request);
  if (!proved.ok) return proved;
  const limited = await deps.budgets.take('recoveryAsksPerAddress', { address: caller.address }, caller.now);
  if (limited !== undefined) return limited;
  const { contact, codeId } = proved;
  const [member, holder] = [
    await deps.members.byContact(account.to),
    await deps.members.byContact(contact.to),
  ];
  const verdict = await deps.passwords.verify(request.password, member?.passwordHash);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  // Whose the new contact is, is told to who has just proved it.
  if (holder !== undefined && holder.user !== member?.user) return refusal({ error: 'contact-taken' });
  const token = Buffer.from(deps.random(16)).toString('base64url');
  const { fullName, birthDate, documentNumber } = request;
  const asked = await deps.recoveries.ask({
    ...{ user: verdict.value.matches ? member?.user : undefined, contact: contact.to, codeId },
    statement: { fullName, birthDate, documentNumber },
    ...{ address: caller.address, now: caller.now },
    freezeToken: { hash: sha256Hex(token), expiresAt: (caller.now + FREEZE_LINK_LIFE_MILLIS) as Millis },
    notices: await noticesOf(deps, caller, { member, account: account.to, token }),
  });
  if (!asked) return refusal({ error: 'flow-invalid' });
  return { ok: true, value: { waitHours: RECOVERY_WAIT_HOURS, lapsesDays: RECOVERY_ASKED_DAYS_MAX } };
}

/**
 * x/recovery/Finish: the new contact once more, the password, and the waiting time of what two of the staff have approved. The
 * contact takes the place of all; second factors, sessions and links go; no session is given, and money is locked for a day.
 */
export async function finishRecovery(
  deps: LostAccessDeps,
  caller: Caller,
  request: CallRequest<'x/recovery/Finish'>,
): Promise<CallAnswer<CallResponse<'x/recovery/Finish'>>> {
  const proved = await provedContact(deps, caller, request);
  if (!proved.ok) return proved;
  const { contact, codeId } = proved;
  const sender = { address: caller.address, device: codeId };
  const limited = await deps.budgets.take('factorTriesPerProof', sender, caller.now);
  if (limited !== undefined) return limited;
  const found = await deps.recoveries.waiting(contact.to);
  if (found === undefined) return refusal({ error: 'flow-invalid' });
  if (!found.isDue) return refusal({ error: 'recovery-waits', allowed: new Date(found.dueAt).toISOString() });
  const member = await deps.members.byId(found.user);
  const verdict = await deps.passwords.verify(request.password, member?.passwordHash);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  if (member === undefined || !verdict.value.matches) return refusal({ error: 'login-failed' });
  const { email, mobile } = member;
  const former = email === undefined || mobile === undefined ? [] : [mobile];
  const done = await carryOut(deps, caller, {
    ...{ user: found.user, call: 'x/recovery/Finish', ends: 'all', locks: contact.kind },
    proofs: [{ kind: 'code', id: codeId, target: contact.to, purpose: 'regain' }],
    effects: [{ kind: 'recovered', recovery: found.id, contact }, { kind: 'provider-unlink' }],
    tells: 'recovery-done',
    alsoTo: [...new Set([...former, contact.to])].filter((to) => to !== email),
  });
  return done.ok ? { ok: true, value: {} } : done;
}
