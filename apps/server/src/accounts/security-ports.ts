import type { Millis, Result, UserId } from '@crossbook/domain';
import type { Contact } from './contacts.ts';
import type { NewPasskey } from './passkey-ports.ts';
import type { CodePurpose, FreezeToken, Mail, MemberRecord, NewSession, SessionEnd } from './ports.ts';

/** What a step of a log-in asks for. */
export type LogInStep = 'device' | 'totp';
/** What a grant is good for. */
export type GrantPurpose = 'credentials' | 'money';

/** Something that is used up by the act that it allows, in one transaction with it. */
export type Proof =
  | { readonly kind: 'totp'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string }
  /** A code that its holder verified. */
  | { readonly kind: 'code'; readonly id: string; readonly target: string; readonly purpose: CodePurpose }
  | {
      readonly kind: 'grant';
      readonly hash: string;
      readonly session: string;
      readonly purpose: GrantPurpose;
    }
  /** One step of a log-in; `answer` is kept, sealed, for the same step sent again. */
  | {
      readonly kind: 'step';
      readonly flow: string;
      readonly step: LogInStep;
      readonly answer: string;
      readonly factors: string;
    }
  /** Somebody whom a log-in service has confirmed. */
  | { readonly kind: 'arrival'; readonly id: string }
  | { readonly kind: 'freeze'; readonly hash: string }
  /** A challenge that was answered, once. */
  | { readonly kind: 'challenge'; readonly hash: string; readonly expiresAt: Millis }
  /** The passkey that answered, and what it has counted to. */
  | { readonly kind: 'passkey'; readonly id: string; readonly counter: number; readonly backedUp: boolean };

/** What an act changes. */
export type Effect =
  | { readonly kind: 'password'; readonly hash: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'mobile'; readonly mobile: string }
  /** A demo becomes an account: contact, password, terms. */
  | {
      readonly kind: 'keep-demo';
      readonly email: string | undefined;
      readonly mobile: string | undefined;
      readonly passwordHash: string;
      readonly country: string | undefined;
      readonly language: 'en' | 'ja' | 'ko';
    }
  /** Second factors of now count no more from a day later on. */
  | { readonly kind: 'otp-reset' }
  /** That day is over: they are gone. */
  | { readonly kind: 'otp-reset-done' }
  /** A pending authenticator becomes the active one. */
  | { readonly kind: 'otp'; readonly setupId: string; readonly step: number }
  | {
      readonly kind: 'pending-otp';
      readonly session: string;
      readonly setupId: string;
      readonly secret: Uint8Array;
      readonly expiresAt: Millis;
    }
  /** The authenticator is off at once. */
  | { readonly kind: 'otp-removed' }
  | { readonly kind: 'recovery-codes'; readonly hashes: readonly string[] }
  | { readonly kind: 'passkey'; readonly passkey: NewPasskey }
  | { readonly kind: 'passkey-name'; readonly id: string; readonly name: string }
  | { readonly kind: 'passkey-removed'; readonly id: string }
  | {
      readonly kind: 'profile';
      readonly nickname: string | undefined;
      readonly language: string | undefined;
      readonly antiPhishing: string | undefined;
    }
  /** A new contact takes the place of all, and second factors go, as two of the staff have decided days ago. */
  | { readonly kind: 'recovered'; readonly recovery: string; readonly contact: Contact }
  /** Second factors of less than a day go with it. */
  | { readonly kind: 'freeze' }
  /** Second factors of less than a day go, or nothing is done. */
  | { readonly kind: 'young-factors-removed' }
  | { readonly kind: 'unfreeze' }
  /** A log-in of another service opens the account from now on. */
  | { readonly kind: 'provider-link'; readonly issuer: string; readonly subject: string }
  /** None does any more. */
  | { readonly kind: 'provider-unlink' }
  | {
      readonly kind: 'grant';
      readonly hash: string;
      readonly session: string;
      readonly purpose: GrantPurpose;
      readonly expiresAt: Millis;
    }
  | {
      readonly kind: 'session';
      readonly session: NewSession;
      readonly replaces: string | undefined;
      readonly factors: string;
    }
  | { readonly kind: 'end-session'; readonly id: string }
  /** A browser is trusted no more, and what is logged in there ends. */
  | { readonly kind: 'forget-device'; readonly device: string };

/** Which change of a credential locks money for a day. */
export type LockCause =
  | 'password'
  | 'email'
  | 'mobile'
  | 'otp'
  | 'recovery-codes'
  | 'unfreeze'
  | 'passkey'
  | 'provider';

/** One decision about who a member is, with all that follows: all of it happens, or nothing. */
export interface SecurityAct {
  readonly user: UserId;
  /** Name of the call, for the audit log. */
  readonly call: string;
  readonly address: string;
  readonly now: Millis;
  readonly proofs: readonly Proof[];
  readonly effects: readonly Effect[];
  readonly locks?: LockCause;
  /** A first one, which locks nothing while the member's money never moved. */
  readonly isFirst?: boolean;
  /** Which sessions and trusted browsers end; `others` are all but the acting one. */
  readonly ends?: 'others' | 'all';
  /** The acting session gets a new cookie. */
  readonly renews?: { readonly session: string; readonly hash: string };
  /** A "this was not me" link that goes out with the mails. */
  readonly freezeToken?: FreezeToken;
  readonly mails: readonly Mail[];
}

