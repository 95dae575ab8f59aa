import type { ChannelArg } from '@crossbook/contract';
import {
  type Amount,
  CANDLE_INTERVALS,
  type CandleInterval,
  type Instrument,
  type Millis,
  type Platform,
  type SymbolType,
  stepsToAmount,
} from '@crossbook/domain';
import type { MarketChannel, MarketMessage, VenuePublic } from '@crossbook/venues';
import { BookChannel, CandleChannel, type ChannelState, TickerChannel, TradesChannel } from './channels.ts';
import { FanOut, type Follower, type FrameEncoder } from './fan-out.ts';
import { channelKey, VenueFeed } from './feed.ts';
import { type FeeRates, Listing } from './listing.ts';
import { LiveBooks } from './live-books.ts';
import type { MarketPorts } from './ports.ts';

/** The clock of the fan-out: every client gets at most one write in this time. */
export const TICK_MILLIS = 100;
/** A channel nobody follows any more is kept this long, so that paging through pairs does not resubscribe. */
const LINGER_MILLIS = 20_000;
/** A hub without news this long shows the venue as stale. */
const VENUE_SILENCE_MILLIS_MAX = 5_000;
/** How long an order may wait for a book nobody followed before. */
const BOOK_WAIT_MILLIS_MAX = 3_000;

/** Channels one upstream connection may carry; Binance takes 1,024 streams, two of a book at a change. */
const CHANNELS_MAX = 1_000;

/** What became of a wish to follow: there is no such channel, or the venue connection carries no more. */
export type FollowOutcome = 'followed' | 'unknown' | 'full';

/** State of our own connection to the venue. */
export type VenueState = 'live' | 'stale' | 'down';

/** Best prices, exact, and when the book last heard from the venue. */
export interface BestPrices {
  readonly bid: Amount;
  readonly ask: Amount;
  readonly receivedAt: Millis;
}

/** The live market of one venue: one upstream connection, books, tape, candles, and who follows them. */
export class VenueMarket {
  readonly platform: Platform;
  readonly listing: Listing;
  readonly #ports: MarketPorts;
  readonly #feed: VenueFeed;
  readonly #books: LiveBooks;
  readonly #fanOut: FanOut;
  readonly #channels = new Map<
    string,
    { readonly channel: MarketChannel; readonly state: ChannelState; idleSince: number }
  >();
  #stopTick = (): void => undefined;

