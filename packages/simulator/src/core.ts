import { type Amount, assert, type Millis, ok, type Result, refused } from '@crossbook/domain';
import { HouseDesk } from './accounts/house-desk.ts';
import { Listeners } from './accounts/listeners.ts';
import type { MarketDesk } from './accounts/market-desk.ts';
import { openDesks } from './accounts/market-desks.ts';
import { MemberState } from './accounts/member-state.ts';
import { amendRefusalOf, type CheckedAgainst, refusalOf, replaceRefusalOf } from './accounts/order-checks.ts';
import type { HistoryPage } from './accounts/order-history.ts';
import { isOpen, termsOf } from './accounts/terms.ts';
import { TradingFloor } from './accounts/trading-floor.ts';
import { type TransferAsked, type TransferRefusal, Treasury } from './accounts/treasury.ts';
import type {
  AccountNumber,
  Exchange,
  ExchangeListener,
  KeyOwner,
  MarketFacts,
  NewKey,
  NewSimOrder,
  OrderRef,
  SimBalance,
  SimCandle,
  SimDepth,
  SimFill,
  SimOrder,
  SimOrderReport,
  SimRefusal,
  SimTicker,
  SimTrade,
} from './exchange.ts';
import { type JournalLimits, openFileJournal } from './journal/file-journal.ts';
import { type Journal, MemoryJournal } from './journal/journal.ts';
import type { JournalRecord, TransferRecord } from './journal/records.ts';
import type { HouseTrading, MarketSide } from './market-port.ts';
import type { EngineCounters } from './matching/engine-order.ts';

/** What an exchange is made of; everything outside is handed in. */
export interface ExchangeOptions {
  readonly market: MarketSide;
  readonly clock: () => Millis;
  /** For API keys and secrets. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** Where journal and snapshots live; absent keeps nothing beyond the process. */
  readonly dataDirectory?: string;
  /** Added to the first trade and update ids: an exchange that keeps no journal must not repeat those of an earlier run. */
  readonly firstIds?: number;
  readonly journalLimits?: Partial<JournalLimits>;
  /** Hears of faults that must not stop trading (a listener threw) or must stop the process (`fatal`: the disk failed). */
  readonly onFault: (fault: unknown, fatal: boolean) => void;
}

/** The exchange with what only its composition needs. */
export interface OpenedExchange extends Exchange {
  /** Trading for the house; tests and tools use it beside the agents. */
  readonly house: HouseTrading;
}

/**
 * Opens the exchange: recovers what the data directory holds, fills the orders that the fair price crossed during
 * the downtime, and starts the agents.
 * @throws DirectoryInUse, JournalDamaged.
 */
