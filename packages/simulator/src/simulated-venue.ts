import type { PlatformSlug } from '@crossbook/domain';
import type { Exchange } from './exchange.ts';
import type { OrderLists } from './order-list-port.ts';
import type { PerpExchange } from './perp-exchange.ts';
import type { ContractStory } from './venue.ts';

/** The facade between one simulated venue and its dialect: spot and perpetuals, on both of which members trade. */
export interface SimulatedVenue {
  readonly slug: PlatformSlug;
  readonly spot: Exchange & OrderLists;
  readonly perps: PerpExchange;
  readonly story: ContractStory;
  /** Somebody looks at this book or its tape: full agents until the returned function is called. Unknown symbols do nothing. */
  watch(market: 'spot' | 'perps', symbol: string): () => void;
}
