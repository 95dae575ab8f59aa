/** Removes the `signature` pair from a raw query or form body and leaves every other byte as sent. */
function withoutSignature(raw: string): string {
  return raw
    .split('&')
    .filter((pair) => !pair.startsWith('signature='))
    .join('&');
}

/**
 * What a REST client signs: the raw query and the raw body, nothing between, as the bytes were sent,
 * without the signature pair (binance-spot-api-docs rest-api.md "SIGNED Endpoint Examples").
 */
export function restPayload(rawQuery: string, rawBody: string): string {
  return withoutSignature(rawQuery) + withoutSignature(rawBody);
}

/** What a WebSocket API client signs: all parameters but the signature, sorted by name. */
export function socketPayload(params: ReadonlyMap<string, string>): string {
  return [...params.entries()]
    .filter(([name]) => name !== 'signature')
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
