import { createHash } from 'node:crypto';

/** Headers of every answer. */
export const BASE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** For two years, browsers do not even try plain http. */
export const STRICT_TRANSPORT = 'max-age=63072000; includeSubDomains';

/** Policy of everything that is not our page: it may do nothing. */
export const NOTHING_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'";

/**
 * An answer without a body, written on the bare socket: where a request never became one. It has the headers of every answer.
 * @param status code and reason. @param overTls whether members come by https, through a proxy of ours.
 */
export function bareAnswer(status: string, overTls: boolean): string {
  const headers = {
    ...BASE_HEADERS,
    'content-security-policy': NOTHING_POLICY,
    ...(overTls ? { 'strict-transport-security': STRICT_TRANSPORT } : {}),
    connection: 'close',
    'content-length': '0',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
}

/** Hashes of a page's inline scripts, so that exactly those may run. */
export function inlineScriptHashes(html: string): readonly string[] {
  const hashes: string[] = [];
  for (const match of html.matchAll(/<script(?![^>]*\bsrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi)) {
    hashes.push(
      `'sha256-${createHash('sha256')
        .update(match[1] ?? '')
        .digest('base64')}'`,
    );
  }
  return hashes;
}

/**
 * Policy of our page: own scripts and style sheets only, no plugin, no frame, no foreign connection except the named hosts.
 * Sizes and positions are set by script on elements, which `style-src` does not concern; no style stands in markup.
 * @param hosts origins the browser may talk to besides ours (direct market data).
 */
export function pagePolicy(html: string, hosts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...inlineScriptHashes(html)].join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...hosts].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
