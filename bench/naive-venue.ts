import {
  type Amount,
  amount,
  type Lots,
  type Millis,
  minus,
  plus,
  stepsToAmount,
  ZERO,
} from '../packages/domain/src/index.ts';
import type { AccountNumber, SimOrderId } from '../packages/simulator/src/exchange.ts';
import type { ContractEntry, HeldPosition } from '../packages/simulator/src/journal/contract-entries.ts';
import type { EngineOrder } from '../packages/simulator/src/matching/engine-order.ts';
import { NaiveEngine } from '../packages/simulator/src/matching/naive-engine.ts';
import type { PerpFill, PerpIncome, PerpOrder } from '../packages/simulator/src/perp-exchange.ts';
import { rigContract } from '../packages/simulator/src/perps/contract-rig.fixture.ts';
import { valueAt } from '../packages/simulator/src/perps/margin/exposure.ts';
import { magnitude, stated, times } from '../packages/simulator/src/perps/margin/rounding.ts';
import type { AccountView, ContractView, OrderView } from '../packages/simulator/src/perps/margin/rules.ts';
import { fillEffect, flatPosition } from '../packages/simulator/src/perps/state/fill-effect.ts';
import { venueRules } from '../packages/simulator/src/perps/venue-rules.ts';

const MONEY_DECIMALS = 8;
const LEVERAGE = 20;
const MODE = { positionSide: 'BOTH', marginMode: 'CROSS' } as const;

/** What became of an account. */
export interface Ending {
  readonly wallet: Amount;
  readonly lots: number;
  readonly entryPrice: Amount;
}

/** One fill of a side. */
interface Side {
  readonly order: PerpOrder;
  readonly price: Amount;
  readonly lots: number;
  readonly maker: boolean;
  readonly tradeId: number;
}

/**
 * A venue of one contract as plainly as it can be written, with all that the core does for an order: the venue's checks of tier and
 * margin, a history, positions, fees, profit and income to the last unit, a record of every change, and an event for each with
 * the account's figures. Orders and positions lie in flat lists, and nothing that was worked out is kept. The venue's arithmetic is
 * the core's own; all that arranges it is not.
 */
export class NaiveVenue {
  readonly #facts = rigContract('binance', 'BTC');
  readonly #rules = venueRules('binance').rules;
  readonly #engine = new NaiveEngine();
  readonly #orders: PerpOrder[] = [];
  readonly #fills: PerpFill[] = [];
  readonly #income: PerpIncome[] = [];
  readonly #wallets: Amount[] = [];
  #positions: HeldPosition[] = [];
  #entries: ContractEntry[] = [];
  #positionsMade = 0;
  #tradeId = 0;
  /** What was told to who listens. */
  readonly events: unknown[] = [];
  readonly #contract: ContractView;
  readonly #now: Millis;

  constructor(mark: Amount, now: Millis) {
    const { symbol, contractValue, lotSize, tickSize, maxPrice, takerFee, tiers = [] } = this.#facts;
    this.#contract = { symbol, contractValue, lotSize, tickSize, maxPrice, takerFee, tiers, mark };
    this.#now = now;
  }

  fund(account: number, funds: string): void {
    this.#wallets[account] = amount(funds);
  }

