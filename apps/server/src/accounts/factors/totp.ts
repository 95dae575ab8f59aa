import type { Millis } from '@crossbook/domain';
import { HOTP, Secret, TOTP } from 'otpauth';

/** One-time passwords by time, as authenticator apps make them: RFC 6238 with SHA-1, 6 digits, 30 seconds. */

/** Bytes of a secret: RFC 4226 asks for 160 bits. */
export const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps before and after the present one whose code counts: clocks of phones differ. */
const STEPS_AROUND = 1;

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}

/** Base32 without padding (RFC 4648), as apps and people type it. */
export function base32(bytes: Uint8Array): string {
  return secretOf(bytes).base32;
}

/** The code of a step, with leading zeros. */
export function codeOfStep(secret: Uint8Array, step: number, digits = 6): string {
  return HOTP.generate({ secret: secretOf(secret), counter: step, digits });
}

/** The 30-second step of a time. */
export function stepAt(now: Millis): number {
  return TOTP.counter({ period: PERIOD_SECONDS, timestamp: now });
}

/**
 * The step whose code was given, if it is one of those around now. Whether that step was used before is for the store to
 * say, in the statement that uses it.
 */
export function stepOfCode(secret: Uint8Array, code: string, now: Millis): number | undefined {
  const steps = { period: PERIOD_SECONDS, timestamp: now, window: STEPS_AROUND };
  const away = TOTP.validate({ ...steps, token: code, secret: secretOf(secret) });
  return away === null ? undefined : stepAt(now) + away;
}

/** What the QR code says. @param account shown by the app. */
export function otpUri(issuer: string, account: string, secret: Uint8Array): string {
  return new TOTP({ issuer, label: account, secret: secretOf(secret), period: PERIOD_SECONDS }).toString();
}
