import type {
  AdminAuditRow,
  AdminCaller,
  AdminFundedAccount,
  AdminFundsRow,
  AdminMemberRow,
  AdminResponse,
  AdminRole,
  ApprovalKind,
  ApprovalRow,
  CallAnswer,
} from '@crossbook/contract';
import type { Amount, Millis } from '@crossbook/domain';
import type { Mail } from '../accounts/ports.ts';

/** Who acts, as every change writes it into the audit log. */
export interface ActingAdmin {
  readonly admin: number;
  readonly session: string;
  readonly address: string;
  readonly now: Millis;
}

/** The acting admin, as the store writes him. */
export function actingOf(caller: AdminCaller): ActingAdmin {
  return { admin: caller.admin, session: caller.sessionId, address: caller.address, now: caller.now };
}

/** A change of the back office: who, which call, and why. */
export interface Act extends ActingAdmin {
  readonly call: string;
  readonly reason: string;
}

/** An admin as a log-in needs him. */
export interface AdminRecord {
  readonly id: number;
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly passwordHash: string;
  readonly otpSecret: Uint8Array;
}

/** A session of an admin; the store never sees its cookie. */
export interface NewAdminSession {
  readonly id: string;
  /** SHA-256 of the cookie, hex. */
  readonly hash: string;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
  /** A demo admin has nothing to prove. */
  readonly provedUntil?: Millis;
  readonly address: string;
  readonly userAgent: string;
  /** The browser: SHA-256 of a cookie that stays there, hex. */
  readonly device: string;
}

/** A live session with its admin. */
export interface AdminSession {
  readonly id: string;
  readonly admin: number;
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly demo: boolean;
  readonly usedAt: Millis;
  readonly expiresAt: Millis;
  readonly provedUntil: Millis | undefined;
}

/** A one-time link that still holds. */
export interface Invite {
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly secret: Uint8Array;
  readonly expiresAt: Millis;
}

/** Which of the two demo admins. */
export type DemoName = 'maker' | 'checker';

/** Admins and their sessions. */
export interface AdminStore {
  /**
   * The link of this hash, if it still holds; keeps `secret` for it unless it has one.
   * @param secret random bytes for the authenticator.
   */
  openInvite(hash: string, secret: Uint8Array, now: Millis): Promise<Invite | undefined>;
  /**
   * Uses a link up: the admin has this password and the link's authenticator from now on, other sessions end, and one
   * begins. `undefined` when the link no longer holds.
   */
  start(
    invite: { readonly hash: string; readonly passwordHash: string; readonly step: number },
    session: NewAdminSession,
  ): Promise<number | undefined>;
  byEmail(email: string): Promise<AdminRecord | undefined>;
  /** Uses an authenticator's step up and opens a session; false when that step, or a later one, was used. */
  logIn(admin: number, step: number, session: NewAdminSession): Promise<boolean>;
  /** Uses a step up and opens changes until then; false when it was used. */
  stepUp(acting: ActingAdmin, step: number, provedUntil: Millis): Promise<boolean>;
  /** The authenticator of an admin who is logged in. */
  otpSecret(admin: number): Promise<Uint8Array | undefined>;
  /** A session of one of the two demo admins. */
  openDemo(name: DemoName, roles: readonly AdminRole[], session: NewAdminSession): Promise<void>;
  /** The live session of a cookie's hash, not left alone since `usedAfter`. */
  live(hash: string, usedAfter: Millis, now: Millis): Promise<AdminSession | undefined>;
  /** The session was used now. */
  used(session: string, now: Millis): Promise<void>;
  end(session: string, now: Millis): Promise<void>;
  /** Writes a refused or failed try into the audit log. */
  noteRefused(entry: {
    readonly admin: number | undefined;
    readonly address: string;
    readonly call: string;
    readonly outcome: string;
    readonly now: Millis;
    readonly subject?: string | undefined;
    readonly reason?: string | undefined;
    readonly details?: object;
  }): Promise<void>;
}

/** One page of a list: rows, and where the next begins. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Where a list begins and how long a page is. */
export interface PageOf {
  readonly limit: number;
  /** As the page before answered it. */
  readonly cursor: string | undefined;
}

/** What became of a change. */
export type ActOutcome =
  | 'ok'
  | 'subject-unknown'
  | 'already-decided'
  | 'four-eyes'
  | 'role-missing'
  | 'last-admin'
  | 'case-unseen';

/** A request for somebody else's decision. */
export interface NewApproval {
  readonly kind: ApprovalKind;
  readonly subject: string;
  /** JSON, to the letter as it will be shown and done. */
  readonly payload: string;
  readonly payloadHash: string;
  /** JSON of it for the audit log, which holds no whole address. */
  readonly audited: string;
  readonly expiresAt: Millis;
}

/** What is known of a request for somebody else's decision before it is decided. */
export interface AskedApproval {
  readonly kind: ApprovalKind;
  readonly subject: string;
  readonly payload: string;
}

/** What is asked of two people. */
export interface Wanted {
  readonly kind: ApprovalKind;
  readonly subject: string;
  readonly what: object;
  /** As the audit log may have it; absent: as it is. */
  readonly audited?: object;
}

/** Asks for a decision of two. */
export type Asking = (act: Act, wanted: Wanted) => Promise<CallAnswer<{ approval: string }>>;

