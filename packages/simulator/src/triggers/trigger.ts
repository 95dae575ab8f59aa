import type { Ticks } from '@crossbook/domain';

/** When a conditional order fires: no state, no clock. Prices are ticks; marks and indices lie between ticks too. */

/** Which price is followed. */
export type PriceKind = 'LAST' | 'MARK' | 'INDEX';

/** Fires once the price has risen to it, or has fallen to it. */
export interface PriceTrigger {
  readonly at: 'PRICE';
  readonly by: PriceKind;
  readonly direction: 'RISE' | 'FALL';
  readonly price: Ticks;
}

/**
 * Follows the price and fires once it has come back from its best by so much: `FALL` follows a rising price (it sells),
 * `RISE` a falling one.
 */
export interface TrailingTrigger {
  readonly at: 'TRAIL';
  readonly by: PriceKind;
  readonly direction: 'RISE' | 'FALL';
  /** By a share of the best price, in hundredths of a percent (0 to 10,000), or by a distance. */
  readonly back: { readonly bips: number } | { readonly ticks: Ticks };
  /** Follows once this price is reached; absent: from the first price on. */
  readonly activation?: Ticks;
  /** The best price since it follows; absent: it does not follow yet. */
  readonly best?: number;
}

export type Trigger = PriceTrigger | TrailingTrigger;

const BIPS = 10_000;

/** How far the last price may be from the mark, as a part of that, while one that is guarded fires (Binance, `triggerProtect`). */
export const TRIGGER_GAP_MAX = 0.05;

/** The price at which it fires, in ticks; `undefined` while it does not follow. A trailing one's never goes back. */
export function firingPrice(trigger: Trigger): number | undefined {
  if (trigger.at === 'PRICE') return trigger.price;
  const { back, best, direction } = trigger;
  if (best === undefined) return undefined;
  if (direction === 'FALL')
    return Math.floor('bips' in back ? (best * (BIPS - back.bips)) / BIPS : best - back.ticks);
  return Math.ceil('bips' in back ? (best * (BIPS + back.bips)) / BIPS : best + back.ticks);
}

/** Whether it fires at a price of its kind. */
export function isReached(trigger: Trigger, price: number): boolean {
  const due = firingPrice(trigger);
  if (due === undefined) return false;
  return trigger.direction === 'RISE' ? price >= due : price <= due;
}

/** A trailing trigger after a price of its kind; the same object where that changes nothing. */
export function followed<Any extends Trigger>(trigger: Any, price: number): Any {
  if (trigger.at === 'PRICE') return trigger;
  const { activation, best, direction } = trigger;
  const ahead = (from: number): number => (direction === 'FALL' ? price - from : from - price);
  const follows = best === undefined ? activation === undefined || ahead(activation) >= 0 : ahead(best) > 0;
  return follows ? { ...trigger, best: price } : trigger;
}
