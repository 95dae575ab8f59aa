import type { BybitTradingOptions, VenueCredentials } from '@crossbook/venues/trading';
import { type SimulatorVenue, tradingOptions } from './simulator-venue.ts';

/** Makes an account at the simulated Bybit, with a key and funds. */
export async function bybitMember(
  venue: SimulatorVenue,
  label: string,
  funds: Readonly<Record<string, string>>,
): Promise<VenueCredentials> {
  const key = await venue.admin('keys', { venue: 'bybit', label });
  for (const [asset, amount] of Object.entries(funds)) {
    await venue.admin('credit', { venue: 'bybit', label, asset, amount, creditId: `${label}-${asset}` });
  }
  return { apiKey: String(key.apiKey), secret: String(key.secret) };
}

/** The key of the operator's own account there. */
export async function bybitMaster(
  venue: SimulatorVenue,
  funds: Readonly<Record<string, string>>,
): Promise<VenueCredentials> {
  return await bybitMember(venue, 'master', funds);
}

/** Options of Bybit's trading half with real sockets, HTTP, clock and timers. */
export function bybitTradingOptions(venue: SimulatorVenue): BybitTradingOptions {
  const { wsApiUrl: _, ...shared } = tradingOptions(venue);
  return { ...shared, socketBase: venue.socketUrl };
}
