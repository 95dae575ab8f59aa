/**
 * How often a property is tried: its own number in `npm test`, and so many times that in `npm run test:full` (decision
 * 0007).
 * @param factor fewer than ten times where one run takes tenths of a second.
 */
export function runs(base: number, factor = 10): number {
  return process.env.TEST_TIER === 'full' ? base * factor : base;
}
