import { type Amount, SIDE, type Side } from '@crossbook/domain';

/**
 * What a price must not reach for an order that only makes.
 * @param other the best price of the other side; unknown binds nothing.
 * @returns the nearest price that waits, where `price` would fill at once.
 */
export function makerBound(
  side: Side,
  price: Amount | undefined,
  { other, tickSize }: { readonly other: Amount | undefined; readonly tickSize: Amount },
): Amount | undefined {
  if (price === undefined || other === undefined) return undefined;
  const buying = side === SIDE.BUY;
  if (buying ? price < other : price > other) return undefined;
  return (buying ? other - tickSize : other + tickSize) as Amount;
}
