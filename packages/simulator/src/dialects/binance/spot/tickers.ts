import { ok } from '@crossbook/domain';
import type { MarketFacts, SimTicker } from '../../../exchange.ts';
import { type Desk, type Endpoint, endpoint, type Prepared, PUBLIC } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { formatFloat, ZERO_TEXT } from '../format.ts';
import type { ParamReader } from '../params.ts';

/** Best bid and ask as figures; zeros where a side is empty. */
export interface BestStats {
  readonly updateId: number;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
}

/** The best levels of a book. */
export function bestStats(desk: Desk, symbol: string): BestStats {
  const book = desk.exchange.depth(symbol, 1);
  const format = desk.format.of(symbol);
  const [bid] = format.levels(book.bids.slice(0, 1));
  const [ask] = format.levels(book.asks.slice(0, 1));
  return {
    updateId: book.lastUpdateId,
    bidPrice: bid?.[0] ?? ZERO_TEXT,
    bidQty: bid?.[1] ?? ZERO_TEXT,
    askPrice: ask?.[0] ?? ZERO_TEXT,
    askQty: ask?.[1] ?? ZERO_TEXT,
  };
}

/** Change within a window as figures; percent with 3 decimals. */
export function changeStats(ticker: Pick<SimTicker, 'open' | 'last' | 'volume' | 'quoteVolume'>): {
  priceChange: string;
  percent: string;
  weightedAverage: string;
} {
  const change = ticker.last - ticker.open;
  const percent = ticker.open > 0 ? (change / ticker.open) * 100 : 0;
  const average = ticker.volume > 0 ? ticker.quoteVolume / ticker.volume : ticker.last;
  return {
    priceChange: formatFloat(change),
    percent: percent.toFixed(3),
    weightedAverage: formatFloat(average),
  };
}

function miniTicker(desk: Desk, market: MarketFacts): object {
  const ticker = desk.exchange.ticker(market.symbol);
  return {
    symbol: market.symbol,
    openPrice: formatFloat(ticker.open),
    highPrice: formatFloat(ticker.high),
    lowPrice: formatFloat(ticker.low),
    lastPrice: formatFloat(ticker.last),
    volume: formatFloat(ticker.volume),
    quoteVolume: formatFloat(ticker.quoteVolume),
    openTime: ticker.openTime,
    closeTime: ticker.closeTime,
    firstId: ticker.firstTradeId,
    lastId: ticker.lastTradeId,
    count: ticker.trades,
  };
}

function fullTicker(desk: Desk, market: MarketFacts): object {
  const ticker = desk.exchange.ticker(market.symbol);
  const best = bestStats(desk, market.symbol);
  const change = changeStats(ticker);
  return {
    ...miniTicker(desk, market),
    priceChange: change.priceChange,
    priceChangePercent: change.percent,
    weightedAvgPrice: change.weightedAverage,
    prevClosePrice: formatFloat(ticker.previousClose),
    lastQty: formatFloat(ticker.lastQuantity),
    bidPrice: best.bidPrice,
    bidQty: best.bidQty,
    askPrice: best.askPrice,
    askQty: best.askQty,
  };
}

/** What a call costs for one symbol, several, or all of them. */
export interface TickerWeights {
  readonly one: number;
  several(count: number): number;
  readonly all: number;
}

/** One object for `symbol`, a list for `symbols` or neither. */
export function tickerCall(
  reader: ParamReader,
  desk: Desk,
  weights: TickerWeights,
  row: (market: MarketFacts) => object,
): Prepared {
  const one = reader.optionalMarket(desk.exchange.markets);
  const several = reader.marketList(desk.exchange.markets);
  if (reader.has('symbol') && reader.has('symbols')) reader.refuse(ERRORS.badCombination);
  const weight = reader.has('symbol')
    ? weights.one
    : several === undefined
      ? weights.all
      : weights.several(several.length);
  return {
    weight,
    run: () => ok(one === undefined ? (several ?? [...desk.exchange.markets.values()]).map(row) : row(one)),
  };
}

function dayWeight(count: number): number {
  if (count <= 20) return 2;
  return count <= 100 ? 40 : 80;
}

const DAY: TickerWeights = { one: 2, several: dayWeight, all: 80 };
const LIGHT: TickerWeights = { one: 2, several: () => 4, all: 4 };
const PARAMS = 'symbol symbols symbolStatus';

/** The three ticker calls. */
export const TICKER_ENDPOINTS: readonly Endpoint[] = [
  endpoint(PUBLIC, 'ticker.24hr GET /api/v3/ticker/24hr', `${PARAMS} type`, (reader, desk) => {
    const type = reader.choice('type', ['FULL', 'MINI'], ERRORS.badTickerType);
    return tickerCall(reader, desk, DAY, (market) =>
      type === 'MINI' ? miniTicker(desk, market) : fullTicker(desk, market),
    );
  }),
  endpoint(PUBLIC, 'ticker.price GET /api/v3/ticker/price', PARAMS, (reader, desk) =>
    tickerCall(reader, desk, LIGHT, (market) => ({
      symbol: market.symbol,
      price: formatFloat(desk.exchange.ticker(market.symbol).last),
    })),
  ),
  endpoint(PUBLIC, 'ticker.book GET /api/v3/ticker/bookTicker', PARAMS, (reader, desk) =>
    tickerCall(reader, desk, LIGHT, (market) => {
      const { updateId: _, ...best } = bestStats(desk, market.symbol);
      return { symbol: market.symbol, ...best };
    }),
  ),
];
