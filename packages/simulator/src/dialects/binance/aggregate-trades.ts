import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { ExchangeListener, SimTrade, TradePage } from '../../exchange.ts';

/** Trades of one taker at one price, made in one step of the matcher: what Binance calls an aggregate trade. */
export interface AggregateTrade {
  /** Counts the aggregate trades of the market without a hole. */
  readonly id: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly buyerIsMaker: boolean;
  readonly time: Millis;
}

/** Continuations remembered per market; of what lies before the oldest nothing is told any more. */
const CONTINUATIONS_MAX = 100_000;

/** The smallest whole number from `low` on for which `holds`, which then holds for all later ones; `high` when none does. */
function firstThat(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Which trades of a market continue the aggregate trade of the one before. An aggregate trade's id is its first trade's
 * id less the continuations before it, so that ids have no holes and nothing needs to be kept of trades that stand alone:
 * those of history, and those that nobody was there to see.
 */
export class AggregateTape {
  #continuations: number[] = [];
  /** Those that are remembered no longer. */
  #forgotten = 0;
  #last: SimTrade | undefined;

  /** Takes every trade as it is made. */
  note(trade: SimTrade): void {
    const last = this.#last;
    const continues =
      last?.tradeId === trade.tradeId - 1 &&
      last.price === trade.price &&
      last.buyerIsMaker === trade.buyerIsMaker &&
      last.time === trade.time;
    if (continues) this.#continuations.push(trade.tradeId);
    if (this.#continuations.length > CONTINUATIONS_MAX * 1.25) this.#forget();
    this.#last = trade;
  }

  /** What was told so far has ended: no later trade continues it. */
  seal(): void {
    this.#last = undefined;
  }

  /** The first trade of which aggregate trades are told. */
  get oldestTradeId(): number {
    return this.#forgotten === 0 ? 0 : (this.#continuations[0] ?? 0) + 1;
  }

  /** The first trade of an aggregate trade. */
  firstTradeOf(id: number): number {
    const low = id + this.#forgotten;
    return firstThat(low, low + this.#continuations.length, (tradeId) => this.#idAt(tradeId) >= id);
  }

  /** Joins trades, ascending; of one that was cut at its beginning nothing is told. */
  runs(trades: readonly SimTrade[]): readonly AggregateTrade[] {
    const runs: AggregateTrade[] = [];
    for (const { tradeId, price, quantity, buyerIsMaker, time } of trades) {
      const last = runs.at(-1);
      if (!this.#continues(tradeId)) {
        const ids = { id: this.#idAt(tradeId), firstTradeId: tradeId, lastTradeId: tradeId };
        runs.push({ ...ids, price, quantity, buyerIsMaker, time });
      } else if (last !== undefined) {
        const sum = (last.quantity + quantity) as Lots;
        runs[runs.length - 1] = { ...last, lastTradeId: tradeId, quantity: sum };
      }
    }
    return runs;
  }

  #idAt(tradeId: number): number {
    return tradeId - this.#forgotten - this.#countUpTo(tradeId);
  }

  #continues(tradeId: number): boolean {
    return this.#continuations[this.#countUpTo(tradeId) - 1] === tradeId;
  }

  #countUpTo(tradeId: number): number {
    const all = this.#continuations;
    return firstThat(0, all.length, (at) => (all[at] ?? 0) > tradeId);
  }

  #forget(): void {
    const count = this.#continuations.length - CONTINUATIONS_MAX;
    this.#continuations = this.#continuations.slice(count);
    this.#forgotten += count;
  }
}

/** The tapes of all markets. */
export class AggregateTapes {
  readonly #tapes = new Map<string, AggregateTape>();

  of(symbol: string): AggregateTape {
    const known = this.#tapes.get(symbol);
    if (known !== undefined) return known;
    const made = new AggregateTape();
    this.#tapes.set(symbol, made);
    return made;
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return { onTrade: (trade) => this.of(trade.symbol).note(trade) };
  }
}

/** Reads trades ascending: from an id, or the newest below an id and up to a time. */
type TradeReader = (page: TradePage) => readonly SimTrade[];

/** Trades read at once, and how often for one page. */
const TRADES_PER_READ = 1000;
const READS_MAX = 20;

/** The first kept trade id whose time is at or after `time`; `undefined` when there is none. */
function firstIdAt(read: TradeReader, time: number): number | undefined {
  const newest = read({ limit: 1 }).at(-1);
  const oldest = read({ fromId: 0, limit: 1 }).at(0);
  if (newest === undefined || oldest === undefined || newest.time < time) return undefined;
  const late = (id: number) => (read({ fromId: id, limit: 1 }).at(0)?.time ?? time) >= time;
  return firstThat(oldest.tradeId, newest.tradeId, late);
}

/** Aggregate trades from a trade on, ascending. */
function runsFrom(
  read: TradeReader,
  tape: AggregateTape,
  page: { readonly from: number; readonly limit: number },
): readonly AggregateTrade[] {
  const trades: SimTrade[] = [];
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const more = read({ fromId: (trades.at(-1)?.tradeId ?? page.from - 1) + 1, limit: TRADES_PER_READ });
    trades.push(...more);
    const runs = tape.runs(trades);
    // One more than asked for: the last may go on.
    if (more.length < TRADES_PER_READ || runs.length > page.limit) return runs.slice(0, page.limit);
  }
  return tape.runs(trades).slice(0, -1);
}

/** The newest aggregate trades up to a time, ascending. */
function runsUpTo(
  read: TradeReader,
  tape: AggregateTape,
  page: { readonly endTime: number | undefined; readonly limit: number },
): readonly AggregateTrade[] {
  let trades: readonly SimTrade[] = [];
  let runs: readonly AggregateTrade[] = [];
  for (let reads = 0; reads < READS_MAX && runs.length < page.limit; reads += 1) {
    const [oldest] = trades;
    const newest = page.endTime === undefined ? {} : { endTime: page.endTime };
    const older = oldest === undefined ? newest : { beforeId: oldest.tradeId };
    const more = read({ ...older, limit: TRADES_PER_READ });
    trades = [...more.filter(({ tradeId }) => tradeId >= tape.oldestTradeId), ...trades];
    runs = tape.runs(trades);
    if (more.length === 0) break;
  }
  return runs.slice(-page.limit);
}

/** One page of /aggTrades: from an id or a start ascending, or the newest up to an end. */
export function aggregatePage(
  read: TradeReader,
  tape: AggregateTape,
  page: {
    readonly fromId: number | undefined;
    readonly startTime: number | undefined;
    readonly endTime: number | undefined;
    readonly limit: number;
  },
): readonly AggregateTrade[] {
  const { fromId, startTime, endTime, limit } = page;
  if (fromId === undefined && startTime === undefined) {
    return runsUpTo(read, tape, { endTime, limit });
  }
  const first = fromId === undefined ? firstIdAt(read, startTime ?? 0) : tape.firstTradeOf(fromId);
  if (first === undefined) return [];
  const runs = runsFrom(read, tape, { from: Math.max(first, tape.oldestTradeId), limit });
  return endTime === undefined ? runs : runs.filter(({ time }) => time <= endTime);
}
