import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { uuidV7 } from '@crossbook/domain';
import { reachedAt } from '../contacts.ts';
import { type ChallengePurpose, makeChallenge } from '../factors/passkey-challenge.ts';
import { answerOptions, handleOf, madePasskey, registerOptions, userHandle } from '../factors/passkeys.ts';
import { PASSKEYS_PER_MEMBER_MAX } from '../passkey-ports.ts';
import { refusal } from '../ports.ts';
import { drawRecoveryCodes, groupedCode, recoveryCodesEffect } from './recovery-codes.ts';
import { secondFactorsOf, stepUpPurpose } from './second-factor.ts';
import { carryOut, grantProof, renewedAnswer, type SecurityDeps } from './security-desk.ts';

function registerPurpose({ sessionId, user }: MemberCaller): ChallengePurpose {
  return { ceremony: 'register', asker: sessionId, about: String(user) };
}

/** x/passkey/RegisterOptions: uses the grant up; the challenge then stands for it, for five minutes in this session. */
export async function beginPasskey(
  deps: SecurityDeps,
  caller: MemberCaller,
  { grant }: CallRequest<'x/passkey/RegisterOptions'>,
): Promise<CallAnswer<CallResponse<'x/passkey/RegisterOptions'>>> {
  const { key, random, productName } = deps;
  const site = deps.passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const member = await deps.members.byId(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  const known = await deps.passkeys.of(caller.user);
  if (known.length >= PASSKEYS_PER_MEMBER_MAX) return refusal({ error: 'passkey-limit' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/passkey/RegisterOptions', effects: [] },
    proofs: [grantProof(caller, grant)],
  });
  if (!done.ok) return done;
  const challenge = makeChallenge(key, random, { purpose: registerPurpose(caller), now: caller.now });
  const { user, nickname } = member;
  const options = await registerOptions({
    ...{ site, challenge, productName, known },
    owner: {
      handle: known[0] === undefined ? userHandle(key, user) : handleOf(key, known[0]),
      ...{ nickname, name: reachedAt(member).to },
    },
  });
  return { ok: true, value: { options } };
}

/**
 * x/passkey/Register: a passkey counts as second factor from now on. Who has no recovery codes gets ten with it, so that a lost
 * device locks nobody out.
 */
export async function addPasskey(
  deps: SecurityDeps,
  caller: MemberCaller,
  { credential, name }: CallRequest<'x/passkey/Register'>,
): Promise<CallAnswer<CallResponse<'x/passkey/Register'>>> {
  const site = deps.passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const sender = { ...caller, device: caller.sessionId };
  const limited = await deps.budgets.take('factorTriesPerProof', sender, caller.now);
  if (limited !== undefined) return limited;
  const purpose = registerPurpose(caller);
  const made = await madePasskey(credential, { key: deps.key, site, purpose, now: caller.now });
  if (made === undefined) return refusal({ error: 'passkey-failed' });
  const isFirstFactor = (await secondFactorsOf(deps, caller.user)) === undefined;
  const hasCodes = !isFirstFactor && (await deps.security.recoveryCodesLeft(caller.user)) > 0;
  const codes = hasCodes ? [] : drawRecoveryCodes(deps.random);
  const id = uuidV7(caller.now, deps.random(10));
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/passkey/Register', renews: caller.sessionId, ends: 'others' },
    proofs: [{ kind: 'challenge', ...made.challenge }],
    effects: [
      { kind: 'passkey', passkey: { id, name, ...made.passkey } },
      ...(hasCodes ? [] : [recoveryCodesEffect(codes)]),
    ],
    ...{ locks: 'passkey', isFirst: true, tells: 'passkey-added' },
  });
  if (done.ok) await deps.budgets.restart('factorTriesPerProof', sender);
  return renewedAnswer(done, { recoveryCodes: codes.map(groupedCode) });
}

/** x/passkey/List: what tells them apart; neither keys nor the ids by which authenticators know them. */
export async function listPasskeys(
  { passkeys }: SecurityDeps,
  { user }: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/passkey/List'>>> {
  const rows = await passkeys.of(user);
  return {
    ok: true,
    value: rows.map(({ id, name, createdAt, lastUsedAt, backedUp }) => {
      return { id, name, createdAt, lastUsedAt: lastUsedAt ?? null, backedUp };
    }),
  };
}

/** One that is not there, or somebody else's: told apart by nothing. */
async function unknownPasskey(deps: SecurityDeps, { user }: MemberCaller, id: string) {
  const isOwn = (await deps.passkeys.of(user)).some((passkey) => passkey.id === id);
  return isOwn
    ? undefined
    : refusal({ error: 'field-invalid', field: 'id', allowed: 'an id of x/passkey/List' });
}

/** x/passkey/Rename: a name proves nothing, and so needs no grant. */
export async function renamePasskey(
  deps: SecurityDeps,
  caller: MemberCaller,
  { id, name }: CallRequest<'x/passkey/Rename'>,
): Promise<CallAnswer<CallResponse<'x/passkey/Rename'>>> {
  const unknown = await unknownPasskey(deps, caller, id);
  if (unknown !== undefined) return unknown;
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/passkey/Rename', proofs: [] },
    effects: [{ kind: 'passkey-name', id, name }],
  });
  return done.ok ? { ok: true, value: {} } : done;
}

/**
 * x/passkey/Remove: with the last second factor its recovery codes end, and password and mailbox log in as before it. Whoever is
 * logged in elsewhere, perhaps by it, is logged out.
 */
export async function removePasskey(
  deps: SecurityDeps,
  caller: MemberCaller,
  { id, grant }: CallRequest<'x/passkey/Remove'>,
): Promise<CallAnswer<CallResponse<'x/passkey/Remove'>>> {
  const unknown = await unknownPasskey(deps, caller, id);
  if (unknown !== undefined) return unknown;
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/passkey/Remove', renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, grant)],
    effects: [{ kind: 'passkey-removed', id }],
    ...{ locks: 'passkey', tells: 'passkey-removed' },
  });
  return renewedAnswer(done, {});
}

/** x/passkey/StepUpOptions: a challenge for x/account/StepUp in this session. */
export async function passkeyStepUpOptions(
  deps: SecurityDeps,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/passkey/StepUpOptions'>>> {
  const site = deps.passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const known = await deps.passkeys.of(caller.user);
  const challenge = makeChallenge(deps.key, deps.random, {
    purpose: stepUpPurpose(caller),
    now: caller.now,
  });
  return { ok: true, value: { options: await answerOptions(site, challenge, known) } };
}
