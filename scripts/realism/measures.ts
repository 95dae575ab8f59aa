/** Metrics that say how a market moves, of recorded and simulated data alike. Plain statistics over plain numbers. */

/** One minute. Volume in base coins. */
export interface MinuteBar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** One trade: its value in quote, the side of its taker. */
export interface TapeTrade {
  readonly time: number;
  readonly value: number;
  readonly buys: boolean;
}

/** One look at a book: prices with sizes, best first. */
export interface BookLook {
  readonly bids: readonly (readonly [price: number, size: number])[];
  readonly asks: readonly (readonly [price: number, size: number])[];
}

/** Named metrics in the order in which they are shown. */
export type Metrics = ReadonlyMap<string, number>;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** The value below which a share of all values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Correlation of two rows of equal length. */
export function correlation(left: readonly number[], right: readonly number[]): number {
  const [middleLeft, middleRight] = [mean(left), mean(right)];
  const products = left.map((value, at) => (value - middleLeft) * ((right[at] ?? 0) - middleRight));
  return mean(products) / (deviation(left) * deviation(right));
}

/** Correlation of a row with itself so many places later. */
function selfCorrelation(values: readonly number[], later: number): number {
  return correlation(values.slice(0, -later), values.slice(later));
}

const BASIS_POINTS = 10_000;

/** Natural logarithms of the closes' ratios. */
export function returnsOf(closes: readonly number[]): number[] {
  return closes.slice(1).map((close, at) => Math.log(close / (closes[at] ?? close)));
}

/** How prices and volumes of minutes move. */
export function barMetrics(bars: readonly MinuteBar[]): Metrics {
  const returns = returnsOf(bars.map(({ close }) => close));
  const sizes = returns.map(Math.abs);
  const volumes = bars.map(({ volume }) => volume);
  const later = volumes.slice(1);
  const wide = deviation(returns);
  const ranges = bars.map(({ high, low, close }) => (high - low) / close);
  return new Map([
    ['deviation of returns, bp', wide * BASIS_POINTS],
    ['kurtosis of returns (3: normal)', mean(returns.map((value) => ((value - mean(returns)) / wide) ** 4))],
    ['autocorrelation of returns, 1 min', selfCorrelation(returns, 1)],
    ['autocorrelation of sizes of returns, 1 min', selfCorrelation(sizes, 1)],
    ['autocorrelation of sizes of returns, 10 min', selfCorrelation(sizes, 10)],
    ['autocorrelation of sizes of returns, 60 min', selfCorrelation(sizes, 60)],
    ['range over size of return', mean(ranges) / mean(sizes)],
    ['volume, coins a minute', mean(volumes)],
    ['deviation over mean of volume', deviation(volumes) / mean(volumes)],
    ['99th over 50th percentile of volume', quantile(volumes, 0.99) / quantile(volumes, 0.5)],
    ['autocorrelation of volume, 1 min', selfCorrelation(volumes, 1)],
    ['autocorrelation of volume, 60 min', selfCorrelation(volumes, 60)],
    ['correlation of volume and size of return', correlation(later, sizes)],
  ]);
}

/** Share of a day's volume in each hour of UTC. */
export function hourShares(bars: readonly MinuteBar[]): readonly number[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { time, volume } of bars) {
    const hour = new Date(time).getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + volume;
  }
  const sum = hours.reduce((total, volume) => total + volume, 0);
  return hours.map((volume) => volume / sum);
}

/** What says how busy a market is. */
export const TURNOVER = 'turnover a second, USDT';

/** How trades come: sizes in quote, ascending times. */
export function tapeMetrics(trades: readonly TapeTrade[]): Metrics {
  const values = trades.map(({ value }) => value);
  const sides = trades.map(({ buys }) => (buys ? 1 : -1));
  const [first, last] = [trades[0]?.time ?? 0, trades.at(-1)?.time ?? 0];
  const seconds = Array.from({ length: Math.max(1, Math.floor((last - first) / 1_000)) }, () => 0);
  for (const { time, value } of trades) {
    const second = Math.floor((time - first) / 1_000);
    if (second < seconds.length) seconds[second] = (seconds[second] ?? 0) + value;
  }
  const joined = trades.filter(({ time }, at) => at > 0 && time === trades[at - 1]?.time).length;
  return new Map([
    ['trades a second', (trades.length / (last - first)) * 1_000],
    [TURNOVER, (values.reduce((sum, value) => sum + value, 0) / (last - first)) * 1_000],
    ['mean trade, USDT', mean(values)],
    ['median trade, USDT', quantile(values, 0.5)],
    ['90th percentile of trades, USDT', quantile(values, 0.9)],
    ['99th percentile of trades, USDT', quantile(values, 0.99)],
    ['in the same millisecond as the one before', joined / trades.length],
    ['bought by the taker', mean(sides) / 2 + 0.5],
    ['autocorrelation of sides', selfCorrelation(sides, 1)],
    ['deviation over mean of a second’s turnover', deviation(seconds) / mean(seconds)],
    ['seconds without a trade', seconds.filter((value) => value === 0).length / seconds.length],
  ]);
}

/** Value that rests on one side within a distance of the middle, in quote. */
function valueWithin(side: BookLook['bids'], middle: number, distance: number): number {
  let value = 0;
  for (const [price, size] of side) if (Math.abs(price / middle - 1) <= distance) value += price * size;
  return value;
}

const DEPTHS_BASIS_POINTS = [1, 5, 10];

/** How wide and how deep books are, at the median of all looks. */
export function bookMetrics(looks: readonly BookLook[]): Metrics {
  const whole = looks.filter(({ bids, asks }) => bids.length > 0 && asks.length > 0);
  const middles = whole.map(({ bids, asks }) => ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2);
  const spreads = whole.map(
    ({ bids, asks }, at) => ((asks[0]?.[0] ?? 0) - (bids[0]?.[0] ?? 0)) / (middles[at] ?? 1),
  );
  const best = whole.map(({ bids }) => (bids[0]?.[0] ?? 0) * (bids[0]?.[1] ?? 0));
  const metrics = new Map([
    ['spread, bp', quantile(spreads, 0.5) * BASIS_POINTS],
    ['95th percentile of the spread, bp', quantile(spreads, 0.95) * BASIS_POINTS],
    ['at the best bid, USDT', quantile(best, 0.5)],
  ]);
  for (const points of DEPTHS_BASIS_POINTS) {
    const values = whole.map(({ bids, asks }, at) => {
      const middle = middles[at] ?? 1;
      return (
        (valueWithin(bids, middle, points / BASIS_POINTS) +
          valueWithin(asks, middle, points / BASIS_POINTS)) /
        2
      );
    });
    metrics.set(`a side within ${points} bp, USDT`, quantile(values, 0.5));
  }
  return metrics;
}
