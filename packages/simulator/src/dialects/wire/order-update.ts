import type { ExchangeListener } from '../../exchange.ts';

/** What happened to an order, in the core's words. */
export type OrderUpdate = Parameters<NonNullable<ExchangeListener['onOrder']>>[0];
