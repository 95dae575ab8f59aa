import {
  type Amount,
  assert,
  type Lots,
  lesser,
  type Millis,
  minus,
  plus,
  type Ticks,
  ZERO,
} from '@crossbook/domain';
import type { MemberState } from '../../accounts/state/member-state.ts';
import { isOpen } from '../../accounts/state/terms.ts';
import type { AccountNumber, SimBalance, SimOrderStatus } from '../../exchange.ts';
import type { ContractEntry, ContractsRecord, HeldPosition } from '../../journal/contract-entries.ts';
import type { PerpConditional, PerpConditionalEvent } from '../../perp-conditionals.ts';
import type {
  ClosedPosition,
  PerpAccountEvent,
  PerpFill,
  PerpIncome,
  PerpLiquidation,
  PerpOrder,
  PerpOrderEnd,
  PerpOrderEvent,
  PerpOrderReport,
  SimPositionKey,
} from '../../perp-exchange.ts';
import { finished, sent } from '../../triggers/conditional-order.ts';
import { valueAt } from '../margin/exposure.ts';
import { greater, magnitude, stated, times } from '../margin/rounding.ts';
import type { FillView, MarginRules } from '../margin/rules.ts';
import type { AccountStats } from './account-stats.ts';
import { endWithPosition } from './attached-stops.ts';
import type { ContractState } from './contract-state.ts';
import { type FillEffect, fillEffect, flatPosition } from './fill-effect.ts';
import { protectOrder, takeFromStop } from './split-targets.ts';
import type { VenueHabits } from './venue-habits.ts';

const MONEY_DECIMALS = 8;
/** What an account is told of a fill, by whose hand it was. */
const FILL_CAUSES = {
  ...{ MEMBER: 'ORDER', DELISTING: 'ORDER' },
  ...{ LIQUIDATION: 'LIQUIDATION', TAKEOVER: 'LIQUIDATION', ADL: 'ADL' },
} as const satisfies Record<PerpFill['origin'], PerpAccountEvent['cause']>;

/** What a step tells, in the order in which it happened. */
export type ContractEvent =
  | { readonly tell: 'order'; readonly event: PerpOrderEvent }
  | { readonly tell: 'conditional'; readonly event: PerpConditionalEvent }
  | { readonly tell: 'account'; readonly event: PerpAccountEvent }
  | { readonly tell: 'liquidation'; readonly event: PerpLiquidation };

/** What steps work with. */
export interface StepParts {
  readonly members: MemberState;
  readonly contracts: ContractState;
  readonly stats: AccountStats;
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
}

/** One fill of a member's order, or of a position that is taken away from its member. */
export interface StepFill {
  readonly tradeId: number;
  readonly price: Ticks;
  readonly exactPrice: Amount;
  readonly lots: Lots;
  readonly maker: boolean;
  readonly feeRate: Amount;
  readonly origin?: PerpFill['origin'];
}

/** One step of contracts: every entry is applied as it comes, and kept and told together at the end. */
export class ContractStep {
  readonly events: ContractEvent[] = [];
  readonly time: Millis;
  readonly #parts: StepParts;
  readonly #entries: ContractEntry[] = [];
  readonly #state: ReturnType<MemberState['contractStep']>;
  readonly #fills: PerpFill[] = [];
  /** Positions that a fill has ended, until its order is told of. */
  readonly #gone: SimPositionKey[] = [];

