import type { Millis, UserId } from '@crossbook/domain';

/** How many passkeys a member has at most. */
export const PASSKEYS_PER_MEMBER_MAX = 10;

/** A passkey as its authenticator made it. */
export interface NewPasskey {
  /** Names it to its member. */
  readonly id: string;
  /** Names it to its authenticator, base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** How often it was used, as the authenticator counts; 0 for good where it does not. */
  readonly counter: number;
  /** How browsers reach it: internal, hybrid, usb. */
  readonly transports: readonly string[];
  /** The model of its authenticator. */
  readonly aaguid: string;
  /** The host that it was made for. */
  readonly rpId: string;
  /** Whether it is kept in more places than one device. */
  readonly backedUp: boolean;
  readonly name: string;
}

/** A passkey of a member. */
export interface StoredPasskey extends Omit<NewPasskey, 'aaguid' | 'counter' | 'rpId'> {
  readonly user: UserId;
  /** How its authenticator knows the member, where that is not what `userHandle` says: it was made under a retired key. */
  readonly handle: string | undefined;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | undefined;
}

/** Passkeys that count. */
export interface PasskeyStore {
  /** Oldest first. */
  of(user: UserId): Promise<readonly StoredPasskey[]>;
  byCredential(credentialId: string): Promise<StoredPasskey | undefined>;
}

/** Where passkeys are made for and answered from. */
export interface PasskeySite {
  /** The host name: a passkey serves below it alone. */
  readonly rpId: string;
  readonly origin: string;
}

/** The site that a page of this origin belongs to; `undefined` where browsers have no passkeys. */
export type PasskeySiteOf = (origin: string) => PasskeySite | undefined;
