import { solveChallenge } from 'altcha-lib/v1';
import { call } from './own-service.ts';

/** Numbers tried between two reports of progress; the digest is asynchronous, so the page stays free meanwhile. */
const TRIES_PER_REPORT = 500;

/** The share of the work that is surely done, 0 to 1. */
export type CaptchaProgress = (share: number) => void;

/**
 * Fetches a proof-of-work challenge and solves it in the background.
 * @param account for a log-in: wrong passwords there ask for more work.
 * @returns base64 JSON of the solution as the calls take it, good for one call; `undefined` when there was no challenge,
 *   it has no solution, or `signal` was aborted.
 */
export async function solveCaptcha(
  onProgress: CaptchaProgress,
  signal: AbortSignal,
  account?: string,
): Promise<string | undefined> {
  const answer = await call('pub/getcaptcha', account === undefined ? {} : { account }, {
    quiet: true,
    signal,
  });
  if (!answer.ok) return undefined;
  const { algorithm, challenge, salt, signature, maxnumber } = answer.data;
  for (let start = 0; start <= maxnumber && !signal.aborted; start += TRIES_PER_REPORT) {
    onProgress(start / maxnumber);
    const last = Math.min(start + TRIES_PER_REPORT - 1, maxnumber);
    const solution = await solveChallenge(challenge, salt, algorithm, last, start).promise;
    if (solution === null) continue;
    onProgress(1);
    return btoa(JSON.stringify({ algorithm, challenge, number: solution.number, salt, signature }));
  }
  return undefined;
}
