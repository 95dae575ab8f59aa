import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { parseChannelId, type ServerFrame } from '@crossbook/contract';
import { amount, type Millis, type UserId } from '@crossbook/domain';
import { WebSocket } from 'ws';
import { attachLiveGateway } from '../http/live-gateway.ts';
import type { PublicFace } from '../http/own-origin.ts';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import { ScriptedPublicVenue, scriptedPlatform, settled } from '../market/scripted-venue.fixture.ts';
import { CONNECTION_CAPS, type ConnectionCaps } from './connection-places.ts';
import { encodeFrame } from './frame.ts';
import { createGateway, type Gateway } from './gateway.ts';
import type { StreamIdentity } from './ports.ts';
import { createUserEvents, type UserEvents } from './user-events.ts';

/** A client over a real socket that keeps everything it reads. */
export class LiveReader {
  readonly socket: WebSocket;
  readonly texts: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', (data) => this.texts.push(data.toString()));
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.socket.on('error', () => undefined);
  }

  /** What was read, but for text pongs. */
  get frames(): readonly ServerFrame[] {
    return this.texts.filter((text) => text !== 'pong').map((text) => JSON.parse(text) as ServerFrame);
  }

  /** Frames of one channel. */
  of<Channel extends string>(channel: Channel): readonly Extract<ServerFrame, { readonly ch: Channel }>[] {
    return this.frames.filter(
      (frame): frame is Extract<ServerFrame, { readonly ch: Channel }> =>
        'ch' in frame && frame.ch === channel,
    );
  }

  /** Answers to what this client asked. */
  get events() {
    return this.frames.flatMap((frame) => ('event' in frame ? [frame] : []));
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends a ping and waits for its pong: whatever was sent before is handled by then. */
  async handled(): Promise<void> {
    const before = this.texts.filter((text) => text === 'pong').length;
    this.send('ping');
    await until(() => this.texts.filter((text) => text === 'pong').length > before);
  }
}

/** Waits for a condition; the test's time-out is the bound. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setTimeout(next, 2));
}

/** The live connections on a real HTTP server, with a market, a clock and logins that the test plays. */
export class LiveWorld {
  readonly venue = new ScriptedPublicVenue();
  readonly events: UserEvents = createUserEvents(1_000);
  /** The perpetuals of the same platform: the same symbols, another upstream. */
  readonly perps: ScriptedPublicVenue;
  readonly markets: PlatformMarkets;
  readonly gateway: Gateway;
  readonly logins: { readonly user: UserId; readonly origin: string }[] = [];
  /** Who an `apiKey` is. */
  readonly identities = new Map<string, StreamIdentity>();
  /** Age of the oldest comparison with the venue. */
  oldestCheckMillis = 0;
  verifying: Promise<void> = Promise.resolve();
  readonly #server: Server;
  url = '';

  constructor(options: { readonly caps?: Partial<ConnectionCaps>; readonly face?: PublicFace } = {}) {
    const caps = { ...CONNECTION_CAPS, ...options.caps };
    const face = options.face ?? { proxy: undefined };
    const fees = { maker: amount('0'), taker: amount('0') };
    const { time } = this.venue;
    this.perps = new ScriptedPublicVenue(time);
    const venues = { SPOT: this.venue, SWAP: this.perps };
    this.markets = scriptedPlatform(venues, { fees, encode: encodeFrame });
    this.gateway = createGateway({
      ...{ events: this.events, clock: time.clock, steady: time.clock, every: time.every },
      ...{ random: randomBytes, caps },
      markets: (platform) => (platform === 1 ? this.markets : undefined),
      verify: async ({ apiKey }, origin) => {
        await this.verifying;
        if (apiKey === 'broken') throw new Error('the database is gone');
        const identity = this.identities.get(apiKey);
        if (identity !== undefined) this.logins.push({ user: identity.user, origin });
        return origin.includes('evil') ? undefined : identity;
      },
      onLogin: () => undefined,
      oldestCheckMillis: () => this.oldestCheckMillis,
    });
    this.#server = createServer();
    attachLiveGateway(this.#server, this.gateway, { face, platforms: [1, 2] });
  }

  async open(): Promise<this> {
    await this.markets.start();
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.url = `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/live/1`;
    return this;
  }

  /** A member who may log in by this name. */
  knows(apiKey: string, user: number, expiresInMillis = 3_600_000): void {
    this.identities.set(apiKey, {
      ...{ user: user as UserId, sessionId: `session-of-${apiKey}` },
      expiresAt: (this.venue.time.clock() + expiresInMillis) as Millis,
    });
  }

  async connect(headers: Readonly<Record<string, string>> = {}): Promise<LiveReader> {
    const reader = new LiveReader(this.url, headers);
    await until(() => reader.of('venue').length > 0 || reader.closed !== undefined);
    return reader;
  }

  async loggedIn(apiKey: string): Promise<LiveReader> {
    const reader = await this.connect();
    reader.send(login(apiKey));
    await until(() => reader.of('user').length > 0);
    return reader;
  }

  /** One tick of the fan-out. */
  async tick(): Promise<void> {
    this.venue.time.advance(100);
    await settled();
  }

  async close(): Promise<void> {
    this.gateway.close();
    this.markets.stop();
    await until(() => this.gateway.connections() === 0);
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A login frame. */
export function login(apiKey: string): object {
  return { action: 'login', args: { apiKey, timestamp: '1', sign: 'x' } };
}

/** A subscription to channels given by identity: `book:BTCUSDT`, `candle:BTCUSDT:1m`. */
export function subscribe(...keys: readonly string[]): object {
  return { action: 'subscribe', args: keys.map(parseChannelId) };
}

/** The end of one. */
export function unsubscribe(...keys: readonly string[]): object {
  return { action: 'unsubscribe', args: keys.map(parseChannelId) };
}
