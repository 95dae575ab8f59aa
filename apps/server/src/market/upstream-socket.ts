import type { Millis } from '@crossbook/domain';
import type { MarketChannel, MarketMessage, PublicSocketCodec } from '@crossbook/venues';
import { channelKey } from './channel-key.ts';
import { ChannelRequests } from './channel-requests.ts';
import { HeartbeatMonitor, type Silence } from './heartbeat-monitor.ts';
import type { FeedSocket, FeedSocketHandlers, MarketPorts } from './ports.ts';

/** Frames that may wait for the next tick; above it the connection is dropped and every book starts again. */
const FRAMES_QUEUED_MAX = 20_000;
const RECONNECT_DELAY_MILLIS_MIN = 250;
const RECONNECT_DELAY_MILLIS_MAX = 30_000;
/** Asking for channels is collected this long, so that a page's five subscriptions are one message. */
const SUBSCRIBE_DELAY_MILLIS_MIN = 20;
/** Two control messages a flush at most, and venues take as few as five a second. */
const FLUSH_SPACING_MILLIS_MIN = 450;
/** A new connection replaces the old one this long before the venue would end it. */
const ROLLOVER_MARGIN_MILLIS = 3_600_000;
/** Old and new connection run side by side this long; messages that come twice are told apart by their ids. */
const ROLLOVER_OVERLAP_MILLIS = 5_000;
/** A connection that nobody wants anything of is ended. */
const UNWANTED_MILLIS_MAX = 60_000;
/** Share of the control messages that a venue takes of one connection, after which another takes its place. */
const CONTROL_MESSAGES_SHARE_MAX = 0.8;
/** Unreadable frames are noted at most this often; all are counted. */
const MALFORMED_NOTE_MILLIS_MIN = 10_000;

/** Who hears a socket. All of it is called from `drain`, `onDown` and `onUp` from the socket's own events. */
export interface UpstreamListener {
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

/** What one upstream connection is made of. */
export interface UpstreamParts {
  readonly codec: PublicSocketCodec;
  /** Whether subscribing brings a book whole; then a book's deltas of two connections are never mixed. */
  readonly socketSendsSnapshots: boolean;
  readonly ports: MarketPorts;
  readonly listener: UpstreamListener;
  /** Names the connection in notes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly channel: MarketChannel;
  holders: number;
}

interface QueuedFrame {
  readonly bytes: Uint8Array;
  readonly at: Millis;
  readonly generation: number;
}

/**
 * One connection to one address of a venue's public stream. It connects as soon as a channel is wanted and never gives
 * up: full jitter up to 30 s between tries.
 */
export class UpstreamSocket {
  readonly counters: FeedCounters = { frames: 0, malformed: 0, reconnects: 0, overflows: 0, refused: 0 };
  state: 'down' | 'live' = 'down';
  readonly #parts: UpstreamParts;
  readonly #ports: MarketPorts;
  readonly #wanted = new Map<string, Wanted>();
  readonly #requests: ChannelRequests;
  readonly #heartbeatMonitor: HeartbeatMonitor;
  readonly #stopChecks: () => void;
  #queue: QueuedFrame[] = [];
  #socket: FeedSocket | undefined;
  #openedAt = 0;
  #stopFlush: (() => void) | undefined;
  #stopRetry: (() => void) | undefined;
  #failures = 0;
  #flushedAt = 0;
  #unwantedSince = 0;
  /** Subscriptions and their ends that this connection was sent. */
  #controlMessages = 0;
  #malformedNotedAt = Number.NEGATIVE_INFINITY;
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

  constructor(parts: UpstreamParts) {
    this.#parts = parts;
    this.#ports = parts.ports;
    this.#requests = new ChannelRequests(parts.codec);
    this.#heartbeatMonitor = new HeartbeatMonitor(parts.codec.heartbeat);
    this.#stopChecks = parts.ports.every(1_000, () => this.#check());
  }

  /** Whether anybody wants anything of it. */
  get isWanted(): boolean {
    return this.#wanted.size > 0;
  }

