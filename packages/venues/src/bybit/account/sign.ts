import { hmacHex } from '../../trading/hmac.ts';
import type { VenueCredentials } from '../../venue-answers.ts';

/**
 * The headers of a signed REST call. The signature is over timestamp + key + receive window + the query string or the
 * JSON body, byte for byte as it is sent (guide, "Authentication", 2026-07-24).
 */
export function signedHeaders(
  credentials: VenueCredentials,
  call: { readonly timestamp: number; readonly receiveWindowMillis: number; readonly payload: string },
): Readonly<Record<string, string>> {
  const timestamp = String(call.timestamp);
  const recvWindow = String(call.receiveWindowMillis);
  const signed = `${timestamp}${credentials.apiKey}${recvWindow}${call.payload}`;
  return {
    'x-bapi-api-key': credentials.apiKey,
    'x-bapi-timestamp': timestamp,
    'x-bapi-recv-window': recvWindow,
    'x-bapi-sign': hmacHex(credentials.secret, signed),
  };
}

/**
 * The first frame on the private and the trade socket. `expires` is a moment of the venue's time in the near future
 * (websocket/connect, "Authentication").
 */
export function authFrame(credentials: VenueCredentials, expires: number): string {
  const signature = hmacHex(credentials.secret, `GET/realtime${expires}`);
  return JSON.stringify({ req_id: 'auth', op: 'auth', args: [credentials.apiKey, expires, signature] });
}
