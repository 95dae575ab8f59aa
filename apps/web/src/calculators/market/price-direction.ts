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

/** The class that colours it: rising is green, falling red, or the palette's pair; without a direction that of text. */
export const DIRECTION_TONES = { up: 'text-up', down: 'text-down', none: 'text-text' } as const;
