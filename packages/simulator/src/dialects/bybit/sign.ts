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
