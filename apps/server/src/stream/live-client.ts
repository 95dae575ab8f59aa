import type { Duplex } from 'node:stream';
import {
  type ChannelArg,
  type ClientFrame,
  channelId,
  type ServerFrame,
  STREAM_LIMITS,
  streamMarket,
  streamSymbolType,
} from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { RawData, WebSocket } from 'ws';
import type { Follower } from '../market/fan-out.ts';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { FollowOutcome, VenueMarket, VenueState } from '../market/venue-market.ts';
import { parseClientFrame } from './client-frames.ts';
import { encodeFrame, textFrame } from './frame.ts';
import type { GatewayPorts, StreamIdentity } from './ports.ts';
import { UnreadMeter } from './unread-meter.ts';

/** Bytes waiting in a socket above which ticks are skipped, and above which the client is let go. */
const BACKLOG_SKIP_BYTES = 262_144;
const BACKLOG_CLOSE_BYTES = 1_048_576;
/** A client that stays behind this long is let go. */
const BEHIND_MILLIS_MAX = 10_000;
/** Messages a client may send in one second; a page needs a handful. */
const MESSAGES_PER_SECOND_MAX = 40;
/** A client that does not even ping is gone: three pings and some. */
const IDLE_MILLIS_MAX = STREAM_LIMITS.pingEveryMillis * (STREAM_LIMITS.pingsUnansweredMax + 1);
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;
const PROOF_BYTES = 8;
/** Of all members, while one login is judged; above it the login has to be tried again. */
const ENDED_MEANWHILE_MAX = 1_000;

/** One browser or script on a live connection. */
export class LiveClient implements Follower {
  readonly markets: PlatformMarkets;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #origin: string;
  readonly #ports: GatewayPorts;
  readonly #belongsTo: (user: UserId | undefined) => boolean;
  readonly #unread = new UnreadMeter();
  readonly #channels = new Map<string, ChannelArg>();
  /** What was reported last of each market. */
  readonly #reported = new Map<VenueMarket, VenueState>();
  #identity: StreamIdentity | undefined;
  #stopListening = (): void => undefined;
  /** By the clock that is never set, as all times here but that of a session's end. */
  #heardAt: Millis;
  #behindSince: number | undefined;
  #second = 0;
  #messages = 0;
  /** Sessions that ended while a login is judged: its judge may have looked before. */
  #endedMeanwhile: Set<string> | undefined;

  constructor(made: {
    readonly webSocket: WebSocket;
    readonly socket: Duplex;
    readonly markets: PlatformMarkets;
    readonly origin: string;
    readonly ports: GatewayPorts;
    /** Takes a place of this member, of strangers with `undefined`; false where the member has too many. */
    readonly belongsTo: (user: UserId | undefined) => boolean;
  }) {
    this.markets = made.markets;
    this.#webSocket = made.webSocket;
    this.#socket = made.socket;
    this.#origin = made.origin;
    this.#ports = made.ports;
    this.#belongsTo = made.belongsTo;
    this.#heardAt = made.ports.steady();
    this.#webSocket.on('message', (data, binary) => this.#received(data, binary));
    this.#webSocket.on('pong', (payload) => this.#unread.answered(payload.toString('hex')));
    // An unreadable or oversized frame ends in 'close' by itself.
    this.#webSocket.on('error', () => undefined);
  }

