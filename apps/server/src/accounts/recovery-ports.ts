import type { Millis, UserId } from '@crossbook/domain';
import type { Mail } from './ports.ts';

/** Between the word of two of the staff and the end: time for who did not want it to notice. Held by the table itself. */
export const RECOVERY_WAIT_HOURS = 72;
/** Without a decision a request is over. */
export const RECOVERY_ASKED_DAYS_MAX = 14;
/** So long after the waiting time its member may finish it. */
export const RECOVERY_DUE_DAYS_MAX = 7;

/** What who asks states about himself, to be compared with the papers that the member has passed by. */
export interface RecoveryStatement {
  readonly fullName: string;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly documentNumber: string;
}

/** A request as it was made, whoever made it. */
export interface RecoveryAsk {
  /** Whose account, where the password was right; nothing is kept otherwise, by the same statements. */
  readonly user: UserId | undefined;
  /** The new contact, which its holder has proved by this code. */
  readonly contact: string;
  readonly codeId: string;
  readonly statement: RecoveryStatement;
  readonly address: string;
  readonly now: Millis;
  /** The "this was not me" link of the notices. */
  readonly freezeToken: { readonly hash: string; readonly expiresAt: Millis };
  /** To every contact that the account has. */
  readonly notices: readonly Mail[];
}

/** A request that two of the staff have approved. */
export interface WaitingRecovery {
  readonly id: string;
  readonly user: UserId;
  /** From when on it may be finished. */
  readonly dueAt: Millis;
  readonly isDue: boolean;
}

/** Requests of members who have lost what proves them. */
export interface RecoveryStore {
  /** Uses the code up and keeps the request; false where the code was used. */
  ask(ask: RecoveryAsk): Promise<boolean>;
  /** The approved request of a new contact. */
  waiting(contact: string): Promise<WaitingRecovery | undefined>;
  /** Ends what nobody has decided, or finished, in its time. */
  sweep(now: Millis): Promise<void>;
}
