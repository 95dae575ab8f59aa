import type { CallAnswer, CallName, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { sha256Hex } from '../keyed-hash.ts';
import { type Refused, refusal } from '../ports.ts';
import type { GrantPurpose, Proof } from '../security-ports.ts';
import { secondFactor, stepUpPurpose } from './second-factor.ts';
import { carryOut, renewedAnswer, type SecurityDeps } from './security-desk.ts';

/** A grant serves for so long, once. */
export const GRANT_LIFE_MILLIS = 5 * 60_000;

async function give(
  deps: SecurityDeps,
  caller: MemberCaller,
  how: { readonly call: CallName; readonly purpose: GrantPurpose; readonly proofs: readonly Proof[] },
): Promise<CallAnswer<CallResponse<'x/account/StepUp'>>> {
  const { call, purpose, proofs } = how;
  const grant = Buffer.from(deps.random(16)).toString('base64url');
  const expiresAt = (caller.now + GRANT_LIFE_MILLIS) as Millis;
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call, proofs, renews: caller.sessionId },
    effects: [{ kind: 'grant', hash: sha256Hex(grant), session: caller.sessionId, purpose, expiresAt }],
  });
  if (done.ok) await deps.budgets.restart('factorTriesPerProof', { ...caller, device: caller.sessionId });
  return renewedAnswer(done, { grant });
}

/** Whether the password is the member's; wrong ones are counted for the session's member as log-ins are. */
export async function passwordRefusal(
  deps: SecurityDeps,
  caller: MemberCaller,
  password: string,
): Promise<Refused | undefined> {
  const sender = { ...caller, device: caller.sessionId };
  const limited = await deps.budgets.take('factorTriesPerProof', sender, caller.now);
  if (limited !== undefined) return limited;
  const member = await deps.members.byId(caller.user);
  const verdict = await deps.passwords.verify(password, member?.passwordHash);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  if (!verdict.value.matches) return refusal({ error: 'login-failed' });
  await deps.budgets.restart('factorTriesPerProof', sender);
  return undefined;
}

/** Money never moves by the password alone. */
const NO_FACTOR = refusal({ error: 'contact-missing', allowed: 'an authenticator' });

/**
 * x/account/StepUp: the strongest factor the account has, never a weaker one instead. Before money moves the password is none, as it is
 * none at security/connex/bindgoogle.
 */
export async function stepUp(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'x/account/StepUp'>,
): Promise<CallAnswer<CallResponse<'x/account/StepUp'>>> {
  const { purpose, password, totp, passkey } = request;
  const factor = await secondFactor(deps, caller, {
    user: caller.user,
    given: { totp, passkey },
    of: caller.sessionId,
    purpose: stepUpPurpose(caller),
  });
  if (!factor.ok) return factor;
  const call = 'x/account/StepUp';
  if (factor.proofs.length > 0) return give(deps, caller, { call, purpose, proofs: factor.proofs });
  if (purpose === 'money') return NO_FACTOR;
  if (password === undefined) return refusal({ error: 'factor-required', allowed: 'password' });
  const wrong = await passwordRefusal(deps, caller, password);
  return wrong ?? give(deps, caller, { call, purpose, proofs: [] });
}

/** security/connex/bindgoogle: the second factor's check before money moves; the password does not serve there. */
export async function authenticatorGrant(
  deps: SecurityDeps,
  caller: MemberCaller,
  { totp, passkey }: CallRequest<'security/connex/bindgoogle'>,
): Promise<CallAnswer<CallResponse<'security/connex/bindgoogle'>>> {
  const factor = await secondFactor(deps, caller, {
    user: caller.user,
    given: { totp, passkey },
    of: caller.sessionId,
    purpose: stepUpPurpose(caller),
  });
  if (!factor.ok) return factor;
  if (factor.proofs.length === 0) return NO_FACTOR;
  return give(deps, caller, { call: 'security/connex/bindgoogle', purpose: 'money', proofs: factor.proofs });
}
