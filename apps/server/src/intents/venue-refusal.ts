/** How a refusal of our own stands in a row; the venue's stand there in its words. */
const OURS = /^budget of the exchange used up, again in ([0-9]{1,9}) s$/;

/** The seconds after which our own budget may have room again: at least one. */
function secondsOf(retryAfterMillis: number): string {
  return String(Math.max(1, Math.ceil(retryAfterMillis / 1_000)));
}

/** What a member is told where our own budget let nothing be asked, and may have room after so long. */
export function budgetUsedUp(retryAfterMillis: number): {
  readonly error: 'venue-budget';
  readonly allowed: string;
} {
  return { error: 'venue-budget', allowed: secondsOf(retryAfterMillis) };
}

/** Why an intent was refused, as it is kept with it. */
export function reasonOfRefusal({
  message,
  retryAfterMillis,
}: {
  readonly message: string;
  /** Present where the refusal is ours: there may be room after so long. */
  readonly retryAfterMillis?: number | undefined;
}): string {
  if (retryAfterMillis === undefined) return message;
  return `budget of the exchange used up, again in ${secondsOf(retryAfterMillis)} s`;
}

/**
 * What a member is told where the refusal was ours, which is never told as a word of the exchange; `undefined` where the
 * reason is the venue's.
 */
export function refusalOfOurs(reason: string | undefined): ReturnType<typeof budgetUsedUp> | undefined {
  const seconds = OURS.exec(reason ?? '')?.[1];
  return seconds === undefined ? undefined : { error: 'venue-budget', allowed: seconds };
}
