import type { Millis } from '@crossbook/domain';
import type { MarketChannel, MarketMessage, VenuePublic } from '@crossbook/venues';
import type { FeedSocket, MarketPorts } from './ports.ts';

/** Frames that may wait for the next tick; above it the connection is dropped and every book starts again. */
const FRAMES_QUEUED_MAX = 20_000;
const RECONNECT_DELAY_MILLIS_MIN = 250;
const RECONNECT_DELAY_MILLIS_MAX = 30_000;
/** Nothing at all for this long on a connection that has subscriptions: it is half open. */
const SILENCE_MILLIS_MAX = 15_000;
/** Asking for channels is collected this long, so that a page's five subscriptions are one message. */
const SUBSCRIBE_DELAY_MILLIS_MIN = 20;
/** Two control messages a flush at most, and venues take as few as five a second. */
const FLUSH_SPACING_MILLIS_MIN = 450;
/** A new connection replaces the old one this long before the venue would end it. */
const ROLLOVER_MARGIN_MILLIS = 3_600_000;
/** Old and new connection run side by side this long; messages that come twice are told apart by their ids. */
const ROLLOVER_OVERLAP_MILLIS = 5_000;

/** Who hears the feed. All of it is called from `drain`, never from inside a socket's event. */
export interface FeedListener {
  onMessage(message: MarketMessage): void;
  /** The stream has gone: what it fed is stale from here on. */
  onDown(): void;
  /** A fresh stream runs: whatever was missed in between is lost. */
  onUp(): void;
}

/** Counters for metrics. */
export interface FeedCounters {
  frames: number;
  malformed: number;
  reconnects: number;
  overflows: number;
  /** Subscriptions that the venue refused. */
  refused: number;
}

/** The one upstream connection to a venue's public stream, however many watch (product.md section 3). */
export interface MarketFeed {
  /** Follows a channel until `release`d as often as it was wanted. */
  want(channel: MarketChannel): void;
  release(channel: MarketChannel): void;
  /** Asks anew for a channel that is wanted and says nothing. */
  resubscribe(channel: MarketChannel): void;
  /** Handles what has arrived since the last call, in order. */
  drain(): void;
  readonly state: 'down' | 'live';
  /** When the last frame arrived; 0 before the first. */
  readonly lastFrameAt: Millis;
  readonly counters: FeedCounters;
  close(): void;
}

interface Wanted {
  readonly channel: MarketChannel;
  holders: number;
}

/** Names a channel for look-up. */
export function channelKey(channel: MarketChannel): string {
  return channel.kind === 'candle'
    ? `candle:${channel.symbol}:${channel.interval}`
    : `${channel.kind}:${channel.symbol}`;
}

/** Connects as soon as a channel is wanted and never gives up: full jitter up to 30 s between tries. */
export class VenueFeed implements MarketFeed {
  readonly counters: FeedCounters = { frames: 0, malformed: 0, reconnects: 0, overflows: 0, refused: 0 };
  state: 'down' | 'live' = 'down';
  lastFrameAt = 0 as Millis;
  readonly #venue: VenuePublic;
  readonly #ports: MarketPorts;
  readonly #listener: FeedListener;
  readonly #wanted = new Map<string, Wanted>();
  readonly #stopChecks: () => void;
  #queue: { bytes: Uint8Array; at: Millis }[] = [];
  #socket: FeedSocket | undefined;
  #openedAt = 0;
  #pending = { subscribe: new Map<string, MarketChannel>(), unsubscribe: new Map<string, MarketChannel>() };
  #stopFlush: (() => void) | undefined;
  #stopRetry: (() => void) | undefined;
  #failures = 0;
  #requests = 0;
  #flushedAt = 0;
  #rolling = false;
  /** Opened to take over, not open yet. */
  #successor: FeedSocket | undefined;
  #retiring: { readonly socket: FeedSocket; readonly stop: () => void } | undefined;
  /** The generation whose frames still count beside the current one's. */
  #overlapping = -1;
  /** The connection that counts; every connection gets a number of its own. */
  #generation = 0;
  #connections = 0;
  #closed = false;

