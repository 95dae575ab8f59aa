import { hmacHex } from '../../trading/hmac.ts';
import { queryString } from '../../wire/query-url.ts';

/** Parameters of a signed call before signing. */
export type CallParameters = Readonly<Record<string, string | number | boolean>>;

/**
 * The signed payload of a REST call: the bytes exactly as they will be sent, percent-encoded (required since
 * 2026-01-15), followed by their signature.
 */
export function signedPayload(parameters: CallParameters, secret: string): string {
  const payload = queryString(parameters);
  return `${payload}&signature=${hmacHex(secret, payload)}`;
}

/**
 * The parameters of a WebSocket API call with their signature: names sorted, joined as they are without encoding
 * (web-socket-api.md, "SIGNED request security"). HMAC keys cannot log on, so that every request is signed.
 */
export function signedParameters(
  parameters: CallParameters,
  secret: string,
): Readonly<Record<string, string | number | boolean>> {
  const payload = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${String(parameters[name])}`)
    .join('&');
  return { ...parameters, signature: hmacHex(secret, payload) };
}
