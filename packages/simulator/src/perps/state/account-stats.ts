import { type Amount, assert, type Millis, minus, stepsToAmount, type Ticks, ZERO } from '@crossbook/domain';
import type { MemberState } from '../../accounts/state/member-state.ts';
import type { Terms } from '../../accounts/state/terms.ts';
import type { AccountNumber } from '../../exchange.ts';
import type { HeldPosition } from '../../journal/contract-entries.ts';
import type { MatchingEngine } from '../../matching/engine.ts';
import type { PerpOrder, PerpPool, PerpPosition, PerpTier, SimPositionKey } from '../../perp-exchange.ts';
import type { PerpFacts } from '../../venue.ts';
import type { AccountView, ContractView, MarginRules, OrderView, PositionView } from '../margin/rules.ts';
import { type ContractState, keyText } from './contract-state.ts';
import { leverageAt } from './settings.ts';
import type { VenueHabits } from './venue-habits.ts';

const MARGIN_ASSET = 'USDT';
/** Marks come as floats; so many units make one of quote. */
const MARK_UNITS = 1e10;
const UNIT = 10n ** 8n;
const ADL_RANKS = 5;

/** One tradeable contract as the figures see it. */
export interface FiguredContract {
  readonly facts: PerpFacts;
  readonly terms: Terms;
  readonly tiers: readonly PerpTier[];
  readonly engine: MatchingEngine;
}

/** A contract's view, which stays the same while its mark does. */
interface ContractSeen {
  readonly mark: number;
  readonly view: ContractView;
}

/** A view of something that never changes itself: it stays while its contract's view and all settings do. */
interface Seen<View> {
  readonly contract: ContractView;
  readonly settings: number;
  readonly view: View;
}

/** An account's positions and pool as they were when it was made; worked out when somebody reads them. */
export interface AccountReport {
  readonly positions: readonly PerpPosition[];
  readonly pool: PerpPool;
}

/** What the figures are made from. */
export interface AmountParts {
  readonly members: MemberState;
  readonly contracts: ContractState;
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
  readonly clock: () => Millis;
  /** Mark price in quote at a time; random access. */
  readonly markAt: (symbol: string, time: Millis) => number;
  readonly contract: (symbol: string) => FiguredContract;
}

/** Accounts' figures at the marks of now, or of a moment that is worked out after it passed. */
export class AccountStats {
  readonly #parts: AmountParts;
  readonly #contracts = new Map<string, ContractSeen>();
  readonly #positions = new WeakMap<HeldPosition, Seen<PositionView>>();
  readonly #orders = new WeakMap<PerpOrder, Seen<OrderView>>();
  readonly #ranks = new Map<
    string,
    { readonly second: number; readonly ranks: ReadonlyMap<string, number> }
  >();
  #moment: Millis | undefined;

  constructor(parts: AmountParts) {
    this.#parts = parts;
  }

  now(): Millis {
    return this.#moment ?? this.#parts.clock();
  }

  /** Does something as of a moment that passed. */
  at<Done>(moment: Millis, work: () => Done): Done {
    const before = this.#moment;
    this.#moment = moment;
    try {
      return work();
    } finally {
      this.#moment = before;
    }
  }

  mark(symbol: string): Amount {
    return amountOf(this.#parts.markAt(symbol, this.now()));
  }

  contract(symbol: string): ContractView {
    const mark = this.#parts.markAt(symbol, this.now());
    const seen = this.#contracts.get(symbol);
    if (seen?.mark === mark) return seen.view;
    const { facts, tiers, engine } = this.#parts.contract(symbol);
    const { contractValue, lotSize, tickSize, maxPrice, takerFee } = facts;
    const priceOf = (ticks: number) => (ticks < 0 ? undefined : stepsToAmount(ticks, tickSize));
    const view: ContractView = {
      ...{ symbol, contractValue, lotSize, tickSize, maxPrice, takerFee, tiers, mark: amountOf(mark) },
      get bestBid() {
        return priceOf(engine.bestBid);
      },
      get bestAsk() {
        return priceOf(engine.bestAsk);
      },
    };
    this.#contracts.set(symbol, { mark, view });
    return view;
  }

  leverage(account: AccountNumber, key: Omit<SimPositionKey, 'account'>, long: boolean): number {
    const { contracts, habits } = this.#parts;
    return leverageAt(contracts.settings, habits, account, { ...key, long });
  }

  positionView(held: HeldPosition): PositionView {
    return this.#viewOf(held, this.contract(held.symbol));
  }

  #viewOf(held: HeldPosition, contract: ContractView): PositionView {
    return this.#seen(this.#positions, held, contract, () => this.#positionView(held));
  }

