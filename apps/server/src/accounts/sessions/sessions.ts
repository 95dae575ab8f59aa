import type { Caller, SessionCookie } from '@crossbook/contract';
import { type Millis, type UserId, uuidV7 } from '@crossbook/domain';
import { keyedHash, type SecretKey, sameText, sha256Hex } from '../keyed-hash.ts';
import type { NewDevice, NewSession, RandomBytes, SessionRecord, SessionStore } from '../ports.ts';

/** Five days from login, however much is done meanwhile (spec section 9, decision 0030.16). */
export const SESSION_LIFE_MILLIS = 5 * 86_400_000;

/** So old is what stands there of when a session was used before it is written anew. */
export const SEEN_EVERY_MILLIS = 5 * 60_000;

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
  /** The token of a session at an epoch: the CSRF half. */
  tokenOf(id: string, epoch: number): string;
  /** The next cookie of a session that goes on. */
  nextCookie(): { readonly value: string; readonly hash: string };
  /** Makes the secrets of a new session; the caller stores the record. */
  issue(caller: Caller, device?: NewDevice): IssuedSession;
  /** Whose live session a cookie's hash has, if any: enough to take a body for it, not to act. */
  userOf(hash: string, now: Millis): Promise<UserId | undefined>;
  /** The live session of a cookie and its stoken; `undefined` for anything else. */
  authenticate(
    cookie: string | undefined,
    stoken: string | undefined,
    now: Millis,
  ): Promise<SessionRecord | undefined>;
}

/** The hash under which a cookie is stored; `undefined` for what cannot be a cookie of ours. */
export function cookieHash(cookie: string | undefined): string | undefined {
  return cookie !== undefined && COOKIE_VALUE.test(cookie) ? sha256Hex(cookie) : undefined;
}

/** Makes the session rules. @param key secret of the stoken. */
export function sessions(store: SessionStore, key: SecretKey, random: RandomBytes): Sessions {
  const stokenOf = (id: string, epoch: number): string =>
    keyedHash(key, 'stoken', id, String(epoch)).slice(0, STOKEN_LENGTH);
  const nextCookie = (): { readonly value: string; readonly hash: string } => {
    const value = Buffer.from(random(COOKIE_BYTES)).toString('base64url');
    return { value, hash: sha256Hex(value) };
  };
  // A record that is remembered keeps the stoken that belongs to it: making one costs more than the rest of the check.
  const stokens = new WeakMap<SessionRecord, string>();
  const stokenOfRecord = (session: SessionRecord): string => {
    const stoken = stokens.get(session) ?? stokenOf(session.id, session.epoch);
    stokens.set(session, stoken);
    return stoken;
  };
  // A record that is remembered goes on saying when it was read: it is noted once.
  const noted = new WeakSet<SessionRecord>();
  const noteUse = async (session: SessionRecord, now: Millis): Promise<void> => {
    const since = (now - SEEN_EVERY_MILLIS) as Millis;
    if (session.seenAt > since || noted.has(session)) return;
    noted.add(session);
    await store.seen(session.id, { now, since });
  };
  return {
    tokenOf: stokenOf,
    nextCookie,
    issue(caller, device) {
      const { value, hash } = nextCookie();
      const record: NewSession = {
        id: uuidV7(caller.now, random(10)),
        hash,
        epoch: 1,
        createdAt: caller.now,
        expiresAt: (caller.now + SESSION_LIFE_MILLIS) as Millis,
        address: caller.address,
        userAgent: caller.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
        ...(device === undefined ? {} : { device }),
      };
      return {
        cookie: { set: value, maxAgeSeconds: SESSION_LIFE_MILLIS / 1000 },
        stoken: stokenOf(record.id, record.epoch),
        record,
      };
    },
    userOf: async (hash, now) => (await store.live(hash, now))?.user,
    async authenticate(cookie, stoken, now) {
      const hash = cookieHash(cookie);
      if (hash === undefined || stoken === undefined || stoken.length !== STOKEN_LENGTH) return undefined;
      const session = await store.live(hash, now);
      if (session === undefined) return undefined;
      if (!sameText(stoken, stokenOfRecord(session))) return undefined;
      await noteUse(session, now);
      return session;
    },
  };
}
