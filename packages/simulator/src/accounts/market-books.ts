import { assert, type Millis } from '@crossbook/domain';
import type {
  Exchange,
  ExchangeListener,
  MarketFacts,
  SimCandle,
  SimDepth,
  SimTicker,
  SimTrade,
  TradePage,
} from '../exchange.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { HouseTrading, MarketSide } from '../market-port.ts';
import type { BookDesk } from './book-desk.ts';
import { HouseDesk } from './house-desk.ts';
import type { Listeners } from './listeners.ts';
import type { Keeper, Kept } from './state/keeper.ts';

/** What everybody sees of an exchange, and what only its operator does. */
type PublicFace = Pick<
  Exchange,
  | 'markets'
  | 'now'
  | 'subscribe'
  | 'depth'
  | 'trades'
  | 'ticker'
  | 'averagePrice'
  | 'candles'
  | 'setAgentsPaused'
  | 'shock'
  | 'setStatus'
>;

/** The books of one half of a venue, spot or contracts: public data, the house's trading, and when they are open. */
export class MarketBooks<Desk extends BookDesk> implements PublicFace, Kept {
  readonly markets = new Map<string, MarketFacts>();
  readonly house: HouseTrading;
  readonly #desks: ReadonlyMap<string, Desk>;
  readonly #half: { readonly half?: 'CONTRACTS' };
  readonly #market: MarketSide;
  readonly #keeper: Keeper;
  readonly #listeners: Listeners;
  readonly #clock: () => Millis;

  constructor(
    desks: ReadonlyMap<string, Desk>,
    parts: {
      readonly market: MarketSide;
      readonly keeper: Keeper;
      readonly listeners: Listeners;
      readonly clock: () => Millis;
      readonly half?: 'CONTRACTS';
    },
  ) {
    this.#desks = desks;
    this.#half = parts.half === undefined ? {} : { half: parts.half };
    this.#market = parts.market;
    this.#keeper = parts.keeper;
    this.#listeners = parts.listeners;
    this.#clock = parts.clock;
    for (const [symbol, desk] of desks) this.markets.set(symbol, factsOf(desk));
    this.house = new HouseDesk(
      (symbol) => this.desk(symbol),
      () => parts.keeper.open,
    );
  }

  /** Ends the downtime: ids are set aside, crossed orders fill, agents start, what waited fires. @param before what happens first. */
  async open(before?: () => void): Promise<void> {
    for (const desk of this.#desks.values()) desk.ids.ask();
    await this.#keeper.journal.flushed();
    before?.();
    const now = this.now();
    const trading = [...this.#desks].filter(([, { status }]) => status === 'TRADING');
    for (const [symbol, desk] of trading) desk.reopen(this.#market.fairPrice(symbol, now));
    await this.#keeper.journal.flushed();
    this.#market.start(this.house);
    for (const [symbol, desk] of trading) desk.opened?.(this.#market.fairPrice(symbol, now));
    await this.#keeper.journal.flushed();
  }

  now(): Millis {
    return this.#clock();
  }

  find(symbol: string): Desk | undefined {
    return this.#desks.get(symbol);
  }

  desk(symbol: string): Desk {
    const desk = this.#desks.get(symbol);
    assert(desk !== undefined, `${symbol} is listed`);
    return desk;
  }

  /** The market, if anything may be changed now. @throws Error when it may not; nothing has happened then. */
  ready(symbol: string): Desk {
    const desk = this.desk(symbol);
    this.#keeper.assertOpen(desk.ids.allows());
    return desk;
  }

  subscribe(listener: ExchangeListener): () => void {
    // What gathered while nobody listened belongs to no change: a listener begins with a depth snapshot.
    if (!this.#listeners.wantBookChanges) {
      for (const desk of this.#desks.values()) desk.engine.drainChanges(this.now());
    }
    return this.#listeners.add(listener);
  }

  depth(symbol: string, limit: number): SimDepth {
    const { engine } = this.desk(symbol);
    // The best price alone is what every list of tickers asks for: it wakes nobody.
    const touch = limit <= 1 ? this.#market.restingTouch?.(symbol) : undefined;
    if (touch !== undefined) return { lastUpdateId: engine.lastUpdateId, ...touch };
    if (limit > 1) this.#market.look?.(symbol);
    return engine.depth(limit);
  }

  trades(symbol: string, page: TradePage): readonly SimTrade[] {
    this.#market.read?.(symbol);
    return this.#market.trades(symbol, page);
  }

  ticker(symbol: string): SimTicker {
    return this.#market.ticker(symbol);
  }

  averagePrice(symbol: string): number {
    return this.#market.averagePrice(symbol);
  }

  candles(...asked: Parameters<Exchange['candles']>): readonly SimCandle[] {
    const [symbol, , { endTime, limit }] = asked;
    // A single bar is what every list of tickers asks for.
    if (limit > 1 && (endTime === undefined || endTime >= this.now())) this.#market.read?.(symbol);
    return this.#market.candles(...asked);
  }

  setAgentsPaused(paused: boolean): void {
    this.#market.setAgentsPaused(paused);
  }

  shock(symbol: string, factor: number): void {
    this.#market.shock(symbol, factor);
  }

  setStatus(symbol: string, status: MarketFacts['status']): void {
    const desk = this.desk(symbol);
    if (desk.status === status) return;
    this.#market.look?.(symbol);
    desk.status = status;
    this.markets.set(symbol, factsOf(desk));
    this.#keeper.append({ kind: 'status', symbol, status, ...this.#half }, () => undefined);
  }

  records(last: boolean): JournalRecord[] {
    const records: JournalRecord[] = [];
    for (const [symbol, { engine, ids, status, terms }] of this.#desks) {
      const counters = last ? engine.counters : ids.asked;
      records.push({ kind: 'reserve', symbol, counters, ...this.#half });
      if (status !== terms.facts.status) records.push({ kind: 'status', symbol, status, ...this.#half });
    }
    return records;
  }
}

/** The market's facts as they are now. */
function factsOf({ terms, status }: BookDesk): MarketFacts {
  return { ...terms.facts, status };
}
