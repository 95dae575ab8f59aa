import type { SimDepth, SimTicker } from '../../../exchange.ts';
import { type Desk, type Endpoint, marketsOf, publicCall, type Run, reply } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { type BybitCategory, plain } from '../format.ts';
import type { ParamReader } from '../params.ts';
import { CATEGORIES, linearContracts, readCategory, statusOf } from './instruments.ts';

const HOUR_MILLIS = 3_600_000;
/** Decimals of a change: spot tells hundredths of a percent, perpetuals more. */
const CHANGE_DECIMALS = { spot: 4, linear: 6 } as const;
const RATE_DECIMALS = 8;

/** A ticker and the book's own count at that moment, which only ever rises. */
export interface TickerRow {
  readonly fields: Readonly<Record<string, string>>;
  readonly sequence: number;
}

function changeOf(ticker: SimTicker, category: BybitCategory): string {
  return ticker.open > 0 ? plain(ticker.last / ticker.open - 1, CHANGE_DECIMALS[category]) : '0';
}

function bestOf(
  desk: Desk,
  category: BybitCategory,
  symbol: string,
  depth: SimDepth,
): Record<string, string> {
  const format = desk.format[category].of(symbol);
  const [bid] = depth.bids;
  const [ask] = depth.asks;
  return {
    bid1Price: bid === undefined ? '' : format.price(bid[0]),
    bid1Size: bid === undefined ? '' : format.size(bid[1]),
    ask1Price: ask === undefined ? '' : format.price(ask[0]),
    ask1Size: ask === undefined ? '' : format.size(ask[1]),
  };
}

/** What both categories tell. */
function commonFields(
  desk: Desk,
  category: BybitCategory,
  symbol: string,
  ticker: SimTicker,
): Record<string, string> {
  const format = desk.format[category].of(symbol);
  return {
    lastPrice: format.shownPrice(ticker.last),
    highPrice24h: format.shownPrice(ticker.high),
    lowPrice24h: format.shownPrice(ticker.low),
    prevPrice24h: format.shownPrice(ticker.open),
    volume24h: format.shownSize(ticker.volume),
    turnover24h: format.shownTurnover(ticker.quoteVolume),
    price24hPcnt: changeOf(ticker, category),
  };
}

/** The index of a pair's coin in US dollars, where a perpetual tells it. */
function usdIndex(desk: Desk, symbol: string): string {
  const contract = desk.venue.perps.contracts.get(symbol);
  return contract === undefined ? '' : plain(desk.venue.perps.stats(symbol).index, RATE_DECIMALS);
}

/** A spot ticker. The socket's has no best prices (recorded 2026-08-09). */
export function spotTicker(desk: Desk, symbol: string, door: 'rest' | 'socket'): TickerRow {
  const depth = desk.venue.spot.depth(symbol, 1);
  const ticker = desk.venue.spot.ticker(symbol);
  const fields = {
    symbol,
    ...(door === 'rest' ? bestOf(desk, 'spot', symbol, depth) : {}),
    ...commonFields(desk, 'spot', symbol, ticker),
    usdIndexPrice: usdIndex(desk, symbol),
  };
  return { fields, sequence: depth.lastUpdateId };
}

/** The price an hour ago: the opening of the bar that many minutes back. */
function hourAgo(desk: Desk, symbol: string): number | undefined {
  const now = desk.venue.perps.now();
  const endTime = (now - HOUR_MILLIS) as typeof now;
  return desk.venue.perps.candles(symbol, '1m', { endTime, limit: 1 })[0]?.close;
}

/** The ticker of a perpetual or a dated contract. Funding is told of perpetuals only. */
export function linearTicker(desk: Desk, symbol: string): TickerRow {
  const { perps } = desk.venue;
  const contract = perps.contracts.get(symbol);
  const depth = perps.depth(symbol, 1);
  const ticker = perps.ticker(symbol);
  const moving = perps.stats(symbol);
  const format = desk.format.linear.of(symbol);
  const perpetual = contract?.kind === 'PERPETUAL';
  const before = hourAgo(desk, symbol);
  const fields = {
    symbol,
    ...commonFields(desk, 'linear', symbol, ticker),
    prevPrice1h: before === undefined ? '' : format.shownPrice(before),
    markPrice: format.shownPrice(moving.mark),
    indexPrice: format.shownPrice(moving.index),
    openInterest: format.shownSize(moving.openInterest),
    openInterestValue: plain(moving.openInterest * moving.mark, 2),
    fundingRate: perpetual ? plain(moving.fundingRate, RATE_DECIMALS) : '',
    nextFundingTime: perpetual ? String(moving.nextFundingTime) : '0',
    fundingIntervalHour: perpetual ? String((contract?.fundingEveryMillis ?? 0) / HOUR_MILLIS) : '',
    fundingCap: perpetual ? '0.005' : '',
    predictedDeliveryPrice: '',
    basisRate: perpetual ? '' : plain(moving.mark / moving.index - 1, RATE_DECIMALS),
    basis: perpetual ? '' : format.shownPrice(moving.mark - moving.index),
    deliveryFeeRate: perpetual ? '' : '0',
    deliveryTime: String(contract?.deliveryTime ?? 0),
    preOpenPrice: '',
    preQty: '',
    curPreListingPhase: '',
    ...bestOf(desk, 'linear', symbol, depth),
  };
  return { fields, sequence: depth.lastUpdateId };
}

function tickers(reader: ParamReader, desk: Desk): Run {
  const category = readCategory(reader);
  const named = reader.choice('category', CATEGORIES, ERRORS.badCategory);
  const symbol = reader.text('symbol');
  return () => {
    if (category === undefined) return reply({ category: named, list: [] });
    const markets = category === 'spot' ? marketsOf(desk, 'spot').markets : linearContracts(desk);
    if (symbol !== undefined && !markets.has(symbol)) return { ok: false, code: ERRORS.unsupportedSymbols };
    const symbols =
      symbol === undefined
        ? [...markets.values()]
            .filter((market) => statusOf(market) === 'Trading')
            .map((market) => market.symbol)
        : [symbol];
    const rows = symbols.map((one) =>
      category === 'spot' ? spotTicker(desk, one, 'rest') : linearTicker(desk, one),
    );
    return reply({ category, list: rows.map((row) => row.fields) });
  };
}

/** 24-hour figures. */
export const TICKER_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.tickers GET /v5/market/tickers', tickers),
];
