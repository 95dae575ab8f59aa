export type { AccountNumber, Exchange, MarketFacts, SimOrderId } from './exchange.ts';
