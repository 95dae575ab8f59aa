const CHARACTERS_MAX = 500;

/** A path inside this site to go to after signing in; anything else (another host, a script) is dropped. */
export function safeNext(value: unknown): { next?: string } {
  const inside = typeof value === 'string' && value.length <= CHARACTERS_MAX && /^\/(?![/\\])/.test(value);
  return inside ? { next: value } : {};
}
