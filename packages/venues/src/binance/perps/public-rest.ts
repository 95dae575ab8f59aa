import { type Instrument, type Millis, ok, type Result, refused, type Ticker } from '@crossbook/domain';
import type { FetchText, MarketDataFailure, VenuePublicRest } from '../../venue-public.ts';
import { asCounter, asObject } from '../../wire/guards.ts';
import { type InstrumentTable, scaled } from '../../wire/scaled-instruments.ts';
import { normaliseInstruments } from '../market/filters.ts';
import { normaliseCandles, normaliseTicker, normaliseTickers, normaliseTrades } from '../market/normalise.ts';
import {
  candleParameters,
  candlesBefore,
  clamp,
  createPublicGet,
  ofSymbol,
  type PublicGet,
} from '../market/public-get.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { FUTURES_LISTING } from './listing.ts';
import {
  normaliseFuturesSnapshot,
  normaliseOpenInterest,
  normalisePremium,
  normalisePremiums,
} from './normalise.ts';
import { FUTURES_PATHS } from './urls.ts';

/** The only depths a snapshot may be asked for (-4021). */
const DEPTH_LEVELS = [5, 10, 20, 50, 100, 500, 1_000] as const;
/** Open interest is told of one contract a call: as many as are asked for in one go, and as many at the same time. */
const OPEN_INTEREST_SYMBOLS_MAX = 600;
const OPEN_INTEREST_AT_ONCE_MAX = 4;

/** What the public REST half needs. */
export interface BinanceFuturesPublicRestOptions {
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  readonly instruments: InstrumentTable;
}

/** The futures' public REST calls. Instruments it lists are learnt, so that the socket can read their messages. */
export function createBinanceFuturesPublicRest(options: BinanceFuturesPublicRestOptions): VenuePublicRest {
  const { clock, instruments } = options;
  const get = createPublicGet(options.restBase, options.fetchText);
  const { candles, tradesPerPageMax } = BINANCE_PROFILE.markets.SWAP;
  return {
    serverTime: () =>
      get(FUTURES_PATHS.time, {}, (answer) => asCounter(asObject(answer)?.serverTime) as Millis | undefined),
    instruments: async (symbolType, symbol) => {
      // This half is the futures venue: it lists no pairs.
      if (symbolType !== 'SWAP') return ok([]);
      const listed = await get(FUTURES_PATHS.exchangeInfo, {}, (answer) =>
        normaliseInstruments(answer, FUTURES_LISTING),
      );
      if (!listed.ok) return listed;
      instruments.learn(listed.value.instruments);
      // The call names no symbol: the whole list comes.
      return ok(listed.value.instruments.filter((one) => symbol === undefined || one.symbol === symbol));
    },
    // A premium that cannot be had leaves mark, index and funding out; it never takes the prices with it.
    tickers: async (symbolType) => {
      if (symbolType !== 'SWAP') return ok([]);
      const [tickers, premiums] = await Promise.all([
        get<readonly Ticker[]>(FUTURES_PATHS.ticker, {}, normaliseTickers),
        get(FUTURES_PATHS.premium, {}, normalisePremiums),
      ]);
      if (!tickers.ok || !premiums.ok) return tickers;
      return ok(tickers.value.map((ticker) => ({ ...ticker, ...premiums.value.get(ticker.symbol) })));
    },
    ticker: async ({ symbol }) => {
      const [ticker, premium] = await Promise.all([
        get(FUTURES_PATHS.ticker, { symbol }, (answer) => ofSymbol(normaliseTicker(answer), symbol)),
        get(FUTURES_PATHS.premium, { symbol }, (answer) => ofSymbol(normalisePremium(answer), symbol)),
      ]);
      return ticker.ok && premium.ok ? ok({ ...ticker.value, ...premium.value.stats }) : ticker;
    },
    depth: (instrument, limit) =>
      get(FUTURES_PATHS.depth, { symbol: instrument.symbol, limit: depthLimit(limit) }, (answer) =>
        normaliseFuturesSnapshot(answer, scaled(instrument), clock()),
      ),
    candles: async (instrument, interval, page) => {
      // The venue refuses an interval it lacks, and there is nothing shorter to build it from: it need not be asked.
      if (!candles.native.includes(interval)) return refused('venue-error');
      const parameters = candleParameters(instrument.symbol, interval, page, candles.newestPageMax);
      return get(FUTURES_PATHS.candles, parameters, (answer) =>
        candlesBefore(normaliseCandles(answer), page.endTime),
      );
    },
    trades: (instrument, limit) =>
      get(
        FUTURES_PATHS.trades,
        { symbol: instrument.symbol, limit: clamp(limit, tradesPerPageMax) },
        (answer) => normaliseTrades(answer, scaled(instrument)),
      ),
    openInterest: (asked) => askOpenInterest(get, asked),
  };
}

/**
 * The venue tells open interest of one contract a call: a few are asked at once, the first so many of them. A contract
 * that cannot be told of is left out; once the venue does not answer at all, the rest is not asked.
 */
async function askOpenInterest(
  get: PublicGet,
  asked: readonly Instrument[],
): Promise<Result<ReadonlyMap<string, string>, MarketDataFailure>> {
  const waiting = asked.slice(0, OPEN_INTEREST_SYMBOLS_MAX).map(({ symbol }) => symbol);
  const reported = new Map<string, string>();
  let failure: MarketDataFailure | undefined;
  const ask = async (): Promise<void> => {
    for (let symbol = waiting.shift(); symbol !== undefined; symbol = waiting.shift()) {
      const of = symbol;
      const value = await get(FUTURES_PATHS.openInterest, { symbol: of }, (answer) =>
        normaliseOpenInterest(answer, of),
      );
      if (value.ok) {
        reported.set(of, value.value);
        continue;
      }
      failure ??= value.code;
      if (value.code !== 'unknown-symbol' && value.code !== 'malformed') waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: OPEN_INTEREST_AT_ONCE_MAX }, ask));
  return reported.size === 0 && failure !== undefined ? refused(failure) : ok(reported);
}

/** The smallest depth the venue offers that holds as many levels, else its largest: others are refused (-4021). */
function depthLimit(limit: number): number {
  return DEPTH_LEVELS.find((levels) => levels >= limit) ?? BINANCE_PROFILE.markets.SWAP.depthLevelsMax;
}
