import type { AdminCaller, CallAnswer, Caller, DeviceCookie, SessionCookie } from '@crossbook/contract';
import { type Millis, uuidV7 } from '@crossbook/domain';
import { keyedHash, type SecretKey, sameText, sha256Hex } from '../accounts/keyed-hash.ts';
import type { RandomBytes } from '../accounts/ports.ts';
import type { AdminStore, NewAdminSession } from './ports.ts';

/** From log-in on, however much is done meanwhile. */
export const ADMIN_SESSION_MILLIS = 12 * 3_600_000;
/** A session that nothing was asked with for so long has ended. */
export const ADMIN_IDLE_MILLIS_MAX = 15 * 60_000;
/** A demo admin's session. */
export const DEMO_SESSION_MILLIS = 2 * 3_600_000;
/** Changes are open for so long after a code of the authenticator. */
export const PROVED_MILLIS = 5 * 60_000;
/** How exactly it is known when a session was used last. */
const USED_EVERY_MILLIS = 30_000;

/** How long a browser is the same one; a session never lasts so long. */
const DEVICE_SECONDS = 400 * 86_400;

const COOKIE_BYTES = 32;
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/;
/** 128 bits in base64url. */
const STOKEN_LENGTH = 22;
const USER_AGENT_LENGTH_MAX = 300;

/** A session just made: what the browser gets, and what is stored. */
export interface IssuedAdminSession {
  readonly cookie: SessionCookie;
  /** The CSRF half: sent back as `stoken`. */
  readonly token: string;
  readonly record: NewAdminSession;
  /** Names the browser from now on, where none did. */
  readonly device?: DeviceCookie;
}

/** What a log-in answers. */
export function loggedIn({ token, cookie, device }: IssuedAdminSession): CallAnswer<{ token: string }> {
  return { ok: true, value: { token }, cookie, ...(device === undefined ? {} : { device }) };
}

/** Sessions of admins: a cookie of their own, and a token that other sites cannot send. Both are needed. */
export interface AdminSessions {
  issue(caller: Caller, lifeMillis?: number): IssuedAdminSession;
  /** Who calls; `undefined` for anything but a live session of an admin with its token. */
  authenticate(
    cookie: string | undefined,
    stoken: string | undefined,
    caller: Caller,
  ): Promise<AdminCaller | undefined>;
}

/** @param key secret of the token; of this purpose alone, so that a member's token is never one. */
export function adminSessions(store: AdminStore, key: SecretKey, random: RandomBytes): AdminSessions {
  const tokenOf = (id: string): string => keyedHash(key, 'admin', id).slice(0, STOKEN_LENGTH);
  return {
    issue(caller, lifeMillis = ADMIN_SESSION_MILLIS) {
      const value = Buffer.from(random(COOKIE_BYTES)).toString('base64url');
      const set = Buffer.from(random(COOKIE_BYTES)).toString('base64url');
      const record: NewAdminSession = {
        id: uuidV7(caller.now, random(10)),
        hash: sha256Hex(value),
        createdAt: caller.now,
        expiresAt: (caller.now + lifeMillis) as Millis,
        address: caller.address,
        userAgent: caller.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
        device: caller.device ?? sha256Hex(set),
      };
      const cookie = { set: value, maxAgeSeconds: lifeMillis / 1_000 };
      const issued = { cookie, token: tokenOf(record.id), record };
      return caller.device === undefined
        ? { ...issued, device: { set, maxAgeSeconds: DEVICE_SECONDS } }
        : issued;
    },
    async authenticate(cookie, stoken, caller) {
      if (cookie === undefined || !COOKIE_VALUE.test(cookie)) return undefined;
      if (stoken === undefined || stoken.length !== STOKEN_LENGTH) return undefined;
      const { now } = caller;
      const session = await store.live(sha256Hex(cookie), (now - ADMIN_IDLE_MILLIS_MAX) as Millis, now);
      // Checked before the use is noted: a request of another site keeps nothing alive.
      if (session === undefined || !sameText(stoken, tokenOf(session.id))) return undefined;
      if (now - session.usedAt >= USED_EVERY_MILLIS) await store.used(session.id, now);
      const { id: sessionId, email: adminName, admin, roles, demo, expiresAt, provedUntil } = session;
      return { ...caller, admin, adminName, roles, demo, sessionId, expiresAt, provedUntil };
    },
  };
}
