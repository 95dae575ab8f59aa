import type { z } from 'zod';
import type { ErrorName } from './errors.ts';
import type { CallAnswer, Caller } from './handler.ts';
import type { ADMIN_SCHEMAS, APPROVAL_KINDS } from './schema/admin.ts';
import type { ADMIN_ROLES } from './schema/admin-fields.ts';

/** Names of the back office's calls: the path behind `/api/`. They answer nobody but admins. */
export type AdminCallName = keyof typeof ADMIN_SCHEMAS;
/** What an admin's page may pass. */
export type AdminInput<Name extends AdminCallName> = z.input<(typeof ADMIN_SCHEMAS)[Name]['request']>;
/** What a handler gets after parsing. */
export type AdminRequest<Name extends AdminCallName> = z.output<(typeof ADMIN_SCHEMAS)[Name]['request']>;
/** What a call answers as `data`. */
export type AdminResponse<Name extends AdminCallName> = z.output<(typeof ADMIN_SCHEMAS)[Name]['response']>;
/** A role; an admin has one or several, never two that would let him decide alone. */
export type AdminRole = (typeof ADMIN_ROLES)[number];
/** What is decided by two people. */
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Kinds of files that the back office hands out. */
export type AdminFileKind = 'image/jpeg' | 'application/jsonl';

/** Facts of a call of the back office. */
export interface AdminCallFacts {
  /** Who may: `anyone` comes before a session, `all` is every admin; a role that is not named may not. */
  readonly roles: readonly AdminRole[] | 'anyone' | 'all';
  /** Changes something for others: a code of the authenticator, minutes old, is needed. */
  readonly changes: boolean;
  /** Success is this alone, without an envelope. */
  readonly answers?: AdminFileKind;
  readonly about: string;
}

const STAFF = ['support', 'kyc', 'treasury-maker', 'treasury-checker', 'admin'] as const;
const WATCHING = ['support', 'treasury-maker', 'treasury-checker', 'admin', 'auditor'] as const;
const WRITING = ['support', 'admin', 'auditor'] as const;
const ANYONE = { roles: 'anyone', changes: false } as const;
const READS = { roles: 'all', changes: false } as const;
const WATCHES = { roles: WATCHING, changes: false } as const;
const WRITES = { roles: WRITING, changes: false } as const;
const AUDITS = { roles: ['admin', 'auditor'], changes: false } as const;
const REVIEWS = { roles: ['kyc'], changes: false } as const;
const FUNDS_READS = {
  roles: ['treasury-maker', 'treasury-checker', 'admin', 'auditor'],
  changes: false,
} as const;
const OWN_ACTS = { ...READS, changes: true } as const;
const STAFF_ACTS = { roles: STAFF, changes: true } as const;
const REVIEW_ACTS = { ...REVIEWS, changes: true } as const;
const SUPPORT_ACTS = { roles: ['support', 'admin'], changes: true } as const;
const TREASURY_ACTS = { roles: ['treasury-maker'], changes: true } as const;
const ADMIN_ACTS = { roles: ['admin'], changes: true } as const;

type AllCalls<Facts> = { readonly [Name in AdminCallName]: Facts };

