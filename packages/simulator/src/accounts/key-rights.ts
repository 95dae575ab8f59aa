import type { Exchange, KeyRights } from '../exchange.ts';

/** Whether a key may trade pairs, or contracts. A key of which nothing was said may do both. */
export function mayTrade(exchange: Exchange, apiKey: string | undefined, what: keyof KeyRights): boolean {
  return exchange.keyOwner(apiKey ?? '')?.rights?.[what] ?? true;
}
