/** What stands under a field, and of what. */
export interface Said<Words> {
  /** Names the fault and all that the member chose or typed for it; `undefined` where nothing of it follows the market. */
  readonly of: string | undefined;
  readonly words: Words;
}

/** Faults whose bound follows the market. */
const MOVING: ReadonlySet<string> = new Set([
  'price-range',
  'price-band',
  'post-only-crosses',
  'crosses',
  'venue-refused',
  'tier-exceeded',
  'trigger-at-once',
]);

/**
 * Of what a fault is said, where its bound follows the market.
 * @param chosen everything that the member can change about the order, besides the market.
 */
export function movingFault(
  name: string | undefined,
  chosen: readonly (string | number | undefined)[],
): string | undefined {
  return name !== undefined && MOVING.has(name) ? [name, ...chosen].join(' ') : undefined;
}

/** A bound must not move under the eye: what was said first stands as long as it is said of the same. */
export function heldStill<Words>(before: Said<Words> | undefined, now: Said<Words>): Said<Words> {
  return now.of !== undefined && before?.of === now.of ? before : now;
}
