/**
 * The seed of the market that a test of processes meets: its own, unless `WORLD_SEED` names another. What a test says holds
 * in every market; prices walk by the calendar, so that each run meets another one anyway.
 */
export function worldSeed(own: number): string {
  return process.env.WORLD_SEED ?? String(own);
}
