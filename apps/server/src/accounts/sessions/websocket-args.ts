import type { MemberCaller } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import { keyedHash, type SecretKey, sameText } from '../keyed-hash.ts';
import type { SessionStore } from '../ports.ts';

/** Life of the credentials; clients reuse them for 10 s (decision 0030.16). */
export const WEBSOCKET_ARGS_LIFE_MILLIS = 15_000;

/** What GetWebsocketArgs answers and the live connection's login sends. */
export interface WebsocketArgs {
  /** Names the session; never a key of a venue. */
  readonly apiKey: string;
  /** When it was made, milliseconds. */
  readonly timestamp: string;
  readonly sign: string;
}

/** Who logged in on a live connection. The gateway closes it when the session ends (`SessionEvents`) or expires. */
export interface StreamLogin {
  readonly user: UserId;
  readonly sessionId: string;
  readonly expiresAt: Millis;
}

/** Signs credentials for the caller's session and page origin. */
export function issueWebsocketArgs(caller: MemberCaller, key: SecretKey): WebsocketArgs {
  const timestamp = String(caller.now);
  return {
    apiKey: caller.sessionId,
    timestamp,
    sign: keyedHash(key, 'websocket-args', caller.sessionId, timestamp, caller.origin),
  };
}

/**
 * Checks credentials that came over a live connection.
 * @param origin the Origin header of that connection's handshake, empty when it had none.
 * @returns `undefined` when they are forged, too old, from another origin, or their session is over.
 */
export async function verifyWebsocketArgs(
  args: WebsocketArgs,
  origin: string,
  deps: { readonly sessions: SessionStore; readonly key: SecretKey; readonly now: Millis },
): Promise<StreamLogin | undefined> {
  if (!/^[0-9a-f-]{36,64}$/.test(args.apiKey) || !/^[0-9]{13}$/.test(args.timestamp)) return undefined;
  const age = deps.now - Number(args.timestamp);
  if (age < 0 || age >= WEBSOCKET_ARGS_LIFE_MILLIS) return undefined;
  const expected = keyedHash(deps.key, 'websocket-args', args.apiKey, args.timestamp, origin);
  if (!sameText(args.sign, expected)) return undefined;
  const session = await deps.sessions.byId(args.apiKey, deps.now);
  if (session === undefined) return undefined;
  return { user: session.user, sessionId: session.id, expiresAt: session.expiresAt };
}
