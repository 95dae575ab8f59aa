/**
 * How often a property is tried: its own number in `npm test`, ten times that in `npm run test:full` (decision
 * 0007).
 */
export function runs(base: number): number {
  return process.env.TEST_TIER === 'full' ? base * 10 : base;
}
