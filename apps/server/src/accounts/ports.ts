import type { CallResponse, Refusal } from '@crossbook/contract';
import type { Millis, Result, UserId } from '@crossbook/domain';

/** What a code was sent for; a code of one purpose is worth nothing for another. */
export type CodePurpose =
  | 'register'
  | 'recover'
  | 'login'
  | 'bind'
  | 'modify-new'
  | 'modify-old'
  | 'otp-reset'
  | 'unfreeze'
  | 'regain';

/** A member as stored. */
export interface MemberRecord {
  readonly user: UserId;
  /** Lower-case form. */
  readonly email: string | undefined;
  /** E.164. */
  readonly mobile: string | undefined;
  /** Argon2id in PHC form: parameters, salt and hash; a demo member has none. */
  readonly passwordHash: string | undefined;
  readonly nickname: string;
  readonly referralCode: string;
  readonly kolReferralCode: string | undefined;
  /** Whether Korean may be chosen (spec section 1). */
  readonly tkropen: boolean;
  readonly lastLoginAt: Millis | undefined;
  readonly lastLoginAddress: string;
}

/** A member as the own pages show him. */
export interface ShownMember extends MemberRecord {
  /** Whether an authenticator is on. */
  readonly googleAuth: boolean;
  readonly kycState: CallResponse<'security/userinfo'>['kycStatus'];
}

/** The browser that logs in, under its new cookie. */
export interface NewDevice {
  /** SHA-256 of the first cookie it had, hex. */
  readonly id: string;
  /** SHA-256 of the cookie it has from now on, hex. */
  readonly hash: string;
  /** Until when its member is asked for no code there; absent: not trusted. */
  readonly trustedUntil?: Millis;
}

/** A session to be opened; the store never sees the cookie itself. */
export interface NewSession {
  /** Names it; stays when its cookie changes. */
  readonly id: string;
  /** SHA-256 of the cookie, hex. */
  readonly hash: string;
  readonly epoch: number;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
  readonly address: string;
  readonly userAgent: string;
  readonly device?: NewDevice;
  /** How its member proved who he is; `pwd` by default. */
  readonly factors?: string;
}

/** A live session with what every call needs of its member. */
export interface SessionRecord {
  readonly id: string;
  readonly hash: string;
  readonly epoch: number;
  readonly user: UserId;
  readonly tkropen: boolean;
  readonly demo: boolean;
  readonly expiresAt: Millis;
  /** When it was used last, to `SEEN_EVERY_MILLIS`. */
  readonly seenAt: Millis;
}

/** A demo member to be made or, in the browser that has one, to go on with. */
export interface NewDemo {
  /** The browser's name, if it has one. */
  readonly device: string | undefined;
  /** Where it comes from, as a keyed hash. */
  readonly network: string;
  readonly nickname: string;
  readonly referralCode: string;
  readonly session: NewSession;
  readonly language: 'en' | 'ja' | 'ko';
}

/** Demo members: bounded in number, each a browser's. */
export interface DemoStore {
  /** The browser's demo that lives. */
  ofDevice(device: string): Promise<UserId | undefined>;
  /** Another session for a demo; which ended for it, `undefined` where the demo was over. */
  resume(user: UserId, session: NewSession): Promise<readonly SessionEnd[] | undefined>;
  /**
   * Makes one. Where as many live as may, of its network or of all, the one there idle longest ends for it, if it was idle long enough.
   * @returns the demo and the one that ended for it, or why there is none.
   */
  begin(
    demo: NewDemo,
    bounds: {
      readonly aliveMax: number;
      readonly perNetworkMax: number;
      readonly idleMillisMin: number;
    },
  ): Promise<
    Result<{ readonly user: UserId; readonly over: DemoEnd | undefined }, 'full' | 'referral-code-taken'>
  >;
  /** Its member has looked in. */
  seen(user: UserId, now: Millis): Promise<void>;
  /** Ends those idle since before a time, so many at once at most. */
  endIdle(before: Millis, now: Millis, demosMax: number): Promise<readonly DemoEnd[]>;
}

