import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a socket's log-on signs beside its timestamp (OKX v5 guide, "Login"). */
export const LOGIN_PATH = '/users/self/verify';

/** Base64 HMAC-SHA256 of `timestamp + METHOD + path with query + body`, the bytes as sent (wire.md 3.1). */
export function signature(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('base64');
}

/** Whether two texts are equal, in constant time for equal lengths. */
export function sameText(left: string, right: string): boolean {
  const one = Buffer.from(left, 'utf8');
  const other = Buffer.from(right, 'utf8');
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a client's signature fits. */
export function signatureFits(secret: string, payload: string, given: string): boolean {
  return sameText(signature(secret, payload), given);
}
