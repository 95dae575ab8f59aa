import { asObject } from '../wire/guards.ts';

/**
 * The error answer of Binance; guards that every venue shares are in `wire/guards.ts`.
 * Source: binance-spot-api-docs, rest-api.md and web-socket-api.md (2026-07-21).
 */

/** `{"code":-1121,"msg":"Invalid symbol."}`; `undefined` when the value is no error answer. */
export function asVenueError(
  value: unknown,
): { readonly code: number; readonly message: string } | undefined {
  const object = asObject(value);
  if (object === undefined) return undefined;
  const { code, msg } = object;
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return undefined;
  return { code, message: typeof msg === 'string' ? msg : '' };
}
