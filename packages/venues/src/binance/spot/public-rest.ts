import {
  type Candle,
  type CandleInterval,
  type Millis,
  ok,
  type Result,
  type Ticker,
} from '@crossbook/domain';
import type { FetchText, MarketDataFailure, VenuePublicRest } from '../../venue-public.ts';
import { asCounter, asObject } from '../../wire/guards.ts';
import { type InstrumentTable, scaled } from '../../wire/scaled-instruments.ts';
import { normaliseInstruments, SPOT_LISTING } from '../market/filters.ts';
import {
  normaliseBookSnapshot,
  normaliseCandles,
  normaliseTicker,
  normaliseTickers,
  normaliseTrades,
} from '../market/normalise.ts';
import {
  candleParameters,
  candlesBefore,
  clamp,
  createPublicGet,
  ofSymbol,
  type PublicGet,
} from '../market/public-get.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { PUBLIC_PATHS } from '../urls.ts';

/** What the public REST half needs. */
export interface BinancePublicRestOptions {
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  readonly instruments: InstrumentTable;
}

/** Binance spot's public REST calls. Instruments it lists are learnt, so that the socket can read their messages. */
export function createBinancePublicRest(options: BinancePublicRestOptions): VenuePublicRest {
  const { clock, instruments } = options;
  const get = createPublicGet(options.restBase, options.fetchText);
  const { depthLevelsMax, tradesPerPageMax } = BINANCE_PROFILE.markets.SPOT;
  return {
    serverTime: () =>
      get(PUBLIC_PATHS.time, {}, (answer) => asCounter(asObject(answer)?.serverTime) as Millis | undefined),
    instruments: async (symbolType, symbol) => {
      // This half is the spot venue: it lists no perpetuals.
      if (symbolType !== 'SPOT') return ok([]);
      const listed = await get(PUBLIC_PATHS.exchangeInfo, symbol === undefined ? {} : { symbol }, (answer) =>
        normaliseInstruments(answer, SPOT_LISTING),
      );
      if (!listed.ok) return listed;
      instruments.learn(listed.value.instruments);
      return ok(listed.value.instruments);
    },
    tickers: async (symbolType) =>
      symbolType === 'SPOT' ? get<readonly Ticker[]>(PUBLIC_PATHS.ticker, {}, normaliseTickers) : ok([]),
    ticker: (instrument) =>
      get(PUBLIC_PATHS.ticker, { symbol: instrument.symbol }, (answer) =>
        ofSymbol(normaliseTicker(answer), instrument.symbol),
      ),
    depth: (instrument, limit) =>
      get(PUBLIC_PATHS.depth, { symbol: instrument.symbol, limit: clamp(limit, depthLevelsMax) }, (answer) =>
        normaliseBookSnapshot(answer, scaled(instrument), clock()),
      ),
    candles: ({ symbol }, interval, page) => candlePage(get, { symbol, interval }, page),
    trades: (instrument, limit) =>
      get(
        PUBLIC_PATHS.trades,
        { symbol: instrument.symbol, limit: clamp(limit, tradesPerPageMax) },
        (answer) => normaliseTrades(answer, scaled(instrument)),
      ),
    // Pairs have no open interest.
    openInterest: async () => ok(new Map()),
  };
}

/** Bars of one answer; a larger limit is answered with as many. */
const CANDLES_PER_ANSWER_MAX = 1_000;

/** A page of bars, its older part asked for where one answer does not hold it. Half a page is none. */
async function candlePage(
  get: PublicGet,
  { symbol, interval }: { readonly symbol: string; readonly interval: CandleInterval },
  page: CandlePage,
): Promise<Result<readonly Candle[], MarketDataFailure>> {
  const bars = (asked: CandlePage) =>
    get(PUBLIC_PATHS.candles, candleParameters(symbol, interval, asked, CANDLES_PER_ANSWER_MAX), (answer) =>
      candlesBefore(normaliseCandles(answer), asked.endTime),
    );
  const wanted = clamp(page.limit, BINANCE_PROFILE.markets.SPOT.candles.newestPageMax);
  const newest = await bars(page);
  const [oldest] = newest.ok ? newest.value : [];
  const missing = wanted - CANDLES_PER_ANSWER_MAX;
  if (!newest.ok || oldest === undefined || missing <= 0) return newest;
  if (newest.value.length < CANDLES_PER_ANSWER_MAX) return newest;
  const older = await bars({ limit: missing, endTime: oldest.time });
  return older.ok ? ok([...older.value, ...newest.value]) : older;
}

type CandlePage = { readonly limit: number; readonly endTime?: Millis };
