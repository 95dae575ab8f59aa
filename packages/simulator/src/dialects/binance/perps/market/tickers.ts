import type { SimTicker } from '../../../../exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { aboutOneOrAll, type FuturesCall, type FuturesDesk, wireUpdateId } from '../desk.ts';
import { shown } from '../format.ts';

const PERCENT_DECIMALS = 3;
/** Turnovers are told in cents. */
const TURNOVER_DECIMALS = 2;

/** What every form of a ticker is made from, as figures. Futures name neither best prices nor the day before. */
export interface DayStats {
  readonly change: string;
  readonly percent: string;
  readonly average: string;
  readonly last: string;
  readonly lastSize: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly volume: string;
  readonly turnover: string;
  readonly ticker: SimTicker;
}

/** The last 24 hours of a contract. */
export function dayStats(desk: FuturesDesk, symbol: string): DayStats {
  const ticker = desk.perps.ticker(symbol);
  const format = desk.format.of(symbol);
  const change = ticker.last - ticker.open;
  const average = ticker.volume > 0 ? ticker.quoteVolume / ticker.volume : ticker.last;
  return {
    change: format.shownPrice(change),
    percent: shown(ticker.open > 0 ? (change / ticker.open) * 100 : 0, PERCENT_DECIMALS),
    average: format.shownPrice(average),
    last: format.shownPrice(ticker.last),
    lastSize: format.shownSize(ticker.lastQuantity),
    open: format.shownPrice(ticker.open),
    high: format.shownPrice(ticker.high),
    low: format.shownPrice(ticker.low),
    volume: format.shownSize(ticker.volume),
    turnover: shown(ticker.quoteVolume, TURNOVER_DECIMALS),
    ticker,
  };
}

/** The best levels of a book as figures; zeros where a side is empty. */
export function bestStats(
  desk: FuturesDesk,
  symbol: string,
): { readonly updateId: number; readonly bid: [string, string]; readonly ask: [string, string] } {
  const book = desk.perps.depth(symbol, 1);
  const format = desk.format.of(symbol);
  const none: [string, string] = [format.shownPrice(0), format.shownSize(0)];
  return {
    updateId: wireUpdateId(book.lastUpdateId),
    bid: format.levels(book.bids)[0] ?? none,
    ask: format.levels(book.asks)[0] ?? none,
  };
}

function dayRow(desk: FuturesDesk, { symbol }: PerpFacts): object {
  const day = dayStats(desk, symbol);
  return {
    symbol,
    priceChange: day.change,
    priceChangePercent: day.percent,
    weightedAvgPrice: day.average,
    lastPrice: day.last,
    lastQty: day.lastSize,
    openPrice: day.open,
    highPrice: day.high,
    lowPrice: day.low,
    volume: day.volume,
    quoteVolume: day.turnover,
    openTime: day.ticker.openTime,
    closeTime: day.ticker.closeTime,
    firstId: day.ticker.firstTradeId,
    lastId: day.ticker.lastTradeId,
    count: day.ticker.trades,
  };
}

function priceRow(desk: FuturesDesk, { symbol }: PerpFacts): object {
  return { symbol, price: dayStats(desk, symbol).last, time: desk.perps.now() };
}

function bookRow(desk: FuturesDesk, { symbol }: PerpFacts): object {
  const { updateId, bid, ask } = bestStats(desk, symbol);
  return {
    symbol,
    bidPrice: bid[0],
    bidQty: bid[1],
    askPrice: ask[0],
    askQty: ask[1],
    time: desk.perps.now(),
    lastUpdateId: updateId,
  };
}

function call(
  name: string,
  paths: readonly string[],
  weights: { readonly one: number; readonly all: number },
  row: (desk: FuturesDesk, contract: PerpFacts) => object,
): FuturesCall {
  return {
    name,
    paths,
    prepare: (reader, desk) => aboutOneOrAll(reader, desk, weights, (contract) => row(desk, contract)),
  };
}

/** The ticker calls. */
export const TICKER_CALLS: readonly FuturesCall[] = [
  call('fapi.ticker.24hr', ['/fapi/v1/ticker/24hr'], { one: 1, all: 40 }, dayRow),
  {
    ...call(
      'fapi.ticker.price',
      ['/fapi/v1/ticker/price', '/fapi/v2/ticker/price'],
      { one: 1, all: 2 },
      priceRow,
    ),
    socket: true,
  },
  {
    ...call('fapi.ticker.book', ['/fapi/v1/ticker/bookTicker'], { one: 2, all: 5 }, bookRow),
    socket: true,
  },
];
