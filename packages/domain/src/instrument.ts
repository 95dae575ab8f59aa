import {
  AMOUNT_ONE,
  AMOUNT_SCALE,
  type Amount,
  ceilTo,
  decimalsOf,
  floorTo,
  formatAmountFixed,
  mulDown,
  mulUp,
} from './amount.ts';
import type { Brand } from './brand.ts';
import { type Platform, platformFacts } from './platform.ts';

/** A price as a whole number of the instrument's tick size; a safe integer, at least 0. */
export type Ticks = Brand<number, 'Ticks'>;
/** A quantity as a whole number of the instrument's lot size; a safe integer, at least 0. */
export type Lots = Brand<number, 'Lots'>;

/** Spot, or USDT-margined perpetual. Wire codes 1 and 2; routers `spot` and `futures` (spec section 3). */
export type SymbolType = 'SPOT' | 'SWAP';

/**
 * How far a limit price may lie from what the venue compares it with (a contract's mark, a pair's average price), as
 * fractions of that, inclusive: 1.05 is five percent above. An absent end has no bound.
 */
export interface PriceBand {
  readonly buyLeast?: Amount;
  readonly buyMost?: Amount;
  readonly sellLeast?: Amount;
  readonly sellMost?: Amount;
}

/** A tradable pair or contract at one venue, in our own vocabulary. */
export interface Instrument {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  /** The venue's own name: `BTCUSDT`, `BTC-USDT`, `BTC-USDT-SWAP`. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Smallest price step, in quote per base. */
  readonly tickSize: Amount;
  /** Smallest quantity step: base coins, or contracts where the venue counts those. */
  readonly lotSize: Amount;
  readonly minPrice: Amount;
  readonly maxPrice: Amount;
  readonly minQty: Amount;
  readonly maxQty: Amount;
  /** Upper bound of a market order's quantity. */
  readonly maxMarketQty: Amount;
  /** Smallest price × quantity in quote; 0 where the venue has none. */
  readonly minNotional: Amount;
  /** Base coins per contract; one whole unit for spot. */
  readonly contractValue: Amount;
  /** Largest leverage; 1 for spot. */
  readonly maxLeverage: number;
  /** Absent where the listing names none. */
  readonly priceBand?: PriceBand;
  /** `trading` takes orders; anything else only shows data. */
  readonly status: 'trading' | 'halted';
}

/** `BINANCE_SPOT_BTC_USDT` (spec section 3, order symbol key). */
export function symbolKey(instrument: Instrument): string {
  const venue = platformFacts(instrument.platform).slug.toUpperCase();
  const type = instrument.symbolType === 'SPOT' ? 'SPOT' : 'PERP';
  return `${venue}_${type}_${instrument.base}_${instrument.quote}`;
}

/** The limit prices that a venue takes of a side now, on the tick; an absent end has no bound. */
export function bandPrices(
  { priceBand = {}, tickSize }: Pick<Instrument, 'priceBand' | 'tickSize'>,
  buys: boolean,
  reference: Amount,
): { readonly least?: Amount; readonly most?: Amount } {
  const least = buys ? priceBand.buyLeast : priceBand.sellLeast;
  const most = buys ? priceBand.buyMost : priceBand.sellMost;
  return {
    ...(least === undefined ? {} : { least: ceilTo(mulUp(reference, least), tickSize) }),
    ...(most === undefined ? {} : { most: floorTo(mulDown(reference, most), tickSize) }),
  };
}

/** How one instrument's decimal strings become ticks or lots: digits after the point, and units per step. */
export interface StepScale {
  readonly decimals: number;
  /** The step counted in units of the last decimal: 1 for `0.01`, 5 for `0.05`. */
  readonly unitsPerStep: number;
}

/** The scale of a step such as a tick or lot size. */
export function stepScale(step: Amount): StepScale {
  const decimals = decimalsOf(step);
  return { decimals, unitsPerStep: Number(step / 10n ** BigInt(AMOUNT_SCALE - decimals)) };
}

/**
 * Reads a venue's decimal string as a whole number of steps, without bigint: this runs per book level.
 * @returns `undefined` when the text is no plain decimal, lies between two steps, or is not a safe integer.
 */
export function parseSteps(text: string, scale: StepScale): number | undefined {
  let units = 0;
  let fractionDigits = -1;
  if (text.length === 0) return undefined;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit === -2 && fractionDigits < 0 && at > 0) {
      fractionDigits = 0;
      continue;
    }
    if (digit < 0 || digit > 9) return undefined;
    if (fractionDigits >= scale.decimals) {
      if (digit !== 0) return undefined;
      continue;
    }
    units = units * 10 + digit;
    if (fractionDigits >= 0) fractionDigits += 1;
  }
  for (let missing = Math.max(fractionDigits, 0); missing < scale.decimals; missing += 1) units *= 10;
  if (!Number.isSafeInteger(units)) return undefined;
  const steps = units / scale.unitsPerStep;
  return Number.isInteger(steps) ? steps : undefined;
}

/** The exact amount that a number of steps stands for. */
export function stepsToAmount(steps: number, step: Amount): Amount {
  return (BigInt(steps) * step) as Amount;
}

/** An amount as a whole number of steps; `undefined` when it lies between two or is not a safe integer. */
export function amountToSteps(value: Amount, step: Amount): number | undefined {
  if (value % step !== 0n) return undefined;
  const steps = Number(value / step);
  return Number.isSafeInteger(steps) ? steps : undefined;
}

/** Price of some ticks, with as many decimals as the tick size has: `65000.10`. */
export function formatTicks(ticks: Ticks, instrument: Pick<Instrument, 'tickSize'>): string {
  return formatAmountFixed(stepsToAmount(ticks, instrument.tickSize), decimalsOf(instrument.tickSize));
}

/** Exact quote value of a price and a quantity: tick size × lot size always fits 1e-36, so it is cut at 1e-18 downward. */
export function notionalDown(
  price: Amount,
  quantity: Amount,
  contractValue: Amount = AMOUNT_ONE as Amount,
): Amount {
  return ((price * quantity * contractValue) / (AMOUNT_ONE * AMOUNT_ONE)) as Amount;
}

/** The same, rounded up: what is held before an order is sent. */
export function notionalUp(
  price: Amount,
  quantity: Amount,
  contractValue: Amount = AMOUNT_ONE as Amount,
): Amount {
  const scale = AMOUNT_ONE * AMOUNT_ONE;
  return ((price * quantity * contractValue + scale - 1n) / scale) as Amount;
}
