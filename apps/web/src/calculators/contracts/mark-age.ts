/** Marks older than this step back and say their age. */
export const MARK_OLD_MILLIS = 5_000;
/** Marks older than this are no longer shown. */
export const MARK_GONE_MILLIS = 60_000;

/**
 * Age of a mark, in whole seconds of ms, once it is old; 0 before. None while the hub says that its connection to the market is
 * live: then a mark that did not change since is still true.
 * @param cameAt when it came, ms; `undefined` where none did, and figures are the exchange's own.
 */
export function ageOfMark(cameAt: number | undefined, vouched: boolean, at: number): number {
  if (cameAt === undefined || vouched) return 0;
  const age = at - cameAt;
  return age > MARK_OLD_MILLIS ? Math.floor(age / 1_000) * 1_000 : 0;
}
