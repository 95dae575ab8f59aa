import {
  type Candle,
  type CandleInterval,
  candleOpen,
  type Instrument,
  intervalMillis,
  type Millis,
  nextCandleOpen,
  ok,
  type Result,
  refused,
  type SymbolType,
  type Ticker,
} from '@crossbook/domain';
import { type BuiltCandles, foldCandles } from '../../built-candles.ts';
import type { FetchText, MarketDataFailure, VenuePublicRest } from '../../venue-public.ts';
import { asArray, asObject, parseJson } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { type InstrumentTable, scaled } from '../../wire/scaled-instruments.ts';
import { BUILT_INTERVALS, NATIVE_INTERVALS } from '../intervals.ts';
import { BYBIT_CANDLES, BYBIT_PROFILE } from '../profile.ts';
import { type BybitCategory, PUBLIC_PATHS } from '../urls.ts';
import { asCursor, asEnvelope, asMillis, type Envelope } from '../wire.ts';
import { normaliseInstruments } from './filters.ts';
import { normaliseBook, normaliseCandles, normaliseTrades } from './normalise.ts';
import { normaliseTicker, normaliseTickers } from './tickers.ts';

/** Pages of one instrument list; the venue has some 800 contracts at 1,000 a page. */
const INSTRUMENT_PAGES_MAX = 20;
const INSTRUMENTS_PER_PAGE_MAX = 1_000;
/** Native pages behind one page of built bars: three days at 1,000 a page need three. */
const CANDLE_PAGES_MAX = 4;
const CANDLES_PER_PAGE_MAX = BYBIT_CANDLES.newestPageMax;
/** "Param error": what it means is only in the text. */
const PARAM_ERROR = 10_001;

/** What the public REST half of one category needs. */
export interface BybitPublicRestOptions {
  readonly category: BybitCategory;
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  readonly instruments: InstrumentTable;
  readonly builtCandles: BuiltCandles;
}

type Parameters = Readonly<Record<string, string | number>>;
type Answer<Value> = Promise<Result<Value, MarketDataFailure>>;
type Page = { readonly limit: number; readonly endTime?: Millis };

/** Bybit's public REST calls of one category. Instruments it lists are learnt, so that the socket can read their messages. */
export function createBybitPublicRest(options: BybitPublicRestOptions): VenuePublicRest {
  const { category, clock } = options;
  const get = getter(options);
  const { depthLevelsMax, tradesPerPageMax } = BYBIT_PROFILE.markets[category === 'spot' ? 'SPOT' : 'SWAP'];
  const isOurs = (symbolType: SymbolType): boolean => (symbolType === 'SPOT') === (category === 'spot');
  return {
    serverTime: () => get(PUBLIC_PATHS.time, {}, serverTime),
    instruments: async (symbolType, symbol) =>
      isOurs(symbolType) ? listInstruments(options, get, symbol) : ok([]),
    tickers: async (symbolType) => (isOurs(symbolType) ? listTickers(get, category) : ok([])),
    ticker: ({ symbol }) =>
      get(PUBLIC_PATHS.tickers, { category, symbol }, ({ result, time }) => {
        const rows = asArray(result.list);
        const ticker = rows?.length === 1 ? normaliseTicker(asObject(rows[0]) ?? {}, time) : undefined;
        return ticker?.symbol === symbol ? ticker : undefined;
      }),
    depth: (instrument, limit) =>
      get(
        PUBLIC_PATHS.depth,
        { category, symbol: instrument.symbol, limit: clamp(limit, depthLevelsMax) },
        ({ result }) =>
          normaliseBook(result, 'snapshot', scaled(instrument), { time: result.ts, receivedAt: clock() }),
      ),
    candles: (instrument, interval, page) =>
      BUILT_INTERVALS.has(interval)
        ? builtPage(options, get, { instrument, interval }, page)
        : nativePage(get, { category, instrument, interval }, page),
    trades: (instrument, limit) =>
      get(
        PUBLIC_PATHS.trades,
        {
          category,
          symbol: instrument.symbol,
          limit: clamp(limit, tradesPerPageMax),
        },
        ({ result }) => normaliseTrades(result.list, scaled(instrument)),
      ),
    // Pairs have no open interest; the tickers of perpetuals tell it.
    openInterest: async (asked) => {
      if (category === 'spot' || asked.length === 0) return ok(new Map());
      const tickers = await listTickers(get, category);
      return tickers.ok ? ok(openInterestOf(tickers.value, asked)) : tickers;
    },
  };
}

function listTickers(get: Get, category: BybitCategory): Answer<readonly Ticker[]> {
  return get(PUBLIC_PATHS.tickers, { category }, ({ result, time }) => normaliseTickers(result, time));
}

function openInterestOf(
  tickers: readonly Ticker[],
  asked: readonly Instrument[],
): ReadonlyMap<string, string> {
  const wanted = new Set(asked.map(({ symbol }) => symbol));
  const reported = new Map<string, string>();
  for (const { symbol, openInterest } of tickers) {
    if (wanted.has(symbol) && openInterest !== undefined) reported.set(symbol, openInterest);
  }
  return reported;
}

type Get = <Value>(
  path: string,
  parameters: Parameters,
  read: (envelope: Envelope) => Value | undefined,
) => Answer<Value>;

