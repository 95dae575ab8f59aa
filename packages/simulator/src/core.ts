import { type Amount, assert, type Millis, ok, type Result, refused } from '@crossbook/domain';
import { Keeper } from './accounts/keeper.ts';
import { Listeners } from './accounts/listeners.ts';
import { MarketDesk } from './accounts/market-desk.ts';
import { openDesks } from './accounts/market-desks.ts';
import { MemberState } from './accounts/member-state.ts';
import { amendRefusalOf, type CheckedAgainst, refusalOf, replaceRefusalOf } from './accounts/order-checks.ts';
import type { HistoryPage } from './accounts/order-history.ts';
import { isOpen, termsOf } from './accounts/terms.ts';
import { TradingFloor } from './accounts/trading-floor.ts';
import { TradingHall } from './accounts/trading-hall.ts';
import { type TransferAsked, type TransferRefusal, Treasury } from './accounts/treasury.ts';
import type {
  AccountNumber,
  Exchange,
  ExchangeListener,
  KeyOwner,
  KeyRights,
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
import { MemoryJournal } from './journal/journal.ts';
import type { JournalRecord, TransferRecord } from './journal/records.ts';
import type { HouseTrading, MarketSide } from './market-port.ts';
import { ContractExchange } from './perps/contract-exchange.ts';
import type { ContractMarkets } from './perps/contract-parts.ts';
import { ContractState } from './perps/contract-state.ts';

/** 2024-01-01, when the invented history begins: a thousand ids a second, more than were used. */
const FIRST_CONTRACT_IDS_SINCE = Date.UTC(2024, 0, 1);

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
  /** The venue's contracts, which are kept in the same journal; absent: spot alone. */
  readonly contracts?: ContractMarkets;
  /** Hears of faults that must not stop trading (a listener threw) or must stop the process (`fatal`: the disk failed). */
  readonly onFault: (fault: unknown, fatal: boolean) => void;
}

/** The exchange with what only its composition needs. */
export interface OpenedExchange extends Exchange {
  /** Trading for the house; tests and tools use it beside the agents. */
  readonly house: HouseTrading;
  /** The contract half, where there is one. */
  readonly contracts: ContractExchange | undefined;
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
  const keeper = new Keeper(opened.journal, (fault) => options.onFault(fault, true));
  try {
    const exchange = new SimulatedExchange(options, keeper, opened.records);
    await exchange.open();
    return exchange;
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
}

function walletOf(contracts: ContractMarkets | undefined): 'APART' | 'SHARED' | undefined {
  if (contracts === undefined) return undefined;
  return contracts.habits.apart ? 'APART' : 'SHARED';
}

class SimulatedExchange implements OpenedExchange {
  readonly contracts: ContractExchange | undefined;
  readonly #hall: TradingHall<MarketDesk>;
  readonly #state: MemberState;
  readonly #treasury: Treasury;
  readonly #keeper: Keeper;
  readonly #market: MarketSide;
  #closed = false;

