import {
  type Amount,
  type Lots,
  lesser,
  type Millis,
  minus,
  plus,
  type Ticks,
  ZERO,
} from '@crossbook/domain';
import type { AccountNumber, SimTrade } from '../exchange.ts';
import type { HeldPosition } from '../journal/contract-entries.ts';
import type { PerpIncome, PerpOrder, SimPositionKey } from '../perp-exchange.ts';
import { coinsOf, valueAt } from './margin/exposure.ts';
import { greater, magnitude, stated, times } from './margin/rounding.ts';
import { replenish } from './replenishing.ts';
import type { ContractDesk, DeskTools, TakenOrder } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';
import { deleverage } from './venue-closings.ts';

const MONEY_DECIMALS = 8;
/** More steps than any tier table has tiers; whatever is left then is closed whole by the tables' own rules. */
const STEPS_MAX = 64;

/** Whose equity is short: all cross positions, or an isolated one. */
type Pool = 'CROSS' | SimPositionKey;

/** How a forced order finds its other side. */
export interface ForcedTrading {
  desk(symbol: string): ContractDesk;
  /** The book is there: agents trade in it now. Otherwise a moment is worked out after it passed, at its mark. */
  readonly live: boolean;
}

/** What stands behind an account's positions is checked, and what is short is liquidated in the venue's own steps. */
export function liquidateAccount(account: AccountNumber, tools: DeskTools, trading: ForcedTrading): void {
  const { contracts, rules, stats } = tools;
  for (const held of contracts.positionsOf(account)) {
    if (held.marginMode === 'CROSS') continue;
    replenish(held, tools);
    const now = contracts.position(held) ?? held;
    if (rules.ratio(stats.positionView(now), stats.account(account)) >= 1)
      new Liquidation(account, now, { tools, trading }).run();
  }
  const pool = rules.pool(stats.account(account));
  // A member who closes beyond bankruptcy owes without a position; the venue clears that as well.
  const owes = pool.crossWallet < 0n && !contracts.positionsOf(account).some(isCross);
  if (pool.ratio >= 1 || owes) new Liquidation(account, 'CROSS', { tools, trading }).run();
}

function isCross({ marginMode }: HeldPosition): boolean {
  return marginMode === 'CROSS';
}

/** One liquidation of one pool: one step, kept whole. */
class Liquidation {
  readonly #account: AccountNumber;
  readonly #pool: Pool;
  readonly #tools: DeskTools;
  readonly #trading: ForcedTrading;
  readonly #step: ContractStep;
  readonly #trades = new Map<ContractDesk, SimTrade[]>();

  constructor(
    account: AccountNumber,
    pool: Pool,
    parts: { readonly tools: DeskTools; readonly trading: ForcedTrading },
  ) {
    this.#account = account;
    this.#pool = pool;
    this.#tools = parts.tools;
    this.#trading = parts.trading;
    if (pool === 'CROSS' && !parts.tools.habits.apart) parts.tools.freeSpot(account);
    this.#step = new ContractStep(parts.tools);
  }

