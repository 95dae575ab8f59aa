import { asArray, asDecimalText, asObject, type WireObject } from '../wire/guards.ts';

/**
 * OKX's envelope and its habit of writing every figure as a string, "" for none. Exceptions, which are JSON integers:
 * checksum, seqId, prevSeqId, instIdCode. Source: OKX v5 guide, "General info" (2026), and recorded answers.
 */

const DIGITS = /^[0-9]{1,16}$/;

/** Times, ids and counters in a string: digits only and exact in a double. */
export function asTextCounter(value: unknown): number | undefined {
  if (typeof value !== 'string' || !DIGITS.test(value)) return undefined;
  const counter = Number(value);
  return Number.isSafeInteger(counter) ? counter : undefined;
}

/** An id in a string of digits, however long: order ids of OKX are beyond what a double holds exactly. */
export function asIdText(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9]{1,32}$/.test(value) ? value : undefined;
}

/** The rows of a good answer; `undefined` when it is none. */
export function dataOf(answer: unknown): readonly unknown[] | undefined {
  const object = asObject(answer);
  return object?.code === '0' ? asArray(object.data) : undefined;
}

/** The only row of a good answer. */
export function onlyRowOf(answer: unknown): WireObject | undefined {
  const rows = dataOf(answer);
  return rows?.length === 1 ? asObject(rows[0]) : undefined;
}

/** The code of an answer that refuses as a whole; `undefined` when the value is no such answer. */
export function errorCodeOf(answer: unknown): string | undefined {
  const code = asObject(answer)?.code;
  return typeof code === 'string' && /^[0-9]{1,6}$/.test(code) && code !== '0' ? code : undefined;
}

/** A larger one is not believed. */
const LEVERAGE_MAX = 1_000;

/** A leverage in a string, `10` or `10.0`. */
export function leverageOf(value: unknown): number | undefined {
  const text = asDecimalText(value);
  const leverage = text === undefined ? undefined : Number(text);
  return leverage !== undefined && leverage > 0 && leverage <= LEVERAGE_MAX ? leverage : undefined;
}
