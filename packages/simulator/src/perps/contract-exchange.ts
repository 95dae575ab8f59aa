import type { Amount, Millis, Result } from '@crossbook/domain';
import { HOUSE } from '../accounts/balances.ts';
import { Listeners } from '../accounts/listeners.ts';
import { openDesks } from '../accounts/market-desks.ts';
import { termsOf } from '../accounts/terms.ts';
import { TradingFloor } from '../accounts/trading-floor.ts';
import { TradingHall } from '../accounts/trading-hall.ts';
import type {
  AccountNumber,
  Exchange,
  ExchangeListener,
  MarketFacts,
  OrderRef,
  SimDepth,
} from '../exchange.ts';
import type { HouseTrading } from '../market-port.ts';
import type {
  ClosedPosition,
  NewPerpOrder,
  PerpExchange,
  PerpFill,
  PerpIncome,
  PerpListener,
  PerpOrder,
  PerpPage,
  PerpPool,
  PerpPosition,
  PerpRefusal,
  PerpSetting,
  PerpTier,
  SimMarginMode,
  SimPositionKey,
  SimPositionMode,
} from '../perp-exchange.ts';
import type { LeverageAsked, LeverageTrial } from '../perp-settings.ts';
import type { FundingPayment, PerpFacts, PerpStats } from '../venue.ts';
import { AccountStats } from './account-stats.ts';
import { Clockwork } from './clockwork.ts';
import { ContractChanges } from './contract-changes.ts';
import { ContractDesk, type DeskTools } from './contract-desk.ts';
import { type Answer, ContractOrders } from './contract-orders.ts';
import type { ContractMarkets, SharedHalf } from './contract-parts.ts';
import { ContractStep } from './contract-step.ts';
import { deleverage } from './deleveraging.ts';
import { leverageTrial } from './leverage-trial.ts';
import { isTimed, pageOf } from './pages.ts';
import { PerpListeners } from './perp-listeners.ts';

/** The contract half of a simulated venue. */
export class ContractExchange implements PerpExchange {
  readonly #hall: TradingHall<ContractDesk>;
  readonly #markets: ContractMarkets;
  readonly #tools: DeskTools;
  readonly #stats: AccountStats;
  readonly #orders: ContractOrders;
  readonly #changes: ContractChanges;
  readonly #listeners: PerpListeners;
  readonly #clockwork: Clockwork;
  readonly #shared: SharedHalf;
  readonly #facts = new Map<string, PerpFacts>();