/** Chart settings of members, one text each. */
export interface ChartSettingsStore {
  of(user: UserId): Promise<{ readonly settings: string; readonly version: number } | undefined>;
  /** @returns the new version; `undefined` where the newest is not the given one. */
  keep(user: UserId, settings: string, version: number): Promise<number | undefined>;
}

/** A demo that is over: its sessions end, its orders are to be cancelled. */
export interface DemoEnd {
  readonly user: UserId;
  readonly sessions: readonly SessionEnd[];
}

/** A member to be made, together with the code that proves the address and the first session. */
export interface Registration {
  /** Exactly one of the two. */
  readonly email: string | undefined;
  readonly mobile: string | undefined;
  readonly passwordHash: string;
  readonly nickname: string;
  readonly country: string | undefined;
  readonly referralCode: string;
  readonly referredBy: UserId | undefined;
  /** The code of that member that was given, a self-referral or a KOL code. */
  readonly referredWith: string | undefined;
  /** Id of the verified code, used up by this registration; absent where a log-in service confirms the address. */
  readonly codeId: string | undefined;
  /** Who came from a log-in service: used up, and linked with the member. */
  readonly arrivalId: string | undefined;
  /** For the audit log. */
  readonly call: string;
  readonly session: NewSession;
  /** In which Terms and Privacy Policy were shown and agreed to. */
  readonly language: 'en' | 'ja' | 'ko';
}

/** Why a registration did not happen; nothing of it was written. */
export type RegistrationRefusal = 'code-gone' | 'contact-taken' | 'referral-code-taken' | 'terms-unpublished';

/** Members and their sessions. */
export interface MemberStore {
  /** Whose e-mail address or mobile number it is. */
  byContact(to: string): Promise<MemberRecord | undefined>;
  byId(user: UserId): Promise<MemberRecord | undefined>;
  /** With what every page of a member asks for. */
  shown(user: UserId): Promise<ShownMember | undefined>;
  /** Owner of a self-referral or KOL code. */
  byReferralCode(code: string): Promise<UserId | undefined>;
  /** All or nothing: uses up the code, makes the member and opens the session. */
  register(registration: Registration): Promise<Result<UserId, RegistrationRefusal>>;
  replacePasswordHash(user: UserId, passwordHash: string): Promise<void>;
}

/** A session that is over: its live connections must close. */
export interface SessionEnd {
  readonly sessionId: string;
  /** Hashes of the cookies that led to it. */
  readonly hashes: readonly string[];
}

/** Sessions by the hash of their cookie. */
export interface SessionStore {
  /**
   * Opens a session and notes the login; ends `replaces`, the caller's session before (rotation).
   * @returns what ended.
   */
  open(user: UserId, session: NewSession, replaces: string | undefined): Promise<SessionEnd | undefined>;
  /** A session that has neither ended nor expired at `now`. */
  live(hash: string, now: Millis): Promise<SessionRecord | undefined>;
  /** The same by what names it. */
  byId(id: string, now: Millis): Promise<SessionRecord | undefined>;
  /** Notes that a session was used, unless that was noted after `since`. */
  seen(id: string, at: { readonly now: Millis; readonly since: Millis }): Promise<void>;
  /** @returns what ended. */
  end(hash: string, now: Millis): Promise<SessionEnd | undefined>;
}

/** Browsers by the hash of their cookie. */
export interface DeviceStore {
  /** What a cookie's browser is named by: its own hash for one never logged in; `undefined` for one that was replaced. */
  idOf(hash: string): Promise<string | undefined>;
  /** Whether any member has logged in there of late. */
  isAnyones(device: string, now: Millis): Promise<boolean>;
  /** @param account the member's address or number. */
  isTrusted(account: string, device: string, now: Millis): Promise<boolean>;
  /** Trusts a member's browser no more, with an entry in the audit log. @param wrong how many passwords in a row were wrong there. */
  endTrust(
    account: string,
    device: string,
    at: { readonly wrong: number; readonly now: Millis },
  ): Promise<void>;
}

/** A code as stored: only a keyed hash. */
export interface NewCode {
  readonly id: string;
  readonly target: string;
  readonly purpose: CodePurpose;
  /** Who asked for it and alone may use it; empty for a long code, which works for whoever has the mail. */
  readonly asker: string;
  readonly hash: string;
  readonly tries: number;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
}

