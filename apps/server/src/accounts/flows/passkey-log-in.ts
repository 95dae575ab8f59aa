import type { CallAnswer, Caller, CallRequest, CallResponse, DeviceCookie } from '@crossbook/contract';
import { logInPurpose, passkeyProof, recoverPurpose } from '../acts/second-factor.ts';
import type { SecurityDeps } from '../acts/security-desk.ts';
import { reachedAt } from '../contacts.ts';
import { type ChallengePurpose, makeChallenge } from '../factors/passkey-challenge.ts';
import { answerOptions, handleOf } from '../factors/passkeys.ts';
import { sha256Hex } from '../keyed-hash.ts';
import type { PasskeySite, StoredPasskey } from '../passkey-ports.ts';
import { about, type Refused, refusal } from '../ports.ts';
import { flowOfTicket, openMemberSession } from './log-in-steps.ts';

/** Who asks, with a cookie to keep where there was none: the answer must come from the browser that asked. */
function withCookie(
  deps: SecurityDeps,
  caller: Caller,
): { readonly asking: Caller; readonly device: DeviceCookie | undefined } {
  const device = deps.devices.first(caller);
  return { asking: device === undefined ? caller : { ...caller, device: sha256Hex(device.set) }, device };
}

async function optionsFor(
  deps: SecurityDeps,
  caller: Caller,
  asked: {
    readonly site: PasskeySite;
    readonly purpose: ChallengePurpose;
    readonly known: readonly StoredPasskey[];
  },
): Promise<string> {
  const { site, purpose, known } = asked;
  const challenge = makeChallenge(deps.key, deps.random, { purpose, now: caller.now });
  return answerOptions(site, challenge, known);
}

/** The challenge of a log-in's step, for the passkeys of its member; only to who began the log-in. */
async function stepOptions(
  deps: SecurityDeps,
  caller: Caller,
  { site, ticket }: { readonly site: PasskeySite; readonly ticket: string },
): Promise<CallAnswer<CallResponse<'x/passkey/LoginOptions'>>> {
  const flow = await flowOfTicket(deps, caller, ticket);
  const isAsker = flow !== undefined && flow.device === (await deps.devices.askerOf(caller));
  if (flow?.steps[0] !== 'totp' || !isAsker) return refusal({ error: 'flow-invalid' });
  const purpose = await logInPurpose(deps, caller, flow.id);
  const known = await deps.passkeys.of(flow.user);
  return { ok: true, value: { options: await optionsFor(deps, caller, { site, purpose, known }) } };
}

/** x/passkey/LoginOptions: a challenge; without a ticket nobody knows yet who will answer it. */
export async function logInOptions(
  deps: SecurityDeps,
  caller: Caller,
  { purpose: wanted, ticket }: CallRequest<'x/passkey/LoginOptions'>,
): Promise<CallAnswer<CallResponse<'x/passkey/LoginOptions'>>> {
  const site = deps.passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  if (ticket !== undefined) return stepOptions(deps, caller, { site, ticket });
  const { asking, device } = withCookie(deps, caller);
  const purpose = await (wanted === 'login' ? logInPurpose(deps, asking, '') : recoverPurpose(deps, asking));
  const options = await optionsFor(deps, caller, { site, purpose, known: [] });
  return { ok: true, value: { options }, ...(device === undefined ? {} : { device }) };
}

type Found = { readonly ok: true; readonly passkey: StoredPasskey; readonly trusted: boolean } | Refused;

/** Whose passkey has answered. Tries count for the sender, unless it is a browser of that member. */
async function answering(
  deps: SecurityDeps,
  caller: Caller,
  answer: CallRequest<'x/passkey/Login'>['passkey'],
): Promise<Found> {
  const passkey = await deps.passkeys.byCredential(answer.id);
  const known = passkey === undefined ? undefined : await deps.security.profile(passkey.user);
  const trusted =
    known !== undefined && (await deps.devices.trusted(reachedAt(known).to, caller)) !== undefined;
  const limited = trusted ? undefined : await deps.budgets.take('passkeysPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  // Who answers is learned from the passkey alone, so that it has to say so itself.
  const isOwn = passkey !== undefined && answer.response.userHandle === handleOf(deps.key, passkey);
  return isOwn ? { ok: true, passkey, trusted } : refusal({ error: 'passkey-failed' });
}

/** x/passkey/Login: something that is had and something that is known or one is, in one; no password is asked for besides. */
export async function logInByPasskey(
  deps: SecurityDeps,
  caller: Caller,
  { passkey: answer }: CallRequest<'x/passkey/Login'>,
): Promise<CallAnswer<CallResponse<'x/passkey/Login'>>> {
  if (deps.passkeySite(caller.origin) === undefined) return refusal({ error: 'passkey-host' });
  const found = await answering(deps, caller, answer);
  if (!found.ok) return found;
  const { passkey, trusted } = found;
  const purpose = await logInPurpose(deps, caller, '');
  const proof = await passkeyProof(deps, caller, { answer, passkeys: [passkey], purpose });
  if (!proof.ok) return about(passkey.user, proof);
  const arrived = { user: passkey.user, call: 'x/passkey/Login', factors: 'passkey', trusted } as const;
  const opened = await openMemberSession(deps, caller, arrived, () => proof.proofs);
  if (opened.ok && !trusted) await deps.budgets.undoTake('passkeysPerAddress', caller);
  return opened;
}
