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
} from '@crossbook/domain';
import { type BuiltCandles, foldCandles } from '../../built-candles.ts';
import type { MarketDataFailure } from '../../venue-public.ts';
import { scaled } from '../../wire/scaled-instruments.ts';
import { barOf, OKX_BUILT_INTERVALS } from '../intervals.ts';
import { OKX_CANDLES } from '../profile.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import { dataOf } from '../wire.ts';
import { normaliseCandles } from './normalise.ts';
import type { PublicGet } from './public-get.ts';

/** Requests behind one page of ours; a thousand bars of 8 hours are two thousand of 4. */
const PAGES_MAX = 20;

interface Source {
  readonly get: PublicGet;
  readonly builtCandles: BuiltCandles;
}

interface Question {
  readonly instrument: Instrument;
  readonly interval: CandleInterval;
}

interface Page {
  readonly limit: number;
  readonly endTime?: Millis;
}

type Answer<Value> = Promise<Result<Value, MarketDataFailure>>;

/** Bars of any interval, those included that OKX lacks and that are built (decision 0030.24). */
export async function candlePages(source: Source, question: Question, page: Page): Answer<readonly Candle[]> {
  const limit = Math.max(Math.trunc(page.limit), 1);
  const native = OKX_BUILT_INTERVALS.get(question.interval);
  if (native !== undefined) return builtPages(source, question, native, { ...page, limit });
  const rows = await nativePages(source, question, { ...page, limit });
  return rows.ok ? ok(rows.value.candles) : rows;
}

/** Native bars, oldest first. `whole`: the instrument has none before them. */
interface NativeBars {
  readonly candles: readonly Candle[];
  readonly whole: boolean;
}

/**
 * As many pages as `limit` needs: the newest 300 from `market/candles`, what lies before from `market/history-candles`
 * by 100. `after` is exclusive, as our end is.
 */
async function nativePages(source: Source, question: Question, page: Page): Answer<NativeBars> {
  const { instrument, interval } = question;
  const bar = barOf(interval);
  if (bar === undefined) return refused('venue-error');
  let candles: readonly Candle[] = [];
  let end = page.endTime;
  for (let at = 0; at < PAGES_MAX && candles.length < page.limit; at += 1) {
    // `market/candles` has no one-second bars.
    const newest = end === undefined && interval !== '1s';
    const pageMax = newest ? OKX_CANDLES.newestPageMax : OKX_CANDLES.olderPageMax;
    const asked = Math.min(page.limit - candles.length, pageMax);
    const before = end;
    const rows = await source.get(
      newest ? PUBLIC_PATHS.candles : PUBLIC_PATHS.historyCandles,
      { instId: instrument.symbol, bar, limit: asked, ...(before === undefined ? {} : { after: before }) },
      (answer) => candlesBefore(normaliseCandles(dataOf(answer), scaled(instrument)), before),
    );
    if (!rows.ok) return rows;
    candles = [...rows.value, ...candles];
    end = rows.value[0]?.time;
    if (rows.value.length < asked || end === undefined) return ok({ candles, whole: true });
  }
  return ok({ candles: candles.slice(-page.limit), whole: false });
}

/** A bar at or after the asked end is not what was asked for: such an answer is not trusted. */
function candlesBefore(
  candles: readonly Candle[] | undefined,
  end: Millis | undefined,
): readonly Candle[] | undefined {
  const newest = candles?.at(-1);
  return newest !== undefined && end !== undefined && newest.time >= end ? undefined : candles;
}

/** The newest bar that opens before the end is whole, also where its parts open after it. */
async function builtPages(
  source: Source,
  question: Question,
  native: CandleInterval,
  page: Page,
): Answer<readonly Candle[]> {
  const { instrument, interval } = question;
  const { endTime } = page;
  const perBar = (intervalMillis(interval) as number) / (intervalMillis(native) as number);
  const limit = page.limit * perBar;
  const parts = await nativePages(
    source,
    { instrument, interval: native },
    endTime === undefined
      ? { limit }
      : { limit, endTime: nextCandleOpen(candleOpen((endTime - 1) as Millis, interval), interval) },
  );
  if (!parts.ok) return parts;
  const { candles, whole } = parts.value;
  if (endTime === undefined) source.builtCandles.learn(instrument.symbol, interval, candles);
  const bars = foldCandles(candles, interval);
  // A first bar whose beginning was not fetched would be wrong, unless the instrument itself begins there.
  const cut = !whole && candles[0]?.time !== bars[0]?.time;
  return ok((cut ? bars.slice(1) : bars).slice(-page.limit));
}
