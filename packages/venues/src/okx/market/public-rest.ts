import { type Instrument, type Millis, ok, type Result, refused, type Ticker } from '@crossbook/domain';
import type { BuiltCandles } from '../../built-candles.ts';
import type { FetchText, MarketDataFailure, PerpStats, VenuePublicRest } from '../../venue-public.ts';
import { asCounter, parseJson } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { type InstrumentTable, scaled } from '../../wire/scaled-instruments.ts';
import { OKX_PAGES } from '../profile.ts';
import { indexOf } from '../symbols.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import { asTextCounter, dataOf, errorCodeOf, onlyRowOf } from '../wire.ts';
import { candlePages } from './candle-pages.ts';
import { normaliseInstruments } from './filters.ts';
import { normaliseBook, normaliseTrades } from './normalise.ts';
import type { PublicGet } from './public-get.ts';
import {
  type NamedStats,
  normaliseFunding,
  normaliseIndexPrice,
  normaliseMarkPrice,
  normaliseOpenInterest,
  normaliseTicker,
  normaliseTickers,
  statsBySymbol,
} from './tickers.ts';

const UNKNOWN_INSTRUMENT = '51001';

/** What the public REST half needs. */
export interface OkxPublicRestOptions {
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  readonly instruments: InstrumentTable;
  readonly builtCandles: BuiltCandles;
}

function createGet({ restBase, fetchText }: OkxPublicRestOptions): PublicGet {
  return async (path, parameters, read) => {
    let answer: { readonly status: number; readonly text: string };
    try {
      answer = await fetchText(publicUrl(restBase, path, parameters));
    } catch {
      return refused('network');
    }
    const body = parseJson(answer.text);
    const code = errorCodeOf(body);
    // Refusals come with status 200 or 400; a proxy's page has no code.
    if (code !== undefined) return refused(code === UNKNOWN_INSTRUMENT ? 'unknown-symbol' : 'venue-error');
    if (answer.status !== 200) return refused('http-status');
    const value = read(body);
    return value === undefined ? refused('malformed') : ok(value);
  };
}

/** OKX's public REST calls. Instruments it lists are learnt, so that the sockets can read their messages. */
export function createOkxPublicRest(options: OkxPublicRestOptions): VenuePublicRest {
  const { clock, instruments, builtCandles } = options;
  const get = createGet(options);
  return {
    serverTime: () =>
      get(PUBLIC_PATHS.time, {}, (answer) => asTextCounter(onlyRowOf(answer)?.ts) as Millis | undefined),
    async instruments(symbolType, symbol) {
      const asked = { instType: symbolType, ...(symbol === undefined ? {} : { instId: symbol }) };
      const listed = await get(PUBLIC_PATHS.instruments, asked, (answer) =>
        normaliseInstruments(answer, symbolType),
      );
      if (!listed.ok) return listed;
      instruments.learn(listed.value.instruments);
      return ok(listed.value.instruments);
    },
    async tickers(symbolType) {
      const plain = get(PUBLIC_PATHS.tickers, { instType: symbolType }, normaliseTickers);
      if (symbolType === 'SPOT') return plain;
      return withStats(plain, [
        statsOf(get, PUBLIC_PATHS.markPrice, { instType: 'SWAP' }, normaliseMarkPrice),
        statsOf(get, PUBLIC_PATHS.indexTickers, { quoteCcy: 'USDT' }, normaliseIndexPrice),
        statsOf(get, PUBLIC_PATHS.fundingRate, { instId: 'ANY' }, normaliseFunding),
      ]);
    },
    ticker: (instrument) => oneTicker(get, instrument),
    depth: (instrument, limit) =>
      get(
        PUBLIC_PATHS.depth,
        { instId: instrument.symbol, sz: clamp(limit, OKX_PAGES.depthLevelsMax) },
        (answer) => {
          const row = onlyRowOf(answer);
          const last = asCounter(row?.seqId);
          if (row === undefined || last === undefined) return undefined;
          const of = { scales: scaled(instrument), receivedAt: clock() };
          return normaliseBook(row, 'snapshot', { first: last, last }, of);
        },
      ),
    candles: (instrument, interval, page) =>
      candlePages({ get, builtCandles }, { instrument, interval }, page),
    trades: (instrument, limit) =>
      get(
        PUBLIC_PATHS.trades,
        { instId: instrument.symbol, limit: clamp(limit, OKX_PAGES.tradesPerPageMax) },
        (answer) => normaliseTrades(dataOf(answer), scaled(instrument))?.reverse(),
      ),
    openInterest: (asked) => askOpenInterest(get, asked),
  };
}

/** One call tells of all perpetuals; pairs have no open interest and need none. */
async function askOpenInterest(
  get: PublicGet,
  asked: readonly Instrument[],
): Promise<Result<ReadonlyMap<string, string>, MarketDataFailure>> {
  const perpetuals = asked.filter(({ symbolType }) => symbolType === 'SWAP');
  if (perpetuals.length === 0) return ok(new Map());
  const list = await statsOf(get, PUBLIC_PATHS.openInterest, { instType: 'SWAP' }, normaliseOpenInterest);
  if (!list.ok) return list;
  const reported = new Map<string, string>();
  for (const { symbol } of perpetuals) {
    const value = list.value.get(symbol)?.openInterest;
    if (value !== undefined) reported.set(symbol, value);
  }
  return ok(reported);
}

async function oneTicker(get: PublicGet, instrument: Instrument): Promise<Result<Ticker, MarketDataFailure>> {
  const instId = instrument.symbol;
  const plain = get(PUBLIC_PATHS.ticker, { instId }, (answer) => {
    const ticker = normaliseTicker(onlyRowOf(answer));
    return ticker?.symbol === instId ? [ticker] : undefined;
  });
  const found =
    instrument.symbolType === 'SPOT'
      ? await plain
      : await withStats(plain, [
          statsOf(get, PUBLIC_PATHS.markPrice, { instType: 'SWAP', instId }, normaliseMarkPrice),
          statsOf(get, PUBLIC_PATHS.indexTickers, { instId: indexOf(instId) }, normaliseIndexPrice),
          statsOf(get, PUBLIC_PATHS.fundingRate, { instId }, normaliseFunding),
        ]);
  return found.ok ? ok(found.value[0] as Ticker) : found;
}

type StatsList = Promise<Result<ReadonlyMap<string, PerpStats>, MarketDataFailure>>;

function statsOf(
  get: PublicGet,
  path: string,
  parameters: Readonly<Record<string, string>>,
  read: (row: Readonly<Record<string, unknown>>) => NamedStats | undefined,
): StatsList {
  return get(path, parameters, (answer) => statsBySymbol(answer, read));
}

/** A ticker whose mark, index or funding could not be had is told without it: absent means not known. */
async function withStats(
  plain: Promise<Result<readonly Ticker[], MarketDataFailure>>,
  lists: readonly StatsList[],
): Promise<Result<readonly Ticker[], MarketDataFailure>> {
  const [tickers, ...stats] = await Promise.all([plain, ...lists]);
  if (!tickers.ok) return tickers;
  return ok(
    tickers.value.map((ticker) => {
      const known = stats.map((list) => (list.ok ? list.value.get(ticker.symbol) : undefined));
      return Object.assign({ ...ticker }, ...known) as Ticker;
    }),
  );
}

function clamp(limit: number, limitMax: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), limitMax);
}