  constructor(venue: VenuePublic, ports: MarketPorts, listener: FeedListener) {
    this.#venue = venue;
    this.#ports = ports;
    this.#listener = listener;
    this.#stopChecks = ports.every(1_000, () => this.#check());
  }

  want(channel: MarketChannel): void {
    const key = channelKey(channel);
    const known = this.#wanted.get(key);
    if (known !== undefined) {
      known.holders += 1;
      return;
    }
    this.#wanted.set(key, { channel, holders: 1 });
    this.#pending.unsubscribe.delete(key);
    this.#pending.subscribe.set(key, channel);
    this.#flushSoon();
    if (this.#socket === undefined && this.#stopRetry === undefined) this.#connect();
  }

  release(channel: MarketChannel): void {
    const key = channelKey(channel);
    const known = this.#wanted.get(key);
    if (known === undefined) return;
    known.holders -= 1;
    if (known.holders > 0) return;
    this.#wanted.delete(key);
    if (!this.#pending.subscribe.delete(key)) this.#pending.unsubscribe.set(key, channel);
    this.#flushSoon();
  }

  resubscribe(channel: MarketChannel): void {
    const key = channelKey(channel);
    if (!this.#wanted.has(key)) return;
    this.#pending.unsubscribe.set(key, channel);
    this.#pending.subscribe.set(key, channel);
    this.#flushSoon();
  }

  drain(): void {
    const frames = this.#queue;
    this.#queue = [];
    for (const frame of frames) {
      const message = this.#venue.socket.decode(frame.bytes, frame.at);
      if (message.kind === 'malformed') {
        // Counted, not acted on: a book that missed something proves it by its next update id.
        this.counters.malformed += 1;
        this.#ports.note('venue frame unreadable', { platform: this.#venue.platform, why: message.why });
      } else if (message.kind === 'acknowledged' && !message.accepted) {
        this.counters.refused += 1;
        this.#ports.note('venue refused a subscription', { platform: this.#venue.platform });
      }
      this.#listener.onMessage(message);
    }
  }

  close(): void {
    this.#closed = true;
    this.#stopChecks();
    this.#stopRetry?.();
    this.#stopFlush?.();
    this.#generation = -1;
    this.#retire();
    this.#successor?.close();
    this.#socket?.close();
  }

  #connect(): void {
    this.#stopRetry = undefined;
    if (this.#closed) return;
    this.#connections += 1;
    const generation = this.#connections;
    this.#generation = generation;
    const current = () => generation === this.#generation;
    try {
      this.#socket = this.#ports.openSocket(this.#venue.socket.url(), {
        onOpen: () => current() && this.#opened(),
        // Frames of the connection before count on during a rollover; after a loss its socket is closed.
        onFrame: (bytes) => (current() || generation === this.#overlapping) && this.#received(bytes),
        onClosed: (why) => current() && this.#lost(why),
      });
    } catch {
      // An address that is none throws at once; it is an attempt that failed like any other.
      this.#lost('socket could not be opened');
    }
  }

  #opened(): void {
    this.state = 'live';
    this.#openedAt = this.#ports.clock();
    this.lastFrameAt = this.#openedAt as Millis;
    this.#pending = { subscribe: new Map(), unsubscribe: new Map() };
    for (const [key, wanted] of this.#wanted) this.#pending.subscribe.set(key, wanted.channel);
    this.#flush();
    this.#listener.onUp();
  }

  #received(bytes: Uint8Array): void {
    const at = this.#ports.clock();
    this.lastFrameAt = at;
    this.counters.frames += 1;
    // A connection that delivers is sound again; one that merely opens may be dropped at once.
    this.#failures = 0;
    if (this.#queue.length >= FRAMES_QUEUED_MAX) {
      this.counters.overflows += 1;
      this.#drop('queue overflow');
      return;
    }
    this.#queue.push({ bytes, at });
  }

  #drop(why: string): void {
    const socket = this.#socket;
    this.#generation = -1;
    this.#lost(why);
    socket?.close();
  }

