import type { Amount, Millis, Result } from '@crossbook/domain';
import type { Keeper } from '../accounts/keeper.ts';
import { Listeners } from '../accounts/listeners.ts';
import { openDesks } from '../accounts/market-desks.ts';
import type { MemberState } from '../accounts/member-state.ts';
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
import type { JournalRecord } from '../journal/records.ts';
import type { HouseTrading, MarketSide } from '../market-port.ts';
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
import type { FundingPayment, PerpFacts, PerpStats } from '../venue.ts';
import { AccountFigures } from './account-figures.ts';
import { ContractChanges, type LeverageAsked } from './contract-changes.ts';
import { ContractDesk, type DeskTools } from './contract-desk.ts';
import { type Answer, ContractOrders } from './contract-orders.ts';
import type { ContractState } from './contract-state.ts';
import type { MarginRules } from './margin/rules.ts';
import { pageOf } from './pages.ts';
import { PerpListeners } from './perp-listeners.ts';
import type { VenueHabits } from './venue-habits.ts';

/** The contracts of a venue and the rules they are traded by. */
export interface ContractMarkets {
  readonly market: MarketSide;
  readonly contracts: ReadonlyMap<string, PerpFacts>;
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
  tiers(symbol: string): readonly PerpTier[];
  stats(symbol: string, time: Millis): PerpStats;
  fundingHistory(
    symbol: string,
    page: Parameters<PerpExchange['fundingHistory']>[1],
    now: Millis,
  ): readonly FundingPayment[];
}

/** What the contract half shares with the spot half. */
export interface SharedHalf {
  readonly members: MemberState;
  readonly state: ContractState;
  readonly keeper: Keeper;
  readonly records: readonly JournalRecord[];
  readonly clock: () => Millis;
  readonly firstIds: number;
  readonly onFault: (fault: unknown, fatal: boolean) => void;
  /** Transfers between pockets are the treasury's. */
  readonly transfer: Exchange['transfer'];
}

/** The contract half of a simulated venue. */
export class ContractExchange implements PerpExchange {
  readonly #hall: TradingHall<ContractDesk>;
  readonly #markets: ContractMarkets;
  readonly #tools: DeskTools;
  readonly #figures: AccountFigures;
  readonly #orders: ContractOrders;
  readonly #changes: ContractChanges;
  readonly #listeners: PerpListeners;
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
    this.#figures = new AccountFigures({
      ...{ members, contracts: state, rules, habits, clock },
      markAt: (symbol, time) => markets.stats(symbol, time).mark,
      contract: (symbol) => this.#hall.desk(symbol),
    });
    this.#tools = {
      ...{ members, contracts: state, figures: this.#figures, rules, floor, habits },
      finish: (step, acknowledge) => {
        const { record, changed } = step.end();
        floor.keepApplied(record, changed, (failure) => {
          if (failure === undefined) this.#listeners.tell(step.events);
          acknowledge(failure);
        });
      },
    };
    this.#hall = this.#openHall(publicListeners);
    this.#orders = new ContractOrders(this.#tools, {
      look: (symbol) => this.#look(symbol),
      ready: (symbol) => this.#hall.ready(symbol),
    });
    this.#changes = new ContractChanges(this.#tools);
    state.inUse = (account) => this.#figures.inUse(account);
    keeper.join(this.#hall);
  }

  /** Ends the downtime. */
  open(): Promise<void> {
    return this.#hall.open();
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
    const fills = this.#tools.contracts.history
      .fillsOf(account, page.symbol)
      .filter(({ orderId }) => page.orderId === undefined || orderId === page.orderId);
    const bySymbol = page.symbol !== undefined;
    return pageOf(fills, page, ({ tradeId, sequence, time, symbol }) => ({
      id: bySymbol ? tradeId : sequence,
      time,
      symbol,
    }));
  }

  positions(account: AccountNumber, symbol?: string): readonly PerpPosition[] {
    return this.#figures.positions(account, symbol);
  }

  closedPositions(account: AccountNumber, page: PerpPage): readonly ClosedPosition[] {
    return pageOf(this.#tools.contracts.closedOf(account), page, ({ positionId, closedAt, symbol }) => ({
      id: positionId,
      time: closedAt,
      symbol,
    }));
  }

  pool(account: AccountNumber): PerpPool {
    return this.#figures.pool(account);
  }

  income(account: AccountNumber, page: PerpPage): readonly PerpIncome[] {
    return pageOf(this.#tools.contracts.incomeOf(account), page, ({ sequence, time, symbol }) => ({
      id: sequence,
      time,
      symbol,
    }));
  }

  tiers(symbol: string): readonly PerpTier[] {
    return this.#hall.desk(symbol).tiers;
  }

  setting(account: AccountNumber, symbol: string, marginMode?: SimMarginMode): PerpSetting {
    return this.#changes.setting(account, symbol, marginMode);
  }

  setLeverage(account: AccountNumber, symbol: string, asked: LeverageAsked): Answer<PerpSetting> {
    this.#shared.keeper.assertOpen();
    return this.#changes.setLeverage(account, symbol, asked);
  }

  setMarginMode(account: AccountNumber, symbol: string, mode: SimMarginMode): Answer<PerpSetting> {
    this.#shared.keeper.assertOpen();
    return this.#changes.setMarginMode(account, symbol, mode);
  }

  setPositionMode(account: AccountNumber, symbol: string | undefined, mode: SimPositionMode): Answer<true> {
    this.#shared.keeper.assertOpen();
    return this.#changes.setPositionMode(account, symbol, mode);
  }

  moveMargin(key: SimPositionKey, amount: Amount): Answer<PerpPosition> {
    this.#shared.keeper.assertOpen();
    return this.#changes.moveMargin(key, amount);
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
    this.#markets.market.look?.(symbol);
    return desk;
  }
}
