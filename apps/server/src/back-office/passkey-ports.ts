import type { Millis } from '@crossbook/domain';
import type { AnsweredChallenge } from '../accounts/factors/passkey-challenge.ts';
import type { NewPasskey } from '../accounts/passkey-ports.ts';
import type { ActingAdmin, NewAdminSession } from './ports.ts';

/** How many passkeys an admin has at most. */
export const PASSKEYS_PER_ADMIN_MAX = 10;

/** A passkey of an admin who counts. */
export interface AdminPasskey extends Omit<NewPasskey, 'aaguid' | 'counter' | 'rpId'> {
  readonly admin: number;
  /** How its authenticator knows the admin. */
  readonly handle: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | undefined;
}

/** A passkey that has answered a challenge; both are used in the transaction of what they prove. */
export interface UsedPasskey {
  readonly id: string;
  readonly admin: number;
  readonly counter: number;
  readonly backedUp: boolean;
  readonly challenge: AnsweredChallenge;
}

/** Passkeys of admins. */
export interface AdminPasskeyStore {
  /** Oldest first. */
  of(admin: number): Promise<readonly AdminPasskey[]>;
  byCredential(credentialId: string): Promise<AdminPasskey | undefined>;
  add(
    acting: ActingAdmin,
    passkey: NewPasskey & { readonly handle: string },
    challenge: AnsweredChallenge,
  ): Promise<'ok' | 'passkey-failed' | 'passkey-limit'>;
  /** @returns false where it is none of the admin's own. */
  remove(acting: ActingAdmin, id: string): Promise<boolean>;
  /** Opens a session; false when challenge or passkey do not count, or not any more. */
  logIn(used: UsedPasskey, session: NewAdminSession): Promise<boolean>;
  /** Opens changes until then; false as above. */
  stepUp(acting: ActingAdmin, used: UsedPasskey, provedUntil: Millis): Promise<boolean>;
}
