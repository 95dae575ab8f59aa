import type { Millis } from '@crossbook/domain';
import { keyedHash, type SecretKey, sameText, sha256Hex } from '../keyed-hash.ts';
import type { RandomBytes } from '../ports.ts';

/** A challenge is answered within this time: a person has to find the key and touch it. */
export const CHALLENGE_LIFE_MILLIS = 5 * 60_000;
const NONCE_BYTES = 16;

/** What a challenge is good for: nothing else, for nobody else. */
export interface ChallengePurpose {
  readonly ceremony: 'register' | 'login' | 'step-up' | 'recover';
  /** The session, or the browser, that asked. */
  readonly asker: string;
  /** The member or the log-in it is about; empty where that is yet to be learned. */
  readonly about: string;
}

/** A challenge of ours that was answered; used up by the act that it proves. */
export interface AnsweredChallenge {
  readonly hash: string;
  readonly expiresAt: Millis;
}

function signed(key: SecretKey, head: string, { ceremony, asker, about }: ChallengePurpose): string {
  return `${head}.${keyedHash(key, 'passkey challenge', head, ceremony, asker, about)}`;
}

/**
 * A challenge that carries its own proof of being ours: nothing is kept of it until it is answered rightly, so that however many
 * are asked for, nobody else's is lost.
 */
export function makeChallenge(
  key: SecretKey,
  random: RandomBytes,
  asked: { readonly purpose: ChallengePurpose; readonly now: Millis },
): string {
  const nonce = Buffer.from(random(NONCE_BYTES)).toString('base64url');
  return signed(key, `${nonce}.${asked.now + CHALLENGE_LIFE_MILLIS}`, asked.purpose);
}

/** The challenge that was answered, if it is ours, for this purpose, and not over. @param given base64url, as browsers tell it. */
export function answeredChallenge(
  key: SecretKey,
  given: string,
  asked: { readonly purpose: ChallengePurpose; readonly now: Millis },
): AnsweredChallenge | undefined {
  const text = Buffer.from(given, 'base64url').toString('latin1');
  const match = /^([A-Za-z0-9_-]{22}\.([0-9]{13}))\.[A-Za-z0-9_-]{43}$/.exec(text);
  const [, head = '', expiresAt = ''] = match ?? [];
  if (match === null || !sameText(text, signed(key, head, asked.purpose))) return undefined;
  if (Number(expiresAt) <= asked.now) return undefined;
  return { hash: sha256Hex(text), expiresAt: Number(expiresAt) as Millis };
}
