import { type Millis, refused, toNumberForDisplay } from '@crossbook/domain';
import type { SimCandle } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, publicEndpoint, rows } from '../endpoint.ts';
import { ERRORS, parameterError } from '../errors.ts';
import { formatFloat } from '../format.ts';
import type { Listed } from '../listing.ts';
import type { ParamReader } from '../params.ts';
import { type BarKind, barKind, readBars } from './bars.ts';
import { contractOf, listedOf } from './instruments.ts';
import { perpetualOf } from './tickers.ts';

/** How far `market/candles` reaches back, in bars. */
const RECENT_BARS_MAX = 1_440;
const PAGE_DEFAULT = 100;
const PAGE_MAX = 300;
/** Bars of an index or a mark. */
const PRICE_BARS_PAGE_MAX = 100;

/**
 * `[time, open, high, low, close, volume, volumeCcy, volumeCcyQuote, confirm]`: the volume of spot counts base and then
 * quote, that of a contract counts contracts and then base.
 */
export function candleRow(listed: Listed, bar: SimCandle, closed: boolean): readonly string[] {
  const prices = [bar.open, bar.high, bar.low, bar.close].map(listed.format.displayPrice);
  const quote = formatFloat(bar.quoteVolume);
  const { contract } = listed;
  const inBase =
    contract === undefined ? quote : formatFloat(bar.volume * toNumberForDisplay(contract.contractValue));
  return [String(bar.time), ...prices, formatFloat(bar.volume), inBase, quote, closed ? '1' : '0'];
}

/** Whether a bar has ended. */
export function isClosed(kind: BarKind, bar: SimCandle, now: Millis): boolean {
  return kind.next(bar.time) <= now;
}

interface Page {
  readonly kind: BarKind | undefined;
  readonly olderThan: number;
  readonly newerThan: number;
  readonly limit: number;
}

function readPage(reader: ParamReader, limitMax: number): Page {
  const kind = barKind(reader.text('bar') ?? '1m');
  if (kind === undefined) reader.refuse(parameterError('bar'));
  return {
    kind,
    olderThan: reader.time('after') ?? Number.MAX_SAFE_INTEGER,
    newerThan: reader.time('before') ?? -1,
    limit: reader.limit(limitMax, PAGE_DEFAULT),
  };
}

/** The opening time before which `market/candles` has nothing. */
function recentBound(kind: BarKind, now: Millis): number {
  const newest = kind.open(now);
  const length = kind.next(newest) - newest;
  return newest - RECENT_BARS_MAX * length;
}

interface Source {
  readonly listed: Listed | undefined;
  readonly limitMax: number;
  readonly recentOnly: boolean;
  /** Index and mark have no volume: `[time, open, high, low, close, confirm]`. */
  readonly row: (listed: Listed, bar: SimCandle, closed: boolean) => readonly string[];
}

function answerCandles(desk: Desk, reader: ParamReader, source: Source): Answer {
  const { listed, recentOnly, row } = source;
  const page = readPage(reader, source.limitMax);
  const { kind } = page;
  if (recentOnly && kind?.name === '1s') reader.refuse(parameterError('bar'));
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (listed === undefined || kind === undefined) return refused(ERRORS.noInstrument);
  const now = desk.now();
  const bound = recentOnly ? recentBound(kind, now) : -1;
  const bars = readBars(listed.markets, listed.instId, kind, {
    ...page,
    newerThan: Math.max(page.newerThan, bound),
  });
  return rows(bars.map((bar) => row(listed, bar, isClosed(kind, bar, now))).reverse());
}

/** A bar of an index or a mark. */
export function priceRow(listed: Listed, bar: SimCandle, closed: boolean): readonly string[] {
  return [...candleRow(listed, bar, closed).slice(0, 5), closed ? '1' : '0'];
}

/** The pair or contract whose price stands for an index: the index itself is told only as it is now. */
export function indexSource(desk: Desk, index: string): Listed | undefined {
  const found = desk.listing.find(index) ?? perpetualOf(desk, index);
  return found?.index === index && found.contract?.kind !== 'DATED' ? found : undefined;
}

function readIndexSource(desk: Desk, reader: ParamReader): Listed | undefined {
  const instId = reader.instId();
  const found = indexSource(desk, instId);
  if (found === undefined) reader.refuse(ERRORS.noIndex);
  return found;
}

/** Whose bars a call tells, and how many of them at once. */
const TRADES = { find: listedOf, limitMax: PAGE_MAX, row: candleRow };
const MARKS = { find: contractOf, limitMax: PRICE_BARS_PAGE_MAX, row: priceRow };
const INDICES = { find: readIndexSource, limitMax: PRICE_BARS_PAGE_MAX, row: priceRow };

const BAR_CALLS = [
  ['candles', 'candles', 40, TRADES],
  ['candles.history', 'history-candles', 20, TRADES],
  ['candles.mark', 'mark-price-candles', 20, MARKS],
  ['candles.mark.history', 'history-mark-price-candles', 20, MARKS],
  ['candles.index', 'index-candles', 20, INDICES],
  ['candles.index.history', 'history-index-candles', 10, INDICES],
] as const;

/** Bars of prices. */
export const CANDLE_ENDPOINTS: readonly Endpoint[] = BAR_CALLS.map(
  ([name, source, per2SecondsMax, { find, ...of }]) =>
    publicEndpoint(`${name} GET /api/v5/market/${source}`, per2SecondsMax, ({ desk, reader }) =>
      answerCandles(desk, reader, {
        ...of,
        listed: find(desk, reader),
        recentOnly: !source.startsWith('history'),
      }),
    ),
);
