import type { Millis, Platform, UserId } from '@crossbook/domain';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { UserEvents } from './user-events.ts';

/** Who a live connection's login is for. */
export interface StreamIdentity {
  readonly user: UserId;
  readonly sessionHash: string;
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
  readonly clock: () => Millis;
  readonly every: (millis: number, run: () => void) => () => void;
}
