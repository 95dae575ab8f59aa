import { amount, type Millis, type Platform, platformFacts } from '@crossbook/domain';
import { createBinancePublic } from '@crossbook/venues';
import { createBinanceTrading, type VenueCredentials } from '@crossbook/venues/trading';
import type { Config, VenueConfig } from '../config.ts';
import type { MarketPorts } from '../market/ports.ts';
import { VenueMarket } from '../market/venue-market.ts';
import { encodeFrame } from '../stream/frame.ts';
import type { VenueDesk } from '../trading/ports.ts';
import { fetchText, openFeedSocket, openTextSocket, sendHttp, timers } from './outside.ts';
import { simulatorMaster } from './simulator-admin.ts';

/** One platform, both halves. */
export interface OpenVenue {
  readonly market: VenueMarket;
  readonly desk: VenueDesk;
}

/** Standard fees of a spot account at Binance (fee schedule, VIP 0): 0.1 % each way, taken from what is received. */
const BINANCE_SPOT_FEES = { maker: amount('0.001'), taker: amount('0.001') } as const;

/** What opening venues needs from the composition root. */
export interface VenueParts {
  readonly config: Config;
  readonly clock: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly chance: () => number;
  readonly note: MarketPorts['note'];
}

/**
 * Opens every configured platform. Connections come and go by themselves from here on; only the operator's master key
 * is needed before members can trade.
 * @throws Error when the simulator does not hand out its master account.
 */
export async function openVenues(parts: VenueParts): Promise<ReadonlyMap<Platform, OpenVenue>> {
  const venues = new Map<Platform, OpenVenue>();
  for (const venue of parts.config.venues) venues.set(venue.platform, await openBinance(parts, venue));
  return venues;
}

async function openBinance(parts: VenueParts, venue: VenueConfig): Promise<OpenVenue> {
  const { clock, chance, note, config } = parts;
  const { platform, state, restBase } = venue;
  const connection = createBinancePublic({ restBase, socketBase: venue.streamBase, fetchText, clock });
  const market = new VenueMarket(
    connection,
    { openSocket: openFeedSocket, clock, chance, every: timers.every, after: timers.after, note },
    { symbolType: 'SPOT', fees: BINANCE_SPOT_FEES, encode: encodeFrame },
  );
  const ports = { clock, random: chance, timers, sendHttp, openSocket: openTextSocket };
  const trading = createBinanceTrading({ restBase, wsApiUrl: venue.wsApiUrl, ...ports });
  const master = await masterOf(venue, config.simulator?.admin);
  return { market, desk: { platform, name: platformFacts(platform).name, state, trading, master } };
}

/** The operator's key, or in simulator mode the simulator's own master account. Empty without an admin: nothing trades. */
async function masterOf(venue: VenueConfig, admin: string | undefined): Promise<VenueCredentials> {
  if (venue.master !== undefined) return { apiKey: venue.master.key, secret: venue.master.secret };
  return admin === undefined ? { apiKey: '', secret: '' } : simulatorMaster(admin);
}
