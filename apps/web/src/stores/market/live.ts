import {
  type BestFrame,
  type BookFrame,
  type CandleFrame,
  type ChannelArg,
  streamSymbolType,
  type TickerFrame,
  type TradesFrame,
  type UserEvent,
  type VenueFrame,
} from '@crossbook/contract';
import type { Platform, SymbolType } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import type { ConnectionDialog, ConnectionEvent, ConnectionPhase } from '../../wire/connection.ts';
import type { PublicFrame } from '../../wire/frame-dispatch.ts';
import {
  browserLiveSurroundings,
  createLiveConnection,
  type LiveConnection,
} from '../../wire/live-connection.ts';
import { bootPlatform } from '../app/boot.ts';
import { now } from '../app/clock.ts';
import { call } from '../member/own-service.ts';
import { isMember, sessionStore } from '../member/session.ts';
import type { BookStore } from './book.ts';
import type { StreamName } from './market.ts';

/** The hub's newest update about its connection to one of a venue's markets. */
export interface VenueUpdate {
  readonly state: VenueFrame['state'];
  /** Every member's books were compared with the venue's within so many seconds. */
  readonly checkedSeconds: number;
  /** Server time of the update, and when it arrived (performance clock), ms. */
  readonly millis: number;
  readonly receivedAt: number;
  /** How far this browser's clock is ahead of the hub's, ms; below 0 it is behind. */
  readonly aheadMillis: number;
}

/** A frame that came late looks like a fast clock: an estimate rises by no more than this at a time. */
const AHEAD_STEP_MILLIS_MAX = 250;

/** What the interface shows of one connection. */
export interface LiveStatus {
  readonly phase: ConnectionPhase;
  readonly dialog: ConnectionDialog;
  readonly loggedIn: boolean;
  /** Round trip of the newest ping, ms; `undefined` before the first. */
  readonly latencyMillis: number | undefined;
  /** The hub's own connections to the venue's markets; absent before the first update about one. */
  readonly venues: Readonly<Partial<Record<SymbolType, VenueUpdate>>>;
  /** Frames that were none of the contract's, and channels refused because a connection carries no more. */
  readonly malformed: number;
  readonly refusedChannels: number;
}

const AT_REST: LiveStatus = {
  phase: 'idle',
  dialog: 'none',
  loggedIn: false,
  latencyMillis: undefined,
  venues: {},
  malformed: 0,
  refusedChannels: 0,
};

/** Markets that the hub cannot reach, `1 SPOT` beside `2 SWAP`; told by connections that are open. */
export function downMarkets(live: Readonly<Partial<Record<Platform, LiveStatus>>>): string {
  return Object.entries(live)
    .flatMap(([platform, { phase, venues }]) =>
      (['SPOT', 'SWAP'] as const)
        .filter((symbolType) => phase === 'open' && venues[symbolType]?.state === 'down')
        .map((symbolType) => `${platform} ${symbolType}`),
    )
    .join();
}

/** Connections by platform. Only platforms on screen are connected. */
export const liveStore = createStore<Readonly<Partial<Record<Platform, LiveStatus>>>>(() => ({}));

/** A connection nobody uses is kept this long, so that a change of screen does not reconnect. */
const LINGER_MILLIS = 3_000;

interface Line {
  readonly connection: LiveConnection;
  users: number;
  linger: ReturnType<typeof setTimeout> | undefined;
}

const lines = new Map<Platform, Line>();

function statusOf(platform: Platform): LiveStatus {
  return liveStore.getState()[platform] ?? AT_REST;
}

function setStatus(platform: Platform, change: Partial<LiveStatus>): void {
  liveStore.setState({ [platform]: { ...statusOf(platform), ...change } });
}

/** Who takes what a connection carries for the member. */
export interface MemberListener {
  onUser(event: UserEvent): void;
  /** Something may have been missed on the connection to a platform. */
  onCatchUp(platform: Platform): void;
}

/** Platforms that have a connection now. */
export function platformsConnected(): readonly Platform[] {
  return [...lines.keys()];
}

let memberListener: MemberListener = { onUser: () => undefined, onCatchUp: () => undefined };

/** Names the one who takes private events; before the first connection. */
export function setMemberListener(listener: MemberListener): void {
  memberListener = listener;
}

async function credentials() {
  const answer = await call('connexbasicdata/GetWebsocketArgs', {}, { quiet: true });
  return answer.ok ? answer.data : undefined;
}

