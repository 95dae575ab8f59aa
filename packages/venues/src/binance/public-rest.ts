import {
  type Candle,
  type CandleInterval,
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type Ticker,
} from '@crossbook/domain';
import type { FetchText, MarketDataFailure, VenuePublicRest } from '../venue-public.ts';
import { BINANCE_SPOT_CAPABILITIES } from './capabilities.ts';
import { normaliseInstruments } from './filters.ts';
import {
  normaliseBookSnapshot,
  normaliseCandles,
  normaliseTicker,
  normaliseTickers,
  normaliseTrades,
} from './normalise.ts';
import { type InstrumentTable, scaled } from './symbols.ts';
import { PUBLIC_PATHS, publicUrl } from './urls.ts';
import { asCounter, asObject, asVenueError, parseJson } from './wire.ts';

const INVALID_SYMBOL = -1121;

/** What the public REST half needs. */
export interface BinancePublicRestOptions {
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  readonly instruments: InstrumentTable;
}

/** Binance spot's public REST calls. Instruments it lists are learnt, so that the socket can read their messages. */
export function createBinancePublicRest(options: BinancePublicRestOptions): VenuePublicRest {
  const { restBase, fetchText, clock, instruments } = options;

  /** One GET; `read` answers `undefined` for any shape that is not the documented one. */
  async function get<Value>(
    path: string,
    parameters: Readonly<Record<string, string | number>>,
    read: (answer: unknown) => Value | undefined,
  ): Promise<Result<Value, MarketDataFailure>> {
    let answer: { readonly status: number; readonly text: string };
    try {
      answer = await fetchText(publicUrl(restBase, path, parameters));
    } catch {
      return refused('network');
    }
    const body = parseJson(answer.text);
    if (answer.status !== 200) return refused(failureOf(body));
    const value = read(body);
    return value === undefined ? refused('malformed') : ok(value);
  }

  return {
    serverTime: () =>
      get(PUBLIC_PATHS.time, {}, (answer) => asCounter(asObject(answer)?.serverTime) as Millis | undefined),
    instruments: async (symbolType) => {
      // This half is the spot venue: it lists no perpetuals.
      if (symbolType !== 'SPOT') return ok([]);
      const listed = await get(PUBLIC_PATHS.exchangeInfo, {}, normaliseInstruments);
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
      get(
        PUBLIC_PATHS.depth,
        { symbol: instrument.symbol, limit: clamp(limit, BINANCE_SPOT_CAPABILITIES.depthLevelsMax) },
        (answer) => normaliseBookSnapshot(answer, scaled(instrument), clock()),
      ),
    candles: (instrument, interval, page) =>
      get(PUBLIC_PATHS.candles, candleParameters(instrument, interval, page), (answer) =>
        candlesBefore(normaliseCandles(answer), page.endTime),
      ),
    trades: (instrument, limit) =>
      get(
        PUBLIC_PATHS.trades,
        { symbol: instrument.symbol, limit: clamp(limit, BINANCE_SPOT_CAPABILITIES.tradesPerPageMax) },
        (answer) => normaliseTrades(answer, scaled(instrument)),
      ),
  };
}

function failureOf(body: unknown): MarketDataFailure {
  const error = asVenueError(body);
  if (error === undefined) return 'http-status';
  return error.code === INVALID_SYMBOL ? 'unknown-symbol' : 'venue-error';
}

function ofSymbol(ticker: Ticker | undefined, symbol: string): Ticker | undefined {
  return ticker?.symbol === symbol ? ticker : undefined;
}

/** The venue's `endTime` is inclusive and compared with the opening time; ours is exclusive. */
function candleParameters(
  instrument: Instrument,
  interval: CandleInterval,
  page: { readonly limit: number; readonly endTime?: Millis },
): Readonly<Record<string, string | number>> {
  const limit = clamp(page.limit, BINANCE_SPOT_CAPABILITIES.candlesPerPageMax);
  const parameters = { symbol: instrument.symbol, interval, limit };
  return page.endTime === undefined ? parameters : { ...parameters, endTime: page.endTime - 1 };
}

/** A bar at or after the asked end is not what was asked for: such an answer is not trusted. */
function candlesBefore(
  candles: readonly Candle[] | undefined,
  endTime: Millis | undefined,
): readonly Candle[] | undefined {
  const newest = candles?.at(-1);
  return newest !== undefined && endTime !== undefined && newest.time >= endTime ? undefined : candles;
}

function clamp(limit: number, limitMax: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), limitMax);
}
