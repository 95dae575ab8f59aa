import type { OkxTradingOptions, VenueCredentials } from '@crossbook/venues/trading';
import { type SimulatorVenue, tradingOptions } from './simulator-venue.ts';

/** Makes an account at the simulated OKX, with a key of three parts and funds in its trading purse. */
export async function okxMember(
  venue: SimulatorVenue,
  label: string,
  funds: Readonly<Record<string, string>>,
): Promise<VenueCredentials> {
  const key = await venue.admin('keys', { venue: 'okx', label });
  for (const [asset, amount] of Object.entries(funds)) {
    await venue.admin('credit', { venue: 'okx', label, asset, amount, creditId: `${label}-${asset}` });
  }
  return { apiKey: String(key.apiKey), secret: String(key.secret), passphrase: String(key.passphrase) };
}

/** Options of OKX's trading half with real sockets, HTTP, clock and timers. */
export function okxTradingOptions(venue: SimulatorVenue): OkxTradingOptions {
  const { wsApiUrl: _, ...shared } = tradingOptions(venue);
  return { ...shared, privateSocketUrl: `${venue.socketUrl}/ws/v5/private` };
}
