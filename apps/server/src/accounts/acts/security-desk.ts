import type { CallAnswer, Caller, CallName, MemberCaller, SessionCookie } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import { type CodeDeps, FREEZE_LINK_LIFE_MILLIS, freezeLink } from '../factors/codes.ts';
import type { IsCommonPassword } from '../factors/known-passwords.ts';
import type { Passwords } from '../factors/passwords.ts';
import { sha256Hex } from '../keyed-hash.ts';
import type { KycStore } from '../kyc/kyc-ports.ts';
import type { PasskeySiteOf, PasskeyStore } from '../passkey-ports.ts';
import { type Mail, type Refused, refusal } from '../ports.ts';
import type { SecurityEvent } from '../security-mails.ts';
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
  readonly isCommonPassword: IsCommonPassword;
}

/** What locks money is a changed credential, and that is always told, by mail or to who has none by text, with a "this was not me" link unless it is the freeze itself. */
type LockAndMail =
  | { readonly locks: LockCause; readonly tells: SecurityEvent }
  | { readonly locks?: undefined; readonly tells?: SecurityEvent };

/** An act as its call sees it; what every act has in common is added here. */
export type Plan = LockAndMail & PlanBesides;

interface PlanBesides {
  readonly user: UserId;
  readonly call: CallName;
  readonly proofs: readonly Proof[];
  readonly effects: readonly Effect[];
  readonly isFirst?: boolean;
  readonly ends?: 'others' | 'all';
  /** The acting session, which gets a new cookie. */
  readonly renews?: string;
  /** Addresses and numbers that are told besides the stored one. */
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

/** What an act tells, by mail and text, and whose number it goes to. */
interface Notices {
  readonly mails: readonly Mail[];
  /** Counted once the act is done. */
  readonly texted: string | undefined;
}

/** Who has no mailbox is told by text, as often a day as a person can want to know. */
async function numberToTell(
  deps: SecurityDeps,
  { user, email, mobile }: { readonly user: UserId; readonly email?: string; readonly mobile?: string },
  now: Millis,
): Promise<string | undefined> {
  if (email !== undefined || mobile === undefined) return undefined;
  const used = await deps.budgets.used('securityTextsPerMember', String(user), now);
  return used < deps.budgets.limitOf('securityTextsPerMember') ? mobile : undefined;
}

async function noticesOf(
  deps: SecurityDeps,
  caller: Caller,
  { plan, token }: { readonly plan: Plan; readonly token: string },
): Promise<Notices> {
  const { tells, user, alsoTo = [] } = plan;
  if (tells === undefined) return { mails: [], texted: undefined };
  const { email, mobile, language, antiPhishing } = await deps.security.profile(user);
  const link = freezeLink(deps, caller, token);
  const freeze = WITHOUT_LINK.includes(tells) ? {} : { freezeLink: link };
  const mail = deps.mails.security(tells, {
    ...{ language, antiPhishing, address: caller.address, at: new Date(caller.now).toISOString() },
    ...freeze,
  });
  const body = deps.mails.securityText(tells, { language, ...freeze });
  const known = await numberToTell(
    deps,
    { user, ...(email === undefined ? {} : { email }), ...(mobile === undefined ? {} : { mobile }) },
    caller.now,
  );
  const texted = known ?? (email === undefined ? alsoTo.find((to) => to.startsWith('+')) : undefined);
  const all = [...(email === undefined ? [] : [email]), ...(known === undefined ? [] : [known]), ...alsoTo];
  return {
    mails: all.map((to) => (to.startsWith('+') ? { to, subject: 'SMS', body } : { to, ...mail })),
    texted,
  };
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
  const { mails, texted } = await noticesOf(deps, caller, { plan, token: freeze });
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
  if (texted !== undefined) await deps.budgets.count('securityTextsPerMember', String(user), caller.now);
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
