import {
  type Amount,
  formatAmountFixed,
  type Lots,
  stepScale,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type { PerpFacts } from '../../venue.ts';

/** Decimals beyond which nothing is written. */
const DECIMALS_MAX = 8;

/** Futures write a figure with the decimals of its step, where spot pads everything to 8 (wire.md 5). */
export interface ContractFigures {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  price(ticks: Ticks): string;
  /** Contracts; one is one base coin at Binance. */
  size(lots: Lots): string;
  /** Price times size, cut. */
  value(ticks: Ticks, lots: Lots): string;
  levels(side: readonly (readonly [Ticks, Lots])[]): [string, string][];
  /** Floats of charts and tickers; what is not a finite number (no trade yet) is zero. */
  shownPrice(price: number): string;
  shownSize(size: number): string;
  shownValue(value: number): string;
}

/** A float with so many decimals; what is not finite is zero. */
export function shown(value: number, decimals: number): string {
  return (Number.isFinite(value) ? value : 0).toFixed(decimals);
}

/** Mark and index prices have 8 decimals whatever the tick. */
export function shownMark(price: number): string {
  return shown(price, DECIMALS_MAX);
}

/** Rates of funding have 8 decimals. */
export function shownRate(rate: number): string {
  return shown(rate, DECIMALS_MAX);
}

/** Writes whole steps without bigint: this runs per book level and tick. */
function stepWriter(step: Amount): (steps: number) => string {
  const { decimals, unitsPerStep } = stepScale(step);
  const divisor = 10 ** decimals;
  return (steps) => {
    const units = steps * unitsPerStep;
    if (!Number.isSafeInteger(units)) return formatAmountFixed(stepsToAmount(steps, step), decimals);
    if (decimals === 0) return String(units);
    const whole = Math.floor(units / divisor);
    return `${whole}.${String(units - whole * divisor).padStart(decimals, '0')}`;
  };
}

function contractFigures(contract: PerpFacts): ContractFigures {
  const price = stepWriter(contract.tickSize);
  const size = stepWriter(contract.lotSize);
  const priceDecimals = stepScale(contract.tickSize).decimals;
  const sizeDecimals = stepScale(contract.lotSize).decimals;
  const valueDecimals = Math.min(DECIMALS_MAX, priceDecimals + sizeDecimals);
  return {
    priceDecimals,
    sizeDecimals,
    price,
    size,
    value: (ticks, lots) => {
      const exact = stepsToAmount(ticks, contract.tickSize) * stepsToAmount(lots, contract.lotSize);
      return formatAmountFixed((exact / 10n ** 18n) as Amount, valueDecimals);
    },
    levels: (side) => side.map(([ticks, lots]) => [price(ticks), size(lots)]),
    shownPrice: (value) => shown(value, priceDecimals),
    shownSize: (value) => shown(value, sizeDecimals),
    shownValue: (value) => shown(value, valueDecimals),
  };
}

/** The writers of every contract, made once each: steps never change while a contract is listed. */
export class ContractFigureBook {
  readonly #contracts: ReadonlyMap<string, PerpFacts>;
  readonly #figures = new Map<string, ContractFigures>();

  constructor(contracts: ReadonlyMap<string, PerpFacts>) {
    this.#contracts = contracts;
  }

  /** @throws Error for a symbol that is not listed: callers have checked it. */
  of(symbol: string): ContractFigures {
    const known = this.#figures.get(symbol);
    if (known !== undefined) return known;
    const contract = this.#contracts.get(symbol);
    if (contract === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
    const made = contractFigures(contract);
    this.#figures.set(symbol, made);
    return made;
  }
}
