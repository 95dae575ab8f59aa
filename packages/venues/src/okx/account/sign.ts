import { createHmac } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import type { VenueCredentials } from '../../venue-answers.ts';

/** Base64 HMAC-SHA256 over the joined parts (OKX v5 guide, "REST authentication" and "Login"). */
export function okxSignature(secret: string, ...parts: readonly string[]): string {
  return createHmac('sha256', secret).update(parts.join(''), 'utf8').digest('base64');
}

/** What is signed of one REST request: the bytes exactly as they will be sent. */
export interface SignableRequest {
  readonly method: 'GET' | 'POST';
  /** Path with its query. */
  readonly requestPath: string;
  /** Empty for GET. */
  readonly body: string;
}

/** Headers of a signed REST request. The venue takes a timestamp of at most 30 s ago. */
export function signedHeaders(
  credentials: VenueCredentials,
  request: SignableRequest,
  now: Millis,
): Readonly<Record<string, string>> {
  const timestamp = new Date(now).toISOString();
  const { method, requestPath, body } = request;
  return {
    'content-type': 'application/json',
    'ok-access-key': credentials.apiKey,
    'ok-access-sign': okxSignature(credentials.secret, timestamp, method, requestPath, body),
    'ok-access-timestamp': timestamp,
    'ok-access-passphrase': credentials.passphrase ?? '',
  };
}

/** The log-on of a private socket; its timestamp counts whole seconds. */
export function loginFrame(credentials: VenueCredentials, now: Millis): string {
  const timestamp = String(Math.floor(now / 1_000));
  const { apiKey, secret, passphrase = '' } = credentials;
  const sign = okxSignature(secret, timestamp, 'GET', '/users/self/verify');
  return JSON.stringify({ op: 'login', args: [{ apiKey, passphrase, timestamp, sign }] });
}
