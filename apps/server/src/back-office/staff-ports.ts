import type { AdminRole, AdminStaffRow } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { Act, ActOutcome, Page, PageOf } from './ports.ts';

/** An admin as a change begins from him. */
export interface StaffMember {
  readonly id: number;
  readonly roles: readonly AdminRole[];
  readonly demo: boolean;
  readonly disabled: boolean;
}

/** What an admin shall become; `roles` are those from before, so that nothing else is overwritten. */
export interface StaffChange {
  readonly admin: number;
  readonly roles: readonly AdminRole[];
  /** Absent: he is no admin any more. */
  readonly to?: readonly AdminRole[];
}

/** An invitation that two have signed and nobody has used. */
export interface Invitation {
  readonly approval: string;
  readonly name: string;
  readonly roles: readonly AdminRole[];
  readonly until: number;
  readonly linkUntil: number | null;
}

/** Admins as the back office lists and changes them. */
export interface StaffDesk {
  list(page: PageOf): Promise<Page<Omit<AdminStaffRow, 'own'>>>;
  /** Those that this admin has asked for and may still make a link of. */
  invitations(admin: number, now: Millis): Promise<readonly Invitation[]>;
  one(admin: number): Promise<StaffMember | undefined>;
  /** Whether somebody logs in with this address. */
  isThere(email: string): Promise<boolean>;
  /** Whether the role admin would be left to nobody, were this one to lose it. */
  isLast(admin: number): Promise<boolean>;
  /** Writes the one link of an approved invitation; what was written for it before stops counting. */
  writeLink(
    act: Act,
    link: { readonly approval: string; readonly hash: string; readonly expiresAt: Millis },
  ): Promise<ActOutcome>;
}

/** An admin who was let in anew by the operator's command. */
export interface ShownBreakGlass {
  readonly name: string;
  readonly at: Millis;
}

/** What every admin sees of the staff. */
export interface StaffWatch {
  /** Of the last seven days, the newest first. */
  breakGlasses(now: Millis): Promise<readonly ShownBreakGlass[]>;
  /** Writes to all admins of those that nobody was written of. */
  tell(now: Millis): Promise<void>;
  /** Which of these roles another admin has, whom nobody plays. */
  rolesOfOthers(admin: number, roles: readonly AdminRole[]): Promise<readonly AdminRole[]>;
}
