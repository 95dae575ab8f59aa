import type { DeviceCookie, SessionCookie } from '@crossbook/contract';

/** The cookies of ours: a member's session and browser, an admin's session and browser. */
type CookieName = 'sid' | 'did' | 'aid' | 'oid';

function nameOf(name: CookieName, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** A cookie's value; `undefined` when there is none, or two (then something is being tried). */
export function readCookie(
  header: string | undefined,
  name: CookieName,
  secure: boolean,
): string | undefined {
  const prefix = `${nameOf(name, secure)}=`;
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined;
}

function write(name: CookieName, secure: boolean, cookie: DeviceCookie): string {
  const tail = secure ? '; Secure' : '';
  const { set, maxAgeSeconds } = cookie;
  return `${nameOf(name, secure)}=${set}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${tail}`;
}

/** The Set-Cookie header that sets or clears a session's cookie (decision 0030.16); an admin's is `aid`. */
export function writeSessionCookie(
  cookie: SessionCookie,
  secure: boolean,
  name: 'sid' | 'aid' = 'sid',
): string {
  return write(name, secure, 'clear' in cookie ? { set: '', maxAgeSeconds: 0 } : cookie);
}

/** The Set-Cookie header that names the browser; always the one after the session's, where there are two. An admin's is `oid`. */
export function writeDeviceCookie(
  cookie: DeviceCookie,
  secure: boolean,
  name: 'did' | 'oid' = 'did',
): string {
  return write(name, secure, cookie);
}