  /** When the far end last gave a sign of life: a frame or a pong; 0 before the first. */
  get aliveAt(): Millis {
    return this.#heartbeatMonitor.aliveAt;
  }

  want(channel: MarketChannel): void {
    const key = channelKey(channel);
    const known = this.#wanted.get(key);
    if (known !== undefined) {
      known.holders += 1;
      return;
    }
    this.#wanted.set(key, { channel, holders: 1 });
    this.#requests.follow(channel);
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
    this.#unwantedSince = this.#ports.clock();
    this.#requests.leave(channel);
    this.#flushSoon();
  }

  resubscribe(channel: MarketChannel): void {
    if (!this.#wanted.has(channelKey(channel))) return;
    this.#requests.renew(channel);
    this.#flushSoon();
  }

  drain(): void {
    const frames = this.#queue;
    this.#queue = [];
    for (const frame of frames) {
      const message = this.#parts.codec.decode(frame.bytes, frame.at);
      this.#heartbeatMonitor.heard(message, frame.at);
      this.#judge(message);
      const former = frame.generation !== this.#generation;
      // Its successor begins with a snapshot: deltas of the connection before do not continue that.
      if (former && message.kind === 'book' && this.#parts.socketSendsSnapshots) continue;
      this.#parts.listener.onMessage(message);
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

  #judge(message: MarketMessage): void {
    if (message.kind === 'malformed') {
      // Counted, not acted on: a book that missed something proves it by its next update id.
      this.counters.malformed += 1;
      const now = this.#ports.clock();
      if (now - this.#malformedNotedAt < MALFORMED_NOTE_MILLIS_MIN) return;
      this.#malformedNotedAt = now;
      this.#note('venue frame unreadable', { why: message.why, count: this.counters.malformed });
    } else if (message.kind === 'acknowledged' && !message.accepted) {
      this.counters.refused += 1;
      this.#note('venue refused a subscription', {});
    }
  }

  #note(event: string, facts: Readonly<Record<string, unknown>>): void {
    this.#ports.note(event, { ...this.#parts.facts, ...facts });
  }

  /** What a connection tells, as long as it counts. */
  #handlers(
    generation: number,
    on: { readonly open: () => void; readonly closed: (why: string) => void },
  ): FeedSocketHandlers {
    const current = () => generation === this.#generation;
    return {
      onOpen: on.open,
      // Frames of the connection before count on during a rollover; after a loss its socket is closed.
      onFrame: (bytes) => {
        if (current() || generation === this.#overlapping) this.#received(bytes, generation);
      },
      onPong: () => {
        if (current()) this.#heartbeatMonitor.alive(this.#ports.clock());
      },
      onClosed: on.closed,
    };
  }

  #connect(): void {
    this.#stopRetry = undefined;
    if (this.#closed) return;
    this.#connections += 1;
    const generation = this.#connections;
    this.#generation = generation;
    const current = () => generation === this.#generation;
    const handlers = this.#handlers(generation, {
      open: () => {
        if (current()) this.#opened();
      },
      closed: (why) => {
        if (current()) this.#lost(why);
      },
    });
    try {
      this.#socket = this.#ports.openSocket(this.#parts.codec.url(), handlers);
    } catch {
      // An address that is none throws at once; it is an attempt that failed like any other.
      this.#lost('socket could not be opened');
    }
  }

  #opened(): void {
    this.state = 'live';
    this.#began();
    this.#flush();
    this.#parts.listener.onUp();
  }

  #began(): void {
    this.#controlMessages = 0;
    this.#openedAt = this.#ports.clock();
    this.#unwantedSince = this.#openedAt;
    this.#heartbeatMonitor.restart(this.#openedAt as Millis);
    this.#requests.restart([...this.#wanted.values()].map((wanted) => wanted.channel));
  }

  #received(bytes: Uint8Array, generation: number): void {
    const at = this.#ports.clock();
    // What the connection before still says is no sign of life of this one.
    if (generation === this.#generation) this.#heartbeatMonitor.alive(at);
    this.counters.frames += 1;
    // A connection that delivers is sound again; one that merely opens may be dropped at once.
    this.#failures = 0;
    if (this.#queue.length >= FRAMES_QUEUED_MAX) {
      this.counters.overflows += 1;
      this.#drop('queue overflow');
      return;
    }
    this.#queue.push({ bytes, at, generation });
  }

