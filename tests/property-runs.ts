/** Whether `npm run campaign -- matrices` runs: every row of the matrices that take too long for the full tier as well. */
export const MATRIX = process.env.TEST_TIER === 'matrices';

/** Whether `npm run campaign -- properties` runs: properties in the number that takes hours. */
export const PROPERTIES = process.env.TEST_TIER === 'properties';

/**
 * Whether the full tier runs, or one that has its rows too (docs/decisions/0007). It takes the tests that ask, by what they import: a file that does not
 * import this one has nothing to add there.
 */
export const FULL = MATRIX || PROPERTIES || process.env.TEST_TIER === 'full';

/** How much more often than the full tier the campaign tries. */
const CAMPAIGN_TIMES = 10;

/**
 * How often a property is tried: its own number in `npm test`, so many times that in `npm run test:full`, and ten times that
 * in the campaign (decisions 0007 and 0081).
 * @param factor fewer than ten times where all of them would take more than a minute of the full tier.
 */
export function runs(base: number, factor = 10): number {
  return base * (FULL ? factor : 1) * (PROPERTIES ? CAMPAIGN_TIMES : 1);
}
