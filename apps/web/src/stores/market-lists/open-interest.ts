import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { now } from '../app/clock.ts';
import { instrumentsOf, instrumentsStore } from '../market/instruments.ts';
import { marketKey } from '../market/market.ts';
import { venueRest } from '../market/venue-rest.ts';
import { readKey, repeatWhileShown, type TickersRead } from './tickers.ts';

/** Open interest of perpetuals in base coins by `marketKey`, and when each platform's was last read by `readKey`. */
export const openInterestStore = createStore<{
  readonly rows: ReadonlyMap<string, string>;
  readonly reads: ReadonlyMap<string, TickersRead>;
}>(() => ({ rows: new Map(), reads: new Map() }));

function keepRead(platform: Platform, failing: boolean): void {
  const key = readKey(platform, 'SWAP');
  openInterestStore.setState(({ reads }) => ({
    reads: new Map(reads).set(key, { at: failing ? reads.get(key)?.at : now(), failing }),
  }));
}

async function refresh(platform: Platform): Promise<void> {
  const instruments = instrumentsOf(instrumentsStore.getState(), platform, 'SWAP');
  if (instruments.length === 0) return keepRead(platform, false);
  const rest = await venueRest(platform, 'SWAP');
  const answer = await rest?.openInterest(instruments);
  keepRead(platform, answer?.ok !== true);
  // A failure is silent (spec section 8): what was read before stays, and its age tells.
  if (answer?.ok !== true) return;
  const read = [...answer.value].map(
    ([symbol, interest]) => [marketKey({ platform, symbolType: 'SWAP', symbol }), interest] as const,
  );
  openInterestStore.setState(({ rows }) => ({ rows: new Map([...rows, ...read]) }));
}

/**
 * Reads the open interest of a platform's perpetuals now and again until the returned function is called. Some venues
 * tell it one contract a call, so only a screen that shows it asks. Load the instruments first.
 */
export function refreshOpenInterest(platform: Platform): () => void {
  return repeatWhileShown(() => void refresh(platform));
}
