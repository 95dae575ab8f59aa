import { CANDLE_INTERVALS, type CandleInterval, type Millis } from '@crossbook/domain';
import type { MarketFacts, SimCandle, SimTrade } from '../../../exchange.ts';
import type { PublicMarkets } from '../../../venue.ts';
import { premiumBar } from '../../wire/premium-bars.ts';
import { type Desk, type Endpoint, marketsOf, publicCall, type Run, reply } from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import type { BybitCategory } from '../format.ts';
import type { ParamReader } from '../params.ts';
import { linearContracts, readCategory } from './instruments.ts';

/** Bybit's names of the chart resolutions it has; 1s, 8h and 3d do not exist (enum, "interval", 2026-07-24). */
export const INTERVALS: ReadonlyMap<string, CandleInterval> = new Map([
  ['1', '1m'],
  ['3', '3m'],
  ['5', '5m'],
  ['15', '15m'],
  ['30', '30m'],
  ['60', '1h'],
  ['120', '2h'],
  ['240', '4h'],
  ['360', '6h'],
  ['720', '12h'],
  ['D', '1d'],
  ['W', '1w'],
  ['M', '1M'],
]);

const DEPTH_DEFAULT = { spot: 1, linear: 25 } as const;
const DEPTH_MAX = 1000;
const TRADES_MAX = { spot: 60, linear: 1000 } as const;
const TRADES_DEFAULT = { spot: 60, linear: 500 } as const;
const CANDLES_DEFAULT = 200;
const CANDLES_MAX = 1000;

/** Category and symbol of a call that must name both. */
export interface ChosenMarket {
  readonly category: BybitCategory;
  readonly market: MarketFacts | undefined;
}

/** Reads category and symbol; contracts that no category lists are unknown. */
export function readMarket(reader: ParamReader, desk: Desk, fallback?: BybitCategory): ChosenMarket {
  const category = readCategory(reader, fallback);
  if (category === undefined) {
    reader.refuse(ERRORS.badSymbol);
    return { category: 'spot', market: undefined };
  }
  const markets: ReadonlyMap<string, MarketFacts> =
    category === 'spot' ? desk.venue.spot.markets : linearContracts(desk);
  return { category, market: reader.market(markets, ERRORS.badSymbol) };
}

/** Runs only with a market; without one the reader has refused already. */
function about(
  desk: Desk,
  chosen: ChosenMarket,
  run: (symbol: string, markets: PublicMarkets) => object,
): Run {
  return () =>
    chosen.market === undefined
      ? { ok: false, code: ERRORS.badSymbol }
      : reply(run(chosen.market.symbol, marketsOf(desk, chosen.category)));
}

function time(_: ParamReader, desk: Desk): Run {
  return () => {
    const now = desk.venue.spot.now();
    return reply({ timeSecond: String(Math.floor(now / 1000)), timeNano: `${now}000000` });
  };
}

function orderbook(reader: ParamReader, desk: Desk): Run {
  const chosen = readMarket(reader, desk);
  const { category } = chosen;
  const limit = reader.limit(DEPTH_DEFAULT[category], DEPTH_MAX);
  return about(desk, chosen, (symbol, markets) => {
    const depth = markets.depth(symbol, limit);
    const format = desk.format[category].of(symbol);
    const now = markets.now();
    return {
      s: symbol,
      b: format.levels(depth.bids),
      a: format.levels(depth.asks),
      ts: now,
      // The book's own count, which also orders the socket's messages (`seq`).
      u: depth.lastUpdateId,
      seq: depth.lastUpdateId,
      cts: now,
    };
  });
}

/** The taker's side. */
export function takerSide(trade: SimTrade): 'Buy' | 'Sell' {
  return trade.buyerIsMaker ? 'Sell' : 'Buy';
}

/** The public id of a trade. */
export function publicTradeId(desk: Desk, category: BybitCategory, trade: SimTrade): string {
  const numbers = desk.numbers[category];
  return category === 'spot'
    ? numbers.executionId(trade.symbol, trade.tradeId, false)
    : numbers.tradeUuid(trade.symbol, trade.tradeId);
}

function recentTrades(reader: ParamReader, desk: Desk): Run {
  const chosen = readMarket(reader, desk);
  const { category } = chosen;
  const limit = reader.limit(TRADES_DEFAULT[category], TRADES_MAX[category]);
  return about(desk, chosen, (symbol, markets) => {
    const format = desk.format[category].of(symbol);
    const list = markets.trades(symbol, { limit }).map((trade) => ({
      execId: publicTradeId(desk, category, trade),
      symbol,
      price: format.price(trade.price),
      size: format.size(trade.quantity),
      side: takerSide(trade),
      time: String(trade.time),
      isBlockTrade: false,
      isRPITrade: false,
      seq: String(trade.tradeId),
    }));
    return { category, list: list.reverse() };
  });
}

