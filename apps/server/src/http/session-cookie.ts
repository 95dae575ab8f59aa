import type { SessionCookie } from '@crossbook/contract';

function nameOf(secure: boolean): string {
  return secure ? '__Host-sid' : 'sid';
}

/** The session cookie's value; `undefined` when there is none, or two (then something is being tried). */
export function readSessionCookie(header: string | undefined, secure: boolean): string | undefined {
  const prefix = `${nameOf(secure)}=`;
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined;
}

/** The Set-Cookie header that sets or clears the session cookie (decision 0030.16). */
export function writeSessionCookie(cookie: SessionCookie, secure: boolean): string {
  const [value, maxAge] = 'clear' in cookie ? ['', 0] : [cookie.set, cookie.maxAgeSeconds];
  const tail = secure ? '; Secure' : '';
  return `${nameOf(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${tail}`;
}