  run(): void {
    this.#cancelOrders();
    for (const symbol of new Set(this.#positions().map((held) => held.symbol)))
      this.#step.tellAccount(this.#account, { cause: 'LIQUIDATING', symbol });
    for (let step = 0; step < STEPS_MAX && this.#isShort(); step += 1) {
      if (this.#tools.habits.netsLegs && this.#pool === 'CROSS') this.#netLegs();
      const worst = this.#isShort() ? this.#worst() : undefined;
      if (worst !== undefined) this.#close(worst);
    }
    this.#clearWallet();
    this.#tools.finish(this.#step, () => undefined);
    for (const [desk, trades] of this.#trades) this.#tools.publisher.publish(desk.engine, trades);
  }

  /** What is left of the pool. */
  #positions(): HeldPosition[] {
    const pool = this.#pool;
    const held = this.#tools.contracts.positionsOf(this.#account);
    if (pool === 'CROSS') return held.filter(isCross);
    const one = this.#tools.contracts.position(pool);
    return one === undefined ? [] : [one];
  }

  #isShort(): boolean {
    const { rules, stats } = this.#tools;
    const [first] = this.#positions();
    if (first === undefined) return false;
    return rules.ratio(stats.positionView(first), stats.account(this.#account)) >= 1;
  }

  #cancelOrders(): void {
    const pool = this.#pool;
    const expires = this.#tools.habits.excess === 'EXPIRE';
    const how = expires
      ? ({ status: 'EXPIRED', cause: 'EXPIRED', reason: 'LIQUIDATION' } as const)
      : ({ status: 'CANCELED', cause: 'CANCELED', reason: 'LIQUIDATION' } as const);
    for (const order of this.#tools.contracts.history.open(this.#account)) {
      const concerned =
        pool === 'CROSS'
          ? order.marginMode === 'CROSS'
          : order.marginMode === 'ISOLATED' && order.symbol === pool.symbol;
      if (concerned) this.#trading.desk(order.symbol).cancel(this.#step, order, how);
    }
  }

  /** The biggest loss first: the exchanges do not say their order. */
  #worst(): HeldPosition | undefined {
    const { rules, stats } = this.#tools;
    const profit = (held: HeldPosition): Amount => rules.unrealisedPnl(stats.positionView(held));
    return this.#positions().sort((a, b) => (profit(a) < profit(b) ? -1 : 1))[0];
  }

  /** Opposite legs of a contract close each other at the mark. An isolated leg has a margin of its own and stands alone. */
  #netLegs(): void {
    for (const long of this.#positions()) {
      if (long.side !== 'LONG') continue;
      const short = this.#tools.contracts.position({ ...long, side: 'SHORT' });
      const lots = Math.min(long.quantity, Math.abs(short?.quantity ?? 0));
      if (short === undefined || lots === 0) continue;
      const desk = this.#trading.desk(long.symbol);
      const price = this.#tools.stats.mark(long.symbol);
      for (const leg of [long, short]) {
        const order = desk.note(this.#step, this.#forced(leg, lots));
        desk.fillOutside(this.#step, order, { lots, price, origin: 'LIQUIDATION' });
      }
    }
  }

  /** One step: as much as the venue takes at once, the book first, then the insurance fund, then whom ADL finds. */
  #close(held: HeldPosition): void {
    const { rules, stats } = this.#tools;
    const account = stats.account(this.#account);
    const view = stats.positionView(held);
    const lots = rules.liquidationStep(view, account);
    const bust = stated(rules.bankruptcyPrice(view, account), MONEY_DECIMALS);
    const desk = this.#trading.desk(held.symbol);
    const asked = this.#forced(held, lots, this.#limit(desk, held, bust));
    const order = this.#trading.live ? this.#sell(desk, asked) : this.#sellAtMark(desk, asked, bust);
    const rest = lots - order.executed;
    if (rest > 0) this.#takeOver(desk, order, { held, lots: rest, bust });
    const closed = this.#step.known(order);
    this.#takeFee(held, rules.liquidationFee(view.contract, closed.executedQuote));
    this.#tell(desk, closed);
  }

  #sell(desk: ContractDesk, asked: TakenOrder): PerpOrder {
    const { order, trades } = desk.place(this.#step, asked);
    this.#trades.set(desk, [...(this.#trades.get(desk) ?? []), ...trades]);
    return order;
  }

  /** While nobody traded, the book is taken to have stood at the mark. */
  #sellAtMark(desk: ContractDesk, asked: TakenOrder, bust: Amount): PerpOrder {
    const order = desk.note(this.#step, asked);
    const mark = this.#tools.stats.mark(asked.symbol);
    const better = asked.side === 'SELL' ? mark >= bust : mark <= bust;
    if (better)
      desk.fillOutside(this.#step, order, { lots: asked.quantity, price: mark, origin: 'LIQUIDATION' });
    return this.#step.known(order);
  }

  /** The fund takes the rest at the bankruptcy price and is worth the mark for it; where it cannot, winners must. */
  #takeOver(
    desk: ContractDesk,
    order: PerpOrder,
    rest: { readonly held: HeldPosition; readonly lots: number; readonly bust: Amount },
  ): void {
    const { held, lots, bust } = rest;
    const { contracts, stats } = this.#tools;
    const contract = stats.contract(held.symbol);
    const signed = Math.sign(held.quantity) * lots;
    const gain = stated(times(coinsOf(contract, signed), minus(contract.mark, bust)), MONEY_DECIMALS);
    desk.fillOutside(this.#step, order, { lots, price: bust, origin: 'TAKEOVER' });
    if (plus(contracts.fund, gain) < 0n) {
      deleverage(this.#step, desk, { tools: this.#tools, long: held.quantity < 0, lots, price: bust });
    } else if (gain !== 0n) this.#step.put({ put: 'fund', amount: gain });
  }

  /** The fee goes to the fund, out of what is left; where less than nothing is left, the fund pays. */
  #takeFee(before: HeldPosition, fee: Amount): void {
    const after = this.#tools.contracts.position(before);
    const isolated = before.marginMode === 'ISOLATED';
    const left = isolated ? this.#isolatedLeft(before, after) : this.#crossLeft();
    if (isolated && left < 0n) this.#pay('INSURANCE', before, minus(ZERO, left));
    const due = lesser(fee, greater(ZERO, left));
    if (due === 0n) return;
    if (after !== undefined) {
      const isolatedWallet = isolated ? minus(after.isolatedWallet, due) : ZERO;
      const liquidationFee = plus(after.liquidationFee, due);
      this.#step.put({ put: 'position', position: { ...after, isolatedWallet, liquidationFee } });
    } else {
      const closed = this.#tools.contracts.closedOf(this.#account).at(-1);
      if (closed !== undefined)
        this.#step.put({
          put: 'closed',
          closed: { ...closed, liquidationFee: plus(closed.liquidationFee, due) },
        });
    }
    this.#pay('LIQUIDATION_FEE', before, minus(ZERO, due));
  }

  /** What is left of an isolated position's margin after what was closed; below 0 when it was not enough. */
  #isolatedLeft(before: HeldPosition, after: HeldPosition | undefined): Amount {
    if (after !== undefined) return after.isolatedWallet;
    const closed = this.#tools.contracts.closedOf(this.#account).at(-1);
    const lost = minus(closed?.realisedPnl ?? ZERO, before.realisedPnl);
    return plus(before.isolatedWallet, lost);
  }

  #crossLeft(): Amount {
    const { equity } = this.#tools.rules.pool(this.#tools.stats.account(this.#account));
    return lesser(equity, this.#step.crossWallet(this.#account));
  }

  /** Money between the account and the fund: above 0 the account gets it. */
  #pay(kind: 'LIQUIDATION_FEE' | 'INSURANCE', about: SimPositionKey, amount: Amount): PerpIncome {
    const { symbol, side, marginMode } = about;
    const income = this.#step.earn({
      ...{ account: this.#account, kind, symbol, positionSide: side, marginMode, amount },
    });
    this.#step.put({ put: 'fund', amount: minus(ZERO, amount) });
    this.#step.tellAccount(this.#account, { cause: 'INSURANCE', symbol, income: [income] });
    return income;
  }

  /** An account that has lost more than it had gets the difference from the fund. */
  #clearWallet(): void {
    if (this.#positions().length > 0 || this.#pool !== 'CROSS') return;
    const wallet = this.#step.crossWallet(this.#account);
    const last = this.#tools.contracts.closedOf(this.#account).at(-1);
    if (wallet < 0n && last !== undefined) this.#pay('INSURANCE', last, minus(ZERO, wallet));
  }

  #tell(desk: ContractDesk, order: PerpOrder): void {
    const { symbol, side, executed, executedQuote } = order;
    const size = magnitude(valueAt(this.#tools.stats.contract(symbol), executed, (10n ** 18n) as Amount));
    const averagePrice = size === 0n ? ZERO : (((executedQuote * 10n ** 18n) / size) as Amount);
    const price = (BigInt(order.price ?? 0) * desk.facts.tickSize) as Amount;
    this.#step.tellLiquidation({
      symbol,
      side,
      price,
      averagePrice,
      quantity: executed,
      time: this.#step.time,
    });
  }

  /** The tick that is not worse than the bankruptcy price. */
  #limit(desk: ContractDesk, held: HeldPosition, bust: Amount): Ticks {
    const { tickSize } = desk.facts;
    const ticks = held.quantity > 0 ? (bust + tickSize - 1n) / tickSize : bust / tickSize;
    return Math.min(Math.max(1, Number(ticks)), desk.terms.ticksMax) as Ticks;
  }

  #forced(held: HeldPosition, lots: number, price?: Ticks): TakenOrder {
    const { account, symbol, side, marginMode } = held;
    const long = held.quantity > 0;
    return {
      ...{ account, symbol, positionSide: side, marginMode, reduceOnly: true, origin: 'LIQUIDATION' },
      ...{ side: long ? 'SELL' : 'BUY', timeInForce: 'IOC', selfTradePrevention: 'NONE' },
      kind: price === undefined ? 'MARKET' : 'LIMIT',
      ...(price === undefined ? {} : { price }),
      quantity: lots as Lots,
      clientId: `autoclose-${this.#name()}`,
      leverage: this.#tools.stats.leverage(account, held, long),
    };
  }

  /** Unique: a step never makes two orders with the same number of fills before them. */
  #name(): string {
    const time: Millis = this.#step.time;
    return `${time}${this.#tools.contracts.nextFill}`;
  }
}
