import { type Amount, type Millis, ok, parseAmount, type Result, refused } from '@crossbook/domain';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from './errors.ts';

/** No call has more; longer lists are refused unread. */
const PARAMETERS_MAX = 64;
/** Longest text of one parameter; a note or a list of ids stays far below. */
const TEXT_LENGTH_MAX = 4_096;

/** Values of one call or of one order of a batch, by name: what a query or a JSON object held. */
export type ParamBag = ReadonlyMap<string, unknown>;

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Splits a raw query. Parameters that a call does not know are ignored, as at OKX; of a name given twice the last counts. */
export function parseQuery(raw: string): Result<ParamBag, OkxError> {
  const values = new Map<string, unknown>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decodePart(cut < 0 ? pair : pair.slice(0, cut));
    const value = decodePart(cut < 0 ? '' : pair.slice(cut + 1));
    if (name === undefined || value === undefined) return refused(parameterError('query'));
    if (values.size >= PARAMETERS_MAX) return refused(parameterError('query'));
    values.set(name, value);
  }
  return ok(values);
}

/** The parameters of a JSON value; `undefined` when it is no object. */
export function bagOf(value: unknown): ParamBag | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  return entries.length > PARAMETERS_MAX ? undefined : new Map(entries);
}

/** Parses a JSON text; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/**
 * Reads one call's parameters and keeps the first thing wrong with them, so that a handler's parser is a plain list of
 * reads. What a failed read returns is never used: the caller looks at `refusal` first. An empty text counts as absent,
 * as at OKX; numbers and booleans of JSON are taken like their texts (one client sends them).
 */
export class ParamReader {
  readonly #bag: ParamBag;
  #refusal: OkxError | undefined;

  constructor(bag: ParamBag) {
    this.#bag = bag;
  }

  get refusal(): OkxError | undefined {
    return this.#refusal;
  }

  /** Notes a refusal unless an earlier one stands. */
  refuse(refusal: OkxError): void {
    this.#refusal ??= refusal;
  }

  has(name: string): boolean {
    const value = this.#bag.get(name);
    return value !== undefined && value !== null && value !== '';
  }

  /** An optional text. */
  text(name: string): string | undefined {
    const value = this.#bag.get(name);
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' && value.length <= TEXT_LENGTH_MAX) return value;
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number' && !/e/.test(String(value))) return String(value);
    this.refuse(parameterError(name));
    return undefined;
  }

  /** A text that must be there. */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) this.refuse(cannotBeEmpty(name));
    return value ?? '';
  }

  /** An optional text of a form. */
  pattern(name: string, form: RegExp): string | undefined {
    const value = this.text(name);
    if (value === undefined || form.test(value)) return value;
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
    const parsed = DECIMAL.test(value) ? parseAmount(value.replace(/^0+(?=[0-9])/, '')) : undefined;
    if (parsed === undefined) this.refuse(parameterError(name));
    return parsed;
  }

  /** One of a few words. */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) this.refuse(parameterError(name));
    return word;
  }

  /** One of a few words, which must be there. */
  requiredChoice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    if (!this.has(name)) this.refuse(cannotBeEmpty(name));
    return this.choice(name, words) ?? words[0];
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