/** What an act has done. */
export interface Acted {
  readonly ended: readonly SessionEnd[];
  /** The acting session after its change of cookie. */
  readonly renewed:
    | { readonly epoch: number; readonly expiresAt: Millis; readonly formerHash: string }
    | undefined;
}

/** Why nothing was done, by the names of the catalogue. */
export type ActRefusal =
  | 'factor-wrong'
  | 'flow-invalid'
  | 'grant-invalid'
  | 'contact-taken'
  | 'provider-taken'
  | 'account-frozen'
  | 'token-invalid'
  | 'passkey-failed'
  | 'passkey-limit';

/** A log-in under way. */
export interface LogInFlow {
  readonly id: string;
  readonly user: UserId;
  /** Who began it. */
  readonly device: string;
  /** Hash of the cookie it had then: the end of the log-in replaces it. */
  readonly cookie: string | undefined;
  readonly steps: readonly LogInStep[];
  readonly factors: string;
  /** What the step before answered, and when. */
  readonly answer: string | undefined;
  readonly answeredAt: Millis | undefined;
}

/** What a step answered that was no log-in's, for the same step sent again. */
export interface KeptAnswer {
  /** Names call, session and request. */
  readonly id: string;
  /** Who sent it. */
  readonly device: string;
  /** Hash of the cookie that the browser had then: the answer may have replaced it. */
  readonly cookie: string | undefined;
  readonly answer: string;
  readonly answeredAt: Millis;
}

/** A secret for an authenticator app that no code has proved yet. */
export interface PendingOtp {
  readonly setupId: string;
  readonly secret: Uint8Array;
  readonly expiresAt: Millis;
}

/** A session as its member sees it. */
export interface ShownSession {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly factors: string;
  readonly createdAt: Millis;
  /** When it was used last, to some minutes. */
  readonly seenAt: Millis;
  readonly expiresAt: Millis;
  readonly ended: boolean;
}

/** A browser as the member sees it who is trusted there. */
export interface ShownDevice {
  /** What names it in the database; members never see it. */
  readonly device: string;
  readonly userAgent: string;
  readonly address: string;
  readonly trustedUntil: Millis;
  /** The one that this session lives in. */
  readonly current: boolean;
}

/** What a member chose, and what mails to him begin with. */
export interface SecurityProfile {
  /** At least one of the two, but for a demo member. */
  readonly email: string | undefined;
  readonly mobile: string | undefined;
  readonly language: 'en' | 'ja' | 'ko';
  readonly antiPhishing: string | undefined;
  readonly country: string | undefined;
  readonly passwordChangedAt: Millis | undefined;
}

/** A legal text that a member agreed to. */
export interface Agreed {
  readonly kind: 'terms' | 'privacy';
  /** Of our own text; 0 where the operator's own page was linked. */
  readonly version: number;
  readonly link: string | null;
  readonly at: Millis;
}

/** Everything about who a member is that needs more than a password. */
export interface SecurityStore {
  /** Does an act in one transaction. */
  act(act: SecurityAct): Promise<Result<Acted, ActRefusal>>;
  /** The active authenticator's secret. */
  otpSecret(user: UserId): Promise<Uint8Array | undefined>;
  pendingOtp(user: UserId, session: string, now: Millis): Promise<PendingOtp | undefined>;
  profile(user: UserId): Promise<SecurityProfile>;
  /** The same by an address or a number. */
  profileOf(to: string): Promise<SecurityProfile | undefined>;
  recoveryCodesLeft(user: UserId): Promise<number>;
  /** Newest first. */
  agreed(user: UserId): Promise<readonly Agreed[]>;
  beginLogIn(flow: LogInFlow & { readonly expiresAt: Millis; readonly tries: number }): Promise<void>;
  logInFlow(id: string, now: Millis): Promise<LogInFlow | undefined>;
  keepAnswer(kept: KeptAnswer & { readonly expiresAt: Millis }): Promise<void>;
  keptAnswer(id: string, now: Millis): Promise<KeptAnswer | undefined>;
  /** Takes one try of a log-in, before anything is compared. */
  takeTry(id: string): Promise<boolean>;
  /** Until when money may not leave, by the database's clock. */
  lockedUntil(user: UserId): Promise<Millis | undefined>;
  isFrozen(user: UserId): Promise<boolean>;
  /** Whether the member has second factors, none of them for longer than a day of the database's clock. */
  factorsAreYoung(user: UserId): Promise<boolean>;
  /** Whose second factors are to go, as the day of their reset is over, oldest first; who is frozen waits. */
  resetsDone(limit: number): Promise<readonly UserId[]>;
  /** Whose "this was not me" link it is, used or not. */
  freezeTokenOwner(hash: string, now: Millis): Promise<MemberRecord['user'] | undefined>;
  /** Sessions that live at `now`. */
  sessions(user: UserId, now: Millis): Promise<readonly ShownSession[]>;
  /** Browsers in which the member is trusted at `now`, the newest log-in first, 100 at most. */
  devices(user: UserId, session: string, now: Millis): Promise<readonly ShownDevice[]>;
  /** Log-ins older than `before`, newest first. */
  logIns(user: UserId, before: Millis, limit: number): Promise<readonly ShownSession[]>;
}
