import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { type Millis, uuidV7 } from '@crossbook/domain';
import { reachedAt } from '../contacts.ts';
import { base32, otpUri, SECRET_BYTES, stepOfCode } from '../factors/totp.ts';
import { refusal } from '../ports.ts';
import type { PendingOtp } from '../security-ports.ts';
import { drawRecoveryCodes, groupedCode, recoveryCodesEffect } from './recovery-codes.ts';
import { secondFactorsOf } from './second-factor.ts';
import { carryOut, grantProof, renewedAnswer, type SecurityDeps } from './security-desk.ts';

/** A secret must be proved within this time. */
export const SETUP_LIFE_MILLIS = 10 * 60_000;

/** security/usergooglesecret: the same pending secret for ten minutes, however many tabs of this session ask for it. */
export async function beginAuthenticator(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/usergooglesecret'>,
): Promise<CallAnswer<CallResponse<'security/usergooglesecret'>>> {
  if ((await deps.security.otpSecret(caller.user)) !== undefined) return refusal({ error: 'factor-set' });
  const { to } = reachedAt(await deps.security.profile(caller.user));
  const answer = ({ setupId, secret, expiresAt }: PendingOtp) => ({
    ok: true as const,
    value: { secret: base32(secret), uri: otpUri(deps.productName, to, secret), setupId, expiresAt },
  });
  const known = await deps.security.pendingOtp(caller.user, caller.sessionId, caller.now);
  if (known !== undefined) return answer(known);
  if (request.grant === undefined) return refusal({ error: 'grant-invalid' });
  const made: PendingOtp = {
    setupId: uuidV7(caller.now, deps.random(10)),
    secret: deps.random(SECRET_BYTES),
    expiresAt: (caller.now + SETUP_LIFE_MILLIS) as Millis,
  };
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/usergooglesecret' as const },
    proofs: [grantProof(caller, request.grant)],
    effects: [{ kind: 'pending-otp', session: caller.sessionId, ...made }],
  });
  return done.ok ? answer(made) : done;
}

/** security/bindgoogle: the first right code makes the pending secret the active one, and is used up by that. */
export async function bindAuthenticator(
  deps: SecurityDeps,
  caller: MemberCaller,
  { setupId, totp }: CallRequest<'security/bindgoogle'>,
): Promise<CallAnswer<CallResponse<'security/bindgoogle'>>> {
  const pending = await deps.security.pendingOtp(caller.user, caller.sessionId, caller.now);
  if (pending === undefined || pending.setupId !== setupId) return refusal({ error: 'flow-invalid' });
  const sender = { ...caller, device: caller.sessionId };
  const limited = await deps.budgets.take('factorTriesPerProof', sender, caller.now);
  if (limited !== undefined) return limited;
  const step = stepOfCode(pending.secret, totp, caller.now);
  // The secret stays: a mistyped code is no reason to scan anew.
  if (step === undefined) return refusal({ error: 'factor-wrong' });
  const codes = drawRecoveryCodes(deps.random);
  const done = await carryOut(deps, caller, {
    ...{
      user: caller.user,
      call: 'security/bindgoogle',
      proofs: [],
      renews: caller.sessionId,
      ends: 'others',
    },
    effects: [{ kind: 'otp', setupId, step }, recoveryCodesEffect(codes)],
    ...{ locks: 'otp', isFirst: true, tells: 'otp-bound' },
  });
  if (done.ok) await deps.budgets.restart('factorTriesPerProof', sender);
  return renewedAnswer(done, { recoveryCodes: codes.map(groupedCode) });
}

/** x/account/RecoveryCodes: ten new ones; the former ten end. */
export async function renewRecoveryCodes(
  deps: SecurityDeps,
  caller: MemberCaller,
  { grant }: CallRequest<'x/account/RecoveryCodes'>,
): Promise<CallAnswer<CallResponse<'x/account/RecoveryCodes'>>> {
  if ((await secondFactorsOf(deps, caller.user)) === undefined) {
    return refusal({ error: 'contact-missing', allowed: 'an authenticator' });
  }
  const codes = drawRecoveryCodes(deps.random);
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/account/RecoveryCodes', renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, grant)],
    effects: [recoveryCodesEffect(codes)],
    ...{ locks: 'recovery-codes', isFirst: true, tells: 'recovery-codes-made' },
  });
  return renewedAnswer(done, { recoveryCodes: codes.map(groupedCode) });
}
