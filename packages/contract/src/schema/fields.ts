import { type Amount, PLATFORMS, parseAmount, parseOrderId } from '@crossbook/domain';
import { z } from 'zod';

/** Building blocks of form fields: text in, domain out, once (house style 9). */

/** A whole number given as digits or, from our typed client, as a number. */
export function integer(min: number, max: number) {
  return z
    .union([z.number(), z.string().regex(/^-?[0-9]{1,15}$/, `a whole number from ${min} to ${max}`)])
    .transform(Number)
    .pipe(
      z.int(`a whole number from ${min} to ${max}`).min(min, `at least ${min}`).max(max, `at most ${max}`),
    );
}

/** One of a few whole-number codes. */
export function code<const Codes extends readonly number[]>(codes: Codes) {
  const allowed = `one of ${codes.join(', ')}`;
  return z
    .union([z.number(), z.string().regex(/^[0-9]{1,6}$/, allowed)])
    .transform(Number)
    .refine((value): value is Codes[number] => codes.includes(value), allowed);
}

/** A positive decimal string: digits and at most one point; no sign, exponent or white space (invariant I15). */
export const positiveAmount = z
  .string('a decimal number as text')
  .max(60, 'at most 60 characters')
  .refine((text) => (parseAmount(text) ?? 0n) > 0n, 'a plain decimal number above 0, such as 0.25')
  .transform((text) => parseAmount(text) as Amount);

/** An idempotency key: a lower-case UUID (decision 0030.13). */
export const clientId = z
  .string()
  .refine((text) => parseOrderId(text) !== undefined, 'a lower-case UUID')
  .transform((text) => parseOrderId(text) as NonNullable<ReturnType<typeof parseOrderId>>);

/** `platformType`: 43 Binance, 41 OKX, 42 Bybit (decision 0030.12). */
export const platformType = code(PLATFORMS.map((row) => row.platformType));

/** A venue's symbol. */
export const symbol = z.string().regex(/^[A-Z0-9-]{2,40}$/, "the venue's symbol, such as BTCUSDT");

/** An asset's ticker. */
export const asset = z.string().regex(/^[A-Z0-9]{1,20}$/, 'an asset, such as USDT');

/** How many rows a page has; default 50. */
export const limit = integer(1, 200).default(50);

/** Where the next page starts: what the page before answered as `next`. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'the "next" of the page before')
  .optional();

/** The same of pages whose rows come by time and id: orders, conditional orders and transfers. */
export const timeCursor = z
  .string()
  .regex(/^[0-9]{1,16}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'the "next" of the page before')
  .optional();

/** The same of pages whose rows are counted: fills, closed positions and payments of funding. */
export const countCursor = z
  .string()
  .regex(/^[0-9]{1,18}$/, 'the "next" of the page before')
  .optional();

/** Yes or no. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'], 'true or false')], 'true or false')
  .transform((value) => value === true || value === 'true');

/** An order by our id or the venue's. */
export const anyOrderId = z
  .string()
  .regex(/^[0-9A-Za-z-]{1,64}$/, 'a lower-case UUID, or the id at the exchange');

/** Position effect: spec section 4. */
export const effectField = code([0, 1, 2]).describe('0 net (one-way), 1 long leg, 2 short leg (hedge)');
/** Margin mode. */
export const marginModeField = z.enum(['cross', 'isolated'], 'cross or isolated');
/** Leverage as a whole number. */
export const leverageField = integer(1, 200);
/** Which type of market: 1 spot, 2 perpetuals. */
export const tinstType = code([1, 2]).describe('1 spot, 2 swap');

/** Which price a trigger follows; pairs have `last` alone. */
export const triggerByField = z.enum(['last', 'mark', 'index'], 'last, mark or index');

/** A time, in milliseconds since 1970 UTC. */
export const timeField = integer(0, 9_999_999_999_999);

/** Refuses a span of time whose beginning is after its end; the end is not part of it, so that one may be the other. */
export function spans<
  Request extends z.ZodType<{ readonly begin?: number | undefined; readonly end?: number | undefined }>,
>(request: Request): Request {
  return request.refine(({ begin = 0, end = begin }) => begin <= end, {
    ...{ path: ['begin'], message: 'not after end' },
  });
}

/** Text of a person: trimmed, bounded. */
export function text(lengthMax: number) {
  return z.string().trim().min(1, 'not empty').max(lengthMax, `at most ${lengthMax} characters`);
}

/** A JSON text of a known shape; fields that it has besides are left out. @param allowed what it should have been. */
export function jsonText<Shape extends z.ZodType>(shape: Shape, lengthMax: number, allowed: string) {
  return z
    .string()
    .max(lengthMax, `at most ${lengthMax} characters`)
    .transform((given, context): z.output<Shape> => {
      const read = shape.safeParse(parsed(given));
      if (read.success) return read.data;
      context.addIssue({ code: 'custom', message: allowed });
      return z.NEVER;
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