  ending(account: number): Ending {
    const { quantity: lots = 0, entryPrice = ZERO } =
      this.#positions.find((one) => one.account === account) ?? {};
    return { wallet: this.#wallets[account] ?? ZERO, lots, entryPrice: lots === 0 ? ZERO : entryPrice };
  }

  /** Places a limit order. @returns prices and sizes of its trades, and the records of what changed. */
  place(asked: EngineOrder): {
    readonly trades: readonly (readonly [number, number])[];
    readonly entries: number;
  } {
    this.#entries = [];
    const view = this.#orderView(asked, asked.quantity);
    const account = this.#accountView(asked.account);
    if (!this.#rules.fitsTier(view, account)) throw new Error('the twin refused what the core took');
    if (this.#rules.cost(view, account) > this.#rules.available(account))
      throw new Error('the twin refused what the core took');
    const { end, fills } = this.#engine.place(asked);
    const at = this.#orders.push(this.#orderOf(asked)) - 1;
    this.#tellOrder('NEW', this.#orders[at] as PerpOrder);
    for (const fill of fills) {
      this.#tradeId += 1;
      const price = stepsToAmount(fill.price, this.#contract.tickSize);
      const side = { price, lots: fill.quantity, tradeId: this.#tradeId };
      this.#fill({ ...side, order: this.#orders[fill.maker - 1] as PerpOrder, maker: true });
      this.#fill({ ...side, order: this.#orders[at] as PerpOrder, maker: false });
    }
    if (end === 'EXPIRED') {
      const ended: PerpOrder = { ...(this.#orders[at] as PerpOrder), status: 'EXPIRED', endReason: 'IOC' };
      this.#orders[at] = ended;
      this.#tellOrder('EXPIRED', ended);
    }
    return { trades: fills.map(({ price, quantity }) => [price, quantity]), entries: this.#entries.length };
  }

  #orderOf({
    account,
    side,
    kind,
    timeInForce,
    price,
    quantity,
    selfTradePrevention,
  }: EngineOrder): PerpOrder {
    const orderId = (this.#orders.length + 1) as SimOrderId;
    return {
      ...{ account: account as AccountNumber, symbol: this.#contract.symbol, side, kind, timeInForce, price },
      ...{ quantity, selfTradePrevention, ...MODE, reduceOnly: false, leverage: LEVERAGE, origin: 'MEMBER' },
      ...{ clientId: `order ${orderId}`, orderId, status: 'NEW', executed: 0 as Lots, executedQuote: ZERO },
      ...{ realisedPnl: ZERO, fee: ZERO, createdAt: this.#now, updatedAt: this.#now },
    } as PerpOrder;
  }

  #tellOrder(cause: string, order: PerpOrder, fill?: PerpFill): void {
    this.#entries.push({ put: 'order', order });
    this.events.push({ tell: 'order', event: { cause, order, fill } });
  }

  #orderView(order: Pick<EngineOrder, 'side' | 'price'>, lots: number): OrderView {
    const price = stepsToAmount(order.price, this.#contract.tickSize);
    return {
      contract: this.#contract,
      side: order.side,
      ...MODE,
      lots,
      price,
      reduceOnly: false,
      leverage: LEVERAGE,
    };
  }

  /** An account's money, positions and orders, from the flat lists. */
  #accountView(account: number): AccountView {
    const contract = this.#contract;
    return {
      wallet: this.#wallets[account] ?? ZERO,
      spotLocked: ZERO,
      positions: this.#positions
        .filter((held) => held.account === account)
        .map((held) => ({ ...held, contract, lots: held.quantity, leverage: LEVERAGE })),
      orders: this.#engine.orders
        .filter((one) => one.account === account)
        .map((one) => this.#orderView(one, one.remaining)),
    };
  }

  #fill({ order, price, lots, maker, tradeId }: Side): void {
    const { account, side, symbol, orderId } = order;
    const contract = this.#contract;
    const key = { account, symbol, side: 'BOTH', marginMode: 'CROSS' } as const;
    const held =
      this.#positions.find((one) => one.account === account) ??
      flatPosition(key, this.#positionsMade + 1, this.#now);
    const quote = magnitude(valueAt(contract, lots, price));
    const fee = stated(times(quote, maker ? this.#facts.makerFee : this.#facts.takerFee), MONEY_DECIMALS);
    const signed = side === 'BUY' ? lots : -lots;
    const facts = {
      contract,
      lots: signed,
      price,
      fee,
      leverage: LEVERAGE,
      time: this.#now,
      ended: 'CLOSED',
    } as const;
    const effect = fillEffect(held, { ...facts, positionId: this.#positionsMade + 1 });
    if (effect.position.positionId > this.#positionsMade) this.#positionsMade = effect.position.positionId;
    if (effect.closed !== undefined) this.#entries.push({ put: 'closed', closed: effect.closed });
    this.#entries.push({ put: 'position', position: effect.position });
    this.#positions = this.#positions.filter((one) => one.account !== account);
    if (effect.position.quantity !== 0) this.#positions.push(effect.position);
    const made = {
      ...{ tradeId, sequence: this.#fills.length + 1, orderId, account, symbol, side, ...MODE },
      ...{ price: order.price, exactPrice: price, quantity: lots, quoteQuantity: quote, fee, maker },
      ...{ realisedPnl: effect.realisedPnl, closedQuantity: effect.closedLots, entryFee: effect.entryFee },
      ...{ origin: 'MEMBER', time: this.#now },
    } as PerpFill;
    this.#fills.push(made);
    this.#entries.push({ put: 'fill', fill: made });
    const income = [
      ...(effect.realisedPnl === 0n ? [] : [this.#earn(made, 'REALIZED_PNL', effect.realisedPnl)]),
      ...(fee === 0n ? [] : [this.#earn(made, 'COMMISSION', minus(ZERO, fee))]),
    ];
    const view = this.#accountView(account);
    const rules = this.#rules;
    const event = { cause: 'ORDER', account, income, time: this.#now, pool: () => rules.pool(view) };
    this.events.push({ tell: 'account', event });
    const executed = (order.executed + lots) as Lots;
    const after: PerpOrder = {
      ...order,
      executed,
      executedQuote: plus(order.executedQuote, quote),
      realisedPnl: plus(order.realisedPnl, effect.realisedPnl),
      fee: plus(order.fee, fee),
      status: executed === order.quantity ? 'FILLED' : 'PARTIALLY_FILLED',
      updatedAt: this.#now,
    };
    this.#orders[orderId - 1] = after;
    this.#tellOrder('TRADE', after, made);
  }

  #earn(
    { account, symbol, tradeId, orderId }: PerpFill,
    kind: PerpIncome['kind'],
    moved: Amount,
  ): PerpIncome {
    const walletAfter = plus(this.#wallets[account] ?? ZERO, moved);
    this.#wallets[account] = walletAfter;
    const about = { account, symbol, ...MODE, tradeId, orderId, kind, amount: moved };
    const income = {
      ...about,
      sequence: this.#income.length + 1,
      walletAfter,
      time: this.#now,
    } as PerpIncome;
    this.#income.push(income);
    this.#entries.push({ put: 'income', income });
    return income;
  }
}
