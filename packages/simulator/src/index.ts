/**
 * Three simulated exchanges in one process: matching, accounts, journal, market, and the dialects that speak their wire.
 * `main.ts` runs them as a process; this door is for who runs them inside, as scripts/realism does.
 */

export type { AccountNumber, Exchange, MarketFacts, SimOrderId } from './exchange.ts';
export { type OpenedVenue, openVenues, type VenueSurroundings } from './open-venue.ts';
export { type SimulatorServer, type SimulatorServerOptions, serveSimulator } from './server.ts';
export type { SimulatedVenue } from './simulated-venue.ts';
export type { PerpMarkets } from './venue.ts';