/** One GET; `read` answers `undefined` for any shape that is not the documented one. */
function getter(options: BybitPublicRestOptions): Get {
  return async (path, parameters, read) => {
    let answer: { readonly status: number; readonly text: string };
    try {
      answer = await options.fetchText(publicUrl(options.restBase, path, parameters));
    } catch {
      return refused('network');
    }
    const envelope = asEnvelope(parseJson(answer.text));
    if (answer.status !== 200) return refused(envelope === undefined ? 'http-status' : 'venue-error');
    if (envelope === undefined) return refused('malformed');
    if (envelope.code !== 0) return refused(failureOf(envelope));
    const value = read(envelope);
    return value === undefined ? refused('malformed') : ok(value);
  };
}

function failureOf({ code, message }: Envelope): MarketDataFailure {
  return code === PARAM_ERROR && /symbol/i.test(message) ? 'unknown-symbol' : 'venue-error';
}

/** `timeNano` is a string of nanoseconds. */
function serverTime({ result }: Envelope): Millis | undefined {
  const nano = result.timeNano;
  return typeof nano === 'string' && /^[0-9]{7,20}$/.test(nano) ? asMillis(nano.slice(0, -6)) : undefined;
}

/** Pages of perpetuals are linked by a cursor; spot comes whole. Only what trades now is asked for (spec section 7). */
async function listInstruments(
  options: BybitPublicRestOptions,
  get: Get,
  symbol: string | undefined,
): Answer<readonly Instrument[]> {
  const { category, instruments } = options;
  const listed: Instrument[] = [];
  const limit = category === 'linear' ? { limit: INSTRUMENTS_PER_PAGE_MAX } : {};
  const asked = { category, ...(symbol === undefined ? {} : { symbol }), status: 'Trading', ...limit };
  let cursor = '';
  for (let page = 0; page < INSTRUMENT_PAGES_MAX; page += 1) {
    const parameters = { ...asked, ...(cursor === '' ? {} : { cursor }) };
    const rows = await get(PUBLIC_PATHS.instruments, parameters, ({ result }) => {
      const list = normaliseInstruments(result, category);
      const next = asCursor(result.nextPageCursor);
      return list === undefined || next === undefined ? undefined : { ...list, next };
    });
    if (!rows.ok) return rows;
    listed.push(...rows.value.instruments);
    if (rows.value.next === '') {
      instruments.learn(listed);
      return ok(listed);
    }
    // A cursor that does not move on would go in a circle.
    if (rows.value.next === cursor) return refused('malformed');
    cursor = rows.value.next;
  }
  return refused('malformed');
}

interface CandleQuestion {
  readonly category: BybitCategory;
  readonly instrument: Instrument;
  readonly interval: CandleInterval;
}

/** The venue's `end` is inclusive and compared with the opening time; ours is exclusive. */
async function nativePage(get: Get, question: CandleQuestion, page: Page): Answer<readonly Candle[]> {
  const { category, instrument } = question;
  const { symbol } = instrument;
  const interval = NATIVE_INTERVALS.get(question.interval);
  if (interval === undefined) return refused('venue-error');
  const { endTime } = page;
  const limit = clamp(page.limit, CANDLES_PER_PAGE_MAX);
  const parameters = {
    category,
    symbol,
    interval,
    limit,
    ...(endTime === undefined ? {} : { end: endTime - 1 }),
  };
  return get(PUBLIC_PATHS.candles, parameters, ({ result }) => {
    const candles = result.symbol === symbol ? normaliseCandles(result.list) : undefined;
    const newest = candles?.at(-1);
    // A bar at or after the asked end is not what was asked for: such an answer is not trusted.
    return newest !== undefined && endTime !== undefined && newest.time >= endTime ? undefined : candles;
  });
}

/** Bars of an interval the venue lacks, from as many native pages as they need. */
async function builtPage(
  options: BybitPublicRestOptions,
  get: Get,
  wanted: { readonly instrument: Instrument; readonly interval: CandleInterval },
  page: Page,
): Answer<readonly Candle[]> {
  const { instrument, interval } = wanted;
  const native = BUILT_INTERVALS.get(interval) as CandleInterval;
  const partsPerBar = (intervalMillis(interval) as number) / (intervalMillis(native) as number);
  const limit = clamp(page.limit, CANDLES_PER_PAGE_MAX);
  // The newest bar that opens before the end is whole: its parts may open after it.
  let end =
    page.endTime === undefined
      ? undefined
      : nextCandleOpen(candleOpen((page.endTime - 1) as Millis, interval), interval);
  let parts: readonly Candle[] = [];
  let whole = false;
  for (let at = 0; at < CANDLE_PAGES_MAX && !whole && parts.length < limit * partsPerBar; at += 1) {
    const asked = Math.min(limit * partsPerBar - parts.length, CANDLES_PER_PAGE_MAX);
    const question = { category: options.category, instrument, interval: native };
    const rows = await nativePage(get, question, {
      limit: asked,
      ...(end === undefined ? {} : { endTime: end }),
    });
    if (!rows.ok) return rows;
    const oldest = rows.value[0];
    whole = rows.value.length < asked || oldest === undefined;
    parts = [...rows.value, ...parts];
    if (oldest !== undefined) end = oldest.time;
  }
  if (page.endTime === undefined) options.builtCandles.learn(instrument.symbol, interval, parts);
  return ok(wholeBars(parts, interval, whole).slice(-limit));
}

/** Drops a first bar whose beginning lies on a page that was not fetched. */
function wholeBars(parts: readonly Candle[], interval: CandleInterval, fromTheBeginning: boolean): Candle[] {
  const bars = foldCandles(parts, interval);
  const cut = !fromTheBeginning && parts[0]?.time !== bars[0]?.time;
  return cut ? bars.slice(1) : bars;
}

function clamp(limit: number, limitMax: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), limitMax);
}
