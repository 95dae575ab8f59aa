import type { Lots, Ticks } from '@crossbook/domain';
import type { TrailingTrigger } from './triggers/trigger.ts';

/** What spot orders say that wait: for a price, or for another order of their list. */

/** What a conditional order waits for. The price is that of the last trade. */
export interface SimTrigger {
  /** A stop fires once the price goes against its side's wish (up for BUY), a take-profit once it goes with it. */
  readonly purpose: 'STOP' | 'TAKE_PROFIT';
  /** Reached, it fires; one that trails begins to follow the price then. Absent: it follows from its placing on. */
  readonly price?: Ticks;
  /** It fires once the price has come back from its best by so many hundredths of a percent. */
  readonly trailingBips?: number;
  /** The same by a distance in price. Not both. */
  readonly trailingTicks?: Ticks;
  /** Its money is locked only once it fires, and it is refused then where there is not enough. Absent: from its placing on. */
  readonly fundedWhenFired?: true;
}

/** How far the price comes back before one that trails fires; `undefined` for one that waits for a price of its own. */
export function backOf({ trailingBips, trailingTicks }: SimTrigger): TrailingTrigger['back'] | undefined {
  if (trailingBips !== undefined) return { bips: trailingBips };
  return trailingTicks === undefined ? undefined : { ticks: trailingTicks };
}

/** New terms of an order that waits; what is absent stays. One that follows the price already follows anew. */
export interface WaitingChange {
  /** Its price, or from which on it trails. */
  readonly trigger?: Ticks;
  readonly back?: TrailingTrigger['back'];
  /** Of what it sends. */
  readonly price?: Ticks | 'MARKET';
  readonly quantity?: Lots;
}

/** Why the venue ended an order that it had taken. */
export type SimExpiry =
  /** The other order of its pair is carried out, or has ended. */
  | 'OTHER_LEG'
  /** The order that it waited for ended without being filled. */
  | 'WORKING_ORDER'
  /** When its time came it was refused: no funds, or it would take. */
  | 'REFUSED';

/** How many conditional orders, lists and parts of an iceberg a spot market allows one account, and how far one may trail. */
export const SPOT_LIMITS = {
  /** Where the market says nothing else. */
  conditionalOrdersMax: 5,
  orderListsMax: 20,
  icebergPartsMax: 10,
  trailingBipsMin: 10,
  trailingBipsMax: 2_000,
} as const;

/** The parts in which an iceberg is shown. */
export function icebergParts(quantity: Lots, visible: Lots): number {
  return Math.ceil(quantity / visible);
}
