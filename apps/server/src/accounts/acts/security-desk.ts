import type { CallAnswer, Caller, CallName, MemberCaller, SessionCookie } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { CodeDeps } from '../factors/codes.ts';
import type { IsCommonPassword } from '../factors/known-passwords.ts';
import type { Passwords } from '../factors/passwords.ts';
import { sha256Hex } from '../keyed-hash.ts';
import type { KycStore } from '../kyc/kyc-ports.ts';
import type { PasskeySiteOf, PasskeyStore } from '../passkey-ports.ts';
import { type Mail, type Refused, refusal, type TextSender } from '../ports.ts';
import { FACTOR_EVENTS, type SecurityEvent } from '../security-mails.ts';
import type { Acted, Effect, LockCause, Proof, SecurityStore } from '../security-ports.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** What everything about credentials needs. */
export interface SecurityDeps extends CodeDeps {
  readonly security: SecurityStore;
  readonly passkeys: PasskeyStore;
  readonly passkeySite: PasskeySiteOf;
  readonly kyc: Pick<KycStore, 'standing'>;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly events: SessionEvents;
  readonly productName: string;
  /** Tells a phone what has happened. It is done: what is not accepted is a line of the log, and no refusal. */
  readonly tellByText: TextSender['send'];
  readonly isCommonPassword: IsCommonPassword;
  /** Where links in mails lead, for a caller at this origin. */
  readonly linkBase: (origin: string) => string;
}

const FREEZE_LINK_LIFE_MILLIS = 7 * 86_400_000;

/** An act as its call sees it; what every act has in common is added here. */
export interface Plan {
  readonly user: UserId;
  readonly call: CallName;
  readonly proofs: readonly Proof[];
  readonly effects: readonly Effect[];
  readonly locks?: LockCause;
  readonly isFirst?: boolean;
  readonly ends?: 'others' | 'all';
  /** The acting session, which gets a new cookie. */
  readonly renews?: string;
  /** What is mailed of it, with a "this was not me" link unless it is the freeze itself. */
  readonly tells?: SecurityEvent;
  /** Addresses that are told besides the stored one. */
  readonly alsoTo?: readonly string[];
}

/** What an act came to. */
export interface CarriedOut {
  readonly ok: true;
  readonly acted: Acted;
  readonly cookie: SessionCookie | undefined;
  /** The acting session's token after the act; empty where none goes on. */
  readonly token: string;
}

/** Events that stop what they tell of, so that there is nothing left to freeze. */
const WITHOUT_LINK: readonly SecurityEvent[] = ['frozen', 'unfrozen'];

async function mailsOf(
  deps: SecurityDeps,
  caller: Caller,
  { plan, token }: { readonly plan: Plan; readonly token: string },
): Promise<readonly Mail[]> {
  const { tells, user, alsoTo = [] } = plan;
  if (tells === undefined) return [];
  const { email, language, antiPhishing } = await deps.security.profile(user);
  const link = `${deps.linkBase(caller.origin)}/freeze#${token}`;
  const text = deps.mails.security(tells, {
    ...{ language, antiPhishing, address: caller.address, at: new Date(caller.now).toISOString() },
    ...(WITHOUT_LINK.includes(tells) ? {} : { freezeLink: link }),
  });
  const known = email === undefined ? [] : [email];
  return [...known, ...alsoTo].map((to) => ({ to, ...text }));
}

/** Who has no mailbox is told by text of what could lock the owner out. */
async function tellNumber(deps: SecurityDeps, { user, tells }: Plan, now: Millis): Promise<void> {
  if (tells === undefined || !FACTOR_EVENTS.includes(tells)) return;
  const { email, mobile, language } = await deps.security.profile(user);
  if (email === undefined && mobile !== undefined)
    await deps.tellByText({ to: mobile, text: deps.mails.factorBoundText(language) }, now);
}

/** Does what a plan says, in one transaction, and tells who must hear of it. */
export async function carryOut(
  deps: SecurityDeps,
  caller: Caller,
  plan: Plan,
): Promise<CarriedOut | Refused> {
  const { user, call, proofs, effects, locks, isFirst = false, ends, renews } = plan;
  const next = deps.sessions.nextCookie();
  const freeze = Buffer.from(deps.random(16)).toString('base64url');
  const mails = await mailsOf(deps, caller, { plan, token: freeze });
  const expiresAt = (caller.now + FREEZE_LINK_LIFE_MILLIS) as Millis;
  const done = await deps.security.act({
    ...{ user, call, proofs, effects, mails, address: caller.address, now: caller.now },
    ...(locks === undefined ? {} : { locks, isFirst }),
    ...(ends === undefined ? {} : { ends }),
    ...(renews === undefined ? {} : { renews: { session: renews, hash: next.hash } }),
    ...(mails.length === 0 ? {} : { freezeToken: { hash: sha256Hex(freeze), expiresAt } }),
  });
  if (!done.ok) return refusal({ error: done.code });
  const { ended, renewed } = done.value;
  for (const end of ended) deps.events.ended(end);
  await tellNumber(deps, plan, caller.now);
  if (renewed === undefined || renews === undefined) {
    return { ok: true, acted: done.value, cookie: undefined, token: '' };
  }
  deps.events.newCookie(renewed.formerHash);
  const maxAgeSeconds = Math.max(1, Math.floor((renewed.expiresAt - caller.now) / 1000));
  return {
    ...{ ok: true, acted: done.value },
    cookie: { set: next.value, maxAgeSeconds },
    token: deps.sessions.tokenOf(renews, renewed.epoch),
  };
}

/** The answer of an act after which its session goes on under a new cookie and token. */
export function renewedAnswer<Data extends object>(
  done: CarriedOut | Refused,
  data: Data,
): CallAnswer<Data & { readonly token: string }> {
  if (!done.ok) return done;
  const value = { ...data, token: done.token };
  return { ok: true, value, ...(done.cookie === undefined ? {} : { cookie: done.cookie }) };
}

/** The grant that an act on credentials uses up. */
export function grantProof(caller: MemberCaller, grant: string): Proof {
  return { kind: 'grant', hash: sha256Hex(grant), session: caller.sessionId, purpose: 'credentials' };
}
