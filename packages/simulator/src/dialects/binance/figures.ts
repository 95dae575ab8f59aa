import {
  type Amount,
  formatAmountFixed,
  type Lots,
  stepScale,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { ASSET_DECIMALS } from './params.ts';

/** "0.00000000" */
export const ZERO_FIGURE = '0.00000000';

/** Binance writes every price, quantity and balance with 8 decimals. */
export function figure(value: Amount): string {
  return formatAmountFixed(value, ASSET_DECIMALS);
}

/** A float of a chart or ticker, 8 decimals; what is not a finite number (no trade yet) is zero. */
export function displayFigure(value: number): string {
  return Number.isFinite(value) ? value.toFixed(ASSET_DECIMALS) : ZERO_FIGURE;
}

/** Writes whole steps with 8 decimals without bigint: this runs per book level and tick. */
function stepWriter(step: Amount): (steps: number) => string {
  const { decimals, unitsPerStep } = stepScale(step);
  const divisor = 10 ** decimals;
  const tail = '0'.repeat(ASSET_DECIMALS - decimals);
  return (steps) => {
    const units = steps * unitsPerStep;
    if (!Number.isSafeInteger(units)) return figure(stepsToAmount(steps, step));
    const whole = Math.floor(units / divisor);
    if (decimals === 0) return `${whole}.${tail}`;
    const fraction = String(units - whole * divisor).padStart(decimals, '0');
    return `${whole}.${fraction}${tail}`;
  };
}

/** How one market's ticks and lots are written. */
export interface MarketFigures {
  price(ticks: Ticks): string;
  quantity(lots: Lots): string;
  /** Price times quantity, cut at 8 decimals. */
  value(ticks: Ticks, lots: Lots): string;
  levels(side: readonly (readonly [Ticks, Lots])[]): [string, string][];
}

/** Makes the writers of one market; steps never change while a market is listed. */
export function marketFigures(market: MarketFacts): MarketFigures {
  const price = stepWriter(market.tickSize);
  const quantity = stepWriter(market.lotSize);
  return {
    price,
    quantity,
    value: (ticks, lots) => {
      const exact = stepsToAmount(ticks, market.tickSize) * stepsToAmount(lots, market.lotSize);
      return figure((exact / 10n ** 18n) as Amount);
    },
    levels: (side) => side.map(([ticks, lots]) => [price(ticks), quantity(lots)]),
  };
}

/** The writers of every market, made once each. */
export class FigureBook {
  readonly #markets: ReadonlyMap<string, MarketFacts>;
  readonly #figures = new Map<string, MarketFigures>();

  constructor(markets: ReadonlyMap<string, MarketFacts>) {
    this.#markets = markets;
  }

  /** @throws Error for a symbol that is not listed: callers have checked it. */
  of(symbol: string): MarketFigures {
    const known = this.#figures.get(symbol);
    if (known !== undefined) return known;
    const market = this.#markets.get(symbol);
    if (market === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
    const made = marketFigures(market);
    this.#figures.set(symbol, made);
    return made;
  }
}
