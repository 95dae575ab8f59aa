import type { Lots, Ticks } from '@crossbook/domain';
import type { SelfTradePrevention, SimOrderId, SimOrderKind, SimTimeInForce } from '../exchange.ts';

/** An order as an engine takes it: validated, and in whole steps. */
export interface EngineOrder {
  account: number;
  side: 'BUY' | 'SELL';
  kind: SimOrderKind;
  /** Ignored for MARKET (takes what there is) and LIMIT_MAKER (rests). */
  timeInForce: SimTimeInForce;
  /** At least 1; 0 for MARKET. */
  price: Ticks;
  /** At least 1; 0 for a MARKET order by quote amount. */
  quantity: Lots;
  /** MARKET by quote amount: what may be spent or received, in ticks × lots, a safe integer; otherwise 0. */
  budget: number;
  selfTradePrevention: SelfTradePrevention;
  /** LIMIT_MAKER only: one that would take gets an id and expires instead of placing nothing. */
  whenTaking?: 'EXPIRE';
  /** An iceberg: so much of it is in the queue at a time, the rest follows from behind. Absent: all of it. */
  visible?: Lots;
}

/** How placing an order ended. `WOULD_TAKE` places nothing (LIMIT_MAKER without `whenTaking` only). */
export type OrderEnd = 'RESTING' | 'FILLED' | 'EXPIRED' | 'EXPIRED_IN_MATCH' | 'WOULD_TAKE';

/** What became of an order when it was placed. Its fills and the makers it expired are read from the engine. */
export interface Placement {
  readonly orderId: SimOrderId;
  readonly end: OrderEnd;
  readonly executed: Lots;
}

/** What an order would do if it were placed now. */
export interface Preview {
  readonly executed: Lots;
  /** Ticks × lots that the fills add up to, exact. */
  readonly notional: bigint;
  /** Whether self-trade prevention would stop it. */
  readonly prevented: boolean;
}

/** Where an engine's ids go on: the last ones already used. */
export interface EngineCounters {
  readonly generation: number;
  readonly tradeId: number;
  readonly updateId: number;
}

/** The counters of a market that never traded. */
export const FIRST_COUNTERS: EngineCounters = { generation: 0, tradeId: 0, updateId: 0 };
