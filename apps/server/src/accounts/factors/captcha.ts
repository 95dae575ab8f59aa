import type { CallResponse } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import type { SecretKey } from '../keyed-hash.ts';
import type { CaptchaStore, RandomBytes } from '../ports.ts';

/** How long a challenge may be worked on and used. */
export const CAPTCHA_LIFE_MILLIS = 10 * 60_000;

/** Largest work class; each class is twice the work of the one below. */
export const WORK_CLASS_MAX = 3;

const SALT = /^[0-9a-f]{24}\?expires=([0-9]{10})&class=([0-3])&$/;
const PAYLOAD = /^[A-Za-z0-9+/]{1,2000}={0,2}$/;

/** Proof of work in place of a third party's captcha: stateless to hand out, used once. */
export interface Captcha {
  issue(now: Millis, workClass: number): Promise<CallResponse<'pub/getcaptcha'>>;
  /** The work class, once for every solved challenge of ours, until it expires; `undefined` for anything else. */
  redeem(solution: string, now: Millis): Promise<number | undefined>;
}

interface Payload {
  readonly algorithm: 'SHA-256';
  readonly challenge: string;
  readonly number: number;
  readonly salt: string;
  readonly signature: string;
  readonly expiresAt: Millis;
  readonly workClass: number;
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
  if (typeof challenge !== 'string' || !/^[0-9a-f]{64}$/.test(challenge)) return undefined;
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return undefined;
  const [, expires, workClass] = SALT.exec(typeof salt === 'string' ? salt : '') ?? [];
  if (typeof salt !== 'string' || expires === undefined) return undefined;
  if (number < 0 || number > workMax * 2 ** Number(workClass)) return undefined;
  const expiresAt = (Number(expires) * 1000) as Millis;
  return { algorithm, challenge, number, salt, signature, expiresAt, workClass: Number(workClass) };
}

/** Makes the captcha. @param workMax largest number a solution of class 0 may be; the mean work is half of it. */
export function captcha(
  store: CaptchaStore,
  options: { readonly key: SecretKey; readonly random: RandomBytes; readonly workMax: number },
): Captcha {
  const hmacKey = Buffer.from(options.key).toString('hex');
  return {
    async issue(now, workClass) {
      const maxnumber = options.workMax * 2 ** workClass;
      const expires = Math.ceil((now + CAPTCHA_LIFE_MILLIS) / 1000);
      const drawn = Buffer.from(options.random(16));
      const challenge = await createChallenge({
        algorithm: 'SHA-256',
        hmacKey,
        salt: drawn.toString('hex', 0, 12),
        params: { expires: String(expires), class: String(workClass) },
        number: drawn.readUInt32BE(12) % maxnumber,
      });
      return {
        algorithm: challenge.algorithm,
        challenge: challenge.challenge,
        salt: challenge.salt,
        signature: challenge.signature,
        maxnumber,
      };
    },
    async redeem(solution, now) {
      const payload = parsePayload(solution, options.workMax);
      if (payload === undefined) return undefined;
      // Expiry is tested here with our clock; the library would ask the machine's.
      const { algorithm, challenge, number, salt, signature, expiresAt, workClass } = payload;
      const solved = { algorithm, challenge, number, salt, signature };
      if (expiresAt <= now || !(await verifySolution(solved, hmacKey, false))) return undefined;
      return (await store.useOnce(salt, expiresAt)) ? workClass : undefined;
    },
  };
}