  #lost(why: string): void {
    const wasLive = this.state === 'live';
    this.state = 'down';
    this.#generation = -1;
    this.#socket = undefined;
    this.#queue = [];
    this.#retire();
    this.#failures += 1;
    this.counters.reconnects += 1;
    this.#ports.note('venue stream lost', { platform: this.#venue.platform, why });
    if (wasLive) this.#listener.onDown();
    if (this.#closed) return;
    const ceiling = Math.min(RECONNECT_DELAY_MILLIS_MAX, RECONNECT_DELAY_MILLIS_MIN * 2 ** this.#failures);
    const delay = Math.max(RECONNECT_DELAY_MILLIS_MIN, Math.floor(ceiling * this.#ports.chance()));
    this.#stopRetry = this.#ports.after(delay, () => this.#connect());
  }

  #check(): void {
    if (this.state !== 'live') return;
    const now = this.#ports.clock();
    if (this.#wanted.size > 0 && now - this.lastFrameAt > SILENCE_MILLIS_MAX) this.#drop('silent');
    else if (now - this.#openedAt > this.#venue.socket.lifeMillisMax - ROLLOVER_MARGIN_MILLIS)
      this.#rollOver();
  }

  /** Opens the successor first; the old connection ends only when the new one has been live for a while. */
  #rollOver(): void {
    if (this.#rolling) return;
    this.#rolling = true;
    const predecessor = this.#generation;
    this.#connections += 1;
    const successor = this.#connections;
    const current = () => this.#generation === successor;
    const socket = this.#ports.openSocket(this.#venue.socket.url(), {
      onOpen: () => {
        this.#rolling = false;
        this.#successor = undefined;
        if (this.#closed || this.#generation !== predecessor) socket.close();
        else this.#succeed(socket, successor);
      },
      onFrame: (bytes) => (current() || successor === this.#overlapping) && this.#received(bytes),
      onClosed: (why) => {
        this.#rolling = false;
        if (this.#successor === socket) this.#successor = undefined;
        if (current()) this.#lost(why);
      },
    });
    this.#successor = socket;
  }

  #succeed(socket: FeedSocket, generation: number): void {
    const old = this.#socket;
    this.#overlapping = this.#generation;
    this.#generation = generation;
    this.#socket = socket;
    this.#openedAt = this.#ports.clock();
    const channels = [...this.#wanted.values()].map((wanted) => wanted.channel);
    this.#requests += 1;
    if (channels.length > 0) socket.send(this.#venue.socket.subscribe(channels, this.#requests));
    const stop = this.#ports.after(ROLLOVER_OVERLAP_MILLIS, () => this.#retire());
    if (old !== undefined) this.#retiring = { socket: old, stop };
  }

  /** Ends the connection that was succeeded. */
  #retire(): void {
    const retiring = this.#retiring;
    this.#retiring = undefined;
    this.#overlapping = -1;
    retiring?.stop();
    retiring?.socket.close();
  }

  #flushSoon(): void {
    if (this.state !== 'live' || this.#stopFlush !== undefined) return;
    const spaced = this.#flushedAt + FLUSH_SPACING_MILLIS_MIN - this.#ports.clock();
    this.#stopFlush = this.#ports.after(Math.max(SUBSCRIBE_DELAY_MILLIS_MIN, spaced), () => this.#flush());
  }

  #flush(): void {
    this.#stopFlush?.();
    this.#stopFlush = undefined;
    const { subscribe, unsubscribe } = this.#pending;
    this.#pending = { subscribe: new Map(), unsubscribe: new Map() };
    if (this.state !== 'live' || this.#socket === undefined) return;
    this.#flushedAt = this.#ports.clock();
    const codec = this.#venue.socket;
    this.#requests += 1;
    if (unsubscribe.size > 0) this.#socket.send(codec.unsubscribe([...unsubscribe.values()], this.#requests));
    this.#requests += 1;
    if (subscribe.size > 0) this.#socket.send(codec.subscribe([...subscribe.values()], this.#requests));
  }
}
