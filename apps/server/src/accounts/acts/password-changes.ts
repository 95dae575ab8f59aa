import type { CallAnswer, Caller, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { passwordGaps } from '@crossbook/domain';
import { contactOf, ownWords, reachedAt } from '../contacts.ts';
import { codeOfFlow } from '../factors/codes.ts';
import type { IsCommonPassword } from '../factors/known-passwords.ts';
import { about, type MemberRecord, type Refused, refusal } from '../ports.ts';
import type { Effect, Proof } from '../security-ports.ts';
import { type FactorAnswer, type GivenFactor, recoverPurpose, secondFactor } from './second-factor.ts';
import { carryOut, grantProof, renewedAnswer, type SecurityDeps } from './security-desk.ts';
import { passwordRefusal } from './step-up.ts';

/** What rules of passwords need. */
export interface PasswordRules {
  readonly isCommonPassword: IsCommonPassword;
  readonly productName: string;
}

/** The rules of a new password: the classes of spec section 5, and not one that everybody tries first. */
export function newPasswordRefusal(
  { isCommonPassword, productName }: PasswordRules,
  password: string,
  own: readonly string[],
): Refused | undefined {
  const gaps = passwordGaps(password);
  if (gaps.length > 0)
    return refusal({ error: 'password-weak', field: 'password', allowed: gaps.join(', ') });
  if (isCommonPassword(password, [productName, ...own]))
    return refusal({ error: 'password-common', field: 'password' });
  return undefined;
}

/** security/resetpwd: old password and grant; everything else that is logged in or trusted ends. */
export async function changePassword(
  deps: SecurityDeps,
  caller: MemberCaller,
  { oldPassword, password, grant }: CallRequest<'security/resetpwd'>,
): Promise<CallAnswer<CallResponse<'security/resetpwd'>>> {
  const member = await deps.members.byId(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  const wrong =
    (await passwordRefusal(deps, caller, oldPassword)) ??
    newPasswordRefusal(deps, password, wordsOf(member)) ??
    (password === oldPassword ? refusal({ error: 'password-same' }) : undefined);
  if (wrong !== undefined) return wrong;
  const hashed = await deps.passwords.hash(password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/resetpwd', renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, grant)],
    effects: [{ kind: 'password', hash: hashed.value }],
    ...{ locks: 'password', tells: 'password-changed' },
  });
  return renewedAnswer(done, {});
}

/** What a password of this member must not be made of. */
function wordsOf({ nickname, email = '', mobile = '' }: MemberRecord): readonly string[] {
  return [nickname, ...ownWords(email), ...ownWords(mobile)];
}

interface Recovery extends GivenFactor {
  readonly account: string;
  readonly flow: string;
  readonly password: string;
}

/**
 * Who has no mailbox gets no link that takes off a factor which a stranger has turned on: for a day the number recovers without
 * it, and it goes.
 */
async function strangeFactors(
  deps: SecurityDeps,
  member: MemberRecord,
  { totp, recovery, passkey }: Recovery,
): Promise<readonly Effect[]> {
  const isGiven = totp !== undefined || recovery !== undefined || passkey !== undefined;
  if (isGiven || member.email !== undefined) return [];
  return (await deps.security.factorsAreYoung(member.user)) ? [{ kind: 'young-factors-removed' }] : [];
}

async function givenFactor(
  deps: SecurityDeps,
  caller: Caller,
  { member, given, of }: { readonly member: MemberRecord; readonly given: Recovery; readonly of: string },
): Promise<FactorAnswer> {
  const { totp, recovery, passkey } = given;
  return secondFactor(deps, caller, {
    ...{ user: member.user, given: { totp, recovery, passkey }, of },
    purpose: await recoverPurpose(deps, caller),
  });
}

/**
 * Who holds the mailbox (or the number, of who has no mailbox), and the second factor where there is one, gets a new password: no
 * session, and none of before goes on.
 * @param purpose the matter that the code was sent for.
 */
export async function recoveredPassword(
  deps: SecurityDeps,
  caller: Caller,
  given: Recovery & { readonly purpose: 'recover' | 'unfreeze' },
): Promise<
  | {
      readonly ok: true;
      readonly member: MemberRecord;
      readonly hash: string;
      readonly proofs: readonly Proof[];
      /** What else goes with the old password. */
      readonly drops: readonly Effect[];
    }
  | Refused
> {
  const { account, flow, password, purpose } = given;
  const target = contactOf(account)?.to ?? '';
  const id = await codeOfFlow(deps, caller, flow, { target, purpose });
  const member = id === undefined ? undefined : await deps.members.byContact(target);
  // A number recovers nothing where there is a mailbox: numbers are given to somebody else in time.
  if (id === undefined || member === undefined || reachedAt(member).to !== target)
    return refusal({ error: 'flow-invalid' });
  const weak = newPasswordRefusal(deps, password, wordsOf(member));
  if (weak !== undefined) return weak;
  const code: Proof = { kind: 'code', id, target, purpose };
  // Whoever proved the mailbox may know that there is a second factor; nobody else comes this far.
  const drops = await strangeFactors(deps, member, given);
  const factor: FactorAnswer =
    drops.length > 0 ? { ok: true, proofs: [] } : await givenFactor(deps, caller, { member, given, of: id });
  if (!factor.ok) return about(member.user, factor);
  const same = await deps.passwords.verify(password, member.passwordHash);
  if (!same.ok) return refusal({ error: 'sign-in-busy' });
  if (same.value.matches) return refusal({ error: 'password-same' });
  const hashed = await deps.passwords.hash(password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });
  return { ok: true, member, hash: hashed.value, proofs: [code, ...factor.proofs], drops };
}

/** user/forgetpwd: possession of the mailbox alone never gets past a second factor. */
export async function resetPassword(
  deps: SecurityDeps,
  caller: Caller,
  request: CallRequest<'user/forgetpwd'>,
): Promise<CallAnswer<CallResponse<'user/forgetpwd'>>> {
  const recovered = await recoveredPassword(deps, caller, { ...request, purpose: 'recover' });
  if (!recovered.ok) return recovered;
  const { member, hash, proofs, drops } = recovered;
  const done = await carryOut(deps, caller, {
    ...{ user: member.user, call: 'user/forgetpwd', proofs, ends: 'all', locks: 'password' },
    // Whoever linked a log-in of his own while the account was his would else still get in.
    effects: [...drops, { kind: 'password', hash }, { kind: 'provider-unlink' }],
    tells: 'password-reset',
  });
  return done.ok ? { ok: true, value: {} } : done;
}