  #seen<Of extends object, View>(
    known: WeakMap<Of, Seen<View>>,
    one: Of,
    contract: ContractView,
    make: () => View,
  ): View {
    const settings = this.#parts.contracts.settings.version;
    const seen = known.get(one);
    if (seen?.contract === contract && seen.settings === settings) return seen.view;
    const view = make();
    known.set(one, { contract, settings, view });
    return view;
  }

  #positionView(held: HeldPosition): PositionView {
    const { account, side, marginMode, entryPrice, isolatedWallet, realisedPnl, feesPaid, funding } = held;
    return {
      contract: this.contract(held.symbol),
      ...{
        side,
        marginMode,
        lots: held.quantity,
        entryPrice,
        isolatedWallet,
        realisedPnl,
        feesPaid,
        funding,
      },
      leverage: this.leverage(account, held, held.quantity > 0),
    };
  }

  orderView(
    order: Pick<PerpOrder, 'account' | 'symbol' | 'side' | 'positionSide' | 'marginMode' | 'reduceOnly'> & {
      readonly price?: Ticks;
    },
    lots: number,
  ): OrderView {
    const { account, symbol, side, positionSide, marginMode, reduceOnly, price } = order;
    const contract = this.contract(symbol);
    return {
      ...{ contract, side, positionSide, marginMode, reduceOnly, lots },
      ...(price === undefined ? {} : { price: stepsToAmount(price, contract.tickSize) }),
      leverage: this.leverage(account, { symbol, side: positionSide, marginMode }, side === 'BUY'),
    };
  }

  /** @param without an order that is left out: one that is about to be replaced. */
  account(account: AccountNumber, without?: PerpOrder): AccountView {
    const contractOf = this.#contractsOfNow();
    const orders: OrderView[] = [];
    for (const order of this.#parts.contracts.history.open(account)) {
      const lots = openLots(order);
      if (lots === 0 || order.orderId === without?.orderId) continue;
      const contract = contractOf(order.symbol);
      orders.push(this.#seen(this.#orders, order, contract, () => this.orderView(order, lots)));
    }
    return this.#view(account, orders, contractOf);
  }

  /** Contracts as they stand at this moment: an account has many orders on few of them, and a mark is worked out. */
  #contractsOfNow(): (symbol: string) => ContractView {
    let last: ContractView | undefined;
    return (symbol) => {
      if (last?.symbol !== symbol) last = this.contract(symbol);
      return last;
    };
  }

  #view(
    account: AccountNumber,
    orders: readonly OrderView[],
    contractOf = this.#contractsOfNow(),
  ): AccountView {
    const { members, contracts, habits } = this.#parts;
    return {
      wallet: members.futures.total(account, MARGIN_ASSET),
      spotLocked: habits.apart ? ZERO : members.balances.balance(account, MARGIN_ASSET).locked,
      positions: contracts.positionsOf(account).map((held) => this.#viewOf(held, contractOf(held.symbol))),
      orders,
    };
  }

  pool(account: AccountNumber): PerpPool {
    return this.#poolOf(account, this.account(account), this.#parts.contracts.changedAt(account));
  }

  #poolOf(account: AccountNumber, view: AccountView, updatedAt: Millis): PerpPool {
    const {
      crossMaintenance: _,
      crossInitial: __,
      equity: ___,
      inUse: ____,
      crossRequirement: _____,
      ...stats
    } = this.#parts.rules.pool(view);
    return { account, wallet: view.wallet, ...stats, updatedAt };
  }

  /** What of free funds in the wallet is behind positions and orders, and so not spot's to spend. */
  inUse(account: AccountNumber): Amount {
    const view = this.account(account);
    if (view.positions.length === 0 && view.orders.length === 0) return ZERO;
    const left = this.#parts.rules.pool(view).withdrawable;
    return minus(minus(view.wallet, view.spotLocked), left);
  }

  positions(account: AccountNumber, symbol?: string): readonly PerpPosition[] {
    return this.report(account, symbol).positions;
  }

  /** An account's figures of this moment, its positions of one contract or of all. Most are never read: they wait. */
  report(account: AccountNumber, symbol?: string): AccountReport {
    const view = this.account(account);
    const updatedAt = this.#parts.contracts.changedAt(account);
    const held = this.#parts.contracts
      .positionsOf(account)
      .map((position, at) => ({ position, view: view.positions[at] }))
      .filter(({ position }) => symbol === undefined || position.symbol === symbol);
    let positions: readonly PerpPosition[] | undefined;
    let pool: PerpPool | undefined;
    const figured = () => held.map((one) => this.#figured(one, view));
    const pooled = () => this.#poolOf(account, view, updatedAt);
    return {
      get positions() {
        positions ??= figured();
        return positions;
      },
      get pool() {
        pool ??= pooled();
        return pool;
      },
    };
  }

  position(key: SimPositionKey): PerpPosition | undefined {
    const { side, marginMode } = key;
    return this.positions(key.account, key.symbol).find(
      (position) => position.side === side && position.marginMode === marginMode,
    );
  }

  /** The positions of one direction of a contract, first to be deleveraged first. */
  adlQueue(symbol: string, long: boolean): HeldPosition[] {
    const { contracts, rules } = this.#parts;
    const scored = contracts
      .allPositions(symbol)
      .filter(({ quantity }) => quantity > 0 === long)
      .map((held) => {
        // A place in the queue does not depend on orders that rest.
        const view = this.#view(held.account, []);
        return { held, score: rules.adlScore(this.#viewIn(view, held), view) };
      });
    return scored
      .sort((a, b) => b.score - a.score || a.held.account - b.held.account)
      .map(({ held }) => held);
  }

  /** The view of a position within that of its account. */
  #viewIn(account: AccountView, held: HeldPosition): PositionView {
    const found = account.positions.find(
      ({ contract, side, marginMode }) =>
        contract.symbol === held.symbol && side === held.side && marginMode === held.marginMode,
    );
    assert(found !== undefined, 'a position lies in its account');
    return found;
  }

  #figured(
    one: { readonly position: HeldPosition; readonly view: PositionView | undefined },
    account: AccountView,
  ): PerpPosition {
    const { position: held, view: position } = one;
    assert(position !== undefined, 'a held position has a view');
    const { rules } = this.#parts;
    const { side, marginMode, symbol, positionId, quantity, entryPrice, isolatedWallet } = held;
    const { realisedPnl, feesPaid, funding, liquidationFee, openedAt, updatedAt } = held;
    return {
      ...{
        account: held.account,
        symbol,
        side,
        marginMode,
        positionId,
        quantity,
        entryPrice,
        isolatedWallet,
      },
      ...{ realisedPnl, feesPaid, funding, liquidationFee, openedAt, updatedAt },
      breakEvenPrice: rules.breakEvenPrice(position),
      markPrice: position.contract.mark,
      notional: rules.notional(position),
      leverage: position.leverage,
      unrealisedPnl: rules.unrealisedPnl(position),
      initialMargin: rules.positionInitial(position),
      maintenanceMargin: rules.maintenance(position, account),
      ratio: rules.ratio(position, account),
      liquidationPrice: rules.shownLiquidationPrice(position, account),
      bankruptcyPrice: rules.bankruptcyPrice(position, account),
      tier: rules.tier(position),
      adlRank: this.#adlRank(held),
    };
  }

  /** A rank is a light on a screen: one of the same second is good enough, and working it out takes all positions. */
  #adlRank(held: HeldPosition): number {
    const second = Math.floor(this.now() / 1_000);
    const queueName = `${held.symbol} ${held.quantity > 0}`;
    const name = `${held.account} ${keyText(held)}`;
    const known = this.#ranks.get(queueName);
    const rank = known?.second === second ? known.ranks.get(name) : undefined;
    if (rank !== undefined) return rank;
    const queue = this.adlQueue(held.symbol, held.quantity > 0);
    const ranks = new Map(
      queue.map((one, at) => [
        `${one.account} ${keyText(one)}`,
        ADL_RANKS - Math.floor((at * ADL_RANKS) / queue.length),
      ]),
    );
    this.#ranks.set(queueName, { second, ranks });
    return ranks.get(name) ?? 1;
  }
}

function amountOf(mark: number): Amount {
  return (BigInt(Math.round(mark * MARK_UNITS)) * UNIT) as Amount;
}

/** Lots of an order that may still be filled. */
export function openLots(order: Pick<PerpOrder, 'quantity' | 'executed' | 'fillable'>): number {
  return Math.min(order.quantity, order.fillable ?? order.quantity) - order.executed;
}
