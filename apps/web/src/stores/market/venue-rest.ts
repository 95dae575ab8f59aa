import type { Instrument, Platform, SymbolType } from '@crossbook/domain';
import { type FetchText, type PublicCall, tellingFailures, type VenuePublicRest } from '@crossbook/venues';
import { createVenueRest } from '../../wire/venue-rest.ts';
import { bootPlatform } from '../app/boot.ts';
import { now } from '../app/clock.ts';
import { instrumentsOf, instrumentsStore } from './instruments.ts';

/** Longest wait for an answer of a venue's public REST. */
const FETCH_MILLIS_MAX = 15_000;

const fetchText: FetchText = async (url) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MILLIS_MAX) });
  return { status: response.status, text: await response.text() };
};

/** The reads of each market that fail at the moment: a reader is made for each question. */
const failing = new Map<string, Set<PublicCall>>();

/** Tells of failed reads whoever looks into the browser's log; the page itself stays silent (spec section 8). */
function loggingFailures(rest: VenuePublicRest, market: string): VenuePublicRest {
  const calls = failing.get(market) ?? new Set();
  failing.set(market, calls);
  return tellingFailures(
    rest,
    ({ call, failure }) => console.info(`${market}: ${call} gave nothing (${failure})`),
    calls,
  );
}

/**
 * The public REST of one of a venue's markets, at the base that the hub handed out. It knows the instruments that are
 * loaded at this moment; load them first where sizes matter.
 * @param instruments known to the reader instead.
 * @returns `undefined` where the hub does not offer the market, or the venue's decoder could not be loaded.
 */
export async function venueRest(
  platform: Platform,
  symbolType: SymbolType,
  instruments: readonly Instrument[] = instrumentsOf(instrumentsStore.getState(), platform, symbolType),
): Promise<VenuePublicRest | undefined> {
  const base = bootPlatform(platform)?.restBases[symbolType];
  if (base === undefined) return undefined;
  const restBase = new URL(base, globalThis.location.href).href.replace(/\/$/, '');
  const options = { restBase, fetchText, clock: now, instruments };
  try {
    const rest = await createVenueRest(platform, symbolType, options);
    return loggingFailures(rest, `platform ${platform} ${symbolType}`);
  } catch {
    return undefined;
  }
}
