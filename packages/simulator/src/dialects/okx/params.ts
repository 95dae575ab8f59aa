import { type Amount, type Millis, ok, type Result, refused } from '@crossbook/domain';
import { parseJson, recordOf } from '../wire/json-text.ts';
import { BaseReader, PARAMETERS_MAX, queryPairs } from '../wire/param-reader.ts';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from './errors.ts';

/** Longest text of one parameter; a note or a list of ids stays far below. */
const TEXT_LENGTH_MAX = 4_096;

/** Values of one call or of one order of a batch, by name: what a query or a JSON object held. */
export type ParamBag = ReadonlyMap<string, unknown>;

/** Splits a raw query. Parameters that a call does not know are ignored, as at OKX; of a name given twice the last counts. */
export function parseQuery(raw: string): Result<ParamBag, OkxError> {
  const values = new Map<string, unknown>();
  for (const pair of queryPairs(raw)) {
    if (pair === undefined || values.size >= PARAMETERS_MAX) return refused(parameterError('query'));
    values.set(...pair);
  }
  return ok(values);
}

/** The parameters of a JSON value; `undefined` when it is no object. */
export function bagOf(value: unknown): ParamBag | undefined {
  const entries = Object.entries(recordOf(value) ?? {});
  return recordOf(value) === undefined || entries.length > PARAMETERS_MAX ? undefined : new Map(entries);
}

/** Reads a JSON body: one object, or for batches a list of objects. */
export function parseBody(text: string): Result<readonly ParamBag[], OkxError> {
  if (text.trim() === '') return refused(ERRORS.emptyBody);
  const value = parseJson(text);
  if (value === undefined) return refused(ERRORS.badJson);
  const bags = (Array.isArray(value) ? value : [value]).map(bagOf);
  const whole = bags.filter((bag) => bag !== undefined);
  return whole.length === bags.length ? ok(whole) : refused(ERRORS.badJson);
}

const INTEGER = /^[0-9]{1,15}$/;
const DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,40})?$/;
const INSTRUMENT = /^[A-Z0-9-]{1,40}$/;

/** OKX's way of reading: numbers and booleans of JSON are taken like their texts (one client sends them). */
export class ParamReader extends BaseReader<OkxError> {
  constructor(bag: ParamBag) {
    super(bag, { missing: cannotBeEmpty, invalid: parameterError });
  }

  /** An optional text. */
  override text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.raw(name);
    if (typeof value === 'string' && value.length <= TEXT_LENGTH_MAX) return value;
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number' && !/e/.test(String(value))) return String(value);
    this.refuse(parameterError(name));
    return undefined;
  }

  /** The name of an instrument, which must be there; whether it is listed is the caller's question. */
  instId(): string {
    const value = this.requiredText('instId');
    // Case matters at OKX; what cannot be a name is told like one that is not listed.
    if (value !== '' && !INSTRUMENT.test(value)) this.refuse(ERRORS.noInstrument);
    return value;
  }

  /** An optional whole number from `min` on. */
  integer(name: string, min = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (INTEGER.test(value) && Number(value) >= min) return Number(value);
    this.refuse(parameterError(name));
    return undefined;
  }

  /** A time in milliseconds. */
  time(name: string): Millis | undefined {
    return this.integer(name) as Millis | undefined;
  }

  /** A page size: 1 to `max`, more is cut to it; `fallback` when absent. */
  limit(max: number, fallback: number, name = 'limit'): number {
    return Math.min(this.integer(name, 1) ?? fallback, max);
  }

  /** An optional decimal. */
  decimal(name: string): Amount | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const parsed = DECIMAL.test(value) ? this.amountOf(value) : undefined;
    if (parsed === undefined) this.refuse(parameterError(name));
    return parsed;
  }

  /** A list in one text: `BTC,ETH`. */
  list(name: string, entriesMax: number): readonly string[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const entries = value.split(',').filter(Boolean);
    if (entries.length === 0 || entries.length > entriesMax) this.refuse(parameterError(name));
    return entries;
  }
}