export async function openExchange(options: ExchangeOptions): Promise<OpenedExchange> {
  const opened =
    options.dataDirectory === undefined
      ? { journal: new MemoryJournal(), records: [] }
      : await openFileJournal(options.dataDirectory, options.journalLimits);
  try {
    const exchange = new SimulatedExchange(options, opened.journal, opened.records);
    await exchange.open();
    return exchange;
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
}

class SimulatedExchange implements OpenedExchange {
  readonly house: HouseDesk;
  readonly markets = new Map<string, MarketFacts>();
  readonly #desks: ReadonlyMap<string, MarketDesk>;
  readonly #state: MemberState;
  readonly #floor: TradingFloor;
  readonly #treasury: Treasury;
  readonly #listeners: Listeners;
  readonly #journal: Journal;
  readonly #options: ExchangeOptions;
  readonly #market: MarketSide;
  #snapshot: Promise<void> = Promise.resolve();
  #closing = false;
  #fatal = false;

  constructor(options: ExchangeOptions, journal: Journal, records: readonly JournalRecord[]) {
    this.#options = options;
    this.#market = options.market;
    this.#journal = journal;
    const terms = new Map(options.market.markets.map((facts) => [facts.symbol, termsOf(facts)]));
    this.#state = new MemberState(terms);
    this.#listeners = new Listeners((fault) => options.onFault(fault, false));
    this.#floor = new TradingFloor({
      state: this.#state,
      now: options.clock,
      journal,
      listeners: this.#listeners,
      tape: (trade) => this.#market.onTrade(trade),
      onKept: () => this.#snapshotIfDue(),
      onFailure: (failure) => this.#failed(failure),
    });
    this.#treasury = new Treasury({
      floor: this.#floor,
      listeners: this.#listeners,
      randomBytes: options.randomBytes,
      durable: () => this.durable(),
      open: () => this.#takesCommands(),
    });
    this.#desks = openDesks(terms, this.#floor, records, {
      append: (record, onDisk) => this.#append(record, onDisk),
      firstIds: options.firstIds ?? 0,
    });
    for (const [symbol, desk] of this.#desks) this.markets.set(symbol, desk.facts);
    this.house = new HouseDesk(
      (symbol) => this.#desk(symbol),
      () => this.#takesCommands(),
    );
  }

  /** Ends the downtime: ids are set aside, crossed orders fill, agents start. */
  async open(): Promise<void> {
    for (const desk of this.#desks.values()) desk.ids.ask();
    await this.#journal.flushed();
    for (const [symbol, desk] of this.#desks) {
      if (desk.status !== 'TRADING') continue;
      desk.reopen(this.#market.fairPrice(symbol, this.now()));
    }
    await this.#journal.flushed();
    this.#market.start(this.house);
  }

  now(): Millis {
    return this.#options.clock();
  }

  subscribe(listener: ExchangeListener): () => void {
    // What gathered while nobody listened belongs to no change: a listener begins with a depth snapshot.
    if (!this.#listeners.wantBookChanges) {
      for (const desk of this.#desks.values()) desk.engine.drainChanges(this.now());
    }
    return this.#listeners.add(listener);
  }

  openAccount(label: string): Promise<AccountNumber> {
    return this.#treasury.openAccount(label);
  }

  accountOfLabel(label: string): AccountNumber | undefined {
    return this.#state.accountOfLabel(label);
  }

  accounts(): readonly { readonly account: AccountNumber; readonly label: string }[] {
    return this.#state.accounts();
  }

  createKey(account: AccountNumber, passphrase?: string): Promise<NewKey> {
    return this.#treasury.createKey(account, passphrase);
  }

  keyOwner(apiKey: string): KeyOwner | undefined {
    return this.#state.keyOwner(apiKey);
  }

  balances(account: AccountNumber): readonly SimBalance[] {
    return this.#state.balances.list(account);
  }

  credit(account: AccountNumber, asset: string, amount: Amount, creditId: string): Promise<boolean> {
    return this.#treasury.credit(account, asset, amount, creditId);
  }

  transfer(move: TransferAsked): Promise<Result<{ readonly sequence: number }, TransferRefusal>> {
    return this.#treasury.transfer(move);
  }

  findTransfer(transferId: string): TransferRecord | undefined {
    return this.#state.transfer(transferId);
  }

  check(order: NewSimOrder): Result<true, SimRefusal> {
    const desk = this.#desks.get(order.symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    this.#market.look?.(order.symbol);
    assert(this.#state.hasAccount(order.account), 'an order belongs to an account');
    const refusal = refusalOf(order, this.#against(desk));
    return refusal === undefined ? ok(true) : refused(refusal);
  }

  async place(order: NewSimOrder): Promise<Result<SimOrderReport, SimRefusal>> {
    const checked = this.check(order);
    if (!checked.ok) return checked;
    const desk = this.#ready(order.symbol);
    return this.#settled((settled) => desk.place(order, settled));
  }

  async cancel(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    if (!this.#desks.has(symbol)) return refused('UNKNOWN_SYMBOL');
    const order = this.#state.history.find(account, symbol, ref);
    if (order === undefined || !isOpen(order.status)) return refused('UNKNOWN_ORDER');
    const desk = this.#ready(symbol);
    return this.#settled((settled) => desk.cancel(order, cancelClientId, settled));
  }

  async amendKeepPriority(
    ...asked: Parameters<Exchange['amendKeepPriority']>
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    const [account, symbol, ref, quantity, newClientId] = asked;
    const open = this.#amendable(account, symbol, ref);
    if (!open.ok) return open;
    const order = open.value;
    const { terms } = this.#desk(symbol);
    const refusal = amendRefusalOf(order, { quantity, newClientId }, terms, this.#state);
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#ready(symbol);
    const clientId = newClientId ?? order.clientId;
    return this.#settled((settled) => desk.amend(order, { quantity, clientId }, settled));
  }

  async amend(...asked: Parameters<Exchange['amend']>): Promise<Result<SimOrderReport, SimRefusal>> {
    const [account, symbol, ref, change] = asked;
    const open = this.#amendable(account, symbol, ref);
    if (!open.ok) return open;
    const order = open.value;
    const { price = order.price, quantity = order.quantity } = change;
    assert(price !== undefined && quantity !== undefined, 'a resting order has a price and a quantity');
    if (price === order.price && quantity < (order.quantity ?? 0)) {
      return this.amendKeepPriority(account, symbol, ref, quantity);
    }
    const refusal = replaceRefusalOf(order, { price, quantity }, this.#against(this.#desk(symbol)));
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#ready(symbol);
    return this.#settled((settled) => desk.replace(order, { price, quantity }, settled));
  }

  order(account: AccountNumber, symbol: string, ref: OrderRef): SimOrder | undefined {
    return this.#state.history.find(account, symbol, ref);
  }

  openOrders(account: AccountNumber, symbol?: string): readonly SimOrder[] {
    return this.#state.history.open(account, symbol);
  }

  orders(account: AccountNumber, symbol: string, page: HistoryPage): readonly SimOrder[] {
    return this.#state.history.orders(account, symbol, page);
  }

  fills(...asked: Parameters<Exchange['fills']>): readonly SimFill[] {
    return this.#state.history.fills(...asked);
  }

  depth(symbol: string, limit: number): SimDepth {
    const { engine } = this.#desk(symbol);
    // The best price alone is what every list of tickers asks for: it wakes nobody.
    const touch = limit <= 1 ? this.#market.restingTouch?.(symbol) : undefined;
    if (touch !== undefined) return { lastUpdateId: engine.lastUpdateId, ...touch };
    if (limit > 1) this.#market.look?.(symbol);
    return engine.depth(limit);
  }

  trades(symbol: string, page: { fromId?: number; limit: number }): readonly SimTrade[] {
    return this.#market.trades(symbol, page);
  }

  ticker(symbol: string): SimTicker {
    return this.#market.ticker(symbol);
  }

  averagePrice(symbol: string): number {
    return this.#market.averagePrice(symbol);
  }

  candles(...asked: Parameters<Exchange['candles']>): readonly SimCandle[] {
    return this.#market.candles(...asked);
  }

  setAgentsPaused(paused: boolean): void {
    this.#market.setAgentsPaused(paused);
  }

  shock(symbol: string, factor: number): void {
    this.#market.shock(symbol, factor);
  }

  setStatus(symbol: string, status: MarketFacts['status']): void {
    const desk = this.#desk(symbol);
    if (desk.status === status) return;
    this.#market.look?.(symbol);
    desk.status = status;
    this.markets.set(symbol, desk.facts);
    this.#append({ kind: 'status', symbol, status }, () => undefined);
  }

  durable(): Promise<void> {
    return this.#journal.flushed();
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    await this.#market.stop();
    this.#closing = true;
    try {
      await this.#snapshot;
      await this.#journal.snapshot(this.#records((desk) => desk.engine.counters));
    } finally {
      await this.#journal.close();
    }
  }

  #desk(symbol: string): MarketDesk {
    const desk = this.#desks.get(symbol);
    assert(desk !== undefined, `${symbol} is listed`);
    return desk;
  }

  #against(desk: MarketDesk): CheckedAgainst {
    const { terms, status, engine } = desk;
    const averagePrice = this.#market.averagePrice(terms.facts.symbol);
    return { terms, status, engine, state: this.#state, averagePrice };
  }

  #amendable(account: AccountNumber, symbol: string, ref: OrderRef): Result<SimOrder, SimRefusal> {
    const status = this.#desks.get(symbol)?.status;
    if (status !== 'TRADING') return refused(status === undefined ? 'UNKNOWN_SYMBOL' : 'MARKET_CLOSED');
    const order = this.#state.history.find(account, symbol, ref);
    return order !== undefined && isOpen(order.status) ? ok(order) : refused('UNKNOWN_ORDER');
  }

  #takesCommands(): boolean {
    return !this.#closing && !this.#journal.overloaded;
  }

  /** The market, if anything may be changed now. @throws Error when it may not; nothing has happened then. */
  #ready(symbol: string): MarketDesk {
    const desk = this.#desk(symbol);
    if (!this.#takesCommands() || !desk.ids.allows()) {
      throw new Error('the exchange takes no commands now');
    }
    return desk;
  }

  #settled(
    step: (settled: (report: SimOrderReport, failure?: Error) => void) => void,
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    return new Promise((resolve, reject) => {
      step((report, failure) => (failure === undefined ? resolve(ok(report)) : reject(failure)));
    });
  }

  #append(record: JournalRecord, onDisk: () => void): void {
    this.#journal.append(record, (failure) => {
      if (failure === undefined) onDisk();
      else this.#failed(failure);
    });
  }

  /** The disk failed: what is not acknowledged is unknown, and the process should end. */
  #failed(fault: unknown): void {
    if (this.#fatal) return;
    this.#fatal = true;
    this.#options.onFault(fault, true);
  }

  #snapshotIfDue(): void {
    if (!this.#journal.snapshotDue) return;
    const records = this.#records((desk) => desk.ids.asked);
    this.#snapshot = this.#journal.snapshot(records).catch((fault) => this.#failed(fault));
  }

  #records(countersOf: (desk: MarketDesk) => EngineCounters): JournalRecord[] {
    const records = this.#state.records();
    for (const [symbol, desk] of this.#desks) {
      records.push({ kind: 'reserve', symbol, counters: countersOf(desk) });
      if (desk.status !== desk.terms.facts.status)
        records.push({ kind: 'status', symbol, status: desk.status });
    }
    return records;
  }
}