interface CandlePage {
  readonly interval: CandleInterval;
  readonly start: Millis | undefined;
  readonly end: Millis | undefined;
  readonly limit: number;
}

function readCandlePage(reader: ParamReader): CandlePage {
  const name = reader.text('interval');
  if (name === undefined) reader.refuse(missing('interval'));
  const interval = INTERVALS.get(name ?? '');
  if (interval === undefined) reader.refuse(invalid('interval'));
  const start = reader.integer('start') as Millis | undefined;
  const end = reader.integer('end') as Millis | undefined;
  return {
    interval: interval ?? CANDLE_INTERVALS[0],
    start,
    end,
    limit: reader.limit(CANDLES_DEFAULT, CANDLES_MAX),
  };
}

/**
 * Bars that open from `start` to `end`, both inclusive, newest first. With a start alone the oldest from there, with
 * an end the newest up to it.
 */
function candlesOf(markets: PublicMarkets, symbol: string, page: CandlePage): SimCandle[] {
  const { interval, start, end, limit } = page;
  if (start !== undefined && end === undefined) {
    return [...markets.candles(symbol, interval, { startTime: start, limit })].reverse();
  }
  const endTime = end === undefined ? markets.now() : (Math.min(end, markets.now()) as Millis);
  const bars = markets.candles(symbol, interval, { endTime, limit });
  return bars.filter((bar) => start === undefined || bar.time >= start).reverse();
}

function kline(reader: ParamReader, desk: Desk): Run {
  const chosen = readMarket(reader, desk, 'linear');
  const { category } = chosen;
  const page = readCandlePage(reader);
  return about(desk, chosen, (symbol, markets) => {
    const format = desk.format[category].of(symbol);
    const list = candlesOf(markets, symbol, page).map((bar) => [
      String(bar.time),
      ...[bar.open, bar.high, bar.low, bar.close].map((price) => format.barPrice(price)),
      format.shownSize(bar.volume),
      format.shownTurnover(bar.quoteVolume),
    ]);
    return { category, symbol, list };
  });
}

/** Bars of a price that is not traded: the contract's own stand for the mark's, the spot pair's for the index's. */
function priceKline(whose: 'mark' | 'index'): (reader: ParamReader, desk: Desk) => Run {
  return (reader, desk) => {
    const chosen = readMarket(reader, desk, 'linear');
    if (chosen.category !== 'linear') reader.refuse(ERRORS.badCategory);
    const page = readCandlePage(reader);
    return about(desk, chosen, (symbol, markets) => {
      const { spot } = desk.venue;
      const source = whose === 'index' && spot.markets.has(symbol) ? spot : markets;
      const format = desk.format.linear.of(symbol);
      const list = candlesOf(source, symbol, page).map((bar) => [
        String(bar.time),
        ...[bar.open, bar.high, bar.low, bar.close].map((price) => format.barPrice(price)),
      ]);
      return { category: 'linear', symbol, list };
    });
  };
}

const PREMIUM_DECIMALS = 6;

/** Bars of the premium over the index; only contracts that pay funding have one. */
function premiumKline(reader: ParamReader, desk: Desk): Run {
  const chosen = readMarket(reader, desk, 'linear');
  if (chosen.category !== 'linear') reader.refuse(ERRORS.badCategory);
  const page = readCandlePage(reader);
  return about(desk, chosen, (symbol, markets) => {
    const { story, perps } = desk.venue;
    const funded = perps.contracts.get(symbol)?.kind === 'PERPETUAL';
    const { interval } = page;
    const now = markets.now();
    const premium = (time: Millis) => story.premium(symbol, time);
    const bars = funded ? candlesOf(markets, symbol, page) : [];
    const list = bars.map(({ time }) => {
      const { open, high, low, close } = premiumBar(premium, { time, interval, now });
      return [String(time), ...[open, high, low, close].map((value) => value.toFixed(PREMIUM_DECIMALS))];
    });
    return { category: 'linear', symbol, list };
  });
}

/** Time, book, trades and bars. */
export const MARKET_DATA_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.time GET /v5/market/time', time),
  // Nothing is ever announced.
  publicCall('system.status GET /v5/system/status', () => () => reply({ list: [] })),
  publicCall('market.orderbook GET /v5/market/orderbook', orderbook),
  publicCall('market.trades GET /v5/market/recent-trade', recentTrades),
  publicCall('market.kline GET /v5/market/kline', kline),
  publicCall('market.kline.mark GET /v5/market/mark-price-kline', priceKline('mark')),
  publicCall('market.kline.index GET /v5/market/index-price-kline', priceKline('index')),
  publicCall('market.kline.premium GET /v5/market/premium-index-price-kline', premiumKline),
];