  constructor(options: ExchangeOptions, keeper: Keeper, records: readonly JournalRecord[]) {
    const { market, clock } = options;
    this.#market = market;
    this.#keeper = keeper;
    const terms = new Map(market.markets.map((facts) => [facts.symbol, termsOf(facts)]));
    this.#state = new MemberState(terms, walletOf(options.contracts));
    const held = new ContractState();
    if (options.contracts !== undefined) this.#state.join(held);
    const listeners = new Listeners((fault) => options.onFault(fault, false));
    const floor = new TradingFloor({
      state: this.#state,
      now: clock,
      keeper,
      listeners,
      tape: (trade) => this.#market.onTrade(trade),
    });
    this.#treasury = new Treasury({
      ...{ floor, listeners, randomBytes: options.randomBytes, keeper },
      contractsTeller: ({ account, asset, amount }) =>
        (asset === 'USDT' ? this.contracts?.transferTeller(account, amount) : undefined) ?? (() => undefined),
    });
    for (const record of records) this.#state.apply(record);
    const append = keeper.append.bind(keeper);
    const parts = { records, append, firstIds: options.firstIds ?? 0 };
    const desks = openDesks(terms, this.#state.history, parts, (...made) => new MarketDesk(...made, floor));
    this.#hall = new TradingHall(desks, { market, keeper, listeners, clock });
    keeper.join(this.#state);
    keeper.join(this.#hall);
    this.contracts =
      options.contracts === undefined
        ? undefined
        : new ContractExchange(options.contracts, {
            ...{ members: this.#state, state: held, keeper, records, clock, onFault: options.onFault },
            // Before members traded contracts nothing of their books was kept: their ids went by the clock.
            firstIds: Math.max(0, clock() - FIRST_CONTRACT_IDS_SINCE),
            transfer: (move) => this.transfer(move),
            freeSpot: (account) => this.#freeSpot(account),
            tellSpot: (changed) => {
              for (const [account, balances] of changed) listeners.balances(account, balances);
            },
          });
  }

  async open(): Promise<void> {
    await this.#hall.open();
    await this.contracts?.open();
  }

  get markets(): ReadonlyMap<string, MarketFacts> {
    return this.#hall.markets;
  }

  get house(): HouseTrading {
    return this.#hall.house;
  }

  now(): Millis {
    return this.#hall.now();
  }

  subscribe(listener: ExchangeListener): () => void {
    return this.#hall.subscribe(listener);
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

  createKey(...asked: Parameters<Exchange['createKey']>): Promise<NewKey> {
    return this.#treasury.createKey(...asked);
  }

  permitKey(apiKey: string, rights: KeyRights): Promise<void> {
    return this.#treasury.permitKey(apiKey, rights);
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
    const desk = this.#hall.find(order.symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    this.#market.look?.(order.symbol);
    assert(this.#state.hasAccount(order.account), 'an order belongs to an account');
    const refusal = refusalOf(order, this.#against(desk));
    return refusal === undefined ? ok(true) : refused(refusal);
  }

  async place(order: NewSimOrder): Promise<Result<SimOrderReport, SimRefusal>> {
    const checked = this.check(order);
    if (!checked.ok) return checked;
    const desk = this.#hall.ready(order.symbol);
    return this.#settled((settled) => desk.place(order, settled));
  }

  async cancel(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    if (this.#hall.find(symbol) === undefined) return refused('UNKNOWN_SYMBOL');
    const order = this.#state.history.find(account, symbol, ref);
    if (order === undefined || !isOpen(order.status)) return refused('UNKNOWN_ORDER');
    const desk = this.#hall.ready(symbol);
    return this.#settled((settled) => desk.cancel(order, cancelClientId, settled));
  }

  async amendKeepPriority(
    ...asked: Parameters<Exchange['amendKeepPriority']>
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    const [account, symbol, ref, quantity, newClientId] = asked;
    const open = this.#amendable(account, symbol, ref);
    if (!open.ok) return open;
    const order = open.value;
    const { terms } = this.#hall.desk(symbol);
    const refusal = amendRefusalOf(order, { quantity, newClientId }, terms, this.#state);
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#hall.ready(symbol);
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
    const refusal = replaceRefusalOf(order, { price, quantity }, this.#against(this.#hall.desk(symbol)));
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#hall.ready(symbol);
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
    return this.#hall.depth(symbol, limit);
  }

  trades(symbol: string, page: { fromId?: number; limit: number }): readonly SimTrade[] {
    return this.#hall.trades(symbol, page);
  }

  ticker(symbol: string): SimTicker {
    return this.#hall.ticker(symbol);
  }

  averagePrice(symbol: string): number {
    return this.#hall.averagePrice(symbol);
  }

  candles(...asked: Parameters<Exchange['candles']>): readonly SimCandle[] {
    return this.#hall.candles(...asked);
  }

  setAgentsPaused(paused: boolean): void {
    this.#hall.setAgentsPaused(paused);
  }

  shock(symbol: string, factor: number): void {
    this.#hall.shock(symbol, factor);
  }

  setStatus(symbol: string, status: MarketFacts['status']): void {
    this.#hall.setStatus(symbol, status);
  }

  durable(): Promise<void> {
    return this.#keeper.journal.flushed();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#market.stop();
    await this.contracts?.stop();
    await this.#keeper.close();
  }

  #against(desk: MarketDesk): CheckedAgainst {
    const { terms, status, engine } = desk;
    const averagePrice = this.#market.averagePrice(terms.facts.symbol);
    return { terms, status, engine, state: this.#state, averagePrice };
  }

  #amendable(account: AccountNumber, symbol: string, ref: OrderRef): Result<SimOrder, SimRefusal> {
    const status = this.#hall.find(symbol)?.status;
    if (status !== 'TRADING') return refused(status === undefined ? 'UNKNOWN_SYMBOL' : 'MARKET_CLOSED');
    const order = this.#state.history.find(account, symbol, ref);
    return order !== undefined && isOpen(order.status) ? ok(order) : refused('UNKNOWN_ORDER');
  }

  /** Cancels all that locks what contracts are paid in. */
  #freeSpot(account: AccountNumber): void {
    for (const order of this.#state.history.open(account)) {
      const desk = this.#hall.desk(order.symbol);
      if (order.side === 'BUY' && desk.terms.facts.quote === 'USDT')
        desk.cancel(order, undefined, () => undefined);
    }
  }

  #settled(
    step: (settled: (report: SimOrderReport, failure?: Error) => void) => void,
  ): Promise<Result<SimOrderReport, SimRefusal>> {
    return new Promise((resolve, reject) => {
      step((report, failure) => (failure === undefined ? resolve(ok(report)) : reject(failure)));
    });
  }
}
