import type { Millis, Platform, UserId } from '@crossbook/domain';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { ConnectionCaps } from './connection-places.ts';
import type { UserEvents } from './user-events.ts';

/** Who a live connection's login is for. */
export interface StreamIdentity {
  readonly user: UserId;
  readonly sessionId: string;
  readonly expiresAt: Millis;
}

/** What the gateway needs; the rules live behind these ports. */
export interface GatewayPorts {
  readonly markets: (platform: Platform) => PlatformMarkets | undefined;
  readonly events: UserEvents;
  readonly verify: (
    args: { readonly apiKey: string; readonly timestamp: string; readonly sign: string },
    origin: string,
  ) => Promise<StreamIdentity | undefined>;
  /** Opens the member's private stream at the venue, if there is an account. */
  readonly onLogin: (user: UserId, platform: Platform) => void;
  /** How long ago the oldest of the rotating comparisons with a venue was made, ms. */
  readonly oldestCheckMillis: (platform: Platform) => number;
  /** Time of day: stamps, and the end of sessions. */
  readonly clock: () => Millis;
  /** A clock that is never set: ages and windows. */
  readonly steady: () => Millis;
  readonly random: (bytes: number) => Uint8Array;
  readonly caps: ConnectionCaps;
  readonly every: (millis: number, run: () => void) => () => void;
}
