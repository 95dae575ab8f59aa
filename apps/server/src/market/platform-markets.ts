import { type ChannelArg, channelId, streamSymbolType } from '@crossbook/contract';
import type { Millis, Platform, SymbolType } from '@crossbook/domain';
import { BestOffersChannel, type OfferSource } from './best-offers.ts';
import { placeOf } from './channels.ts';
import { FanOut, type Follower, type FrameEncoder } from './fan-out.ts';
import type { MarketPorts } from './ports.ts';
import type { FollowOutcome, VenueMarket } from './venue-market.ts';

/** The clock of the fan-out: every client gets at most one write in this time. */
export const TICK_MILLIS = 100;
/** A channel of best offers that nobody follows any more is kept this long. */
const LINGER_MILLIS = 20_000;
/** Coins whose best offers may be followed at once. */
const BEST_OFFERS_MAX = 200;

/** What one platform's live connection is made of. */
export interface PlatformMarketsParts {
  readonly platform: Platform;
  readonly ports: Pick<MarketPorts, 'clock' | 'every'>;
  readonly encode: FrameEncoder;
  /** Makes the markets over the one fan-out that they share. */
  readonly markets: (fanOut: FanOut) => readonly VenueMarket[];
  /** The markets of one type at every platform, this one included, for best offers. */
  readonly everywhere: (symbolType: SymbolType) => readonly OfferSource[];
}

/**
 * The markets of one platform behind one live connection: each with its own upstream, all on one tick and one fan-out,
 * so that a client gets one write a tick whatever it follows. Platforms share nothing but the reading of each other's
 * best prices from memory: one that is dead or slow costs the others nothing.
 */
export class PlatformMarkets {
  readonly platform: Platform;
  readonly #parts: PlatformMarketsParts;
  readonly #markets: ReadonlyMap<SymbolType, VenueMarket>;
  readonly #fanOut: FanOut;
  readonly #bestOffers = new Map<string, { idleSince: number }>();
  #stopTick = (): void => undefined;

  constructor(parts: PlatformMarketsParts) {
    this.platform = parts.platform;
    this.#parts = parts;
    this.#fanOut = new FanOut(parts.encode);
    this.#markets = new Map(parts.markets(this.#fanOut).map((market) => [market.listing.symbolType, market]));
  }

  /** Starts the tick clock and loads the lists; resolves after the first try of each, whether it worked or not. */
  async start(): Promise<void> {
    this.#stopTick = this.#parts.ports.every(TICK_MILLIS, () => this.#tick());
    await Promise.all(this.all.map((market) => market.listing.start()));
  }

  stop(): void {
    this.#stopTick();
    for (const market of this.all) market.stop();
  }

  /** A market of this platform, where it has one of that type. */
  of(symbolType: SymbolType): VenueMarket | undefined {
    return this.#markets.get(symbolType);
  }

  get all(): readonly VenueMarket[] {
    return [...this.#markets.values()];
  }

  /** Follows a channel; again after a gap. */
  follow(follower: Follower, request: ChannelArg): FollowOutcome {
    if (request.ch === 'bbo') return this.#followBest(follower, request);
    return this.of(streamSymbolType(request))?.follow(follower, request) ?? 'unknown';
  }

  /** Ends following, also of what is not listed any more. */
  unfollow(follower: Follower, request: ChannelArg): void {
    if (request.ch === 'bbo') this.#fanOut.leave(follower, channelId(request));
    else this.of(streamSymbolType(request))?.unfollow(follower, request);
  }

  unfollowAll(follower: Follower): void {
    this.#fanOut.leaveAll(follower);
  }

  #followBest(follower: Follower, request: ChannelArg): FollowOutcome {
    const key = channelId(request);
    const symbolType = streamSymbolType(request);
    if (!this.#bestOffers.has(key)) {
      const sources = () => this.#parts.everywhere(symbolType);
      if (!sources().some((source) => source.offers(request.s))) return 'unknown';
      if (this.#bestOffers.size >= BEST_OFFERS_MAX) return 'full';
      const { clock } = this.#parts.ports;
      this.#bestOffers.set(key, { idleSince: clock() });
      this.#fanOut.open(key, new BestOffersChannel(placeOf(symbolType, request.s), sources, clock));
    }
    this.#fanOut.join(follower, key);
    return 'followed';
  }

  #tick(): void {
    for (const market of this.all) market.advance();
    this.#fanOut.tick();
    for (const market of this.all) market.shutIdle();
    this.#shutIdleOffers(this.#parts.ports.clock());
  }

  #shutIdleOffers(now: Millis): void {
    for (const [key, open] of this.#bestOffers) {
      if (this.#fanOut.followersOf(key) > 0) open.idleSince = now;
      else if (now - open.idleSince > LINGER_MILLIS) {
        this.#bestOffers.delete(key);
        this.#fanOut.shut(key);
      }
    }
  }
}