const rows = {
  'x/admin/StartBegin': { ...ANYONE, about: 'Opens a one-time link: the secret for the authenticator.' },
  'x/admin/Start': { ...ANYONE, about: 'Sets password and authenticator together, and uses the link up.' },
  'x/admin/LogIn': { ...ANYONE, about: 'Logs an admin in: address, password and authenticator at once.' },
  'x/admin/Demo': {
    ...ANYONE,
    about: 'Paper money with an outbox only: a look at the back office, as one of two demo admins.',
  },
  'x/admin/PasskeyLogInOptions': {
    ...ANYONE,
    about: 'A challenge for a passkey; nobody knows yet whose will answer it.',
  },
  'x/admin/PasskeyLogIn': {
    ...ANYONE,
    about: 'Logs an admin in by a passkey in place of address, password and authenticator.',
  },
  'x/admin/LogOut': { ...READS, about: 'Ends the session.' },
  'x/admin/Me': { ...READS, about: 'Who is logged in, and as what.' },
  'x/admin/StepUp': {
    ...READS,
    about: 'Proves the authenticator, or a passkey, once more: changes are open for 5 minutes.',
  },
  'x/admin/PasskeyStepUpOptions': { ...READS, about: 'A challenge for the passkey of x/admin/StepUp.' },
  'x/admin/Passkeys': { ...READS, about: "One's own passkeys, the oldest first." },
  'x/admin/PasskeyAddOptions': {
    ...OWN_ACTS,
    about: 'A challenge for a new passkey, for 5 minutes. Not for demo admins.',
  },
  'x/admin/PasskeyAdd': {
    ...OWN_ACTS,
    about: 'A passkey serves in place of password and authenticator from now on. Not for demo admins.',
  },
  'x/admin/PasskeyRemove': {
    ...OWN_ACTS,
    about: "Takes one of one's own passkeys off; the authenticator stays.",
  },
  'x/admin/MemberSearch': { ...READS, about: 'Members, newest first.' },
  'x/admin/MemberView': { ...READS, about: 'One member; contacts are masked.' },
  'x/admin/MemberFreeze': {
    ...STAFF_ACTS,
    about: 'Freezes a member and ends what is logged in; the member cannot undo it.',
  },
  'x/admin/MemberEndSessions': { ...STAFF_ACTS, about: 'Ends all sessions of a member.' },
  'x/admin/MemberTkropen': { ...SUPPORT_ACTS, about: 'Opens or closes Korean for a member.' },
  'x/admin/MemberUnfreeze': {
    ...SUPPORT_ACTS,
    about: 'Asks for a member to be unfrozen; somebody else decides.',
  },
  'x/admin/MemberKol': { ...SUPPORT_ACTS, about: 'Asks for a KOL code and its rate; somebody else decides.' },
  'x/admin/MemberReveal': {
    roles: ['support', 'kyc', 'admin'],
    changes: true,
    about: 'One contact of a member, unmasked; 20 a day, each in the audit log. Not for demo admins.',
  },
  'x/admin/KycQueue': { ...REVIEWS, about: 'Members whose papers wait, the longest waiting first.' },
  'x/admin/KycView': {
    ...REVIEWS,
    about:
      'A case that waits, with what its member states, masked for a demo admin; each look stands in the audit log. ' +
      'Who opens it has it for 15 minutes, and nobody else meanwhile; a demo admin has none.',
  },
  'x/admin/KycRelease': {
    ...REVIEWS,
    about: 'Gives a case back that one has open and does not decide; whoever opens it next has it.',
  },
  'x/admin/KycPicture': {
    ...{ ...REVIEWS, answers: 'image/jpeg' },
    about:
      'A picture of a case that waits, as JPEG with who looks and when in its pixels; each look stands in the audit log. ' +
      'Not for demo admins.',
  },
  'x/admin/KycPass': { ...REVIEW_ACTS, about: 'Passes a case that was seen: "Certification successful".' },
  'x/admin/KycRefuse': {
    ...REVIEW_ACTS,
    about: 'Refuses a case that was seen, with a reason that its member is told.',
  },
  'x/admin/KycRevoke': {
    ...REVIEW_ACTS,
    about:
      'Asks for a passed identity check to be taken back; another one of this role decides. Not for demo admins.',
  },
  'x/admin/Recoveries': {
    roles: ['support', 'kyc', 'admin', 'auditor'],
    changes: false,
    about: 'Members who have lost what proves them and ask to be let in by a new contact, the oldest first.',
  },
  'x/admin/RecoveryView': {
    ...REVIEWS,
    about:
      'What such a member states beside what the passed identity check holds; each look stands in the audit log. Not for demo admins.',
  },
  'x/admin/RecoveryApprove': {
    ...{ roles: ['support', 'kyc'], changes: true },
    about:
      'Asks for a member to be let in again; another one who has compared the papers decides. Not for demo admins.',
  },
  'x/admin/RecoveryRefuse': {
    ...{ roles: ['support', 'kyc', 'admin'], changes: true },
    about: 'Ends such a request, also one that was approved and waits. Not for demo admins.',
  },
  'x/admin/GateOpen': {
    ...TREASURY_ACTS,
    about: 'Asks for the money gate to be opened after a whole check; somebody else decides.',
  },
  'x/admin/Approvals': { ...READS, about: 'Decisions of two people, newest first.' },
  'x/admin/Approve': {
    roles: ['kyc', 'treasury-checker', 'admin'],
    changes: true,
    about: 'Approves and does what somebody else has asked for.',
  },
  'x/admin/Refuse': {
    ...STAFF_ACTS,
    about: 'Refuses what somebody else has asked for, or takes back what one has asked for.',
  },
  'x/admin/AuditSearch': { ...AUDITS, about: 'The audit log, newest first.' },
  'x/admin/AuditVerify': { ...AUDITS, about: 'Recomputes the chain over the whole audit log.' },
  'x/admin/AuditExport': {
    ...{ roles: ['admin', 'auditor'], changes: true, answers: 'application/jsonl' },
    about:
      'Places of the audit log as a file whose chain can be verified; each stands in the log. Not for demo admins.',
  },
  'x/admin/Health': {
    ...WATCHES,
    about: 'Invariants of the ledger, the money gate, platforms, halts, mails that wait.',
  },
  'x/admin/ContentList': {
    ...WRITES,
    about: 'Texts of a kind by their address, with the state of the newest version.',
  },
  'x/admin/ContentView': {
    ...WRITES,
    about: 'One text in three languages: the draft, else the newest version.',
  },
  'x/admin/ContentDraft': {
    ...SUPPORT_ACTS,
    about: 'Saves the words of one language to a draft; nobody but admins sees it.',
  },
  'x/admin/ContentDiscard': { ...SUPPORT_ACTS, about: 'Throws a draft away.' },
  'x/admin/ContentPublish': {
    ...ADMIN_ACTS,
    about: 'Publishes a draft that is complete; for Terms and Privacy somebody else decides.',
  },
  'x/admin/OrderResolve': {
    ...TREASURY_ACTS,
    about:
      'Asks the hub to end an order of which nothing can be proved; with real money somebody else decides first.',
  },
  'x/admin/Admins': {
    ...AUDITS,
    about: 'Who is an admin with which roles, the newest first; names are masked for demo admins.',
  },
  'x/admin/AdminInvite': {
    ...ADMIN_ACTS,
    about: 'Asks for somebody to become an admin; another admin decides. Not for demo admins.',
  },
  'x/admin/AdminLink': {
    ...ADMIN_ACTS,
    about:
      'The one-time link of an invitation that was approved, for who asked; the one of before stops counting.',
  },
  'x/admin/AdminRoles': {
    ...ADMIN_ACTS,
    about: 'Asks for other roles of an admin; neither the asker nor the admin decides. Ends his sessions.',
  },
  'x/admin/AdminDisable': {
    ...ADMIN_ACTS,
    about: 'Asks for an admin to be one no longer; somebody else decides. The last admin stays.',
  },
  'x/admin/Platforms': { ...AUDITS, about: 'Which platforms are open to new risk, and who has said so.' },
  'x/admin/PlatformClose': {
    ...ADMIN_ACTS,
    about:
      'Closes a platform to new risk at once; cancelling, closing and moving out go on. Not for demo admins.',
  },
  'x/admin/PlatformOpen': {
    ...ADMIN_ACTS,
    about: 'Asks for a platform to be opened; another admin decides.',
  },
  'x/admin/Funds': { ...FUNDS_READS, about: 'What the ledger holds of each asset, by whose it is.' },
  'x/admin/Offer': {
    ...FUNDS_READS,
    about: 'Currencies, networks, what exchanges take, what the hub gives, and what each tier may have.',
  },
  'x/admin/LimitSet': {
    ...TREASURY_ACTS,
    about:
      'Asks for a limit of a tier to be set; another admin decides. A higher one holds a day later. Not for demo admins.',
  },
  'x/admin/FeeSet': {
    ...TREASURY_ACTS,
    about:
      'Asks for what the hub gives to be set; another admin decides. More holds a day later. Not for demo admins.',
  },
  'x/admin/CurrencySet': {
    ...TREASURY_ACTS,
    about:
      'Asks for a currency to be shown or hidden, opened or closed; another admin decides. Opening holds a day later.',
  },
  'x/admin/NetworkSet': {
    ...TREASURY_ACTS,
    about:
      'Asks for the terms of a currency on a network; another admin decides. What loosens or costs more holds a day later.',
  },
  'x/admin/Mails': {
    ...WRITES,
    about: 'Mails that nobody accepted, newest first: masked, and without what is written in them.',
  },
  'x/admin/MailRetry': { ...SUPPORT_ACTS, about: 'Tries one such mail again, or all of them.' },
  'x/admin/Referrals': {
    ...WATCHES,
    about: 'Who brings others: codes, how many came, and what waits to be paid for it.',
  },
  'x/admin/Incidents': { ...WATCHES, about: 'What needs a person, newest first.' },
} as const satisfies AllCalls<AdminCallFacts>;