function lineOf(platform: Platform): Line {
  const known = lines.get(platform);
  if (known !== undefined) return known;
  const path = bootPlatform(platform)?.livePath ?? `/live/${platform}`;
  const url = new URL(path, globalThis.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const connection = createLiveConnection(url.href, browserLiveSurroundings(credentials), {
    onState: (state) =>
      setStatus(platform, { phase: state.phase, dialog: state.dialog, loggedIn: state.login === 'done' }),
    onUser: (event) => memberListener.onUser(event),
    onCatchUp: () => memberListener.onCatchUp(platform),
    onVenue: (frame) => {
      const { state, c: checkedSeconds, t: millis } = frame;
      const symbolType = streamSymbolType(frame);
      const known = statusOf(platform).venues[symbolType]?.aheadMillis ?? Number.POSITIVE_INFINITY;
      const aheadMillis = Math.min(now() - millis, known + AHEAD_STEP_MILLIS_MAX);
      const update = { state, checkedSeconds, millis, receivedAt: performance.now(), aheadMillis };
      const venues = { ...statusOf(platform).venues, [symbolType]: update };
      setStatus(platform, { venues });
    },
    onLatency: (millis) => setStatus(platform, { latencyMillis: Math.round(millis) }),
    onMalformed: () => setStatus(platform, { malformed: statusOf(platform).malformed + 1 }),
    onQueueFull: () => setStatus(platform, { refusedChannels: statusOf(platform).refusedChannels + 1 }),
  });
  const line: Line = { connection, users: 0, linger: undefined };
  lines.set(platform, line);
  connection.dispatch({ kind: 'member', member: isMember(sessionStore.getState()) });
  return line;
}

/** Keeps a platform connected until the returned function is called: private events arrive without any channel. */
export function keepLive(platform: Platform): () => void {
  const line = lineOf(platform);
  line.users += 1;
  clearTimeout(line.linger);
  line.connection.dispatch({ kind: 'start' });
  let released = false;
  return () => {
    if (released) return;
    released = true;
    line.users -= 1;
    if (line.users > 0) return;
    line.linger = setTimeout(() => line.connection.dispatch({ kind: 'stop' }), LINGER_MILLIS);
  };
}

/** Frame type of each public channel. */
export interface FrameOfChannel {
  readonly book: BookFrame;
  readonly trades: TradesFrame;
  readonly ticker: TickerFrame;
  readonly candle: CandleFrame;
  readonly bbo: BestFrame;
}

/**
 * Follows a public channel until the returned function is called. Following a channel that is followed already asks for
 * its snapshot again.
 */
export function follow<Channel extends keyof FrameOfChannel>(
  platform: Platform,
  arg: ChannelArg & { readonly ch: Channel },
  onFrame: (frame: FrameOfChannel[Channel]) => void,
): () => void {
  const release = keepLive(platform);
  // The key of a frame contains its channel, so only frames of this channel arrive.
  const unfollow = lineOf(platform).connection.follow(arg, onFrame as (frame: PublicFrame) => void);
  return () => {
    unfollow();
    release();
  };
}

/** Keeps the book of a market until the returned function is called. A book that does not fold is asked for again. */
export function followBook(platform: Platform, market: StreamName, book: BookStore): () => void {
  const arg = { ch: 'book', ...market } as const;
  const unwatch = liveStore.subscribe((next, before) => {
    const opened = next[platform]?.phase === 'open' && before[platform]?.phase !== 'open';
    if (opened) book.reconnected();
  });
  const unfollow = follow(platform, arg, (frame) => {
    if (book.fold(frame, performance.now()) === 'gap') lineOf(platform).connection.resubscribe(arg);
  });
  return () => {
    unwatch();
    unfollow();
  };
}

/** The user pressed Reconnect or Refresh in a connection dialog. */
export function reconnectLive(platform: Platform): void {
  lineOf(platform).connection.dispatch({ kind: 'reconnect' });
}

/** The user closed a connection dialog. */
export function dismissLiveDialog(platform: Platform): void {
  lineOf(platform).connection.dispatch({ kind: 'dismiss' });
}

/** The tab was hidden or shown again; `at` by the wall clock, which goes on while the machine sleeps. */
export function onTabVisibility(visible: boolean, at: number): void {
  const event: ConnectionEvent = { kind: visible ? 'visible' : 'hidden', at };
  for (const line of lines.values()) line.connection.dispatch(event);
}

// Logging in or out changes what every connection may carry.
sessionStore.subscribe((next, before) => {
  if (next.token === before.token) return;
  for (const line of lines.values()) {
    line.connection.dispatch({ kind: 'member', member: false });
    line.connection.dispatch({ kind: 'member', member: isMember(next) });
  }
});
