import {
  type OrderEvent,
  orderIdOfVenueClientId,
  type Platform,
  type UserId,
  type VenueAlgoState,
} from '@crossbook/domain';
import type { ContractEvent, UserStream } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import type { TradingDeps } from '../ports.ts';

/** Private streams held open at most; above that fills are found by comparing alone. */
export const USER_STREAMS_MAX = 5_000;

/** What a private stream may set going. */
export interface StreamReactions {
  onOrder(event: OrderEvent, owner: AccountOwner): void;
  onContracts(event: ContractEvent, owner: AccountOwner): void;
  onAlgo(state: VenueAlgoState, owner: AccountOwner): void;
  /** Nothing is heard of the member there: no stream is open yet, or any more. */
  onSilence(user: UserId, platform: Platform): void;
  /** The stream is open. `again`: it was before, so that something may have been missed. */
  onOpen(owner: AccountOwner, again: boolean): void;
  /** Something on it could not be read. */
  onMalformed(user: UserId, platform: Platform): void;
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
      if (closed || desk === undefined || streams.has(key)) return;
      if (streams.size >= USER_STREAMS_MAX) return reactions.onSilence(user, platform);
      const account = await deps.accounts.find(user, platform);
      if (closed || account.state !== 'ready' || streams.has(key)) return;
      reactions.onSilence(user, platform);
      let opened = false;
      const stream = desk.trading.userStream(account.credentials, {
        onOpen: () => {
          reactions.onOpen({ user, platform }, opened);
          opened = true;
        },
        onOrder: (event) => reactions.onOrder(event, { user, platform }),
        onContracts: (event) => reactions.onContracts(event, { user, platform }),
        onAlgo: (state) => reactions.onAlgo(state, { user, platform }),
        onBalances: () => undefined,
        onClosed: (why) => {
          deps.log.note('private stream closed', { user, platform, why });
          if (!closed) reactions.onSilence(user, platform);
        },
        onMalformed: (why) => {
          deps.log.note('private stream unreadable', { user, platform, why });
          reactions.onMalformed(user, platform);
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
