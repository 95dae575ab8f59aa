import type { Millis } from '@crossbook/domain';
import type { MarketFacts, SimCandle } from '../../../exchange.ts';
import { type Desk, type Endpoint, endpoint, type Prepared, PUBLIC } from '../endpoint.ts';
import { ERRORS, invalidData, mandatoryEither } from '../errors.ts';
import { formatFloat } from '../format.ts';
import type { ParamReader } from '../params.ts';
import { changeStats, tickerCall } from './tickers.ts';

/** Statistics of a window of the caller's choice and of the trading day (rest-api.md, "Rolling window", "Trading Day"). */

const MINUTE_MILLIS = 60_000;
const HOUR_MILLIS = 60 * MINUTE_MILLIS;
const DAY_MILLIS = 24 * HOUR_MILLIS;
/** More bars than any window has: the minutes of an hour and the hours of a week. */
const BARS_MAX = 200;
const WEIGHT_PER_SYMBOL = 4;
const WEIGHT_MAX = 200;

/** What is told of: from when on, and until when by name. */
interface Window {
  readonly openTime: number;
  readonly closeTime: number;
}

/** The bars from a minute until now: whole hours where there are, minutes before them. */
function barsSince(desk: Desk, symbol: string, openTime: number): readonly SimCandle[] {
  const hour = Math.ceil(openTime / HOUR_MILLIS) * HOUR_MILLIS;
  const { exchange } = desk;
  const page = (from: number, to: number) => ({
    startTime: from as Millis,
    endTime: Math.min(to, exchange.now()) as Millis,
    limit: BARS_MAX,
  });
  const minutes = hour > openTime ? exchange.candles(symbol, '1m', page(openTime, hour - 1)) : [];
  const hours = hour <= exchange.now() ? exchange.candles(symbol, '1h', page(hour, exchange.now())) : [];
  return [...minutes, ...hours];
}

function row(desk: Desk, market: MarketFacts, window: Window, type: 'FULL' | 'MINI'): object {
  const { symbol } = market;
  const bars = barsSince(desk, symbol, window.openTime);
  const { last: lastPrice, lastTradeId } = desk.exchange.ticker(symbol);
  const sum = (of: (bar: SimCandle) => number) => bars.reduce((total, bar) => total + of(bar), 0);
  const count = sum((bar) => bar.trades);
  const stats = {
    open: bars.at(0)?.open ?? lastPrice,
    last: bars.at(-1)?.close ?? lastPrice,
    volume: sum((bar) => bar.volume),
    quoteVolume: sum((bar) => bar.quoteVolume),
  };
  const change = changeStats(stats);
  const changes = {
    priceChange: change.priceChange,
    priceChangePercent: change.percent,
    weightedAvgPrice: change.weightedAverage,
  };
  return {
    symbol,
    ...(type === 'FULL' ? changes : {}),
    openPrice: formatFloat(stats.open),
    highPrice: formatFloat(Math.max(...bars.map((bar) => bar.high), stats.last)),
    lowPrice: formatFloat(Math.min(...bars.map((bar) => bar.low), stats.last)),
    lastPrice: formatFloat(stats.last),
    volume: formatFloat(stats.volume),
    quoteVolume: formatFloat(stats.quoteVolume),
    ...window,
    // Ids rise by one, so the last and the count say the first.
    firstId: count === 0 ? -1 : Math.max(0, lastTradeId - count + 1),
    lastId: count === 0 ? -1 : lastTradeId,
    count,
  };
}

/** `1m` to `59m`, `1h` to `23h`, `1d` to `7d`, as milliseconds. */
function windowMillis(text: string): number | undefined {
  const match = /^([1-9][0-9]?)([mhd])$/.exec(text);
  const count = Number(match?.[1]);
  if (match?.[2] === 'm') return count <= 59 ? count * MINUTE_MILLIS : undefined;
  if (match?.[2] === 'h') return count <= 23 ? count * HOUR_MILLIS : undefined;
  return match?.[2] === 'd' && count <= 7 ? count * DAY_MILLIS : undefined;
}

/** `8`, `-1:00`, `05:45`: the offset of a time zone between -12:00 and +14:00. */
function zoneMillis(text: string): number | undefined {
  const match = /^([+-]?)([0-9]{1,2})(?::([0-5][0-9]))?$/.exec(text);
  if (match === null) return undefined;
  const minutes = (Number(match[2]) * 60 + Number(match[3] ?? 0)) * (match[1] === '-' ? -1 : 1);
  return minutes >= -720 && minutes <= 840 ? minutes * MINUTE_MILLIS : undefined;
}

/** A call about the markets that it must name. */
function windowCall(
  parameter: string,
  read: (text: string | undefined, now: number) => Window | undefined,
): (reader: ParamReader, desk: Desk) => Prepared {
  return (reader, desk) => {
    if (!reader.has('symbol') && !reader.has('symbols')) reader.refuse(mandatoryEither('symbol', 'symbols'));
    const text = reader.text(parameter);
    if (read(text, desk.exchange.now()) === undefined) reader.refuse(invalidData(parameter));
    const type = reader.choice('type', ['FULL', 'MINI'], ERRORS.badTickerType) ?? 'FULL';
    const several = (count: number) => Math.min(WEIGHT_PER_SYMBOL * count, WEIGHT_MAX);
    const weights = { one: WEIGHT_PER_SYMBOL, several, all: WEIGHT_PER_SYMBOL };
    return tickerCall(reader, desk, weights, (market) => {
      const now = desk.exchange.now();
      return row(desk, market, read(text, now) ?? { openTime: now, closeTime: now }, type);
    });
  };
}

/** Windows begin on a minute, and so are up to a minute longer than asked for. */
const rolling = windowCall('windowSize', (text, now) => {
  const millis = windowMillis(text ?? '1d');
  if (millis === undefined) return undefined;
  return { openTime: Math.floor((now - millis) / MINUTE_MILLIS) * MINUTE_MILLIS, closeTime: now };
});

const tradingDay = windowCall('timeZone', (text, now) => {
  const zone = zoneMillis(text ?? '0');
  if (zone === undefined) return undefined;
  const openTime = Math.floor((now + zone) / DAY_MILLIS) * DAY_MILLIS - zone;
  return { openTime, closeTime: openTime + DAY_MILLIS - 1 };
});

const PARAMS = 'symbol symbols symbolStatus type';

/** Both calls. */
export const WINDOW_TICKER_ENDPOINTS: readonly Endpoint[] = [
  endpoint(PUBLIC, 'ticker GET /api/v3/ticker', `${PARAMS} windowSize`, rolling),
  endpoint(PUBLIC, 'ticker.tradingDay GET /api/v3/ticker/tradingDay', `${PARAMS} timeZone`, tradingDay),
];
