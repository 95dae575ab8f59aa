import type { Amount, Millis } from '@crossbook/domain';
import { Listeners } from '../accounts/listeners.ts';
import { MarketBooks } from '../accounts/market-books.ts';
import { openDesks } from '../accounts/market-desks.ts';
import { HOUSE } from '../accounts/state/balances.ts';
import { termsOf } from '../accounts/state/terms.ts';
import { StepPublisher } from '../accounts/step-publisher.ts';
import type { AccountNumber, MarketFacts, SimTrade } from '../exchange.ts';
import type { HouseTrading } from '../market-port.ts';
import type { ClosedPosition, PerpExchange, PerpPage, PerpTrials } from '../perp-exchange.ts';
import type { PerpFacts } from '../venue.ts';
import { ConditionalOrders } from './conditional-orders.ts';
import { ContractChanges } from './contract-changes.ts';
import { ContractOrders, type DeskDoor } from './contract-orders.ts';
import { ContractScheduler } from './contract-scheduler.ts';
import { FollowedPrices } from './followed-prices.ts';
import { fillsPage, incomePage, ordersPage, pageOf } from './pages.ts';
import { PerpListeners } from './perp-listeners.ts';
import { AccountStats } from './state/account-stats.ts';
import { ContractDesk, type DeskTools } from './state/contract-desk.ts';
import type { ContractMarkets, SharedHalf } from './state/contract-parts.ts';
import { ContractStep } from './state/contract-step.ts';
import { trialsOf } from './trials.ts';
import { TriggerWatch } from './trigger-watch.ts';
import { deleverage, delist, settlementPrice } from './venue-closings.ts';

/** The contract half of a simulated venue. */
export class ContractExchange implements PerpExchange {
  readonly #books: MarketBooks<ContractDesk>;
  readonly #markets: ContractMarkets;
  readonly #tools: DeskTools;
  readonly #stats: AccountStats;
  readonly #orders: ContractOrders;
  readonly #changes: ContractChanges;
  readonly #listeners: PerpListeners;
  readonly conditionals: ConditionalOrders;
  readonly trials: PerpTrials;
  readonly #watch: TriggerWatch;
  readonly #scheduler: ContractScheduler;
  readonly #shared: SharedHalf;
  readonly #facts = new Map<string, PerpFacts>();