/** Whose code is meant. */
export type CodePlace = Pick<NewCode, 'target' | 'purpose' | 'asker'>;

/** What is kept of a link that freezes an account. */
export interface FreezeToken {
  readonly hash: string;
  readonly expiresAt: Millis;
}

/** A mail or text message, written with the code that it carries and sent afterwards. */
export interface CodeLetter {
  readonly mail: Mail;
  /** Else nobody gets it, by the same statements. */
  readonly isMeant: boolean;
  /** The "this was not me" link in it. */
  readonly freeze?: FreezeToken;
}

/** What came of a comparison: nothing to compare with, too much was wrong for short ones, or the answer. */
export type CodeComparison = 'none' | 'longer' | 'wrong' | 'right';

/** Verification codes; per address, purpose and asker only the newest exists. */
export interface CodeStore {
  replace(code: NewCode, letter?: CodeLetter): Promise<void>;
  /** Keeps a code for anybody unless one is there that is unused and verified, or younger than the spacing; false then. */
  keepForAnybody(code: NewCode, spacingMillis: number, letter?: CodeLetter): Promise<boolean>;
  /** The code that there is to compare with, if any. */
  liveId(place: CodePlace, now: Millis): Promise<string | undefined>;
  /**
   * Takes one try, counts a failure and only then compares, atomically; what was right is marked and its failure given back. A code
   * for anybody keeps its tries and counts nothing: they are a hundred million times too few to guess it, and else strangers could use them up.
   * @param hash of what was given, as the code's own would be.
   */
  compare(
    id: string,
    hash: string,
    now: Millis,
    counters: { readonly target: Counter; readonly all: Counter } | undefined,
  ): Promise<CodeComparison>;
  /** It could not be delivered. */
  forget(id: string): Promise<void>;
}

/** Challenges that were used. */
export interface CaptchaStore {
  /** True exactly once per salt. */
  useOnce(salt: string, expiresAt: Millis): Promise<boolean>;
}

/** How much is allowed in a window that starts with the first use. */
export interface Budget {
  readonly usesMax: number;
  readonly windowMillis: number;
}

/** A budget of somebody. */
export interface Counter extends Budget {
  readonly key: string;
}

/** What a consumption answered: uses in this window, this one included, up to one above the limit. */
export interface BudgetUse {
  readonly used: number;
  /** Until the window ends, at least 1. */
  readonly secondsLeft: number;
}

/** Counters that survive a restart and hold exactly under parallel calls. */
export interface BudgetStore {
  consume(key: string, budget: Budget, now: Millis): Promise<BudgetUse>;
  /** Uses in the window that runs. */
  used(key: string, now: Millis): Promise<number>;
  /** Undoes one use. */
  giveBack(key: string): Promise<void>;
  reset(key: string): Promise<void>;
}

/** Subject and body of a mail. */
export interface MailText {
  readonly subject: string;
  readonly body: string;
}

/** One mail, text only. */
export interface Mail extends MailText {
  readonly to: string;
}

/** Whom a mail is for that is written so that writing it tells nothing, and never sent. */
export const NOBODY = '';

/** Delivers mails: the outbox in paper mode, SMTP otherwise. Rejects when the mail was not accepted. */
export interface MailSender {
  send(mail: Mail, now: Millis): Promise<void>;
}

/** One text message. */
export interface TextMessage {
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** Sends text messages: into the outbox in paper mode, else by the operator's gateway. Rejects when it was not accepted. */
export interface TextSender {
  send(message: TextMessage, now: Millis): Promise<void>;
}

/** Cryptographically secure random bytes. */
export type RandomBytes = (bytes: number) => Uint8Array;

/** A refusal of the catalogue, as a value. */
export type Refused = { readonly ok: false; readonly code: Refusal; readonly about?: UserId };

/** Makes a refusal of the catalogue. */
export function refusal(code: Refusal): Refused {
  return { ok: false, code };
}

/** Says whom a stranger's try was about, where it is refused: for the audit log, and never answered. */
export function about<Answer extends { readonly ok: boolean }>(
  user: UserId | undefined,
  answer: Answer,
): Answer {
  return answer.ok || user === undefined ? answer : { ...answer, about: user };
}