/** A row as stored; who asks decides what it may do with it. */
export type StoredApproval = Omit<ApprovalRow, 'own' | 'mayDecide'> & { readonly makerId: number };

/** Members as the back office sees and changes them. */
export interface MemberDesk {
  search(
    wanted: { readonly query: string | undefined; readonly frozen: boolean },
    page: PageOf,
  ): Promise<Page<Omit<AdminMemberRow, 'tier'>>>;
  view(member: number, now: Millis): Promise<Omit<AdminResponse<'x/admin/MemberView'>, 'tier'> | undefined>;
  freeze(act: Act, member: number): Promise<ActOutcome>;
  /** @returns how many ended; `undefined` for nobody. */
  endSessions(act: Act, member: number): Promise<number | undefined>;
  /** A contact as it is, with its entry of the audit log; null: the member has none; `undefined` for nobody. */
  reveal(act: Act, member: number, field: 'email' | 'mobile'): Promise<string | null | undefined>;
  setTkropen(act: Act, member: number, open: boolean): Promise<ActOutcome>;
}

/** What members are told of a decision, in its transaction. */
export interface Letters {
  readonly mails: readonly Mail[];
  /** The "this was not me" link that is in them. */
  readonly freezeToken?: { readonly hash: string; readonly member: number; readonly expiresAt: Millis };
}

/** Decisions of two people. */
export interface ApprovalStore {
  ask(act: Act, approval: NewApproval): Promise<string>;
  list(page: PageOf): Promise<Page<StoredApproval>>;
  /** Which closing or opening of the money gate is the newest, as an approval compares it; '0' while there was none. */
  gateStanding(): Promise<string>;
  /** What it is about, to the letter. */
  asked(approval: string): Promise<AskedApproval | undefined>;
  /**
   * Approves and does it, in one transaction.
   * @param letters what a member is told of it.
   */
  approve(act: Act, approval: string, payloadHash: string, letters?: Letters): Promise<ActOutcome>;
  /** Takes it back where the maker does; refuses it where `mayDecide` says that the role allows it. */
  refuse(act: Act, approval: string, mayDecide: boolean): Promise<ActOutcome>;
}

/** How an order shall end of which nothing can be proved; amounts are decimal texts. */
export interface OrderEnd {
  readonly order: string;
  readonly resolution: 'absent' | 'filled';
  readonly quantity?: string;
  readonly quoteQuantity?: string;
  /** What was booked of it when this was asked for. */
  readonly cumQuantity: string;
  readonly cumQuote: string;
}

/** Where an order stands that shall end. */
export type OrderStanding =
  | { readonly state: 'open'; readonly cumQuantity: string; readonly cumQuote: string }
  | { readonly state: 'ended' | 'unknown' };

/** Asks the running hub to end orders; the hub itself decides by its rules, and answers with its evidence. */
export interface OrderDesk {
  /** Whether an order is there and has not ended, and what is booked of it. */
  standing(order: string): Promise<OrderStanding>;
  /** Asks on one admin's word, once at a time for an order. */
  ask(act: Act, end: OrderEnd): Promise<ActOutcome>;
}

/** What the operator wants an account of the house to hold at least. */
export interface FundedFloor {
  readonly account: AdminFundedAccount['account'];
  readonly asset: string;
  readonly floor: Amount;
}

/** What is read of the hub. */
export interface WatchDesk {
  audit(
    filter: { readonly by: 'subject' | 'actor' | 'call'; readonly value: string } | undefined,
    page: PageOf,
  ): Promise<Page<AdminAuditRow>>;
  /** Places of the audit log after this one as a file, with its own entry of the log. */
  auditFile(act: Act, after: number): Promise<Uint8Array>;
  incidents(all: boolean, page: PageOf): Promise<Page<AdminResponse<'x/admin/Incidents'>['rows'][number]>>;
  /** By asset; `cursor` is the asset of the last row. */
  funds(page: PageOf): Promise<Page<AdminFundsRow>>;
  /** Accounts of the house that others are paid from. */
  accounts(now: Millis): Promise<readonly AdminFundedAccount[]>;
  /** How far the journals of money are sealed. */
  seals(now: Millis): Promise<AdminResponse<'x/admin/Health'>['seals']>;
  gateHistory(): Promise<AdminResponse<'x/admin/Health'>['gateHistory']>;
  /** Mails that are still to be sent, and those that were given up. */
  mails(): Promise<Pick<AdminResponse<'x/admin/Health'>, 'mailsWaiting' | 'mailsFailed'>>;
}

/** What the running parts say of themselves. */
export interface RunningParts {
  gate(): Promise<AdminResponse<'x/admin/Health'>['gate']>;
  /** Invariants of the ledger, each as the last checks have seen it. */
  invariants(): AdminResponse<'x/admin/Health'>['invariants'];
  venues(): AdminResponse<'x/admin/Health'>['venues'];
  surroundings(): AdminResponse<'x/admin/Health'>['surroundings'];
  /** Members whose balances at a venue differ. */
  membersStopped(): number;
  /** The accounts that differ, and in what. */
  differences(): AdminResponse<'x/admin/Health'>['differences'];
  ordersWaiting(): number;
  /** @param oldMillisMax an answer of so long ago will do. */
  verifyAudit(oldMillisMax: number): Promise<AdminResponse<'x/admin/AuditVerify'>>;
}
