import type { Platform, Ticker } from '@crossbook/domain';
import { createBinancePublic, type FetchText, type VenuePublicRest } from '@crossbook/venues';
import { bootPlatform } from './boot.ts';
import { now } from './clock.ts';

/** Longest wait for a venue's tickers. */
const FETCH_MILLIS_MAX = 10_000;

const fetchText: FetchText = async (url) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MILLIS_MAX) });
  return { status: response.status, text: await response.text() };
};

function restOf(platform: Platform): VenuePublicRest | undefined {
  const base = bootPlatform(platform)?.restBase;
  // A venue joins here when its public half is in `venues`.
  if (platform !== 1 || base === undefined) return undefined;
  const restBase = new URL(base, globalThis.location.href).href.replace(/\/$/, '');
  return createBinancePublic({ restBase, socketBase: '', fetchText, clock: now }).rest;
}

/** Reads a venue's spot tickers at the base the hub handed out. Failures are silent and yield none (spec section 8). */
export async function readVenueTickers(platform: Platform): Promise<readonly Ticker[]> {
  const answer = await restOf(platform)?.tickers('SPOT');
  return answer?.ok === true ? answer.value : [];
}