  ready(): boolean {
    const waiting = this.#socket.writableLength;
    if (waiting <= BACKLOG_SKIP_BYTES && !this.#unread.isFull) {
      this.#behindSince = undefined;
      return this.#webSocket.readyState === this.#webSocket.OPEN;
    }
    const now = this.#ports.steady();
    this.#behindSince ??= now;
    const old = now - this.#behindSince > BEHIND_MILLIS_MAX;
    if (old || waiting > BACKLOG_CLOSE_BYTES || this.#unread.isFull) this.drop('too slow');
    return false;
  }

  write(frames: readonly Uint8Array[]): void {
    const [only] = frames;
    if (only !== undefined) this.#put(frames.length === 1 ? only : Buffer.concat(frames));
  }

  /** Sends one frame now, beside the ticks. */
  send(frame: ServerFrame): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    if (this.#socket.writableLength > BACKLOG_CLOSE_BYTES) this.drop('too slow');
    else this.#put(encodeFrame(frame));
  }

  /** The markets of which it follows a channel. */
  followedMarkets(): ReadonlySet<VenueMarket> {
    const followed = new Set<VenueMarket>();
    for (const arg of this.#channels.values()) {
      const market = this.#marketOf(arg);
      if (market !== undefined) followed.add(market);
      if (followed.size === this.markets.all.length) break;
    }
    return followed;
  }

  /** Reports the state of the hub's own connection to a market, where it is not what was reported last or must be said again. */
  reportState(market: VenueMarket, state: VenueState, again: boolean): void {
    if (!again && this.#reported.get(market) === state) return;
    this.#reported.set(market, state);
    const place = streamMarket(market.listing.symbolType);
    const c = Math.ceil(this.#ports.oldestCheckMillis(market.platform) / 1_000);
    this.send({ ch: 'venue', ...place, state, c, t: this.#ports.clock() });
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  /** Ends this connection's login when its session is over. */
  endSession(sessionId: string): void {
    if (this.#endedMeanwhile !== undefined && this.#endedMeanwhile.size < ENDED_MEANWHILE_MAX)
      this.#endedMeanwhile.add(sessionId);
    if (this.#identity?.sessionId !== sessionId) return;
    this.#ports.events.tellLast(this.#identity.user, this, { kind: 'signed-out' });
    this.#signOut();
  }

  /** Lets go of a client that has fallen silent or does not read, and of a login whose session has run out. */
  check(): void {
    if (this.#identity !== undefined && this.#ports.clock() >= this.#identity.expiresAt)
      this.endSession(this.#identity.sessionId);
    const proof = this.#unread.check();
    if (proof === 'behind' || this.#ports.steady() - this.#heardAt > IDLE_MILLIS_MAX) this.drop('too slow');
    else if (proof === 'ask') this.#askProof();
  }

  /** The connection has ended. */
  gone(): void {
    this.markets.unfollowAll(this);
    this.#signOut();
  }

  /** Lets go of it at once. */
  drop(reason: string): void {
    this.markets.unfollowAll(this);
    this.#webSocket.close(TRY_AGAIN_LATER, reason);
    // A peer that does not read will not answer the closing handshake either.
    this.#webSocket.terminate();
  }

  #put(bytes: Uint8Array): void {
    this.#socket.write(bytes);
    if (this.#unread.wrote(bytes.length)) this.#askProof();
  }

  #askProof(): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // Drawn, so that nobody can answer what has not been read.
    const payload = Buffer.from(this.#ports.random(PROOF_BYTES));
    this.#unread.asked(payload.toString('hex'));
    this.#webSocket.ping(payload);
  }

  #signOut(): void {
    this.#stopListening();
    this.#stopListening = () => undefined;
    this.#identity = undefined;
    this.#belongsTo(undefined);
  }

  #received(data: RawData, binary: boolean): void {
    // What comes after our closing frame is not answered: nothing may follow that frame.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    const now = this.#ports.steady();
    this.#heardAt = now;
    if (!this.#withinRate(now)) {
      this.close(POLICY_VIOLATION, 'too many messages');
      return;
    }
    const text = binary ? '' : data.toString();
    if (text === 'ping') {
      this.#put(PONG);
      return;
    }
    const frame = parseClientFrame(text);
    if (frame === undefined) this.send({ event: 'error', code: 1001, msg: 'unreadable message' });
    else if (frame.action === 'login') void this.#login(frame.args);
    else for (const arg of frame.args) this.#channel(frame.action, arg);
  }

  #withinRate(now: Millis): boolean {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages <= MESSAGES_PER_SECOND_MAX;
  }

  /** Best offers belong to no market of this platform alone. */
  #marketOf(arg: ChannelArg): VenueMarket | undefined {
    return arg.ch === 'bbo' ? undefined : this.markets.of(streamSymbolType(arg));
  }

  #channel(action: 'subscribe' | 'unsubscribe', arg: ChannelArg): void {
    const key = channelId(arg);
    if (action === 'unsubscribe') {
      this.#channels.delete(key);
      this.markets.unfollow(this, arg);
      this.send({ event: 'unsubscribe', code: 0, msg: '', arg });
      return;
    }
    if (!this.#channels.has(key) && this.#channels.size >= STREAM_LIMITS.channelsMax) {
      this.send({
        event: 'subscribe',
        code: 1003,
        msg: `at most ${STREAM_LIMITS.channelsMax} channels`,
        arg,
      });
      return;
    }
    // The answer goes out before the data, which comes with the next tick.
    const outcome = this.markets.follow(this, arg);
    this.send({ event: 'subscribe', ...FOLLOW_ANSWERS[outcome], arg });
    if (outcome !== 'followed') return;
    const market = this.#marketOf(arg);
    this.#channels.set(key, arg);
    if (market !== undefined) this.reportState(market, market.state, false);
  }

  async #login(args: Extract<ClientFrame, { action: 'login' }>['args']): Promise<void> {
    if (this.#endedMeanwhile !== undefined) return;
    const ended = new Set<string>();
    this.#endedMeanwhile = ended;
    const identity = await this.#ports.verify(args, this.#origin).catch(() => undefined);
    this.#endedMeanwhile = undefined;
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    if (identity === undefined || ended.has(identity.sessionId) || ended.size >= ENDED_MEANWHILE_MAX) {
      this.send({ event: 'login', code: -2, msg: 'login failed' });
      return;
    }
    this.#signOut();
    if (!this.#belongsTo(identity.user)) {
      this.close(TRY_AGAIN_LATER, 'too many connections of this member');
      return;
    }
    this.#identity = identity;
    this.send({ event: 'login', code: 0, msg: '' });
    this.#stopListening = this.#ports.events.listen(identity.user, this);
    this.#ports.onLogin(identity.user, this.markets.platform);
  }
}

const PONG = textFrame('pong');

const FOLLOW_ANSWERS: Readonly<Record<FollowOutcome, { readonly code: number; readonly msg: string }>> = {
  followed: { code: 0, msg: '' },
  unknown: { code: 3002, msg: 'no such channel' },
  full: { code: 1003, msg: 'too many channels are followed at the moment' },
};
