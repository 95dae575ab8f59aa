import {
  type Candle,
  type CandleInterval,
  candleOpen,
  intervalMillis,
  nextCandleOpen,
} from '@crossbook/domain';

/** A bar of one instrument, as the venue tells it or built from bars it tells. */
export interface CandleUpdate {
  readonly interval: CandleInterval;
  readonly candle: Candle;
  readonly closed: boolean;
}

/** Merges bars, oldest first, into bars of a longer interval that theirs divides (decision 0030.24). */
export function foldCandles(natives: readonly Candle[], interval: CandleInterval): Candle[] {
  const built: Candle[] = [];
  for (const native of natives) {
    const time = candleOpen(native.time, interval);
    const last = built.at(-1);
    if (last?.time === time) built[built.length - 1] = merged(last, native);
    else built.push({ ...native, time });
  }
  return built;
}

function merged(earlier: Candle, later: Candle): Candle {
  return {
    time: earlier.time,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
  };
}

/** The native bars of the newest built bar of one instrument and interval, by opening time. */
interface Forming {
  readonly open: number;
  readonly parts: Map<number, Candle>;
}

/**
 * Live bars of the intervals a venue lacks. A bar is told only while all its native parts from its opening on are
 * known, from a REST page or from the stream: nothing is invented for a part that was never seen.
 */
export class BuiltCandles {
  readonly #nativeOf: ReadonlyMap<CandleInterval, CandleInterval>;
  readonly #forming = new Map<string, Forming>();

  /** @param nativeOf each lacking interval with the native one it is built from; neither may be a month. */
  constructor(nativeOf: ReadonlyMap<CandleInterval, CandleInterval>) {
    this.#nativeOf = nativeOf;
  }

  /** Takes the newest native bars of a REST page, oldest first, so that a bar may be followed from its middle on. */
  learn(symbol: string, interval: CandleInterval, natives: readonly Candle[]): void {
    const newest = natives.at(-1);
    if (newest === undefined) return;
    const open = candleOpen(newest.time, interval);
    const key = `${symbol}:${interval}`;
    const known = this.#forming.get(key);
    if (known !== undefined && known.open > open) return;
    const parts = new Map(natives.filter((bar) => bar.time >= open).map((bar) => [bar.time as number, bar]));
    // What the stream has told since is newer than the page.
    if (known?.open === open) for (const [time, bar] of known.parts) parts.set(time, bar);
    this.#forming.set(key, { open, parts });
  }

  /** Takes one native bar of the stream; tells the built bars that it changes. */
  apply(symbol: string, native: CandleInterval, candle: Candle, closed: boolean): readonly CandleUpdate[] {
    const reported: CandleUpdate[] = [];
    for (const [interval, from] of this.#nativeOf) {
      if (from !== native) continue;
      const built = this.#build(symbol, { interval, native }, candle, closed);
      if (built !== undefined) reported.push(built);
    }
    return reported;
  }

  #build(
    symbol: string,
    of: { readonly interval: CandleInterval; readonly native: CandleInterval },
    candle: Candle,
    closed: boolean,
  ): CandleUpdate | undefined {
    const key = `${symbol}:${of.interval}`;
    const open = candleOpen(candle.time, of.interval);
    let forming = this.#forming.get(key);
    if (forming !== undefined && forming.open > open) return undefined;
    if (forming === undefined || forming.open < open) {
      forming = { open, parts: new Map() };
      this.#forming.set(key, forming);
    }
    forming.parts.set(candle.time, candle);
    const length = intervalMillis(of.native) as number;
    const parts: Candle[] = [];
    for (let time: number = open; time <= candle.time; time += length) {
      const part = forming.parts.get(time);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    const [bar] = foldCandles(parts, of.interval);
    const last = candle.time + length === nextCandleOpen(open, of.interval);
    return bar === undefined ? undefined : { interval: of.interval, candle: bar, closed: closed && last };
  }
}
