import { assert, type Millis, type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { tellingFailures, type VenuePublic, venueProfile } from '@crossbook/venues';
import {
  askPublic,
  hearPublic,
  PUBLIC_LIMITS,
  type PublicDoor,
  VenueArbiter,
  type VenueCredentials,
} from '@crossbook/venues/trading';
import type { Config } from '../../config.ts';
import type { VenueConfig } from '../../config-venues.ts';
import type { RelayParts } from '../../http/relay/venue-relay.ts';
import type { FanOut } from '../../market/fan-out.ts';
import { PlatformMarkets } from '../../market/platform-markets.ts';
import type { MarketPorts } from '../../market/ports.ts';
import { VenueMarket } from '../../market/venue-market.ts';
import { encodeFrame } from '../../stream/frame.ts';
import type { KnownInstruments } from '../../trading/known-instruments.ts';
import type { VenueDesk } from '../../trading/ports.ts';
import { feedFetch, openFeedSocket, openTextSocket, sendHttp, timers } from '../outside/outside.ts';
import type { PlatformStates } from './platform-states.ts';
import { simulatorMaster } from './simulator-admin.ts';
import { VENUE_CONNECTIONS } from './venue-connections.ts';

/** One platform: its markets, the one of them that is traded, and the desk that trades there. */
export interface OpenVenue {
  readonly markets: PlatformMarkets;
  /** Its spot market: what orders are placed in. */
  readonly market: VenueMarket;
  readonly desk: VenueDesk;
  /** Whom every request to the platform asks first, the relay's included. */
  readonly door: PublicDoor;
}

/** What opening venues needs from the composition root. */
export interface VenueParts {
  readonly config: Config;
  readonly clock: () => Millis;
  /** A clock that is never set: for the budgets of the venues. */
  readonly steady: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly chance: () => number;
  /** Which platforms are open, asked whenever it matters. */
  readonly states: Pick<PlatformStates, 'stateOf'>;
  /** Hears of every list of instruments, and has those of before. */
  readonly known: Pick<KnownInstruments, 'listed' | 'remembered'>;
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
    const door = openDoor(parts, venue.platform);
    const markets = openMarkets(parts, { venue, door }, everywhere);
    const market = markets.of('SPOT');
    assert(market !== undefined, 'every platform has a spot market');
    venues.set(venue.platform, { markets, market, door, desk: await openDesk(parts, { venue, door }) });
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

function openDoor({ config, steady }: VenueParts, platform: Platform): PublicDoor {
  const arbiter = new VenueArbiter({
    clock: steady,
    timers,
    visitorFactor: config.addressLimitFactor,
  });
  return { arbiter, limits: PUBLIC_LIMITS[platform] };
}

/** How the relay asks the arbiter of a platform, and which instruments it passes questions on about. */
export function relayEntrance({ door, markets }: OpenVenue): Pick<RelayParts, 'door' | 'knows'> {
  const listings = SYMBOL_TYPES.flatMap((symbolType) => markets.of(symbolType)?.listing ?? []);
  return {
    door: {
      async ask(question, visitor) {
        const member = visitor === undefined ? {} : { member: visitor };
        const permit = await askPublic(door, question, { requestClass: 'relay', ...member });
        return permit.granted ? undefined : permit.retryAfterMillis;
      },
      hear: (question, answer) => hearPublic(door, question, answer),
    },
    knows(symbol) {
      if (listings.some((listing) => listing.all().length === 0)) return undefined;
      // Indices go by the name of their contract without its end (OKX).
      const names = [symbol, `${symbol}-SWAP`];
      return listings.some((listing) => names.some((name) => listing.find(name) !== undefined));
    },
  };
}

interface VenueEntrance {
  readonly venue: VenueConfig;
  readonly door: PublicDoor;
}

/** The public half of one market, for the hub's own use; a read that gives nothing is logged. */
export function publicHalf(
  { venue, door }: VenueEntrance,
  symbolType: SymbolType,
  { clock, note }: Pick<VenueParts, 'clock' | 'note'>,
): VenuePublic {
  const { platform } = venue;
  const host = { market: symbolType, restBase: venue.restBases[symbolType] };
  const half = VENUE_CONNECTIONS[platform].publicHalf(venue, symbolType, {
    fetchText: feedFetch(door, host),
    clock,
  });
  const rest = tellingFailures(half.rest, (read) =>
    note('public-read-failed', { platform, symbolType, ...read }),
  );
  return { ...half, rest };
}

function openMarkets(
  parts: VenueParts,
  entrance: VenueEntrance,
  everywhere: (symbolType: SymbolType) => readonly VenueMarket[],
): PlatformMarkets {
  const { clock, chance, known, note } = parts;
  const { platform } = entrance.venue;
  const { every, after } = timers;
  const ports: MarketPorts = {
    ...{ openSocket: openFeedSocket, clock, chance, note, every, after },
    listed: (rows) => known.listed(rows),
    remembered: (...asked) => known.remembered(...asked),
  };
  const markets = (fanOut: FanOut) =>
    SYMBOL_TYPES.map(
      (symbolType) =>
        new VenueMarket(publicHalf(entrance, symbolType, parts), ports, {
          symbolType,
          fanOut,
          fees: venueProfile(platform).markets[symbolType].fees,
        }),
    );
  return new PlatformMarkets({ platform, ports, encode: encodeFrame, markets, everywhere });
}

async function openDesk(parts: VenueParts, { venue, door }: VenueEntrance): Promise<VenueDesk> {
  const { platform } = venue;
  const master = await masterOf(venue, parts.config.simulator?.admin);
  const trading = VENUE_CONNECTIONS[platform].tradingHalf(venue, {
    ...{ clock: parts.clock, random: parts.chance, timers, sendHttp, openSocket: openTextSocket },
    arbiter: door.arbiter,
  });
  return {
    ...{ platform, name: platformFacts(platform).name, trading, master },
    // Asked anew for each act: it may be closed at any time.
    get state() {
      return parts.states.stateOf(platform);
    },
  };
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
