import type { Millis } from '@crossbook/domain';
import type { MarketChannel, MarketMessage, PublicSocketCodec, VenuePublic } from '@crossbook/venues';
import type { MarketPorts } from './ports.ts';
import { type FeedCounters, UpstreamSocket } from './upstream-socket.ts';

/** Which channels a stream has. */
export type Carries = (channel: MarketChannel) => boolean;

/** Who hears the feed. Messages come from `drain`, never from inside a socket's event. */
export interface FeedListener {
  onMessage(message: MarketMessage): void;
  /** The stream that carries these channels has gone: what it fed is stale from here on. */
  onDown(carries: Carries): void;
  /** Such a stream runs afresh: whatever was missed in between is lost. */
  onUp(carries: Carries): void;
}

const EVERYTHING: Carries = () => true;

function carriesOf(codec: PublicSocketCodec): Carries {
  return codec.carries === undefined ? EVERYTHING : (channel) => codec.carries?.(channel) === true;
}

/**
 * The one feed of a venue's public streams, however many watch. A venue may spread its channels
 * over several addresses: each is a connection with its own state, reconnects and rollover.
 */
export class VenueFeed {
  readonly #lanes: readonly { readonly carries: Carries; readonly socket: UpstreamSocket }[];

  constructor(
    venue: VenuePublic,
    ports: MarketPorts,
    made: { readonly listener: FeedListener; readonly facts: Readonly<Record<string, unknown>> },
  ) {
    const { listener } = made;
    const { socketSendsSnapshots } = venue;
    this.#lanes = [venue.socket, ...(venue.furtherSockets ?? [])].map((codec, lane) => {
      const carries = carriesOf(codec);
      const socket = new UpstreamSocket({
        ...{ codec, ports, socketSendsSnapshots, facts: lane === 0 ? made.facts : { ...made.facts, lane } },
        listener: {
          onMessage: (message) => listener.onMessage(message),
          onDown: () => listener.onDown(carries),
          onUp: () => listener.onUp(carries),
        },
      });
      return { carries, socket };
    });
  }

  /** Follows a channel until `release`d as often as it was wanted. */
  want(channel: MarketChannel): void {
    this.#laneOf(channel)?.want(channel);
  }

  release(channel: MarketChannel): void {
    this.#laneOf(channel)?.release(channel);
  }

  /** Asks anew for a channel that is wanted and says nothing, or nothing of use. */
  resubscribe(channel: MarketChannel): void {
    this.#laneOf(channel)?.resubscribe(channel);
  }

  /** Handles what has arrived since the last call, in the order of each connection. */
  drain(): void {
    for (const { socket } of this.#lanes) socket.drain();
  }

  /** Of the connections that are wanted: all run, some, or none. */
  get state(): 'live' | 'partly' | 'down' {
    const wanted = this.#wanted;
    const live = wanted.filter((socket) => socket.state === 'live').length;
    if (live === wanted.length) return 'live';
    return live === 0 ? 'down' : 'partly';
  }

  /** When the wanted connection that was heard from least recently gave its last sign of life. */
  get aliveAt(): Millis {
    return Math.min(...this.#wanted.map((socket) => socket.aliveAt)) as Millis;
  }

  /** When the connection that carries a channel gave its last sign of life; 0 before the first. */
  aliveAtOf(channel: MarketChannel): Millis {
    return this.#laneOf(channel)?.aliveAt ?? (0 as Millis);
  }

  /** Counters of all connections together. */
  get counters(): FeedCounters {
    const sums: FeedCounters = { frames: 0, malformed: 0, reconnects: 0, overflows: 0, refused: 0 };
    for (const { socket } of this.#lanes) {
      for (const name of Object.keys(sums) as (keyof FeedCounters)[]) sums[name] += socket.counters[name];
    }
    return sums;
  }

  close(): void {
    for (const { socket } of this.#lanes) socket.close();
  }

  get #wanted(): readonly UpstreamSocket[] {
    return this.#lanes.flatMap(({ socket }) => (socket.isWanted ? [socket] : []));
  }

  #laneOf(channel: MarketChannel): UpstreamSocket | undefined {
    return this.#lanes.find(({ carries }) => carries(channel))?.socket;
  }
}
