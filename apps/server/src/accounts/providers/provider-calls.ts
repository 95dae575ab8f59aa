import type { CallAnswer, Caller, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { type Millis, type UserId, uuidV7 } from '@crossbook/domain';
import { carryOut, grantProof, renewedAnswer } from '../acts/security-desk.ts';
import { reachedAt } from '../contacts.ts';
import { codeOfFlow } from '../factors/codes.ts';
import { beginSteps, openMemberSession } from '../flows/log-in-steps.ts';
import { stepsOf } from '../flows/sign-in.ts';
import { contactOfForm, registerMember, type SignUpDeps } from '../flows/sign-up.ts';
import { keyedHash, type SecretKey, sameText } from '../keyed-hash.ts';
import { refusal } from '../ports.ts';
import type { Arrival, ProviderIdentity } from '../provider-ports.ts';
import { confirmedBy, type ProviderDeps } from './visits.ts';

/** Who came from the service has this long to register or to link. */
export const ARRIVAL_LIFE_MILLIS = 15 * 60_000;

type LogInAnswer = CallAnswer<CallResponse<'user/oauthlogin'>>;

function ticketOf(key: SecretKey, id: string): string {
  return `${id}.${keyedHash(key, 'arrival', id)}`;
}

/** The arrival of a ticket, in the browser that it was given to. */
async function arrivalOf(deps: ProviderDeps, caller: Caller, ticket: string): Promise<Arrival | undefined> {
  const id = ticket.slice(0, 36);
  if (!/^[0-9a-f-]{36}$/.test(id) || !sameText(ticket, ticketOf(deps.key, id))) return undefined;
  const browser = await deps.devices.of(caller);
  return browser === undefined ? undefined : deps.providers.arrival(id, browser, caller.now);
}

/** Of somebody without a link here. Whether the address has an account is told to who has proved it, to nobody else. */
async function welcome(
  deps: ProviderDeps,
  caller: Caller,
  { identity, browser }: { readonly identity: ProviderIdentity; readonly browser: string },
): Promise<LogInAnswer> {
  const id = uuidV7(caller.now, deps.random(10));
  const expiresAt = (caller.now + ARRIVAL_LIFE_MILLIS) as Millis;
  await deps.providers.keepArrival({ ...identity, id, browser, expiresAt });
  const { email, emailVerified } = identity;
  const isTaken = email !== undefined && emailVerified && (await deps.members.byContact(email)) !== undefined;
  const ticket = ticketOf(deps.key, id);
  const next = isTaken ? ('link' as const) : ('bindPsd' as const);
  return { ok: true, value: { next, ticket, email: email ?? null, emailVerified } };
}

/** The service stands for the password; everything after the password is asked for as at any log-in. */
async function logInAs(deps: ProviderDeps, caller: Caller, user: UserId): Promise<LogInAnswer> {
  const { to } = reachedAt(await deps.security.profile(user));
  const trusted = (await deps.devices.trusted(to, caller)) !== undefined;
  const factors = 'oidc';
  const [first, ...rest] = await stepsOf(deps, caller, { user, known: trusted });
  if (first !== undefined) return beginSteps(deps, caller, { user, factors, steps: [first, ...rest] });
  return openMemberSession(deps, caller, { user, call: 'user/oauthlogin', factors, trusted });
}

/** user/oauthlogin: an account is found by issuer and subject alone, never by an address. */
export async function providerLogIn(
  deps: ProviderDeps,
  caller: Caller,
  request: CallRequest<'user/oauthlogin'>,
): Promise<LogInAnswer> {
  const confirmed = await confirmedBy(deps, caller, request);
  if (!confirmed.ok) return confirmed;
  const user = await deps.providers.memberOf(confirmed.identity);
  return user === undefined ? welcome(deps, caller, confirmed) : logInAs(deps, caller, user);
}

/**
 * x/oauth/BindPassword: registers who came from the service. Its address counts where it is confirmed there; any other is
 * proved by a code, as at every sign-up, and so is a number.
 */
export async function bindPassword(
  deps: ProviderDeps & SignUpDeps,
  caller: Caller,
  request: CallRequest<'x/oauth/BindPassword'>,
): Promise<CallAnswer<CallResponse<'x/oauth/BindPassword'>>> {
  const arrival = await arrivalOf(deps, caller, request.ticket);
  if (arrival === undefined) return refusal({ error: 'flow-invalid' });
  const { email, mobile } = request;
  const isTyped = email !== undefined || mobile !== undefined;
  const contact = await contactOfForm(deps, caller, isTyped ? request : { ...request, email: arrival.email });
  if ('ok' in contact) return contact;
  const isConfirmed = !isTyped && arrival.emailVerified;
  const codeId = isConfirmed
    ? undefined
    : await codeOfFlow(deps, caller, request.flow ?? '', { target: contact.to, purpose: 'register' });
  if (!isConfirmed && codeId === undefined) return refusal({ error: 'flow-invalid' });
  return registerMember(deps, caller, {
    ...{ contact, request, codeId, call: 'x/oauth/BindPassword' },
    ...{ arrivalId: arrival.id, factors: 'oidc' },
  });
}

/** x/oauth/Link: who is logged in and has proved it once more says that the log-in there opens this account. */
export async function linkProvider(
  deps: ProviderDeps,
  caller: MemberCaller,
  { ticket, grant }: CallRequest<'x/oauth/Link'>,
): Promise<CallAnswer<CallResponse<'x/oauth/Link'>>> {
  const arrival = await arrivalOf(deps, caller, ticket);
  if (arrival === undefined) return refusal({ error: 'flow-invalid' });
  const { id: arrivalId, issuer, subject } = arrival;
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/oauth/Link', renews: caller.sessionId },
    proofs: [grantProof(caller, grant), { kind: 'arrival', id: arrivalId }],
    effects: [{ kind: 'provider-link', issuer, subject }],
    ...{ locks: 'provider', isFirst: true, tells: 'provider-linked' },
  });
  return renewedAnswer(done, {});
}

/** x/oauth/Unlink: the log-in there opens nothing any more, and what it may have opened is logged out. */
export async function unlinkProvider(
  deps: ProviderDeps,
  caller: MemberCaller,
  { grant }: CallRequest<'x/oauth/Unlink'>,
): Promise<CallAnswer<CallResponse<'x/oauth/Unlink'>>> {
  if ((await deps.providers.linkedAt(caller.user)) === undefined) return refusal({ error: 'flow-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/oauth/Unlink', renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, grant)],
    effects: [{ kind: 'provider-unlink' }],
    ...{ locks: 'provider', tells: 'provider-unlinked' },
  });
  return renewedAnswer(done, {});
}