  constructor(
    venue: VenuePublic,
    ports: MarketPorts,
    facts: {
      readonly symbolType: SymbolType;
      readonly fees: FeeRates;
      readonly encode: FrameEncoder;
    },
  ) {
    this.platform = venue.platform;
    this.#ports = ports;
    this.listing = new Listing(venue, ports, facts);
    this.#books = new LiveBooks(venue, ports, (symbol) => this.#feed.resubscribe({ kind: 'book', symbol }));
    this.#fanOut = new FanOut(facts.encode);
    this.#feed = new VenueFeed(venue, ports, {
      onMessage: (message) => this.#take(message),
      onDown: () => this.#books.disconnected(),
      onUp: () => this.#books.reconnected(),
    });
  }

  /** Loads the list of instruments and starts the tick clock. */
  async start(): Promise<void> {
    await this.listing.start();
    this.#stopTick = this.#ports.every(TICK_MILLIS, () => this.#tick());
  }

  stop(): void {
    this.#stopTick();
    this.listing.stop();
    this.#feed.close();
  }

  get state(): VenueState {
    if (this.#channels.size === 0) return this.listing.all().length > 0 ? 'live' : 'down';
    if (this.#feed.state === 'down') return 'down';
    return this.#ports.clock() - this.#feed.lastFrameAt > VENUE_SILENCE_MILLIS_MAX ? 'stale' : 'live';
  }

  /** Figures for metrics. */
  get figures() {
    const { counters: feed, state } = this.#feed;
    return {
      feed,
      state,
      books: this.#books.states(),
      sync: this.#books.totals(),
      channels: this.#channels.size,
    };
  }

  /** Follows a channel; again after a gap. */
  follow(follower: Follower, wish: ChannelArg): FollowOutcome {
    const channel = this.#channelOf(wish);
    if (channel === undefined) return 'unknown';
    const key = this.#open(channel);
    if (key === undefined) return 'full';
    this.#fanOut.join(follower, key);
    return 'followed';
  }

  /** Ends following, also of what is not listed any more. */
  unfollow(follower: Follower, { ch, s, i }: ChannelArg): void {
    this.#fanOut.leave(follower, ch === 'candle' ? `candle:${s}:${i}` : `${ch}:${s}`);
  }

  unfollowAll(follower: Follower): void {
    this.#fanOut.leaveAll(follower);
  }

  /** Best prices of a live book; follows the book and waits a moment where nobody did. */
  async best(symbol: string): Promise<BestPrices | undefined> {
    const instrument = this.#instrument(symbol);
    if (instrument === undefined || this.#open({ kind: 'book', symbol }) === undefined) return undefined;
    this.#feed.drain();
    await this.#books.whenLive(symbol, BOOK_WAIT_MILLIS_MAX);
    const live = this.#books.live(symbol);
    const bid = live?.book.bestBid();
    const ask = live?.book.bestAsk();
    if (live === undefined || bid === undefined || ask === undefined) return undefined;
    const { tickSize } = instrument;
    return { bid: stepsToAmount(bid, tickSize), ask: stepsToAmount(ask, tickSize), receivedAt: live.heardAt };
  }

  #instrument(symbol: string): Instrument | undefined {
    return this.listing.find(symbol);
  }

  #channelOf(wish: ChannelArg): MarketChannel | undefined {
    if (wish.ch === 'bbo' || this.#instrument(wish.s) === undefined) return undefined;
    if (wish.ch !== 'candle') return { kind: wish.ch, symbol: wish.s };
    const interval = CANDLE_INTERVALS.find((known) => known === wish.i);
    return interval === undefined ? undefined : { kind: 'candle', symbol: wish.s, interval };
  }

  #open(channel: MarketChannel): string | undefined {
    const key = channelKey(channel);
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.idleSince = this.#ports.clock();
      return key;
    }
    const instrument = this.#instrument(channel.symbol);
    if (instrument === undefined || this.#channels.size >= CHANNELS_MAX) return undefined;
    if (channel.kind === 'book') this.#books.open(instrument);
    const state = this.#stateOf(channel);
    this.#channels.set(key, { channel, state, idleSince: this.#ports.clock() });
    this.#fanOut.open(key, state);
    this.#feed.want(channel);
    return key;
  }

  #stateOf(channel: MarketChannel): ChannelState {
    const { symbol } = channel;
    if (channel.kind === 'trades') return new TradesChannel(symbol);
    if (channel.kind === 'ticker') return new TickerChannel();
    if (channel.kind === 'candle') return new CandleChannel(symbol, channel.interval);
    return new BookChannel(symbol, {
      dirt: () => this.#books.takeDirt(symbol),
      live: () => this.#books.live(symbol),
    });
  }

  #tick(): void {
    this.#feed.drain();
    this.#books.tend();
    this.#fanOut.tick();
    this.#shutIdle();
  }

  #shutIdle(): void {
    const now = this.#ports.clock();
    for (const [key, { channel, idleSince }] of this.#channels) {
      const open = this.#channels.get(key);
      if (open !== undefined && this.#fanOut.followersOf(key) > 0) open.idleSince = now;
      else if (now - idleSince > LINGER_MILLIS) {
        this.#channels.delete(key);
        this.#fanOut.shut(key);
        this.#feed.release(channel);
        if (channel.kind === 'book') this.#books.shut(channel.symbol);
      }
    }
  }

  #take(message: MarketMessage): void {
    if (message.kind === 'book') this.#books.apply(message.change);
    else if (message.kind === 'ticker')
      this.#put('ticker', message.ticker.symbol, (state) => {
        if (state instanceof TickerChannel) state.set(message.ticker);
      });
    else if (message.kind === 'trades') this.#putTrades(message);
    else if (message.kind === 'candle') {
      this.#put('candle', `${message.symbol}:${message.interval satisfies CandleInterval}`, (state) => {
        if (state instanceof CandleChannel) state.set(message.candle, message.closed);
      });
    }
  }

  #putTrades(message: Extract<MarketMessage, { kind: 'trades' }>): void {
    const symbol = message.trades[0]?.symbol;
    if (symbol === undefined) return;
    this.#put('trades', symbol, (state) => {
      if (state instanceof TradesChannel) state.add(message.trades);
    });
  }

  #put(kind: MarketChannel['kind'], rest: string, put: (state: ChannelState) => void): void {
    const open = this.#channels.get(`${kind}:${rest}`);
    if (open !== undefined) put(open.state);
  }
}