  constructor(markets: ContractMarkets, shared: SharedHalf) {
    this.#markets = markets;
    this.#shared = shared;
    const { market, habits, rules } = markets;
    const { members, state, keeper, clock, onFault } = shared;
    this.#listeners = new PerpListeners((fault) => onFault(fault, false));
    const publicListeners = new Listeners((fault) => onFault(fault, false));
    const tape = (trade: SimTrade): void => {
      market.onTrade(trade);
      this.#watch.traded(trade);
    };
    const publisher = new StepPublisher({
      ...{ state: members, now: clock, keeper, listeners: publicListeners, tape },
    });
    this.#stats = new AccountStats({
      ...{ members, contracts: state, rules, habits, clock },
      markAt: (symbol, time) => markets.stats(symbol, time).mark,
      contract: (symbol) => this.#books.desk(symbol),
    });
    this.#tools = {
      ...{ members, contracts: state, stats: this.#stats, rules, publisher, habits },
      freeSpot: shared.freeSpot,
      settle: () => this.#scheduler.settle(),
      finish: (step, acknowledge) => this.#finish(publisher, step, acknowledge),
    };
    this.#books = this.#openBooks(publicListeners);
    const door: DeskDoor = {
      look: (symbol) => this.#look(symbol),
      ready: (symbol) => this.#books.ready(symbol),
    };
    this.#orders = new ContractOrders(this.#tools, door);
    const prices = new FollowedPrices(markets);
    const look = (symbol: string) => this.#watch.upToNow(door.look(symbol));
    this.conditionals = new ConditionalOrders(this.#tools, { ...door, look }, prices);
    this.#changes = new ContractChanges(this.#tools);
    this.trials = trialsOf(this.#tools, (symbol) => this.#books.desk(symbol));
    const work = {
      tools: this.#tools,
      desk: (symbol: string) => this.#books.desk(symbol),
      look: (symbol: string) => market.look?.(symbol),
    };
    this.#watch = new TriggerWatch({ ...work, prices, keeper, onFault: (fault) => onFault(fault, false) });
    this.#scheduler = new ContractScheduler({
      ...{ ...work, contracts: markets.contracts, clock },
      triggers: (live) => this.#watch.step(live),
      stats: markets.stats.bind(markets),
      payment: (symbol, time) =>
        markets.fundingHistory(symbol, { startTime: time, endTime: time, limit: 1 }, time)[0],
    });
    state.inUse = (account) => this.#stats.inUse(account);
    keeper.join(this.#books);
  }

  /** Ends the downtime. */
  open(): Promise<void> {
    const caughtUp = this.#books.open(() => this.#scheduler.step(this.now(), false));
    return caughtUp.then(() => this.#watch.begin());
  }

  /** Lets funding and liquidations happen that are due at `now`. */
  step(now: Millis): void {
    if (this.#shared.keeper.open) this.#scheduler.step(now, true);
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
    this.#scheduler.fundNow(symbol);
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
    deleverage(step, this.#books.desk(symbol), { tools: this.#tools, long, lots, price });
    this.#tools.finish(step, () => undefined);
  }

  /** For tests: a contract is delisted. What rests or waits ends, positions are settled, nothing is traded there any more. */
  delistNow(symbol: string): { readonly price: Amount; readonly positions: number } {
    this.#shared.keeper.assertOpen();
    this.#scheduler.settle();
    const step = new ContractStep(this.#tools);
    const desk = this.#books.desk(symbol);
    const price = settlementPrice(this.#markets, symbol, this.now());
    const positions = delist(step, desk, this.#tools, price);
    this.#books.setStatus(symbol, 'BREAK');
    this.#tools.finish(step, () => undefined);
    this.#tools.publisher.publish(desk.engine, []);
    return { price, positions };
  }

  stop(): Promise<void> {
    return this.#markets.market.stop();
  }

  get house(): HouseTrading {
    return this.#books.house;
  }

  get markets(): ReadonlyMap<string, MarketFacts> {
    return this.#books.markets;
  }

  get contracts(): ReadonlyMap<string, PerpFacts> {
    for (const [symbol, { status }] of this.#books.markets) {
      const facts = this.#markets.contracts.get(symbol);
      if (facts !== undefined && this.#facts.get(symbol)?.status !== status)
        this.#facts.set(symbol, { ...facts, status });
    }
    return this.#facts;
  }

  readonly now: PerpExchange['now'] = () => this.#books.now();
  readonly subscribe: PerpExchange['subscribe'] = (...asked) => this.#books.subscribe(...asked);
  readonly subscribePerps: PerpExchange['subscribePerps'] = (...asked) => this.#listeners.add(...asked);
  readonly depth: PerpExchange['depth'] = (...asked) => this.#books.depth(...asked);
  readonly trades: PerpExchange['trades'] = (...asked) => this.#books.trades(...asked);
  readonly ticker: PerpExchange['ticker'] = (...asked) => this.#books.ticker(...asked);
  readonly averagePrice: PerpExchange['averagePrice'] = (...asked) => this.#books.averagePrice(...asked);
  readonly candles: PerpExchange['candles'] = (...asked) => this.#books.candles(...asked);
  readonly stats: PerpExchange['stats'] = (symbol) => this.#markets.stats(symbol, this.now());
  readonly fundingHistory: PerpExchange['fundingHistory'] = (...[symbol, page]) =>
    this.#markets.fundingHistory(symbol, page, this.now());
  readonly checkPerp: PerpExchange['checkPerp'] = (...asked) => this.#orders.check(...asked);
  readonly placePerp: PerpExchange['placePerp'] = (...asked) => this.#orders.place(...asked);
  readonly cancelPerp: PerpExchange['cancelPerp'] = (...asked) => this.#orders.cancel(...asked);
  readonly amendPerp: PerpExchange['amendPerp'] = (...asked) => this.#orders.amend(...asked);
  readonly perpOrder: PerpExchange['perpOrder'] = (...asked) => this.#tools.contracts.history.find(...asked);
  readonly openPerpOrders: PerpExchange['openPerpOrders'] = (...asked) =>
    this.#tools.contracts.history.open(...asked);
  readonly perpOrders: PerpExchange['perpOrders'] = (account, page) =>
    ordersPage(this.#tools.contracts.history, account, page);
  readonly perpFills: PerpExchange['perpFills'] = (...[account, page]) =>
    fillsPage(this.#tools.contracts.history, account, page);
  readonly lotsAfter: PerpExchange['lotsAfter'] = (...asked) => this.#tools.contracts.lotsAfter(...asked);
  readonly positions: PerpExchange['positions'] = (...asked) => this.#stats.positions(...asked);

  closedPositions(account: AccountNumber, page: PerpPage): readonly ClosedPosition[] {
    const closed = this.#tools.contracts.closedOf(account);
    return pageOf(closed, page, ({ positionId: id, closedAt: time, symbol }) => ({ id, time, symbol }));
  }

  readonly pool: PerpExchange['pool'] = (...asked) => this.#stats.pool(...asked);
  readonly income: PerpExchange['income'] = (account, page) =>
    incomePage(this.#tools.contracts, account, page);
  readonly tiers: PerpExchange['tiers'] = (symbol) => this.#books.desk(symbol).tiers;
  readonly tradesContracts: PerpExchange['tradesContracts'] = (...asked) =>
    this.#changes.tradesContracts(...asked);
  readonly setTradesContracts: PerpExchange['setTradesContracts'] = (...asked) =>
    this.#open.setTradesContracts(...asked);
  readonly movesPrices: PerpExchange['movesPrices'] = (...asked) => this.#changes.movesPrices(...asked);
  readonly setMovesPrices: PerpExchange['setMovesPrices'] = (...asked) => this.#open.setMovesPrices(...asked);
  readonly setting: PerpExchange['setting'] = (...asked) => this.#changes.setting(...asked);
  readonly setLeverage: PerpExchange['setLeverage'] = (...asked) => this.#open.setLeverage(...asked);
  readonly setMarginMode: PerpExchange['setMarginMode'] = (...asked) => this.#open.setMarginMode(...asked);
  readonly setPositionMode: PerpExchange['setPositionMode'] = (...asked) =>
    this.#open.setPositionMode(...asked);
  readonly moveMargin: PerpExchange['moveMargin'] = (...asked) => this.#open.moveMargin(...asked);
  readonly autoMargin: PerpExchange['autoMargin'] = (...asked) => this.#changes.autoMargin(...asked);
  readonly setAutoMargin: PerpExchange['setAutoMargin'] = (...asked) => this.#open.setAutoMargin(...asked);

  movePocket(...asked: Parameters<PerpExchange['movePocket']>): ReturnType<PerpExchange['movePocket']> {
    const [account, amount, transferId] = asked;
    const into = amount > 0n;
    const ends = { from: account, to: account, asset: 'USDT', transferId };
    const pockets = into ? ({ toPocket: 'FUTURES' } as const) : ({ fromPocket: 'FUTURES' } as const);
    return this.#shared.transfer({ ...ends, ...pockets, amount: (into ? amount : -amount) as Amount });
  }

  readonly insuranceFund: PerpExchange['insuranceFund'] = () => this.#tools.contracts.fund;
  readonly setAgentsPaused = (paused: boolean): void => this.#books.setAgentsPaused(paused);
  readonly setStatus: MarketBooks<ContractDesk>['setStatus'] = (...asked) => this.#books.setStatus(...asked);

  /** @throws Error when nothing may be changed now. */
  get #open(): ContractChanges {
    this.#shared.keeper.assertOpen();
    this.#scheduler.settle();
    return this.#changes;
  }

  #finish(publisher: StepPublisher, step: ContractStep, acknowledge: (failure?: Error) => void): void {
    const { record, changed } = step.end();
    publisher.keepApplied(record, changed, (failure) => {
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

  #openBooks(listeners: Listeners): MarketBooks<ContractDesk> {
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
    return new MarketBooks(desks, { market, keeper, listeners, clock, half });
  }

  /** A contract that members may trade, with a full book. */
  #look(symbol: string): ContractDesk | undefined {
    const desk = this.#books.find(symbol);
    if (desk === undefined || desk.facts.kind !== 'PERPETUAL' || desk.facts.settle !== 'USDT')
      return undefined;
    this.#scheduler.settle();
    this.#markets.market.look?.(symbol);
    return desk;
  }
}
