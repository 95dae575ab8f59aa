export { type ExchangeOptions, type OpenedExchange, openExchange } from './core.ts';
export type { AccountNumber, Exchange, MarketFacts, SimOrderId } from './exchange.ts';
export { marketDirectory, volatileFiles } from './market/market-files.ts';
export { type MarketSideParts, openMarketSide, type RunningMarketSide } from './market/market-side.ts';
export { type SimulatorServer, type SimulatorServerOptions, serveSimulator } from './server.ts';
