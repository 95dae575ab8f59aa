import { type Millis, ok, type Ticker } from '@crossbook/domain';
import type { FetchText, VenuePublicRest } from '../../venue-public.ts';
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
import { candleParameters, candlesBefore, clamp, createPublicGet, ofSymbol } from '../market/public-get.ts';
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
  const { candles, depthLevelsMax, tradesPerPageMax } = BINANCE_PROFILE.markets.SPOT;
  return {
    serverTime: () =>
      get(PUBLIC_PATHS.time, {}, (answer) => asCounter(asObject(answer)?.serverTime) as Millis | undefined),
    instruments: async (symbolType) => {
      // This half is the spot venue: it lists no perpetuals.
      if (symbolType !== 'SPOT') return ok([]);
      const listed = await get(PUBLIC_PATHS.exchangeInfo, {}, (answer) =>
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
    candles: (instrument, interval, page) =>
      get(
        PUBLIC_PATHS.candles,
        candleParameters(instrument.symbol, interval, page, candles.newestPageMax),
        (answer) => candlesBefore(normaliseCandles(answer), page.endTime),
      ),
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
