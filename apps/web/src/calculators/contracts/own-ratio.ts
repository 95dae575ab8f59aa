/** Ratios from which a word, and a hand, is needed; 1 = liquidation. */
const NEAR = 0.7;
const DANGER = 0.85;

/** How near liquidation a ratio is. @param warnsFrom where the venue's own warning begins, when it has one. */
export function ratioTone(ratio: number, warnsFrom = NEAR): 'plain' | 'near' | 'danger' {
  if (ratio >= DANGER) return 'danger';
  return ratio >= Math.min(NEAR, warnsFrom) ? 'near' : 'plain';
}

/**
 * A ratio as a venue states it whose own figure is the reverse, percent: larger is safer, at 100 it liquidates.
 * `undefined` where nothing is needed.
 */
export function safetyPercent(ratio: number): number | undefined {
  return ratio > 0 ? 100 / ratio : undefined;
}