  constructor(markets: ContractMarkets, shared: SharedHalf) {
    this.#markets = markets;
    this.#shared = shared;
    const { market, habits, rules } = markets;
    const { members, state, keeper, clock, onFault } = shared;
    this.#listeners = new PerpListeners((fault) => onFault(fault, false));
    const publicListeners = new Listeners((fault) => onFault(fault, false));
    const tape = market.onTrade.bind(market);
    const floor = new TradingFloor({ state: members, now: clock, keeper, listeners: publicListeners, tape });
    this.#stats = new AccountStats({
      ...{ members, contracts: state, rules, habits, clock },
      markAt: (symbol, time) => markets.stats(symbol, time).mark,
      contract: (symbol) => this.#hall.desk(symbol),
    });
    this.#tools = {
      ...{ members, contracts: state, stats: this.#stats, rules, floor, habits },
      freeSpot: shared.freeSpot,
      settle: () => this.#clockwork.settle(),
      finish: (step, acknowledge) => this.#finish(floor, step, acknowledge),
    };
    this.#hall = this.#openHall(publicListeners);
    this.#orders = new ContractOrders(this.#tools, {
      look: (symbol) => this.#look(symbol),
      ready: (symbol) => this.#hall.ready(symbol),
    });
    this.#changes = new ContractChanges(this.#tools);
    this.#clockwork = new Clockwork({
      ...{ tools: this.#tools, contracts: markets.contracts, clock },
      desk: (symbol) => this.#hall.desk(symbol),
      look: (symbol) => market.look?.(symbol),
      stats: markets.stats.bind(markets),
      payment: (symbol, time) =>
        markets.fundingHistory(symbol, { startTime: time, endTime: time, limit: 1 }, time)[0],
    });
    state.inUse = (account) => this.#stats.inUse(account);
    keeper.join(this.#hall);
  }

  /** Ends the downtime. */
  open(): Promise<void> {
    return this.#hall.open(() => this.#clockwork.step(this.now(), false));
  }

  /** Lets funding and liquidations happen that are due at `now`. */
  step(now: Millis): void {
    if (this.#shared.keeper.open) this.#clockwork.step(now, true);
  }

  /** A transfer has just moved so much into an account's wallet, or out of it. @returns tells of it, once it is on disk. */
  transferTeller(account: AccountNumber, amount: Amount): () => void {
    const { contracts } = this.#tools;
    const last = contracts
      .incomeOf(account)
      .findLast((income) => income.kind === 'TRANSFER' && income.amount === amount);
    const step = new ContractStep(this.#tools);
    step.tellAccount(account, { cause: 'TRANSFER', income: last === undefined ? [] : [last] });
    return () => this.#listeners.tell(step.events);
  }

  /** For tests: pays funding of a contract at once. */
  fundNow(symbol: string): void {
    this.#shared.keeper.assertOpen();
    this.#clockwork.fundNow(symbol);
  }

  /** For tests: the insurance fund gains (above 0) or loses so much against the house. */
  moveFund(amount: Amount): void {
    this.#shared.keeper.assertOpen();
    const step = new ContractStep(this.#tools);
    step.put({ put: 'fund', amount });
    this.#tools.finish(step, () => undefined);
  }

  /** For tests: takes so many lots of a direction, at the mark, from those whom the queue names first. */
  deleverageNow(symbol: string, long: boolean, lots: number): void {
    this.#shared.keeper.assertOpen();
    const step = new ContractStep(this.#tools);
    const price = this.#stats.mark(symbol);
    deleverage(step, this.#hall.desk(symbol), { tools: this.#tools, long, lots, price });
    this.#tools.finish(step, () => undefined);
  }

  stop(): Promise<void> {
    return this.#markets.market.stop();
  }

  get house(): HouseTrading {
    return this.#hall.house;
  }

  get markets(): ReadonlyMap<string, MarketFacts> {
    return this.#hall.markets;
  }

  get contracts(): ReadonlyMap<string, PerpFacts> {
    for (const [symbol, { status }] of this.#hall.markets) {
      const facts = this.#markets.contracts.get(symbol);
      if (facts !== undefined && this.#facts.get(symbol)?.status !== status)
        this.#facts.set(symbol, { ...facts, status });
    }
    return this.#facts;
  }

  now(): Millis {
    return this.#hall.now();
  }

  subscribe(listener: ExchangeListener): () => void {
    return this.#hall.subscribe(listener);
  }

  subscribePerps(listener: PerpListener): () => void {
    return this.#listeners.add(listener);
  }

  depth(symbol: string, limit: number): SimDepth {
    return this.#hall.depth(symbol, limit);
  }

  trades(...asked: Parameters<Exchange['trades']>): ReturnType<Exchange['trades']> {
    return this.#hall.trades(...asked);
  }

  ticker(symbol: string): ReturnType<Exchange['ticker']> {
    return this.#hall.ticker(symbol);
  }

  averagePrice(symbol: string): number {
    return this.#hall.averagePrice(symbol);
  }

  candles(...asked: Parameters<Exchange['candles']>): ReturnType<Exchange['candles']> {
    return this.#hall.candles(...asked);
  }

  stats(symbol: string): PerpStats {
    return this.#markets.stats(symbol, this.now());
  }

  fundingHistory(...[symbol, page]: Parameters<PerpExchange['fundingHistory']>): readonly FundingPayment[] {
    return this.#markets.fundingHistory(symbol, page, this.now());
  }

  checkPerp(order: NewPerpOrder): Result<true, PerpRefusal> {
    return this.#orders.check(order);
  }

  placePerp(order: NewPerpOrder): ReturnType<PerpExchange['placePerp']> {
    return this.#orders.place(order);
  }

  cancelPerp(...asked: Parameters<PerpExchange['cancelPerp']>): ReturnType<PerpExchange['cancelPerp']> {
    return this.#orders.cancel(...asked);
  }

  amendPerp(...asked: Parameters<PerpExchange['amendPerp']>): ReturnType<PerpExchange['amendPerp']> {
    return this.#orders.amend(...asked);
  }

  perpOrder(account: AccountNumber, symbol: string, ref: OrderRef): PerpOrder | undefined {
    return this.#tools.contracts.history.find(account, symbol, ref);
  }

  openPerpOrders(account: AccountNumber, symbol?: string): readonly PerpOrder[] {
    return this.#tools.contracts.history.open(account, symbol);
  }

  perpOrders(account: AccountNumber, page: PerpPage): readonly PerpOrder[] {
    const orders = this.#tools.contracts.history.ordersOf(account, page.symbol);
    return pageOf(orders, page, ({ orderId, createdAt, symbol }) => ({
      id: orderId,
      time: createdAt,
      symbol,
    }));
  }

  perpFills(...[account, page]: Parameters<PerpExchange['perpFills']>): readonly PerpFill[] {
    const { symbol: named, orderId } = page;
    const { history } = this.#tools.contracts;
    const bySymbol = named !== undefined;
    const narrowed =
      bySymbol && orderId !== undefined
        ? history.fillsOfOrder(account, named, orderId)
        : isTimed(page)
          ? history.fillsWithin(account, page)
          : history.fillsOf(account, named);
    const fills = narrowed.filter((fill) => orderId === undefined || fill.orderId === orderId);
    return pageOf(fills, page, ({ tradeId, sequence, time, symbol }) => ({
      id: bySymbol ? tradeId : sequence,
      time,
      symbol,
    }));
  }

  lotsAfter(fill: PerpFill): number {
    return this.#tools.contracts.lotsAfter(fill);
  }

  positions(account: AccountNumber, symbol?: string): readonly PerpPosition[] {
    return this.#stats.positions(account, symbol);
  }

  closedPositions(account: AccountNumber, page: PerpPage): readonly ClosedPosition[] {
    const closed = this.#tools.contracts.closedOf(account);
    return pageOf(closed, page, ({ positionId: id, closedAt: time, symbol }) => ({ id, time, symbol }));
  }

  pool(account: AccountNumber): PerpPool {
    return this.#stats.pool(account);
  }

  income(account: AccountNumber, page: PerpPage): readonly PerpIncome[] {
    const { contracts } = this.#tools;
    const incomes = isTimed(page) ? contracts.incomeWithin(account, page) : contracts.incomeOf(account);
    return pageOf(incomes, page, ({ sequence: id, time, symbol }) => ({ id, time, symbol }));
  }

  tiers(symbol: string): readonly PerpTier[] {
    return this.#hall.desk(symbol).tiers;
  }

  tradesContracts(account: AccountNumber): boolean {
    return this.#changes.tradesContracts(account);
  }

  setTradesContracts(account: AccountNumber, trades: boolean): Answer<true> {
    this.#ready();
    return this.#changes.setTradesContracts(account, trades);
  }

  setting(account: AccountNumber, symbol: string, marginMode?: SimMarginMode): PerpSetting {
    return this.#changes.setting(account, symbol, marginMode);
  }

  setLeverage(account: AccountNumber, symbol: string, asked: LeverageAsked): Answer<PerpSetting> {
    this.#ready();
    return this.#changes.setLeverage(account, symbol, asked);
  }

  tryLeverage(account: AccountNumber, symbol: string, asked: LeverageAsked): LeverageTrial {
    return leverageTrial(this.#tools, this.#hall.desk(symbol), account, asked);
  }

  setMarginMode(account: AccountNumber, symbol: string, mode: SimMarginMode): Answer<PerpSetting> {
    this.#ready();
    return this.#changes.setMarginMode(account, symbol, mode);
  }

  setPositionMode(account: AccountNumber, symbol: string | undefined, mode: SimPositionMode): Answer<true> {
    this.#ready();
    return this.#changes.setPositionMode(account, symbol, mode);
  }

  moveMargin(key: SimPositionKey, amount: Amount): Answer<PerpPosition> {
    this.#ready();
    return this.#changes.moveMargin(key, amount);
  }

  autoMargin(key: Omit<SimPositionKey, 'marginMode'>): boolean {
    return this.#changes.autoMargin(key);
  }

  setAutoMargin(
    ...asked: Parameters<PerpExchange['setAutoMargin']>
  ): ReturnType<PerpExchange['setAutoMargin']> {
    this.#ready();
    return this.#changes.setAutoMargin(...asked);
  }

  movePocket(...asked: Parameters<PerpExchange['movePocket']>): ReturnType<PerpExchange['movePocket']> {
    const [account, amount, transferId] = asked;
    const into = amount > 0n;
    const ends = { from: account, to: account, asset: 'USDT', transferId };
    const pockets = into ? ({ toPocket: 'FUTURES' } as const) : ({ fromPocket: 'FUTURES' } as const);
    return this.#shared.transfer({ ...ends, ...pockets, amount: (into ? amount : -amount) as Amount });
  }

  insuranceFund(): Amount {
    return this.#tools.contracts.fund;
  }

  setAgentsPaused(paused: boolean): void {
    this.#hall.setAgentsPaused(paused);
  }

  setStatus(symbol: string, status: MarketFacts['status']): void {
    this.#hall.setStatus(symbol, status);
  }

  /** @throws Error when nothing may be changed now. */
  #ready(): void {
    this.#shared.keeper.assertOpen();
    this.#clockwork.settle();
  }

  #finish(floor: TradingFloor, step: ContractStep, acknowledge: (failure?: Error) => void): void {
    const { record, changed } = step.end();
    floor.keepApplied(record, changed, (failure) => {
      if (failure === undefined) {
        this.#listeners.tell(step.events);
        this.#shared.tellSpot(changed);
      }
      acknowledge(failure);
    });
    const { members } = this.#shared;
    for (const account of changed.keys())
      if (account !== HOUSE && members.balances.free(account, 'USDT') < 0n) this.#shared.freeSpot(account);
  }

  #openHall(listeners: Listeners): TradingHall<ContractDesk> {
    const { market, contracts, tiers } = this.#markets;
    const { keeper, records, clock, firstIds } = this.#shared;
    const terms = new Map(
      [...contracts].map(([symbol, facts]) => [symbol, termsOf(facts, facts.contractValue)]),
    );
    const half = 'CONTRACTS';
    const parts = { records, half, firstIds, append: keeper.append.bind(keeper) } as const;
    const desks = openDesks(terms, this.#tools.contracts.history, parts, (one, engine, ids) => {
      const facts = contracts.get(one.facts.symbol) as PerpFacts;
      return new ContractDesk(
        { facts, terms: one, tiers: tiers(facts.symbol) },
        { engine, ids },
        this.#tools,
      );
    });
    return new TradingHall(desks, { market, keeper, listeners, clock, half });
  }

  /** A contract that members may trade, with a full book. */
  #look(symbol: string): ContractDesk | undefined {
    const desk = this.#hall.find(symbol);
    if (desk === undefined || desk.facts.kind !== 'PERPETUAL' || desk.facts.settle !== 'USDT')
      return undefined;
    this.#clockwork.settle();
    this.#markets.market.look?.(symbol);
    return desk;
  }
}
