import type { AdminCaller, AdminHandlers, AdminRecoveryRow, CallAnswer } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { AccountBudgets } from '../accounts/budgets.ts';
import { contactOf, masked } from '../accounts/contacts.ts';
import { sha256Hex } from '../accounts/keyed-hash.ts';
import type { MailWriter } from '../accounts/mails.ts';
import { type RandomBytes, refusal } from '../accounts/ports.ts';
import { letterTo } from '../accounts/recovery-mails.ts';
import type { RecoveryStatement } from '../accounts/recovery-ports.ts';
import type { SecurityStore } from '../accounts/security-ports.ts';
import {
  type Act,
  type ActOutcome,
  type Asking,
  actingOf,
  type Letters,
  type Page,
  type PageOf,
} from './ports.ts';

/** A request of a member who has lost what proves him. */
export interface StoredRecovery {
  readonly id: string;
  readonly member: UserId;
  readonly nickname: string;
  readonly contact: string;
  readonly askedAt: Millis;
  readonly state: 'asked' | 'waiting';
  readonly dueAt: Millis | null;
}

/** A request as it stands, also one that was decided or is over. */
export type KnownRecovery = Omit<StoredRecovery, 'state'> & {
  readonly isOpen: boolean;
  readonly isAsked: boolean;
};

/** A request as who decides sees it. */
export interface OpenedRecovery extends StoredRecovery {
  readonly stated: RecoveryStatement;
  readonly kept: RecoveryStatement;
}

/** Requests of members who have lost what proves them, as the staff decides them. */
export interface RecoveryDesk {
  /** Those that are open, the oldest first. */
  list(page: PageOf): Promise<Page<StoredRecovery>>;
  one(id: string): Promise<KnownRecovery | undefined>;
  /** What is stated and what the papers hold; the look is an entry of the audit log, and lets its admin approve. */
  open(act: Omit<Act, 'reason'>, id: string): Promise<OpenedRecovery | undefined>;
  /** Ends one that is open. */
  refuse(act: Act, id: string, letters: Letters): Promise<ActOutcome>;
}

/** As those of the mails that a member's own acts write. */
const FREEZE_LINK_LIFE_MILLIS = 7 * 86_400_000;

/** What the calls about them need. */
export interface RecoveryCallsDeps {
  readonly recoveries: RecoveryDesk;
  readonly security: Pick<SecurityStore, 'profile'>;
  readonly mails: MailWriter;
  readonly budgets: AccountBudgets;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  /** Asks for a decision of two. */
  readonly ask: Asking;
}

/** What telling of an approved request needs. */
export interface RecoveryLettersDeps extends Pick<RecoveryCallsDeps, 'recoveries' | 'security' | 'mails'> {
  readonly random: RandomBytes;
  /** Where links in mails lead. */
  readonly linkBase: (origin: string) => string;
}

/** The calls about members who have lost what proves them. */
export type RecoveryCall = `x/admin/Recover${'ies' | 'yView' | 'yApprove' | 'yRefuse'}`;

function maskedContact(to: string): string {
  const contact = contactOf(to);
  return contact === undefined ? '' : masked(contact);
}

function rowOf({ demo }: AdminCaller, found: StoredRecovery): AdminRecoveryRow {
  const { id, member, nickname, contact, askedAt, state, dueAt } = found;
  return {
    id,
    member,
    nickname: demo ? '***' : nickname,
    contact: maskedContact(contact),
    askedAt,
    state,
    dueAt,
  };
}

/**
 * What is said once two have approved: to every contact that the account has, with the link that stops it, and to the new one, how
 * it goes on.
 */
export async function approvedLetters(
  { recoveries, security, mails, random, linkBase }: RecoveryLettersDeps,
  caller: AdminCaller,
  recovery: string,
): Promise<Letters | undefined> {
  const found = await recoveries.one(recovery);
  if (found?.isOpen !== true) return undefined;
  const { email, mobile, language, antiPhishing } = await security.profile(found.member);
  const token = Buffer.from(random(16)).toString('base64url');
  const base = linkBase(caller.origin);
  const contacts = [email, mobile].filter((to) => to !== undefined);
  const goesOn = mails.recoveryGoesOn(language, `${base}/lostAccess`);
  return {
    mails: [
      ...mails.recoveryNotices(contacts, {
        ...{ language, antiPhishing, freezeLink: `${base}/freeze#${token}` },
        ...{ at: new Date(caller.now).toISOString(), address: '' },
      }),
      letterTo(found.contact, goesOn, goesOn.subject),
    ],
    freezeToken: {
      ...{ hash: sha256Hex(token), member: found.member },
      expiresAt: (caller.now + FREEZE_LINK_LIFE_MILLIS) as Millis,
    },
  };
}

async function view(
  deps: RecoveryCallsDeps,
  caller: AdminCaller,
  id: string,
): Promise<
  CallAnswer<
    Awaited<ReturnType<AdminHandlers['x/admin/RecoveryView']>> extends CallAnswer<infer Data> ? Data : never
  >
> {
  if (caller.demo) return refusal({ error: 'demo-refused' });
  const sender = { address: caller.address, device: `admin ${caller.admin}` };
  const limited = await deps.budgets.take('kycViewsPerReviewer', sender, caller.now);
  if (limited !== undefined) return limited;
  const opened = await deps.recoveries.open({ ...actingOf(caller), call: 'x/admin/RecoveryView' }, id);
  if (opened === undefined) {
    await deps.budgets.undoTake('kycViewsPerReviewer', sender);
    return refusal({
      error: (await deps.recoveries.one(id)) === undefined ? 'subject-unknown' : 'already-decided',
    });
  }
  const { email } = await deps.security.profile(opened.member);
  const own = email === caller.adminName || opened.contact === caller.adminName;
  return { ok: true, value: { ...rowOf(caller, opened), stated: opened.stated, kept: opened.kept, own } };
}

/** Members who have lost what proves them: seen, approved by two, or refused by one. */
export function recoveryCalls(deps: RecoveryCallsDeps): Pick<AdminHandlers, RecoveryCall> {
  const { recoveries, mails, security, actOf } = deps;
  return {
    'x/admin/Recoveries': async (caller, { limit, cursor }) => {
      const { rows, next } = await recoveries.list({ limit, cursor });
      return { ok: true, value: { rows: rows.map((row) => rowOf(caller, row)), next } };
    },
    'x/admin/RecoveryView': (caller, { recovery }) => view(deps, caller, recovery),
    'x/admin/RecoveryApprove': async (caller, { recovery, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const found = await recoveries.one(recovery);
      if (found === undefined) return refusal({ error: 'subject-unknown' });
      if (!found.isAsked) return refusal({ error: 'already-decided' });
      const what = { recovery, member: found.member, contact: maskedContact(found.contact) };
      const act = actOf(caller, 'x/admin/RecoveryApprove', reason);
      return deps.ask(act, { kind: 'recovery', subject: `recovery ${recovery}`, what });
    },
    'x/admin/RecoveryRefuse': async (caller, { recovery, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const found = await recoveries.one(recovery);
      if (found === undefined) return refusal({ error: 'subject-unknown' });
      const { language } = await security.profile(found.member);
      const notice = mails.recoveryRefused(language);
      const letters = { mails: [letterTo(found.contact, notice, notice.subject)] };
      const act = actOf(caller, 'x/admin/RecoveryRefuse', reason);
      const outcome = await recoveries.refuse(act, recovery, letters);
      return outcome === 'ok' ? { ok: true, value: {} } : refusal({ error: outcome });
    },
  };
}
