import type { Amount } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { BaseReader, PARAMETERS_MAX, queryPairs } from '../wire/param-reader.ts';
import {
  type BinanceError,
  ERRORS,
  emptyParameter,
  illegalCharacters,
  invalidData,
  mandatory,
  overflowed,
  tooManyParameters,
  tooPrecise,
  unreadParameters,
} from './errors.ts';

/** Parameters by name, as text; the first malformed thing found while splitting them. */
export interface ParamBag {
  readonly values: ReadonlyMap<string, string>;
  readonly refusal?: BinanceError;
}

function readPairs(raw: string, into: Map<string, string>): BinanceError | undefined {
  if (raw === '') return undefined;
  const seen = new Set<string>();
  for (const pair of queryPairs(raw)) {
    if (pair === undefined) return ERRORS.illegalCharacters;
    const [name, value] = pair;
    if (seen.has(name)) return ERRORS.duplicateParameter;
    seen.add(name);
    if (seen.size > PARAMETERS_MAX) return tooManyParameters(PARAMETERS_MAX, seen.size);
    into.set(name, value);
  }
  return undefined;
}

/** Splits a raw query and a raw form body; a name in both is taken from the query. */
export function parseParams(rawQuery: string, rawBody: string): ParamBag {
  const values = new Map<string, string>();
  const refusal = readPairs(rawBody, values) ?? readPairs(rawQuery, values);
  return refusal === undefined ? { values } : { values, refusal };
}

/** Times above this are microseconds (year 2286 in milliseconds). */
export const MILLIS_CEILING = 1e13;

const INTEGER = /^[0-9]{1,20}$/;
const DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;
const SYMBOL = /^[A-Z0-9-_.]{1,20}$/;
const CLIENT_ID = /^[a-zA-Z0-9-_]{1,36}$/;
const INTEGER_RANGE = '^[0-9]{1,20}$';
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$';
const CLIENT_ID_RANGE = '^[a-zA-Z0-9-_]{1,36}$';
/** Decimals of every asset here (baseAssetPrecision, quoteAssetPrecision). */
export const ASSET_DECIMALS = 8;

/** Binance's way of reading: a parameter counts as sent though it is empty, and is then refused for that. */
export class ParamReader extends BaseReader<BinanceError> {
  readonly #values: ReadonlyMap<string, string>;

  constructor(bag: ParamBag) {
    super(bag.values, { missing: mandatory, invalid: invalidData }, bag.refusal);
    this.#values = bag.values;
  }

  override has(name: string): boolean {
    return this.#values.has(name);
  }

  /** An optional text; sent but empty is a refusal. */
  override text(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value !== '') return value;
    this.refuse(emptyParameter(name));
    return undefined;
  }

  /** An optional whole number >= `min`; larger than `max` is clamped to it, as Binance does with limits. */
  integer(name: string, bounds: { min?: number; max?: number } = {}): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!INTEGER.test(value)) {
      this.refuse(illegalCharacters(name, INTEGER_RANGE));
      return undefined;
    }
    const number = Number(value);
    if (bounds.max === undefined && !Number.isSafeInteger(number)) this.refuse(overflowed(name));
    if (number < (bounds.min ?? 0)) this.refuse(invalidData(name));
    const micros = name.endsWith('Time') && number > MILLIS_CEILING;
    return micros ? Math.floor(number / 1_000) : Math.min(number, bounds.max ?? Number.MAX_SAFE_INTEGER);
  }

  /** A page size: 1 to `max`, `fallback` when absent. */
  limit(fallback: number, max: number): number {
    return this.integer('limit', { min: 1, max }) ?? fallback;
  }

  /** An optional decimal with at most 8 places. */
  decimal(name: string): Amount | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!DECIMAL.test(value)) {
      this.refuse(illegalCharacters(name, DECIMAL_RANGE));
      return undefined;
    }
    const parsed = this.amountOf(value, ASSET_DECIMALS);
    if (parsed === undefined) this.refuse(tooPrecise(name));
    return parsed;
  }

  /** `true` or `false`. */
  flag(name: string): boolean | undefined {
    const word = this.choice(name, ['true', 'false']);
    return word === undefined ? undefined : word === 'true';
  }

  clientId(name: string): string | undefined {
    return this.pattern(name, CLIENT_ID, illegalCharacters(name, CLIENT_ID_RANGE));
  }

  /** A listed symbol that must be there; lower case is an illegal character, as at Binance. */
  market(markets: ReadonlyMap<string, MarketFacts>): MarketFacts | undefined {
    const name = this.requiredText('symbol');
    return name === '' ? undefined : this.#listed('symbol', name, markets);
  }

  /** A listed symbol, or nothing when the parameter is absent. */
  optionalMarket(markets: ReadonlyMap<string, MarketFacts>): MarketFacts | undefined {
    return this.has('symbol') ? this.market(markets) : undefined;
  }

  /** `symbols=["BTCUSDT","ETHUSDT"]`; nothing when absent. */
  marketList(markets: ReadonlyMap<string, MarketFacts>): readonly MarketFacts[] | undefined {
    const text = this.text('symbols');
    if (text === undefined) return undefined;
    const range = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$';
    if (!/^\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}")*)?\]$/.test(text)) {
      this.refuse(illegalCharacters('symbols', range));
      return [];
    }
    const names = text
      .slice(1, -1)
      .split(',')
      .filter(Boolean)
      .map((name) => name.slice(1, -1));
    if (new Set(names).size !== names.length) this.refuse(ERRORS.duplicateSymbols);
    const found: MarketFacts[] = [];
    for (const name of names) {
      const market = this.#listed('symbols', name, markets);
      if (market !== undefined) found.push(market);
    }
    return found;
  }

  #listed(name: string, symbol: string, markets: ReadonlyMap<string, MarketFacts>): MarketFacts | undefined {
    if (!SYMBOL.test(symbol)) {
      this.refuse(illegalCharacters(name, SYMBOL_RANGE));
      return undefined;
    }
    const market = markets.get(symbol);
    if (market === undefined) this.refuse(ERRORS.badSymbol);
    return market;
  }

  /** Refuses parameters that the call does not declare. */
  finish(declared: ReadonlySet<string>): void {
    const sent = this.#values.size;
    if (sent > declared.size) this.refuse(tooManyParameters(declared.size, sent));
    let read = 0;
    for (const name of this.#values.keys()) if (declared.has(name)) read += 1;
    if (read < sent) this.refuse(unreadParameters(read, sent));
  }
}
