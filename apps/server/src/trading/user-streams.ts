import { type OrderEvent, orderIdOfVenueClientId, type Platform, type UserId } from '@crossbook/domain';
import type { UserStream } from '@crossbook/venues/trading';
import type { TradingDeps } from './ports.ts';

/** Private streams held open at most; above that fills are found by polling alone. */
export const USER_STREAMS_MAX = 5_000;

/** What a private stream may set going. */
export interface StreamReactions {
  onOrder(event: OrderEvent, platform: Platform): void;
  /** The stream is open, or something on it could not be read: compare the member's orders with the venue. */
  compare(user: UserId, platform: Platform): void;
}

/** The members' private streams at the venues. */
export interface UserStreams {
  /** Opens the member's stream unless it is open already. */
  ensure(user: UserId, platform: Platform): Promise<void>;
  /** How many are held open. */
  open(): number;
  close(): void;
}

/** Makes the set of private streams; each reconnects by itself inside the connector. */
export function createUserStreams(deps: TradingDeps, reactions: StreamReactions): UserStreams {
  const streams = new Map<string, UserStream>();
  let closed = false;
  return {
    async ensure(user, platform) {
      const key = `${platform}:${user}`;
      const desk = deps.venue(platform);
      if (closed || desk === undefined || streams.has(key) || streams.size >= USER_STREAMS_MAX) return;
      const account = await deps.accounts.find(user, platform);
      if (closed || account.state !== 'ready' || streams.has(key)) return;
      const stream = desk.trading.userStream(account.credentials, {
        onOpen: () => reactions.compare(user, platform),
        onOrder: (event) => reactions.onOrder(event, platform),
        onBalances: () => undefined,
        onClosed: (why) => deps.log.note('private stream closed', { user, platform, why }),
        onMalformed: (why) => {
          deps.log.note('private stream unreadable', { user, platform, why });
          reactions.compare(user, platform);
        },
      });
      streams.set(key, stream);
    },
    open: () => streams.size,
    close() {
      closed = true;
      for (const stream of streams.values()) stream.close();
      streams.clear();
    },
  };
}

/** Which of our orders an event is about; `undefined` when it was placed outside the hub. */
export function orderOfEvent(event: OrderEvent) {
  return orderIdOfVenueClientId(event.state.clientId);
}