/** The complete list, and who may what. */
export const ADMIN_CALLS: AllCalls<AdminCallFacts> = rows;

/** Who may approve what; nobody approves what he has asked for himself. */
export const APPROVERS: Readonly<Record<ApprovalKind, readonly AdminRole[]>> = {
  unfreeze: ['kyc', 'admin'],
  kol: ['admin'],
  'gate-open': ['treasury-checker', 'admin'],
  terms: ['admin'],
  'resolve-order': ['treasury-checker', 'admin'],
  'admin-invite': ['admin'],
  'admin-roles': ['admin'],
  'admin-disable': ['admin'],
  'platform-open': ['admin'],
  'kyc-revoke': ['kyc'],
  'limit-set': ['treasury-checker', 'admin'],
  'fee-set': ['treasury-checker', 'admin'],
  'currency-set': ['treasury-checker', 'admin'],
  'network-set': ['treasury-checker', 'admin'],
  recovery: ['kyc'],
};

/** By which call each is asked for. */
export const ASKED_BY: Readonly<Record<ApprovalKind, AdminCallName>> = {
  unfreeze: 'x/admin/MemberUnfreeze',
  kol: 'x/admin/MemberKol',
  'gate-open': 'x/admin/GateOpen',
  terms: 'x/admin/ContentPublish',
  'resolve-order': 'x/admin/OrderResolve',
  'admin-invite': 'x/admin/AdminInvite',
  'admin-roles': 'x/admin/AdminRoles',
  'admin-disable': 'x/admin/AdminDisable',
  'platform-open': 'x/admin/PlatformOpen',
  'kyc-revoke': 'x/admin/KycRevoke',
  'limit-set': 'x/admin/LimitSet',
  'fee-set': 'x/admin/FeeSet',
  'currency-set': 'x/admin/CurrencySet',
  'network-set': 'x/admin/NetworkSet',
  recovery: 'x/admin/RecoveryApprove',
};

