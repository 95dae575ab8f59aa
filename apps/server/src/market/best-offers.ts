import type { BestFrame } from '@crossbook/contract';
import { formatTicks, type Instrument, type Millis, type Platform, type Ticks } from '@crossbook/domain';
import type { ChannelPlace, ChannelState } from './channels.ts';

/** The best prices of one live book. */
export interface TopOfBook {
  readonly instrument: Instrument;
  readonly bid: Ticks;
  readonly ask: Ticks;
}

/** One platform's market, as far as best offers need it. */
export interface OfferSource {
  readonly platform: Platform;
  /** Whether it trades the coin against USDT. */
  offers(base: string): boolean;
  /** Keeps the book of a coin against USDT open and tells its best prices, while it is live. */
  topOf(base: string): TopOfBook | undefined;
}

type Offer = BestFrame['d'][number];

/**
 * Best bid and offer of one coin at every venue as frames: at most one a tick, and only when something changed. Nothing
 * is kept of a book that is not live.
 */
export class BestOffersChannel implements ChannelState {
  readonly #place: ChannelPlace;
  readonly #sources: () => readonly OfferSource[];
  readonly #clock: () => Millis;
  readonly #known = new Map<Platform, { readonly top: TopOfBook; readonly offer: Offer }>();
  #sent: readonly Offer[] | undefined;

  constructor(place: ChannelPlace, sources: () => readonly OfferSource[], clock: () => Millis) {
    this.#place = place;
    this.#sources = sources;
    this.#clock = clock;
  }

  change(): BestFrame | undefined {
    const offers = this.#offers();
    const same =
      this.#sent?.length === offers.length && offers.every((offer, at) => offer === this.#sent?.[at]);
    if (same) return undefined;
    this.#sent = offers;
    return this.#frame(offers);
  }

  snapshot(): BestFrame {
    return this.#frame(this.#sent ?? this.#offers());
  }

  #frame(d: readonly Offer[]): BestFrame {
    return { ch: 'bbo', ...this.#place, d, t: this.#clock() };
  }

  #offers(): readonly Offer[] {
    const offers: Offer[] = [];
    for (const source of this.#sources()) {
      const top = source.topOf(this.#place.s);
      if (top !== undefined) offers.push(this.#offerOf(source.platform, top));
    }
    return offers;
  }

  /** The same offer is the same object, so that nothing is written out anew while nothing moves. */
  #offerOf(platform: Platform, top: TopOfBook): Offer {
    const known = this.#known.get(platform);
    const { instrument, bid, ask } = top;
    const same = known?.top.bid === bid && known.top.ask === ask && known.top.instrument === instrument;
    if (known !== undefined && same) return known.offer;
    const offer: Offer = [platform, formatTicks(bid, instrument), formatTicks(ask, instrument)];
    this.#known.set(platform, { top, offer });
    return offer;
  }
}
