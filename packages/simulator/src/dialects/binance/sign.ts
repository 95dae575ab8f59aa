import { createHmac, timingSafeEqual } from 'node:crypto';

/** Removes the `signature` pair from a raw query or form body and leaves every other byte as sent. */
function withoutSignature(raw: string): string {
  return raw
    .split('&')
    .filter((pair) => !pair.startsWith('signature='))
    .join('&');
}

/**
 * What a REST client signs: the raw query and the raw body, nothing between, as the bytes were sent,
 * without the signature pair (wire.md 1.1, binance-spot-api-docs rest-api.md "SIGNED Endpoint Examples").
 */
export function restPayload(rawQuery: string, rawBody: string): string {
  return withoutSignature(rawQuery) + withoutSignature(rawBody);
}

/** What a WebSocket API client signs: all parameters but the signature, sorted by name (wire.md 1.7). */
export function socketPayload(params: ReadonlyMap<string, string>): string {
  return [...params.entries()]
    .filter(([name]) => name !== 'signature')
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Hex HMAC-SHA256 of a payload. */
export function signature(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('hex');
}

/** Whether a client's signature fits, in constant time; hex of either case (HMAC signatures ignore case). */
export function signatureFits(secret: string, payload: string, given: string): boolean {
  if (!/^[0-9a-fA-F]{64}$/.test(given)) return false;
  const expected = createHmac('sha256', secret).update(payload, 'utf8').digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}
