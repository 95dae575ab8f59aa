/**
 * Text kept by the browser. Storage can be forbidden or full: reading then gives nothing and writing is forgotten,
 * the application works on with its defaults.
 */
export function readStored(key: string): string | undefined {
  try {
    return globalThis.localStorage?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text under a key; `undefined` removes it. */
export function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis.localStorage?.removeItem(key);
    else globalThis.localStorage?.setItem(key, text);
  } catch {
    // Forbidden or full: see above.
  }
}

/** Reads a JSON object; anything else gives an empty one. */
export function readStoredObject(key: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readStored(key) ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
