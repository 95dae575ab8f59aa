import { type Amount, parseAmount } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { type BybitError, ERRORS, invalid, missing } from './errors.ts';

/** Parameters by name: texts of a query, or the values of a JSON body; the first malformed thing found on the way. */
export interface ParamBag {
  readonly values: ReadonlyMap<string, unknown>;
  readonly refusal?: BybitError;
}

/** No call has more; longer lists are refused unread. */
const PARAMETERS_MAX = 64;
const INTEGER = /^[0-9]{1,16}$/;

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Splits a raw query; of a name sent twice the last counts. */
export function parseQuery(raw: string): ParamBag {
  const values = new Map<string, unknown>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decodePart(cut < 0 ? pair : pair.slice(0, cut));
    const value = decodePart(cut < 0 ? '' : pair.slice(cut + 1));
    if (name === undefined || value === undefined) return { values, refusal: ERRORS.badQuery };
    values.set(name, value);
    if (values.size > PARAMETERS_MAX) return { values, refusal: invalid('the number of parameters') };
  }
  return { values };
}

/** The parameters of a JSON value that must be an object. */
export function paramsOf(value: unknown): ParamBag {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { values: new Map(), refusal: ERRORS.badJson };
  }
  const entries = Object.entries(value);
  const values = new Map<string, unknown>(entries.slice(0, PARAMETERS_MAX));
  return entries.length > PARAMETERS_MAX
    ? { values, refusal: invalid('the number of parameters') }
    : { values };
}

/** Reads a JSON body. An empty one has no parameters. */
export function parseBody(raw: string): ParamBag {
  if (raw.trim() === '') return { values: new Map() };
  try {
    return paramsOf(JSON.parse(raw) as unknown);
  } catch {
    return { values: new Map(), refusal: ERRORS.badJson };
  }
}

/**
 * Reads one call's parameters and keeps the first thing wrong with them: a handler's parser is a plain list of reads,
 * and their order is the order of the checks. What a failed read returns is never used. Empty texts and null count as
 * not sent, and parameters that a call does not have are ignored, both as at Bybit.
 */
export class ParamReader {
  readonly #values: ReadonlyMap<string, unknown>;
  #refusal: BybitError | undefined;

  constructor(bag: ParamBag) {
    this.#values = bag.values;
    this.#refusal = bag.refusal;
  }

  get refusal(): BybitError | undefined {
    return this.#refusal;
  }

  /** Notes a refusal unless an earlier one stands. */
  refuse(refusal: BybitError): void {
    this.#refusal ??= refusal;
  }

  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== null && value !== '';
  }

  /** The value as it was sent. */
  raw(name: string): unknown {
    return this.#values.get(name);
  }

  /** An optional text. In JSON a figure must be a text too. */
  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#values.get(name);
    if (typeof value === 'string') return value;
    this.refuse(invalid(name));
    return undefined;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) this.refuse(missing(name));
    return value ?? '';
  }

  /** An optional whole number, as a number or as its digits. */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#values.get(name);
    const digits = typeof value === 'number' ? String(value) : value;
    if (typeof digits === 'string' && INTEGER.test(digits) && Number.isSafeInteger(Number(digits))) {
      return Number(digits);
    }
    this.refuse(invalid(name));
    return undefined;
  }

  /** A page size: anything outside of 1 to `max` is brought to the nearer end. */
  limit(fallback: number, max: number): number {
    return Math.min(Math.max(this.integer('limit') ?? fallback, 1), max);
  }

  /** An optional decimal with at most `decimalsMax` places. */
  decimal(name: string, refusal: BybitError = invalid(name), decimalsMax?: number): Amount | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = parseAmount(text.replace(/^0+(?=[0-9])/, ''), decimalsMax);
    if (value === undefined) this.refuse(refusal);
    return value;
  }

  /** One of a few words. */
  choice<Word extends string>(
    name: string,
    words: readonly Word[],
    refusal: BybitError = invalid(name),
  ): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) this.refuse(refusal);
    return word;
  }

  /** A listed symbol that must be there. */
  market<Facts extends MarketFacts>(
    markets: ReadonlyMap<string, Facts>,
    refusal: BybitError,
  ): Facts | undefined {
    const name = this.requiredText('symbol');
    const market = markets.get(name);
    if (market === undefined) this.refuse(refusal);
    return market;
  }

  /** A listed symbol, or nothing when the parameter is absent. */
  optionalMarket<Facts extends MarketFacts>(
    markets: ReadonlyMap<string, Facts>,
    refusal: BybitError,
  ): Facts | undefined {
    return this.has('symbol') ? this.market(markets, refusal) : undefined;
  }
}