/** Whether somebody with these roles may use a call; `anyone` is for who has no session yet. */
export function mayCall(name: AdminCallName, roles: readonly AdminRole[]): boolean {
  const allowed = ADMIN_CALLS[name].roles;
  return allowed === 'anyone' || allowed === 'all' || roles.some((role) => allowed.includes(role));
}

/** An admin who is logged in. */
export interface AdminCaller extends Caller {
  readonly admin: number;
  readonly adminName: string;
  readonly roles: readonly AdminRole[];
  readonly demo: boolean;
  readonly sessionId: string;
  readonly expiresAt: number;
  /** Until when changes need no further code. */
  readonly provedUntil: number | undefined;
}

/** What an admin tried, and why it was refused. */
export interface RefusedAct {
  readonly caller: AdminCaller;
  readonly call: AdminCallName;
  readonly outcome: ErrorName;
  /** What was asked for; `undefined` where its fields do not fit the call. */
  readonly request: unknown;
}

/** Calls before a session. */
export type OpenAdminCallName = {
  [Name in AdminCallName]: (typeof rows)[Name]['roles'] extends 'anyone' ? Name : never;
}[AdminCallName];

/** The function behind a call. */
export type AdminHandler<Name extends AdminCallName> = (
  caller: Name extends OpenAdminCallName ? Caller : AdminCaller,
  request: AdminRequest<Name>,
) => Promise<CallAnswer<AdminResponse<Name>>>;

/** A complete set of handlers. */
export type AdminHandlers = { readonly [Name in AdminCallName]: AdminHandler<Name> };
