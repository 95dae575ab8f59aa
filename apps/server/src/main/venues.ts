import { assert, type Millis, type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { VenueCredentials } from '@crossbook/venues/trading';
import type { Config } from '../config.ts';
import type { VenueConfig } from '../config-venues.ts';
import type { FanOut } from '../market/fan-out.ts';
import { PlatformMarkets } from '../market/platform-markets.ts';
import type { MarketPorts } from '../market/ports.ts';
import { VenueMarket } from '../market/venue-market.ts';
import { encodeFrame } from '../stream/frame.ts';
import type { VenueDesk } from '../trading/ports.ts';
import { openFeedSocket, openTextSocket, sendHttp, timers } from './outside.ts';
import { simulatorMaster } from './simulator-admin.ts';
import { VENUE_CONNECTIONS } from './venue-connections.ts';

/** One platform: its markets, the one of them that is traded, and the desk that trades there. */
export interface OpenVenue {
  readonly markets: PlatformMarkets;
  /** Its spot market: what orders are placed in. */
  readonly market: VenueMarket;
  readonly desk: VenueDesk;
}

/** What opening venues needs from the composition root. */
export interface VenueParts {
  readonly config: Config;
  readonly clock: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly chance: () => number;
  readonly note: MarketPorts['note'];
}

/** Both types are followed everywhere; only spot is traded. */
const SYMBOL_TYPES: readonly SymbolType[] = ['SPOT', 'SWAP'];
/** A start does not wait longer for lists of instruments: a venue that does not answer holds up nobody else. */
const START_WAIT_MILLIS_MAX = 5_000;

/**
 * Opens every platform. Connections come and go by themselves from here on; only the operator's master keys are needed
 * before members can trade.
 * @throws Error when the simulator does not hand out its master accounts.
 */
export async function openVenues(parts: VenueParts): Promise<ReadonlyMap<Platform, OpenVenue>> {
  const venues = new Map<Platform, OpenVenue>();
  const everywhere = (symbolType: SymbolType) =>
    [...venues.values()].flatMap(({ markets }) => markets.of(symbolType) ?? []);
  for (const venue of parts.config.venues) {
    const markets = openMarkets(parts, venue, everywhere);
    const market = markets.of('SPOT');
    assert(market !== undefined, 'every platform has a spot market');
    venues.set(venue.platform, { markets, market, desk: await openDesk(parts, venue) });
  }
  return venues;
}

/** Starts all platforms side by side; those that do not answer go on trying by themselves. */
export async function startMarkets(venues: ReadonlyMap<Platform, OpenVenue>): Promise<void> {
  const started = Promise.all([...venues.values()].map(({ markets }) => markets.start()));
  let stopWaiting = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    stopWaiting = timers.after(START_WAIT_MILLIS_MAX, resolve);
  });
  await Promise.race([started, waited]);
  stopWaiting();
}

function openMarkets(
  parts: VenueParts,
  venue: VenueConfig,
  everywhere: (symbolType: SymbolType) => readonly VenueMarket[],
): PlatformMarkets {
  const { clock, chance, note } = parts;
  const { publicHalf } = VENUE_CONNECTIONS[venue.platform];
  const ports = { openSocket: openFeedSocket, clock, chance, note, every: timers.every, after: timers.after };
  const markets = (fanOut: FanOut) =>
    SYMBOL_TYPES.map(
      (symbolType) =>
        new VenueMarket(publicHalf(venue, symbolType, clock), ports, {
          symbolType,
          fanOut,
          fees: venueProfile(venue.platform).markets[symbolType].fees,
        }),
    );
  return new PlatformMarkets({ platform: venue.platform, ports, encode: encodeFrame, markets, everywhere });
}

async function openDesk(parts: VenueParts, venue: VenueConfig): Promise<VenueDesk> {
  const { platform, state } = venue;
  const master = await masterOf(venue, parts.config.simulator?.admin);
  const trading = VENUE_CONNECTIONS[platform].tradingHalf(venue, {
    ...{ clock: parts.clock, random: parts.chance, timers, sendHttp, openSocket: openTextSocket },
  });
  return { platform, name: platformFacts(platform).name, state, trading, master };
}

/** The operator's key, or in simulator mode the simulator's own master account. Empty without either: nothing trades. */
async function masterOf(venue: VenueConfig, admin: string | undefined): Promise<VenueCredentials> {
  const { master, mode } = venue;
  if (master !== undefined) {
    const { key: apiKey, secret, passphrase } = master;
    return passphrase === undefined ? { apiKey, secret } : { apiKey, secret, passphrase };
  }
  if (mode === 'live' || admin === undefined) return { apiKey: '', secret: '' };
  return simulatorMaster(admin, venue.platform);
}
