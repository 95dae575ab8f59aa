import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** A secret of one purpose, derived from the master key. */
export type SecretKey = Uint8Array;

/** SHA-256 in hex: what is stored of a token. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/**
 * Keyed hash over several parts in base64url. Every part is preceded by its length, so no two lists of parts
 * give the same input.
 */
export function keyedHash(key: SecretKey, ...parts: readonly string[]): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(`${part.length}:${part}`);
  return mac.digest('base64url');
}

/** Compares two texts in a time that does not depend on where they differ. */
export function sameText(left: string, right: string): boolean {
  const a = hash('sha256', left, 'buffer');
  const b = hash('sha256', right, 'buffer');
  return timingSafeEqual(a, b);
}
