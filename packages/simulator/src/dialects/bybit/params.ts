import type { Amount } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { parseJson, recordOf } from '../wire/json-text.ts';
import { BaseReader, PARAMETERS_MAX, queryPairs } from '../wire/param-reader.ts';
import { type BybitError, ERRORS, invalid, missing } from './errors.ts';

/** Parameters by name: texts of a query, or the values of a JSON body; the first malformed thing found on the way. */
export interface ParamBag {
  readonly values: ReadonlyMap<string, unknown>;
  readonly refusal?: BybitError;
}

const INTEGER = /^[0-9]{1,16}$/;

/** Splits a raw query; of a name sent twice the last counts. */
export function parseQuery(raw: string): ParamBag {
  const values = new Map<string, unknown>();
  for (const pair of queryPairs(raw)) {
    if (pair === undefined) return { values, refusal: ERRORS.badQuery };
    values.set(...pair);
    if (values.size > PARAMETERS_MAX) return { values, refusal: invalid('the number of parameters') };
  }
  return { values };
}

/** The parameters of a JSON value that must be an object. */
export function paramsOf(value: unknown): ParamBag {
  const record = recordOf(value);
  if (record === undefined) return { values: new Map(), refusal: ERRORS.badJson };
  const entries = Object.entries(record);
  const values = new Map<string, unknown>(entries.slice(0, PARAMETERS_MAX));
  return entries.length > PARAMETERS_MAX
    ? { values, refusal: invalid('the number of parameters') }
    : { values };
}

/** Reads a JSON body. An empty one has no parameters. */
export function parseBody(raw: string): ParamBag {
  return raw.trim() === '' ? { values: new Map() } : paramsOf(parseJson(raw));
}

/** Bybit's way of reading; parameters that a call does not have are ignored. */
export class ParamReader extends BaseReader<BybitError> {
  constructor(bag: ParamBag) {
    super(bag.values, { missing, invalid }, bag.refusal);
  }

  /** An optional text. In JSON a figure must be a text too. */
  override text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.raw(name);
    if (typeof value === 'string') return value;
    this.refuse(invalid(name));
    return undefined;
  }

  /** An optional whole number, as a number or as its digits. */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.raw(name);
    const digits = typeof value === 'number' ? String(value) : value;
    if (typeof digits === 'string' && INTEGER.test(digits) && Number.isSafeInteger(Number(digits))) {
      return Number(digits);
    }
    this.refuse(invalid(name));
    return undefined;
  }

  /** An optional truth, as one or as its word. */
  flag(name: string): boolean {
    const value = this.raw(name);
    if (!this.has(name) || value === false || value === 'false') return false;
    if (value !== true && value !== 'true') this.refuse(invalid(name));
    return true;
  }

  /** A page size: anything outside of 1 to `max` is brought to the nearer end. */
  limit(fallback: number, max: number): number {
    return Math.min(Math.max(this.integer('limit') ?? fallback, 1), max);
  }

  /** An optional decimal with at most `decimalsMax` places. */
  decimal(name: string, refusal: BybitError = invalid(name), decimalsMax?: number): Amount | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = this.amountOf(text, decimalsMax);
    if (value === undefined) this.refuse(refusal);
    return value;
  }

  /** A decimal text with at most `decimalsMax` places that another parameter holds. */
  amountIn(text: string, decimalsMax: number): Amount | undefined {
    return this.amountOf(text, decimalsMax);
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
