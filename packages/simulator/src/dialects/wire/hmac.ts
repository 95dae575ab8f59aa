import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of a payload, hex in lower case. */
export function hexHmac(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('hex');
}

/** Whether two texts are equal, in constant time for equal lengths. */
export function sameText(left: string, right: string): boolean {
  const one = Buffer.from(left, 'utf8');
  const other = Buffer.from(right, 'utf8');
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a client's hex signature fits, in constant time; hex of either case. */
export function hexHmacFits(secret: string, payload: string, given: string): boolean {
  return sameText(hexHmac(secret, payload), given.toLowerCase());
}
