/** Whether `npm run campaign -- threats` runs: attacks in the size that the table of threats has (docs/threats.md). */
export const THREATS = process.env.TEST_TIER === 'threats';

/**
 * How often an attack is tried.
 * @param own in `npm test`: what a minute allows.
 * @param whole the number of the table of threats, in the campaign.
 */
export function attacks(own: number, whole: number): number {
  return THREATS ? whole : own;
}
