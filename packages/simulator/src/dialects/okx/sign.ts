import { createHmac } from 'node:crypto';
import { sameText } from '../wire/hmac.ts';

/** What a socket's log-on signs beside its timestamp (OKX v5 guide, "Login"). */
export const LOGIN_PATH = '/users/self/verify';

/** Base64 HMAC-SHA256 of `timestamp + METHOD + path with query + body`, the bytes as sent. */
export function signature(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('base64');
}

/** Whether a client's signature fits. */
export function signatureFits(secret: string, payload: string, given: string): boolean {
  return sameText(signature(secret, payload), given);
}
