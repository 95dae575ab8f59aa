import type { Millis, Result, UserId } from '@crossbook/domain';
import type { Mail } from '../ports.ts';
import type { KycCaseState, KycDecision, KycState } from './kyc-states.ts';

/** Which picture it is: the document's sides, and the face of who holds it. */
export type KycPicture = 'front' | 'back' | 'face';
/** Documents that are taken; all but the passport have two sides. */
export type DocumentKind = 'passport' | 'id-card' | 'driving-licence' | 'residence-card';
/** Every reason that a case is refused for; `other` is said in words. */
export const KYC_REASONS = [
  'blurred',
  'mismatch',
  'expired',
  'underage',
  'country',
  'duplicate',
  'suspected',
  'other',
] as const;
/** One of them. */
export type KycReason = (typeof KYC_REASONS)[number];

/** What a member states about himself, as on the document. */
export interface KycFields {
  readonly fullName: string;
  /** Calendar dates as `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly documentExpires?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly documentKind: DocumentKind;
  readonly documentNumber: string;
  readonly address?: string | undefined;
}

/** A picture that was made anew from its pixels: JPEG, without anything that was beside them. */
export interface CleanPicture {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Why there is no picture. `away`: nothing here can read pictures; `busy`: too many wait. */
export type PictureFault = 'unreadable' | 'busy' | 'away';

/** Makes a picture anew. */
export type CleanPictureMaker = (bytes: Uint8Array) => Promise<Result<CleanPicture, PictureFault>>;

/** Burns who looks (as the audit log names him) and when (UTC) into the pixels of a picture that was made anew. */
export type PictureMarker = (
  jpeg: Uint8Array,
  by: string,
  now: Millis,
) => Promise<Result<Uint8Array, PictureFault>>;

/** How a member stands, as he is shown it. */
export interface KycStanding {
  readonly state: KycState;
  readonly submittedAt: Millis | undefined;
  readonly decidedAt: Millis | undefined;
  /** Until when what was passed counts, by the database's clock. */
  readonly validUntil: Millis | undefined;
  readonly reason: KycReason | undefined;
  /** What the reviewer wrote to the member. */
  readonly note: string;
}

/** A case to be made of what was uploaded before. */
export interface KycSubmission {
  readonly user: UserId;
  readonly id: string;
  readonly fields: KycFields;
  /** Ids of uploads by which picture they are. */
  readonly pictures: Readonly<Partial<Record<KycPicture, string>>>;
  readonly address: string;
  readonly now: Millis;
  /** Absent for who has no mailbox. */
  readonly mail: Mail | undefined;
}

/** Why nothing was submitted; a picture's name: no such upload of this member, or one older than a day. */
export type SubmitRefusal = 'account-frozen' | 'kyc-state' | KycPicture;

/** Who reviews, for the audit log. */
export interface Reviewer {
  readonly id: string;
  /** Nobody decides about the papers of his own mailbox. */
  readonly email: string;
  readonly address: string;
  /** The admin in whose name the case is taken; absent for a stranger who plays one, and for who may not decide about it. */
  readonly claims?: number | undefined;
}

/** Why a case is not shown: it is not there, it waits no more, or another reviewer has it. */
export type LookRefusal = 'unknown' | 'decided' | 'claimed';

/** A page of the queue: the longest waiting first while pending, else the newest decision first. */
export interface KycQueueQuery {
  readonly state: KycCaseState;
  readonly limit: number;
  /** The last case of the page before. */
  readonly after?: { readonly at: Millis; readonly id: string };
}

/** A case as the queue shows it: no picture, no number, no name. */
export interface KycQueueRow {
  readonly id: string;
  readonly member: UserId;
  readonly nickname: string;
  readonly state: KycCaseState;
  readonly country: string;
  readonly documentKind: DocumentKind;
  /** 1 for a member's first case. */
  readonly attempt: number;
  readonly submittedAt: Millis;
  readonly decidedAt: Millis | undefined;
  /** What the page is sorted by, for `after`. */
  readonly at: Millis;
  /** Other members with the same document, 5 at most. */
  readonly duplicates: number;
  /** Who took it last, and until when he has it; the time may be over. */
  readonly claim: { readonly by: string; readonly until: Millis } | undefined;
}

/** A case with everything that its reviewer needs but the pictures themselves. */
export interface OpenedCase extends KycQueueRow {
  /** Changes with every decision; a decision names the one that it saw. */
  readonly version: number;
  readonly fields: KycFields;
  readonly pictures: readonly {
    readonly id: string;
    readonly kind: KycPicture;
    readonly width: number;
    readonly height: number;
  }[];
}

/** What a reviewer decided about the case that he saw. */
export interface KycVerdict {
  readonly caseId: string;
  readonly version: number;
  readonly decision: KycDecision;
  /** Needed but for `approve`. */
  readonly reason?: KycReason | undefined;
  /** To the member, at most 300 characters; needed for the reason `other`. */
  readonly note?: string | undefined;
  /** Why, for the audit log alone. */
  readonly because?: string;
  /** What the reviewer has ticked, for the audit log. */
  readonly checks?: readonly string[];
}

/** Cases and pictures; what is personal in them is sealed. */
export interface KycStore {
  standing(user: UserId): Promise<KycStanding>;
  /** Keeps a picture for a day; it replaces the one of its kind that was not submitted. */
  keepPicture(picture: {
    readonly id: string;
    readonly user: UserId;
    readonly kind: KycPicture;
    readonly picture: CleanPicture;
    readonly address: string;
    readonly now: Millis;
  }): Promise<void>;
  /** All or nothing: the case, its pictures, the mail and the audit entry. */
  submit(submission: KycSubmission): Promise<Result<undefined, SubmitRefusal>>;
  list(query: KycQueueQuery): Promise<readonly KycQueueRow[]>;
  /** A case that waits, which its reviewer has from then on; audited. */
  open(caseId: string, by: Reviewer, now: Millis): Promise<Result<OpenedCase, LookRefusal>>;
  /** Whose case it is. */
  memberOf(caseId: string): Promise<UserId | undefined>;
  /** The case by which a member is verified now. */
  passed(member: UserId): Promise<{ readonly caseId: string; readonly version: number } | undefined>;
  /** The JPEG of a picture of a case that waits; audited. */
  picture(
    place: { readonly caseId: string; readonly id: string },
    by: Reviewer,
    now: Millis,
  ): Promise<Result<Uint8Array, LookRefusal>>;
  /** `decided`: meanwhile, or not to be decided so. `unseen`: by who claims cases and has not opened this one. The decision, the mail and the audit entry are one. */
  decide(
    verdict: KycVerdict,
    by: Reviewer,
    letter: { readonly mail: Mail | undefined; readonly now: Millis },
  ): Promise<Result<undefined, 'decided' | 'claimed' | 'unseen'>>;
  /** Gives back what one has, audited; nothing where one has it not. */
  release(caseId: string, by: Reviewer, now: Millis): Promise<void>;
  /** Ends what was passed when its time is over and tells members of it, 30 days before too. Deletes pictures that were never submitted, and what a refused case knows when its time is over. */
  sweep(now: Millis): Promise<void>;
}
