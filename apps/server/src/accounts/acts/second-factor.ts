import type { Caller } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { ChallengePurpose } from '../factors/passkey-challenge.ts';
import { handleOf, type PasskeyAnswer, provedPasskey } from '../factors/passkeys.ts';
import { stepOfCode } from '../factors/totp.ts';
import { sha256Hex } from '../keyed-hash.ts';
import type { StoredPasskey } from '../passkey-ports.ts';
import { type Refused, refusal } from '../ports.ts';
import type { Proof } from '../security-ports.ts';
import type { SecurityDeps } from './security-desk.ts';

/** A second factor as given with a call: an authenticator code, a passkey's answer, or a recovery code in their place. */
export interface GivenFactor {
  readonly totp?: string | undefined;
  readonly recovery?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/** What an act uses up of a factor that was right. */
export type FactorAnswer = { readonly ok: true; readonly proofs: readonly Proof[] } | Refused;

/** What a member has besides the password. */
export interface SecondFactors {
  readonly secret: Uint8Array | undefined;
  readonly passkeys: readonly StoredPasskey[];
}

/** A field of a call that serves as second factor. */
export type FactorMethod = 'totp' | 'passkey' | 'recovery';

/** Reads what a member has besides the password; `undefined` where there is nothing. */
export async function secondFactorsOf(
  { security, passkeys }: Pick<SecurityDeps, 'security' | 'passkeys'>,
  user: UserId,
): Promise<SecondFactors | undefined> {
  const [secret, known] = await Promise.all([security.otpSecret(user), passkeys.of(user)]);
  return secret === undefined && known.length === 0 ? undefined : { secret, passkeys: known };
}

/** What serves as second factor, in the order in which it is offered. */
export function methodsOf({ secret, passkeys }: SecondFactors): readonly FactorMethod[] {
  return [
    ...(secret === undefined ? [] : (['totp'] as const)),
    ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
    'recovery',
  ];
}

/** The form under which a recovery code is hashed: no spaces, no hyphens, one case. */
export function recoveryHash(code: string): string {
  return sha256Hex(code.toUpperCase().replace(/[^A-Z2-7]/g, ''));
}

/** The refusal where the factor is missing. */
function needed(factors: SecondFactors): Refused {
  const allowed = methodsOf(factors).filter((method) => method !== 'recovery');
  return refusal({ error: 'factor-required', allowed: allowed.join(', ') });
}

/** Compares a typed code with what the member has; whether it was used before is for the act to say. */
function codeProof(factors: SecondFactors, given: GivenFactor, now: Millis): FactorAnswer {
  if (given.recovery !== undefined) {
    return { ok: true, proofs: [{ kind: 'recovery', hash: recoveryHash(given.recovery) }] };
  }
  if (given.totp === undefined || factors.secret === undefined) return needed(factors);
  const step = stepOfCode(factors.secret, given.totp, now);
  if (step === undefined) return refusal({ error: 'factor-wrong' });
  return { ok: true, proofs: [{ kind: 'totp', step }] };
}

/** Whether one of these passkeys has answered; whether it did so before is for the act to say. */
export async function passkeyProof(
  deps: SecurityDeps,
  caller: Caller,
  given: {
    readonly answer: PasskeyAnswer;
    readonly passkeys: readonly StoredPasskey[];
    readonly purpose: ChallengePurpose;
  },
): Promise<FactorAnswer> {
  const { answer, passkeys, purpose } = given;
  const site = deps.passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const passkey = passkeys.find(({ credentialId }) => credentialId === answer.id);
  if (passkey === undefined) return refusal({ error: 'passkey-failed' });
  const known = { ...passkey, handle: handleOf(deps.key, passkey) };
  const proved = await provedPasskey(answer, known, { key: deps.key, site, purpose, now: caller.now });
  if (proved === undefined) return refusal({ error: 'passkey-failed' });
  const { challenge, counter, backedUp } = proved;
  return {
    ok: true,
    proofs: [
      { kind: 'challenge', ...challenge },
      { kind: 'passkey', id: passkey.id, counter, backedUp },
    ],
  };
}

/** Compares a factor that was given with those of a member. */
export function factorProof(
  deps: SecurityDeps,
  caller: Caller,
  compared: {
    readonly factors: SecondFactors;
    readonly given: GivenFactor;
    readonly purpose: ChallengePurpose;
  },
): FactorAnswer | Promise<FactorAnswer> {
  const { factors, given, purpose } = compared;
  const { passkey: answer } = given;
  if (answer === undefined) return codeProof(factors, given, caller.now);
  return passkeyProof(deps, caller, { answer, passkeys: factors.passkeys, purpose });
}

/**
 * The second factor of a member who has one; nothing for who has none.
 * @param of what the tries belong to: a session, or a proved code.
 */
export async function secondFactor(
  deps: SecurityDeps,
  caller: Caller,
  asked: {
    readonly user: UserId;
    readonly given: GivenFactor;
    readonly of: string;
    readonly purpose: ChallengePurpose;
  },
): Promise<FactorAnswer> {
  const { user, given, of, purpose } = asked;
  const factors = await secondFactorsOf(deps, user);
  if (factors === undefined) return { ok: true, proofs: [] };
  if (Object.values(given).every((field) => field === undefined)) return needed(factors);
  const limited = await deps.budgets.take('factorTriesPerProof', { ...caller, device: of }, caller.now);
  return limited ?? factorProof(deps, caller, { factors, given, purpose });
}

/** What a passkey's answer that steps a session up is good for. */
export function stepUpPurpose({
  sessionId,
  user,
}: {
  readonly sessionId: string;
  readonly user: UserId;
}): ChallengePurpose {
  return { ceremony: 'step-up', asker: sessionId, about: String(user) };
}

/** What a passkey's answer on the way to a new password is good for. */
export async function recoverPurpose(deps: SecurityDeps, caller: Caller): Promise<ChallengePurpose> {
  return { ceremony: 'recover', asker: await deps.devices.askerOf(caller), about: '' };
}

/** What a passkey's answer that logs in is good for. @param about the log-in it is a step of; empty for a log-in by it alone. */
export async function logInPurpose(
  deps: SecurityDeps,
  caller: Caller,
  about: string,
): Promise<ChallengePurpose> {
  return { ceremony: 'login', asker: await deps.devices.askerOf(caller), about };
}
