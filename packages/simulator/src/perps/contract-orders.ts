import { assert, ok, type Result, refused } from '@crossbook/domain';
import { isOpen } from '../accounts/state/terms.ts';
import type { AccountNumber, OrderRef, SimTrade } from '../exchange.ts';
import type {
  NewPerpOrder,
  PerpExchange,
  PerpOrder,
  PerpOrderReport,
  PerpRefusal,
} from '../perp-exchange.ts';
import { amendedOrder, bracketFits, takenOrder } from './order-checks.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';

/** An answer that is on disk. */
export type Answer<Value> = Promise<Result<Value, PerpRefusal>>;

/** The way to a contract's desk. */
export interface DeskDoor {
  /** The contract, its book full; `undefined` when members cannot trade it. */
  look(symbol: string): ContractDesk | undefined;
  /** @throws Error when nothing may be changed now. */
  ready(symbol: string): ContractDesk;
}

/** What members do with orders on contracts. */
export class ContractOrders {
  readonly #tools: DeskTools;
  readonly #door: DeskDoor;

  constructor(tools: DeskTools, door: DeskDoor) {
    this.#tools = tools;
    this.#door = door;
  }

  check(order: NewPerpOrder): Result<true, PerpRefusal> {
    const desk = this.#door.look(order.symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    assert(this.#tools.members.hasAccount(order.account), 'an order belongs to an account');
    const taken = takenOrder(order, desk, this.#tools);
    return taken.ok ? ok(true) : taken;
  }

  async place(order: NewPerpOrder): Answer<PerpOrderReport> {
    const desk = this.#door.look(order.symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    assert(this.#tools.members.hasAccount(order.account), 'an order belongs to an account');
    const taken = takenOrder(order, desk, this.#tools);
    if (!taken.ok) return taken;
    this.#door.ready(order.symbol);
    const step = new ContractStep(this.#tools);
    const { order: placed, trades } = desk.place(step, taken.value);
    return this.#settled(desk, step, { order: placed, trades });
  }

  async cancel(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Answer<PerpOrderReport> {
    const order = this.#open(account, symbol, ref);
    if (!order.ok) return order;
    const desk = this.#door.ready(symbol);
    const step = new ContractStep(this.#tools);
    const how = { status: 'CANCELED', cause: 'CANCELED' } as const;
    desk.cancel(step, order.value, cancelClientId === undefined ? how : { ...how, cancelClientId });
    return this.#settled(desk, step, { order: order.value, trades: [] });
  }

  async amend(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    change: Parameters<PerpExchange['amendPerp']>[3],
  ): Answer<PerpOrderReport> {
    const found = this.#open(account, symbol, ref);
    if (!found.ok) return found;
    const { attached } = change;
    const { attached: _, ...bare } = found.value;
    const order: PerpOrder =
      attached === undefined ? found.value : attached === 'NONE' ? bare : { ...bare, attached };
    const { price = order.price, quantity = order.quantity } = change;
    assert(price !== undefined, 'a resting order has a price');
    const desk = this.#door.look(symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    const amended = amendedOrder(order, { price, quantity }, desk, this.#tools);
    if (!amended.ok) return amended;
    const fits = attached === undefined || bracketFits(amended.value, desk, this.#tools.stats);
    if (!fits) return refused('ATTACHED_PRICE');
    this.#door.ready(symbol);
    const step = new ContractStep(this.#tools);
    const { quantity: size, fillable } = amended.value;
    const to = { price, quantity: size, ...(fillable === undefined ? {} : { fillable }) };
    return this.#settled(desk, step, { order, trades: desk.amend(step, order, to) });
  }

  #open(account: AccountNumber, symbol: string, ref: OrderRef): Result<PerpOrder, PerpRefusal> {
    if (this.#door.look(symbol) === undefined) return refused('UNKNOWN_SYMBOL');
    const order = this.#tools.contracts.history.find(account, symbol, ref);
    return order !== undefined && isOpen(order.status) ? ok(order) : refused('UNKNOWN_ORDER');
  }

  #settled(
    desk: ContractDesk,
    step: ContractStep,
    done: { readonly order: PerpOrder; readonly trades: readonly SimTrade[] },
  ): Answer<PerpOrderReport> {
    const report = step.report(done.order);
    return new Promise((resolve, reject) => {
      desk.finish(step, done.trades, (failure) =>
        failure === undefined ? resolve(ok(report)) : reject(failure),
      );
    });
  }
}
