import {
  type Amount,
  type CandleInterval,
  type Millis,
  stepScale,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { SimCandle } from '../../exchange.ts';

/** Length of one minute and of one day in milliseconds. */
export const MINUTE_MILLIS = 60_000;
export const HOUR_MILLIS = 3_600_000;
export const DAY_MILLIS = 86_400_000;
/** Minutes of a day, seconds of a minute. */
export const DAY_MINUTES = 1_440;
export const MINUTE_SECONDS = 60;

/**
 * A bar in whole steps: prices in ticks, volumes in lots, quote volumes in tick × lot.
 * Prices and volumes are exact; quote volumes are exact while they stay below 2^53.
 * `trades` 0 means that nothing traded: the prices all repeat the previous close.
 */
export interface Bar {
  /** Opening time, inclusive. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  quote: number;
  trades: number;
  takerLots: number;
  takerQuote: number;
}

/** A bar in which nothing happened at `price`. */
export function flatBar(time: number, price: number): Bar {
  return {
    time,
    open: price,
    high: price,
    low: price,
    close: price,
    lots: 0,
    quote: 0,
    trades: 0,
    takerLots: 0,
    takerQuote: 0,
  };
}

/** Adds a later bar to an earlier one. A bar in which nothing traded has no say in prices: the first that traded opens. */
export function mergeBar(into: Bar, later: Bar): void {
  if (later.trades === 0) return;
  if (into.trades === 0) {
    into.open = later.open;
    into.high = later.high;
    into.low = later.low;
  }
  if (later.high > into.high) into.high = later.high;
  if (later.low < into.low) into.low = later.low;
  into.close = later.close;
  into.lots += later.lots;
  into.quote += later.quote;
  into.trades += later.trades;
  into.takerLots += later.takerLots;
  into.takerQuote += later.takerQuote;
}

/** Adds one trade to a bar; the first one opens it. */
export function addTrade(bar: Bar, trade: { price: number; lots: number; buyerIsMaker: boolean }): void {
  const { price, lots } = trade;
  if (bar.trades === 0) {
    bar.open = price;
    bar.high = price;
    bar.low = price;
  }
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.close = price;
  bar.lots += lots;
  bar.quote += price * lots;
  bar.trades += 1;
  if (trade.buyerIsMaker) return;
  bar.takerLots += lots;
  bar.takerQuote += price * lots;
}

/** Turns whole steps of one market into the figures of a candle. Division keeps them the nearest doubles of the decimals. */
export interface BarScale {
  price(ticks: number): number;
  ticks(price: number): number;
  /** Lots of a quantity in base coins. */
  lots(quantity: number): number;
  candle(bar: Bar): SimCandle;
}

/** The scale of one market. A contract's volumes count contracts, its quote volumes are money all the same. */
export function barScale(market: {
  readonly tickSize: Amount;
  readonly lotSize: Amount;
  readonly contractValue?: Amount;
}): BarScale {
  const coins = market.contractValue === undefined ? 1 : toNumberForDisplay(market.contractValue);
  const tick = stepScale(market.tickSize);
  const lot = stepScale(market.lotSize);
  const priceDivisor = 10 ** tick.decimals;
  const lotDivisor = 10 ** lot.decimals;
  const price = (ticks: number): number => (ticks * tick.unitsPerStep) / priceDivisor;
  const quantity = (lots: number): number => (lots * lot.unitsPerStep) / lotDivisor;
  const quote = (value: number): number =>
    ((value * tick.unitsPerStep * lot.unitsPerStep) / (priceDivisor * lotDivisor)) * coins;
  return {
    price,
    ticks: (value) => (value * priceDivisor) / tick.unitsPerStep,
    lots: (value) => (value * lotDivisor) / lot.unitsPerStep / coins,
    candle: (bar) => ({
      time: bar.time as Millis,
      open: price(bar.open),
      high: price(bar.high),
      low: price(bar.low),
      close: price(bar.close),
      volume: quantity(bar.lots),
      quoteVolume: quote(bar.quote),
      trades: bar.trades,
      takerBaseVolume: quantity(bar.takerLots),
      takerQuoteVolume: quote(bar.takerQuote),
    }),
  };
}

/** Whether a bar of this interval is made of whole days, hours, minutes, or is a second. */
export function unitOf(interval: CandleInterval): 'second' | 'minute' | 'hour' | 'day' {
  if (interval === '1s') return 'second';
  if (interval === '1M' || interval.endsWith('w') || interval.endsWith('d')) return 'day';
  return interval.endsWith('h') ? 'hour' : 'minute';
}
