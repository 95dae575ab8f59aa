import type { Caller, SessionCookie } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { keyedHash, type SecretKey, sameText, sha256Hex } from './keyed-hash.ts';
import type { NewSession, RandomBytes, SessionRecord, SessionStore } from './ports.ts';

/** Five days from login, however much is done meanwhile (spec section 9, decision 0030.16). */
export const SESSION_LIFE_MILLIS = 5 * 86_400_000;

const COOKIE_BYTES = 32;
/** 128 bits in base64url. */
const STOKEN_LENGTH = 22;
const USER_AGENT_LENGTH_MAX = 300;
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/;

/** A session just made: what the browser gets, and what is stored. */
export interface IssuedSession {
  readonly cookie: SessionCookie;
  /** The CSRF half: sent back as `stoken` in every POST. */
  readonly stoken: string;
  readonly record: NewSession;
}

/** Sessions: a cookie that scripts cannot read and a token that other sites cannot send. Both are needed. */
export interface Sessions {
  /** Makes the secrets of a new session; the caller stores the record. */
  issue(caller: Caller): IssuedSession;
  /** The live session of a cookie and its stoken; `undefined` for anything else. */
  authenticate(
    cookie: string | undefined,
    stoken: string | undefined,
    now: Millis,
  ): Promise<SessionRecord | undefined>;
  /** The hash under which a cookie's session is stored; `undefined` for what cannot be a cookie of ours. */
  hashOf(cookie: string | undefined): string | undefined;
}

/** Makes the session rules. @param key secret of the stoken. */
export function sessions(store: SessionStore, key: SecretKey, random: RandomBytes): Sessions {
  const stokenOf = (hash: string, epoch: number): string =>
    keyedHash(key, 'stoken', hash, String(epoch)).slice(0, STOKEN_LENGTH);
  const hashOf = (cookie: string | undefined): string | undefined =>
    cookie !== undefined && COOKIE_VALUE.test(cookie) ? sha256Hex(cookie) : undefined;
  return {
    hashOf,
    issue(caller) {
      const value = Buffer.from(random(COOKIE_BYTES)).toString('base64url');
      const record: NewSession = {
        hash: sha256Hex(value),
        epoch: 1,
        createdAt: caller.now,
        expiresAt: (caller.now + SESSION_LIFE_MILLIS) as Millis,
        address: caller.address,
        userAgent: caller.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
      };
      return {
        cookie: { set: value, maxAgeSeconds: SESSION_LIFE_MILLIS / 1000 },
        stoken: stokenOf(record.hash, record.epoch),
        record,
      };
    },
    async authenticate(cookie, stoken, now) {
      const hash = hashOf(cookie);
      if (hash === undefined || stoken === undefined || stoken.length !== STOKEN_LENGTH) return undefined;
      const session = await store.live(hash, now);
      if (session === undefined) return undefined;
      return sameText(stoken, stokenOf(session.hash, session.epoch)) ? session : undefined;
    },
  };
}
