import type { OrderRow } from '@crossbook/contract';
import { type Amount, parseAmount, SIDE, TIME_IN_FORCE } from '@crossbook/domain';

/** Best prices, as far as they are known. */
export interface BestPrices {
  readonly bid: Amount | undefined;
  readonly ask: Amount | undefined;
}

/**
 * What becomes of a limit order at another price: it rests, it fills at once, or it is refused because it may only rest. With
 * nothing on the other side it rests.
 */
export function atBook(
  { side, timeInForce }: Pick<OrderRow, 'side' | 'timeInForce'>,
  price: string,
  best: BestPrices,
): 'rests' | 'fills' | 'refused' {
  const other = side === SIDE.BUY ? best.ask : best.bid;
  const at = parseAmount(price);
  if (other === undefined || at === undefined) return 'rests';
  if (side === SIDE.BUY ? at < other : at > other) return 'rests';
  return timeInForce === TIME_IN_FORCE.POST_ONLY ? 'refused' : 'fills';
}
