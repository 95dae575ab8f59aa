import { type ChannelArg, channelId, streamMarket } from '@crossbook/contract';
import {
  type Amount,
  CANDLE_INTERVALS,
  type Instrument,
  type Millis,
  type Platform,
  parseAmount,
  type SymbolType,
  stepsToAmount,
  type Ticker,
} from '@crossbook/domain';
import type { CandleUpdate, FeeRates, MarketChannel, MarketMessage, VenuePublic } from '@crossbook/venues';
import type { PriceSource } from './alert-watch.ts';
import type { OfferSource, TopOfBook } from './best-offers.ts';
import { channelKey } from './channel-key.ts';
import {
  BookChannel,
  CandleChannel,
  type ChannelState,
  placeOf,
  TickerChannel,
  TradesChannel,
} from './channels.ts';
import type { FanOut, Follower } from './fan-out.ts';
import { VenueFeed } from './feed.ts';
import { Listing } from './listing.ts';
import { LiveBooks } from './live-books.ts';
import { OpenInterestWatch } from './open-interest.ts';
import type { MarketPorts } from './ports.ts';

/** A channel nobody follows any more is kept this long, so that paging through pairs does not resubscribe. */
const LINGER_MILLIS = 20_000;
/** A hub without an update this long shows the venue as stale. */
const VENUE_SILENCE_MILLIS_MAX = 5_000;
/** How long an order may wait for a book nobody followed before. */
const BOOK_WAIT_MILLIS_MAX = 3_000;

/** Channels one upstream connection may carry; Binance takes 1,024 streams, two of a book at a change. */
const CHANNELS_MAX = 1_000;

/** How long a mark serves that was read because no stream had told it yet. */
const READ_MARK_MILLIS_MAX = 1_000;

/** Stands for every book where a connection is asked whether it carries books. */
const ANY_BOOK: MarketChannel = { kind: 'book', symbol: '' };

/** What became of a request to follow: there is no such channel, or the venue connection carries no more. */
export type FollowOutcome = 'followed' | 'unknown' | 'full';

/** State of our own connection to the venue. */
export type VenueState = 'live' | 'stale' | 'down';

/** Best prices, exact, and when the book last heard from the venue. */
export interface BestPrices {
  readonly bid: Amount;
  readonly ask: Amount;
  readonly receivedAt: Millis;
}

/** One live market of one venue: its upstream, books, tape, candles, and who follows them. */
export class VenueMarket implements OfferSource, PriceSource {
  readonly platform: Platform;
  readonly listing: Listing;
  readonly #ports: MarketPorts;
  readonly #rest: VenuePublic['rest'];
  readonly #feed: VenueFeed;
  readonly #books: LiveBooks;
  readonly #fanOut: FanOut;
  /** Perpetuals only. */
  readonly #openInterest: OpenInterestWatch | undefined;
  readonly #quietBooks: boolean;
  #tellPrice: Parameters<PriceSource['hearPrices']>[0] = () => undefined;
  readonly #channels = new Map<
    string,
    { readonly channel: MarketChannel; readonly state: ChannelState; idleSince: number }
  >();
  /** The last read of each listed contract whose mark no stream had told. */
  readonly #marksRead = new Map<
    string,
    { readonly readAt: Millis; readonly mark: Promise<Amount | undefined> }
  >();

