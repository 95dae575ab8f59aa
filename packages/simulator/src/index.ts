export type { AccountNumber, Exchange, MarketFacts, SimOrderId } from './exchange.ts';
export { type OpenedVenue, openVenues, type VenueSurroundings } from './open-venue.ts';
export { type SimulatorServer, type SimulatorServerOptions, serveSimulator } from './server.ts';
export type { SimulatedVenue } from './simulated-venue.ts';
export type { PerpMarkets } from './venue.ts';
