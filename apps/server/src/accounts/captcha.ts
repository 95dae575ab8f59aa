import type { CallResponse } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import type { SecretKey } from './keyed-hash.ts';
import type { CaptchaStore, RandomBytes } from './ports.ts';

/** How long a challenge may be worked on and used. */
export const CAPTCHA_LIFE_MILLIS = 10 * 60_000;

const SALT = /^[0-9a-f]{24}\?expires=([0-9]{10})&$/;
const PAYLOAD = /^[A-Za-z0-9+/]{1,2000}={0,2}$/;

/** Proof of work in place of a third party's captcha: stateless to hand out, used once. */
export interface Captcha {
  issue(now: Millis): Promise<CallResponse<'pub/getcaptcha'>>;
  /** True once for every solved challenge of ours, until it expires. */
  redeem(solution: string, now: Millis): Promise<boolean>;
}

interface Payload {
  readonly algorithm: 'SHA-256';
  readonly challenge: string;
  readonly number: number;
  readonly salt: string;
  readonly signature: string;
}

/** Everything is pinned down before the library sees it: text where it expects a number would be joined to the salt. */
function parsePayload(text: string, workMax: number): Payload | undefined {
  if (!PAYLOAD.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { algorithm, challenge, number, salt, signature } = value as Record<string, unknown>;
  if (algorithm !== 'SHA-256') return undefined;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
  if (number < 0 || number > workMax) return undefined;
  if (typeof challenge !== 'string' || !/^[0-9a-f]{64}$/.test(challenge)) return undefined;
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return undefined;
  if (typeof salt !== 'string' || !SALT.test(salt)) return undefined;
  return { algorithm, challenge, number, salt, signature };
}

/** Makes the captcha. @param workMax largest number a solution may be; the mean work is half of it. */
export function captcha(
  store: CaptchaStore,
  options: { readonly key: SecretKey; readonly random: RandomBytes; readonly workMax: number },
): Captcha {
  const hmacKey = Buffer.from(options.key).toString('hex');
  return {
    async issue(now) {
      const expires = Math.ceil((now + CAPTCHA_LIFE_MILLIS) / 1000);
      const drawn = Buffer.from(options.random(16));
      const challenge = await createChallenge({
        algorithm: 'SHA-256',
        hmacKey,
        salt: drawn.toString('hex', 0, 12),
        params: { expires: String(expires) },
        number: drawn.readUInt32BE(12) % options.workMax,
      });
      return {
        algorithm: challenge.algorithm,
        challenge: challenge.challenge,
        salt: challenge.salt,
        signature: challenge.signature,
        maxnumber: options.workMax,
      };
    },
    async redeem(solution, now) {
      const payload = parsePayload(solution, options.workMax);
      if (payload === undefined) return false;
      // Expiry is tested here with our clock; the library would ask the machine's.
      const expiresAt = (Number(SALT.exec(payload.salt)?.[1]) * 1000) as Millis;
      if (expiresAt <= now || !(await verifySolution(payload, hmacKey, false))) return false;
      return store.useOnce(payload.salt, expiresAt);
    },
  };
}