  constructor(
    venue: VenuePublic,
    ports: MarketPorts,
    facts: {
      readonly symbolType: SymbolType;
      readonly fees: FeeRates;
      /** Shared by the markets of a platform. */
      readonly fanOut: FanOut;
    },
  ) {
    this.platform = venue.platform;
    this.#ports = ports;
    this.#rest = venue.rest;
    this.#quietBooks = venue.bookSilenceMillisMax !== undefined;
    this.listing = new Listing(venue, ports, facts);
    this.#books = new LiveBooks(venue, ports, (symbol) => this.#feed.resubscribe({ kind: 'book', symbol }));
    this.#fanOut = facts.fanOut;
    if (facts.symbolType === 'SWAP') {
      this.#openInterest = new OpenInterestWatch(venue.rest, ports, (symbol, openInterest) =>
        this.#take({ kind: 'perp-stats', symbol, stats: { openInterest } }),
      );
    }
    this.#feed = new VenueFeed(venue, ports, {
      facts: { platform: venue.platform, symbolType: facts.symbolType },
      listener: {
        onMessage: (message) => this.#take(message),
        // A venue has all its books on one connection.
        onDown: (carries) => carries(ANY_BOOK) && this.#books.disconnected(),
        onUp: (carries) => carries(ANY_BOOK) && this.#books.reconnected(),
      },
    });
  }

  stop(): void {
    this.listing.stop();
    this.#feed.close();
  }

  get state(): VenueState {
    if (this.#channels.size === 0) return this.listing.isRead ? 'live' : 'down';
    const { state } = this.#feed;
    if (state !== 'live') return state === 'down' ? 'down' : 'stale';
    return this.#ports.clock() - this.#feed.aliveAt > VENUE_SILENCE_MILLIS_MAX ? 'stale' : 'live';
  }

  /** Figures for metrics. */
  get stats() {
    const { counters: feed } = this.#feed;
    return {
      feed,
      state: this.state,
      books: this.#books.states(),
      sync: this.#books.totals(),
      channels: this.#channels.size,
    };
  }

  /** Follows a channel; again after a gap. */
  follow(follower: Follower, request: ChannelArg): FollowOutcome {
    const channel = this.#channelOf(request);
    if (channel === undefined) return 'unknown';
    const key = this.#open(channel);
    if (key === undefined) return 'full';
    this.#fanOut.join(follower, key);
    return 'followed';
  }

  /** Ends following, also of what is not listed any more. */
  unfollow(follower: Follower, request: ChannelArg): void {
    this.#fanOut.leave(follower, channelId(request));
  }

  /** Best prices of a live book; follows the book and waits a moment where nobody did. */
  async best(symbol: string): Promise<BestPrices | undefined> {
    const instrument = this.listing.find(symbol);
    if (instrument === undefined || this.#open({ kind: 'book', symbol }) === undefined) return undefined;
    this.#feed.drain();
    await this.#books.whenLive(symbol, BOOK_WAIT_MILLIS_MAX);
    const live = this.#books.live(symbol);
    const bid = live?.book.bestBid();
    const ask = live?.book.bestAsk();
    if (live === undefined || bid === undefined || ask === undefined) return undefined;
    const { tickSize } = instrument;
    const receivedAt = this.#freshAt(live.heardAt);
    return { bid: stepsToAmount(bid, tickSize), ask: stepsToAmount(ask, tickSize), receivedAt };
  }

  /** A book that may be quiet is as fresh as its connection. */
  #freshAt(heardAt: Millis): Millis {
    return Math.max(heardAt, this.#quietBooks ? this.#feed.aliveAtOf(ANY_BOOK) : 0) as Millis;
  }

  /** Age of the followed book that is oldest; undefined where none is followed. */
  bookAgeMillis(): number | undefined {
    const heardAt = this.#books.oldestHeardAt();
    return heardAt === undefined ? undefined : Math.max(0, this.#ports.clock() - this.#freshAt(heardAt));
  }

  /** The mark of a contract as its stream told it last, by REST where nobody followed it before; follows it from now on. */
  async mark(symbol: string): Promise<Amount | undefined> {
    const instrument = this.listing.find(symbol);
    if (instrument === undefined) return undefined;
    const key = this.#open({ kind: 'ticker', symbol });
    this.#feed.drain();
    const state = key === undefined ? undefined : this.#channels.get(key)?.state;
    const reported = state instanceof TickerChannel ? state.mark : undefined;
    if (reported !== undefined) return parseAmount(reported);
    return this.#readMark(instrument);
  }

  /** One read serves all who ask in the next moment: the orders of a ladder come before the stream tells. */
  #readMark(instrument: Instrument): Promise<Amount | undefined> {
    const { symbol } = instrument;
    const readAt = this.#ports.clock();
    const known = this.#marksRead.get(symbol);
    if (known !== undefined && readAt - known.readAt < READ_MARK_MILLIS_MAX) return known.mark;
    const mark = this.#rest.ticker(instrument).then((read) => {
      const { markPrice } = read.ok ? read.value : {};
      // What could not be read is asked for again.
      if (markPrice === undefined && this.#marksRead.get(symbol)?.mark === mark)
        this.#marksRead.delete(symbol);
      return markPrice === undefined ? undefined : parseAmount(markPrice);
    });
    this.#marksRead.set(symbol, { readAt, mark });
    return mark;
  }

  get symbolType(): SymbolType {
    return this.listing.symbolType;
  }

  hearPrices(listener: Parameters<PriceSource['hearPrices']>[0]): void {
    this.#tellPrice = listener;
  }

  async askPrices(symbols: readonly string[] | undefined): Promise<ReadonlyMap<string, Amount>> {
    const prices = new Map<string, Amount>();
    const take = ({ symbol, lastPrice }: Ticker): void => {
      const price = parseAmount(lastPrice);
      if (price !== undefined) prices.set(symbol, price);
    };
    if (symbols === undefined) {
      const read = await this.#rest.tickers(this.symbolType);
      if (read.ok) for (const ticker of read.value) take(ticker);
      return prices;
    }
    for (const symbol of symbols) {
      const instrument = this.listing.find(symbol);
      const read = instrument === undefined ? undefined : await this.#rest.ticker(instrument);
      if (read?.ok === true) take(read.value);
    }
    return prices;
  }

  offers(base: string): boolean {
    return this.listing.ofBase(base) !== undefined;
  }

  topOf(base: string): TopOfBook | undefined {
    const instrument = this.listing.ofBase(base);
    if (instrument === undefined) return undefined;
    const { symbol } = instrument;
    if (this.#open({ kind: 'book', symbol }) === undefined) return undefined;
    const book = this.#books.live(symbol)?.book;
    const bid = book?.bestBid();
    const ask = book?.bestAsk();
    return bid === undefined || ask === undefined ? undefined : { instrument, bid, ask };
  }

  /** Takes what the venue has said since the last tick, and gets what books need. */
  advance(): void {
    this.#feed.drain();
    this.#books.tend(this.#feed.aliveAtOf(ANY_BOOK));
    this.#openInterest?.tend(() => this.#tickersWithoutInterest());
  }

  /** Contracts whose ticker is followed and whose open interest no stream tells. */
  #tickersWithoutInterest(): readonly Instrument[] {
    return [...this.#channels.values()].flatMap(({ channel, state }) => {
      const silent = state instanceof TickerChannel && !state.streamsInterest;
      return silent ? (this.listing.find(channel.symbol) ?? []) : [];
    });
  }

  /** Channels of all markets of a platform stand in one fan-out. */
  #keyOf(channel: MarketChannel): string {
    return channelKey(channel, streamMarket(this.listing.symbolType));
  }

  #channelOf(request: ChannelArg): MarketChannel | undefined {
    const { ch, s: symbol, i } = request;
    if (ch === 'bbo' || this.listing.find(symbol) === undefined) return undefined;
    if (ch !== 'candle') return { kind: ch, symbol };
    const interval = CANDLE_INTERVALS.find((known) => known === i);
    return interval === undefined ? undefined : { kind: 'candle', symbol, interval };
  }

  #open(channel: MarketChannel): string | undefined {
    const key = this.#keyOf(channel);
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.idleSince = this.#ports.clock();
      return key;
    }
    const instrument = this.listing.find(channel.symbol);
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
    const place = placeOf(this.listing.symbolType, symbol);
    if (channel.kind === 'trades') return new TradesChannel(place);
    if (channel.kind === 'ticker') return new TickerChannel(place);
    if (channel.kind === 'candle') return new CandleChannel(place, channel.interval);
    return new BookChannel(place, {
      dirtyLevels: () => this.#books.takeDirtyLevels(symbol),
      live: () => this.#books.live(symbol),
    });
  }

  /** Ends what nobody has followed for a while. */
  shutIdle(): void {
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
    else if (message.kind === 'ticker') {
      const { ticker } = message;
      this.#tellPrice(ticker.symbol, () => parseAmount(ticker.lastPrice));
      this.#put({ kind: 'ticker', symbol: ticker.symbol }, (state) => {
        if (state instanceof TickerChannel) state.set(ticker);
      });
    } else if (message.kind === 'perp-stats')
      this.#put({ kind: 'ticker', symbol: message.symbol }, (state) => {
        if (state instanceof TickerChannel) state.learn(message.stats);
      });
    else if (message.kind === 'trades') this.#putTrades(message);
    else if (message.kind === 'candle')
      for (const update of [message, ...(message.further ?? [])]) this.#putBar(message.symbol, update);
  }

  #putTrades(message: Extract<MarketMessage, { kind: 'trades' }>): void {
    const symbol = message.trades[0]?.symbol;
    if (symbol === undefined) return;
    const tickSize = this.listing.find(symbol)?.tickSize;
    for (const { price } of message.trades) {
      this.#tellPrice(symbol, () => (tickSize === undefined ? undefined : stepsToAmount(price, tickSize)));
    }
    this.#put({ kind: 'trades', symbol }, (state) => {
      if (state instanceof TradesChannel) state.add(message.trades);
    });
  }

  #putBar(symbol: string, { interval, candle, closed }: CandleUpdate): void {
    this.#put({ kind: 'candle', symbol, interval }, (state) => {
      if (state instanceof CandleChannel) state.set(candle, closed);
    });
  }

  #put(channel: MarketChannel, put: (state: ChannelState) => void): void {
    const open = this.#channels.get(this.#keyOf(channel));
    if (open !== undefined) put(open.state);
  }
}
