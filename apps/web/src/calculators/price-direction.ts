/** Whether a price last moved up or down; `none` before it ever moved. */
export type PriceDirection = 'up' | 'down' | 'none';

/** Greater is up, less is down, equal keeps the previous state (spec section 4). */
export function priceDirection(
  previous: PriceDirection,
  before: number | undefined,
  now: number,
): PriceDirection {
  if (before === undefined || now === before) return previous;
  return now > before ? 'up' : 'down';
}
