import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Whose door a request comes to. */
export type Door = 'members' | 'office';

/** How the outside sees this server. */
export interface PublicFace {
  /** Set when a TLS proxy stands in front: how many, the origin members open, and that of the back office where it has its own. */
  readonly proxy:
    | { readonly hops: number; readonly publicUrl: URL; readonly adminUrl?: URL | undefined }
    | undefined;
}

/** Where a request was sent to, when it may be answered at all. */
export interface Target {
  /** `http://127.0.0.1:3000` or the public https origin. */
  readonly origin: string;
  readonly secure: boolean;
}

/** Whether an address or host name stays on this machine. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

const HOST = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?$/;

/**
 * The origin a request was sent to; `undefined` when we are not that. Plain http answers to loopback names only: another
 * name that leads here is DNS rebinding, and a session cookie has no business on it (decision 0030.16). Where the back office
 * has a name of its own, each door answers to its own name alone.
 */
export function targetOf(
  headers: IncomingHttpHeaders,
  face: PublicFace,
  door: Door = 'members',
): Target | undefined {
  const host = headers.host ?? '';
  const match = HOST.exec(host);
  if (match === null) return undefined;
  if (face.proxy !== undefined) {
    const { publicUrl, adminUrl = publicUrl } = face.proxy;
    const own = door === 'office' ? adminUrl : publicUrl;
    return host.toLowerCase() === own.host ? { origin: own.origin, secure: true } : undefined;
  }
  if (!isLoopback((match[1] ?? '').toLowerCase())) return undefined;
  return { origin: `http://${host.toLowerCase()}`, secure: false };
}

/**
 * Whether a request may come from where it says it comes from. Browsers name the page's origin; programs name none.
 * Form posts need no preflight, so this is what keeps other sites out besides the stoken.
 */
export function isOwnPage(headers: IncomingHttpHeaders, target: Target): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== target.origin) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** The member's address: the peer's, or what the outermost trusted proxy saw. */
export function addressOf(headers: IncomingHttpHeaders, peer: string | undefined, face: PublicFace): string {
  const plain = (address: string): string => address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  const own = plain(peer ?? '');
  if (face.proxy === undefined) return own;
  const listed = String(headers['x-forwarded-for'] ?? '').split(',');
  // Only the entries our own proxies appended count; whatever stands left of them the caller may have written.
  const seen = plain(listed.at(-face.proxy.hops)?.trim() ?? '');
  return isIP(seen) === 0 ? own : seen;
}
