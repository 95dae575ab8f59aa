/** `+0.0100%`: a funding rate (a fraction) as a signed percent with 4 decimals; `undefined` when it is no number. */
export function fundingText(rate: string): string | undefined {
  const percent = Number(rate) * 100;
  if (rate === '' || !Number.isFinite(percent)) return undefined;
  const size = Math.abs(percent).toFixed(4);
  if (Number(size) === 0) return `${size}%`;
  return `${percent > 0 ? '+' : '−'}${size}%`;
}

/** `02:59:07` until a time; `00:00:00` once it has passed: the venue has not named the next one yet. */
export function countdownText(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Clocks that differ by less are the same for a countdown of seconds. */
const SKEW_MILLIS_MAX = 1_000;

/** How far the browser's clock is off, s: "+2.1" is fast; `undefined` while that does not matter or is not known. */
export function skewText(aheadMillis: number | undefined): string | undefined {
  if (aheadMillis === undefined || Math.abs(aheadMillis) <= SKEW_MILLIS_MAX) return undefined;
  return `${aheadMillis > 0 ? '+' : '−'}${(Math.abs(aheadMillis) / 1_000).toFixed(1)}`;
}
