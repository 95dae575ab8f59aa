import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a REST client signs: timestamp, key, receive window, then the query string or the JSON body as the bytes were
 * sent (guide, "Authentication", 2026-07-24).
 */
export function restPayload(call: {
  readonly timestamp: string;
  readonly apiKey: string;
  readonly receiveWindow: string;
  readonly sent: string;
}): string {
  return `${call.timestamp}${call.apiKey}${call.receiveWindow}${call.sent}`;
}

/** What is signed to log on to a private or trade socket (websocket/connect, "Authentication"). */
export function logOnPayload(expires: string): string {
  return `GET/realtime${expires}`;
}

/** Hex HMAC-SHA256 of a payload. */
export function signature(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('hex');
}

/** Whether a client's signature fits, in constant time. */
export function signatureFits(secret: string, payload: string, given: string): boolean {
  if (!/^[0-9a-fA-F]{64}$/.test(given)) return false;
  const expected = createHmac('sha256', secret).update(payload, 'utf8').digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}
