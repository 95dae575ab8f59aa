/**
 * Guards for what came over a wire, whichever venue sent it. A guard looks only at the value it is given: venues add
 * new fields without notice.
 */

/** A JSON object whose fields have not been checked. */
export type WireObject = { readonly [field: string]: unknown };

/** `undefined` unless the value is a JSON object (not an array, not null). */
export function asObject(value: unknown): WireObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as WireObject)
    : undefined;
}

/** `undefined` unless the value is a JSON array. */
export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A string that is not empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Ids, counters and times are JSON integers: at least 0 and exact in a double. */
export function asCounter(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

const DECIMAL = /^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/;

/** A decimal figure in a string: digits only, no exponent, maybe a minus sign. */
export function asDecimalText(value: unknown): string | undefined {
  return typeof value === 'string' && DECIMAL.test(value) ? value : undefined;
}

/** The same as a float, for pictures (candles) only. */
export function asFloat(value: unknown): number | undefined {
  const text = asDecimalText(value);
  return text === undefined ? undefined : Number(text);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of received bytes; `undefined` when they are not UTF-8. */
export function textOf(frame: Uint8Array): string | undefined {
  try {
    return decoder.decode(frame);
  } catch {
    return undefined;
  }
}

/** Parses JSON; `undefined` when it is none (JSON itself has no `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