  constructor(parts: StepParts) {
    this.#parts = parts;
    this.time = parts.stats.now();
    this.#state = parts.members.contractStep();
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Ends the step. @returns the record that is to be kept, and the balances of spot that changed with it. */
  end(): {
    readonly record: ContractsRecord;
    readonly changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>;
  } {
    this.put({ put: 'settled', time: this.time });
    return { record: { kind: 'contracts', entries: this.#entries }, changed: this.#state.end() };
  }

  put(entry: ContractEntry): void {
    this.#state.apply(entry);
    this.#entries.push(entry);
  }

  order(order: PerpOrder, cause: PerpOrderEvent['cause'], extra: Partial<PerpOrderEvent> = {}): void {
    const sender = this.#senderOf(order);
    if (sender?.state === 'TRIGGERING') this.conditional(sent(sender, order.orderId, this.time), 'TRIGGERED');
    this.put({ put: 'order', order });
    this.events.push({ tell: 'order', event: { cause, order, ...extra } });
    if (isOpen(order.status)) return;
    if (sender?.state === 'TRIGGERED') this.conditional(finished(sender, this.time), 'FINISHED');
  }

  /** A conditional order as it is now. */
  conditional(order: PerpConditional, cause: PerpConditionalEvent['cause']): void {
    this.put({ put: 'conditional', order });
    this.events.push({ tell: 'conditional', event: { cause, order } });
  }

  /** The conditional order that sent an order. */
  #senderOf({ account, algoId }: PerpOrder): PerpConditional | undefined {
    return algoId === undefined ? undefined : this.#parts.contracts.conditionals.find(account, { algoId });
  }

  /** The order as the step has left it so far. */
  known({ account, symbol, orderId }: Pick<PerpOrder, 'account' | 'symbol' | 'orderId'>): PerpOrder {
    const order = this.#parts.contracts.history.find(account, symbol, { orderId });
    assert(order !== undefined, `order ${orderId} of account ${account} in ${symbol} is known`);
    return order;
  }

  /** Ends an order that is still open. */
  close(
    order: PerpOrder,
    how: {
      readonly status: SimOrderStatus;
      readonly cause: PerpOrderEvent['cause'];
      readonly reason?: PerpOrderEnd;
      readonly cancelClientId?: string;
    },
  ): void {
    const { status, cause, reason, cancelClientId } = how;
    const ended = { ...this.known(order), status, updatedAt: this.time };
    const closed = reason === undefined ? ended : { ...ended, endReason: reason };
    this.order(closed, cause, cancelClientId === undefined ? {} : { cancelClientId });
    protectOrder(this, this.#parts, closed);
  }

  /** A fill: position, money, what it tells, and the order after it. */
  fill(order: PerpOrder, fill: StepFill): PerpFill {
    const made = this.#makeFill(order, fill);
    const after: PerpOrder = {
      ...order,
      executed: (order.executed + fill.lots) as Lots,
      executedQuote: plus(order.executedQuote, made.quoteQuantity),
      realisedPnl: plus(order.realisedPnl, made.realisedPnl),
      fee: plus(order.fee, made.fee),
      status: order.executed + fill.lots === order.quantity ? 'FILLED' : 'PARTIALLY_FILLED',
      updatedAt: this.time,
    };
    const cause = after.origin === 'MEMBER' ? 'TRADE' : 'LIQUIDATION';
    this.order(after, cause, { fill: made });
    protectOrder(this, this.#parts, after, fill);
    const sender = this.#senderOf(after);
    if (sender?.attached?.rests === true) takeFromStop(this, this.#parts, sender, fill.lots);
    for (const key of this.#gone.splice(0)) endWithPosition(this, this.#parts, key);
    return made;
  }

  /** Books money that came or went. @returns what of it is kept. */
  earn(income: Omit<PerpIncome, 'sequence' | 'walletAfter' | 'time'>): PerpIncome {
    const wallet = this.#parts.members.futures.total(income.account, 'USDT');
    const kept: PerpIncome = {
      ...income,
      sequence: this.#parts.contracts.nextIncome,
      walletAfter: plus(wallet, income.amount),
      time: this.time,
    };
    this.put({ put: 'income', income: kept });
    return kept;
  }

  /** Tells what an account holds now of some symbols. @param reported `fromRatio`: only what is so near liquidation. */
  tellAccount(
    account: AccountNumber,
    reported: Pick<PerpAccountEvent, 'cause'> &
      Partial<Pick<PerpAccountEvent, 'income' | 'closed' | 'setting'>> & {
        readonly symbol?: string;
        readonly fromRatio?: number;
      },
  ): void {
    const { symbol, cause, income = [], closed = [], setting, fromRatio = 0 } = reported;
    const report = this.#parts.stats.report(account, symbol);
    const event: PerpAccountEvent = {
      cause,
      income,
      closed,
      ...(setting === undefined ? {} : { setting }),
      account,
      get positions() {
        return fromRatio === 0
          ? report.positions
          : report.positions.filter(({ ratio }) => ratio >= fromRatio);
      },
      get pool() {
        return report.pool;
      },
      time: this.time,
    };
    this.events.push({ tell: 'account', event });
  }

  tellLiquidation(event: PerpLiquidation): void {
    this.events.push({ tell: 'liquidation', event });
  }

  report(order: Pick<PerpOrder, 'account' | 'symbol' | 'orderId'>): PerpOrderReport {
    const fills = this.#fills.filter(
      ({ orderId, account, symbol }) =>
        orderId === order.orderId && account === order.account && symbol === order.symbol,
    );
    return { order: this.known(order), fills };
  }

  #makeFill(order: PerpOrder, fill: StepFill): PerpFill {
    const { contracts } = this.#parts;
    const { account, symbol, side, positionSide, marginMode, orderId } = order;
    const key: SimPositionKey = { account, symbol, side: positionSide, marginMode };
    const contract = this.#parts.stats.contract(symbol);
    const held = contracts.position(key) ?? flatPosition(key, contracts.nextPosition, this.time);
    const lots = side === 'BUY' ? fill.lots : -fill.lots;
    const quote = magnitude(valueAt(contract, fill.lots, fill.exactPrice));
    const fee = stated(times(quote, fill.feeRate), MONEY_DECIMALS);
    const origin = fill.origin ?? order.origin;
    const leverage = this.#leverageOf(key, held, lots);
    const ended = endOf(origin);
    const facts = { contract, lots, price: fill.exactPrice, fee, leverage, time: this.time, ended };
    const effect = fillEffect(held, { ...facts, positionId: contracts.nextPosition });
    const view = { contract, lots, price: fill.exactPrice, leverage };
    this.#putPosition(held, effect, { ...view, forced: origin === 'LIQUIDATION' || origin === 'TAKEOVER' });
    const made: PerpFill = {
      ...{
        tradeId: fill.tradeId,
        sequence: contracts.nextFill,
        orderId,
        account,
        symbol,
        side,
        positionSide,
      },
      ...{ marginMode, price: fill.price, exactPrice: fill.exactPrice, quantity: fill.lots },
      ...{ quoteQuantity: quote, fee, realisedPnl: effect.realisedPnl, closedQuantity: effect.closedLots },
      ...{ entryFee: effect.entryFee, maker: fill.maker, origin, time: this.time },
    };
    this.put({ put: 'fill', fill: made });
    this.#fills.push(made);
    const income = this.#incomeOf(made);
    this.#coverFromIsolated(key);
    const closed: SimPositionKey[] = effect.closed === undefined ? [] : [key];
    const cause = FILL_CAUSES[origin];
    this.tellAccount(account, { cause, symbol, income, closed });
    return made;
  }

  #leverageOf(key: SimPositionKey, held: HeldPosition, lots: number): number {
    const long = held.quantity === 0 ? lots > 0 : held.quantity > 0;
    return this.#parts.stats.leverage(key.account, key, long);
  }

  #putPosition(held: HeldPosition, effect: FillEffect, fill: FillView & { readonly forced: boolean }): void {
    const { position, closed } = effect;
    const none = position.quantity === 0 || held.marginMode === 'CROSS';
    const isolatedWallet = none ? ZERO : this.#isolatedAfter(held, effect, fill);
    if (closed !== undefined) {
      this.put({ put: 'closed', closed });
      this.#gone.push(held);
    }
    this.put({ put: 'position', position: { ...position, isolatedWallet } });
  }

  #isolatedAfter(
    held: HeldPosition,
    effect: FillEffect,
    fill: FillView & { readonly forced: boolean },
  ): Amount {
    const view = held.quantity === 0 ? undefined : this.#parts.stats.positionView(held);
    // Margin of what is closed by force stays with the rest, less what it lost.
    const moved = fill.forced ? effect.realisedPnl : this.#parts.rules.isolatedMove(view, fill);
    return greater(ZERO, plus(held.isolatedWallet, moved));
  }

  #incomeOf(fill: PerpFill): PerpIncome[] {
    const { account, symbol, positionSide, marginMode, tradeId, orderId } = fill;
    const about = { account, symbol, positionSide, marginMode, tradeId, orderId };
    const made: PerpIncome[] = [];
    if (fill.realisedPnl !== 0n)
      made.push(this.earn({ ...about, kind: 'REALIZED_PNL', amount: fill.realisedPnl }));
    if (fill.fee !== 0n)
      made.push(this.earn({ ...about, kind: 'COMMISSION', amount: minus(ZERO, fill.fee) }));
    return made;
  }

  /** What the cross wallet cannot pay for an isolated position, the position's own margin does. */
  #coverFromIsolated(key: SimPositionKey): void {
    const held = this.#parts.contracts.position(key);
    if (held === undefined || held.marginMode === 'CROSS') return;
    const short = minus(ZERO, this.crossWallet(key.account));
    if (short <= 0n) return;
    const isolatedWallet = minus(held.isolatedWallet, lesser(short, held.isolatedWallet));
    this.put({ put: 'position', position: { ...held, isolatedWallet, updatedAt: this.time } });
  }

  /** The wallet without what isolated positions have set aside. */
  crossWallet(account: AccountNumber): Amount {
    return this.#parts.contracts
      .positionsOf(account)
      .reduce(
        (rest, { isolatedWallet }) => minus(rest, isolatedWallet),
        this.#parts.members.futures.total(account, 'USDT'),
      );
  }
}

function endOf(origin: PerpFill['origin']): ClosedPosition['ended'] {
  if (origin === 'ADL') return 'DELEVERAGED';
  return origin === 'MEMBER' || origin === 'DELISTING' ? 'CLOSED' : 'LIQUIDATED';
}
