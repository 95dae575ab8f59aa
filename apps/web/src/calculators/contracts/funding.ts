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
