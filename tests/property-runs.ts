/** Whether `npm run campaign -- matrices` runs: every row of the matrices that take too long for the full tier as well. */
export const MATRIX = process.env.TEST_TIER === 'matrices';

/**
 * Whether the full tier runs, or one that has its rows too (docs/decisions/0007). It takes the tests that ask, by what they import: a file that does not
 * import this one has nothing to add there.
 */
export const FULL = MATRIX || process.env.TEST_TIER === 'full';

/**
 * How often a property is tried: its own number in `npm test`, and so many times that in `npm run test:full` (decision
 * 0007).
 * @param factor fewer than ten times where one run takes tenths of a second.
 */
export function runs(base: number, factor = 10): number {
  return FULL ? base * factor : base;
}