  #drop(why: string): void {
    const socket = this.#socket;
    this.#generation = -1;
    this.#lost(why);
    socket?.close();
  }

  #lost(why: string): void {
    const wasLive = this.state === 'live';
    this.#forget();
    this.#failures += 1;
    this.counters.reconnects += 1;
    this.#note('venue stream lost', { why });
    if (wasLive) this.#parts.listener.onDown();
    if (this.#closed || this.#wanted.size === 0) return;
    const ceiling = Math.min(RECONNECT_DELAY_MILLIS_MAX, RECONNECT_DELAY_MILLIS_MIN * 2 ** this.#failures);
    const delay = Math.max(RECONNECT_DELAY_MILLIS_MIN, Math.floor(ceiling * this.#ports.chance()));
    this.#stopRetry = this.#ports.after(delay, () => this.#connect());
  }

  #forget(): void {
    this.state = 'down';
    this.#generation = -1;
    this.#socket = undefined;
    this.#queue = [];
    this.#retire();
  }

  #check(): void {
    if (this.state !== 'live' || this.#socket === undefined) return;
    const now = this.#ports.clock();
    if (this.#wanted.size === 0) {
      if (now - this.#unwantedSince > UNWANTED_MILLIS_MAX) this.#rest();
      // Until then it is kept: a venue that hears nothing ends it sooner, which would pass for a loss. Its own silence is
      // no fault, nothing is subscribed.
      else this.#heartbeatMonitor.watch(now, this.#socket);
      return;
    }
    const silence: Silence | undefined = this.#heartbeatMonitor.watch(now, this.#socket);
    if (silence !== undefined) this.#drop(silence);
    else if (this.#isSpent(now)) this.#rollOver();
  }

  /** Whether the venue would soon end this connection, or take no more of it. */
  #isSpent(now: Millis): boolean {
    const { lifeMillisMax, controlMessagesMax = Number.POSITIVE_INFINITY } = this.#parts.codec;
    const old = now - this.#openedAt > lifeMillisMax - ROLLOVER_MARGIN_MILLIS;
    return old || this.#controlMessages >= CONTROL_MESSAGES_SHARE_MAX * controlMessagesMax;
  }

  /** Ends a connection that nobody needs; the next request opens another. */
  #rest(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.close();
    this.#parts.listener.onDown();
  }

  /** Opens the successor first; the old connection ends only when the new one has been live for a while. */
  #rollOver(): void {
    if (this.#rolling) return;
    this.#rolling = true;
    const predecessor = this.#generation;
    this.#connections += 1;
    const successor = this.#connections;
    const handlers = this.#handlers(successor, {
      open: () => {
        this.#rolling = false;
        this.#successor = undefined;
        if (this.#closed || this.#generation !== predecessor) socket.close();
        else this.#succeed(socket, successor);
      },
      closed: (why) => {
        this.#rolling = false;
        if (this.#successor === socket) this.#successor = undefined;
        if (this.#generation === successor) this.#lost(why);
      },
    });
    const socket = this.#ports.openSocket(this.#parts.codec.url(), handlers);
    this.#successor = socket;
  }

  #succeed(socket: FeedSocket, generation: number): void {
    const old = this.#socket;
    this.#overlapping = this.#generation;
    this.#generation = generation;
    this.#socket = socket;
    this.#began();
    this.#flush();
    // Its books come as a snapshot: until then they are not known, rather than old.
    if (this.#parts.socketSendsSnapshots) this.#parts.listener.onUp();
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
    if (this.state !== 'live' || this.#socket === undefined || this.#requests.isEmpty) return;
    this.#flushedAt = this.#ports.clock();
    const { texts, subscribes } = this.#requests.take();
    for (const text of texts) this.#socket.send(text);
    this.#controlMessages += texts.length;
    if (subscribes) this.#heartbeatMonitor.asked(this.#flushedAt as Millis);
    if (!this.#requests.isEmpty) this.#flushSoon();
  }
}
