import type { Lots, Ticks } from '@crossbook/domain';
import type { EngineOrder, OrderEnd } from './engine-order.ts';

/** A resting order of the naive engine; `ordinal` counts the orders placed, from 1. */
export interface NaiveOrder {
  readonly ordinal: number;
  readonly account: number;
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  /** What its queue shows, what of an iceberg follows, and how much of it shows at a time (0: all). */
  remaining: number;
  hidden: number;
  readonly visible: number;
  /** Place in the queue of its price. */
  turn: number;
}

/** One fill of the naive engine. */
export interface NaiveFill {
  readonly maker: number;
  readonly price: number;
  readonly quantity: number;
}

/** What one placing did. */
export interface NaiveStep {
  readonly end: OrderEnd;
  readonly fills: readonly NaiveFill[];
  /** Ordinals of the makers that self-trade prevention took out. */
  readonly expiredMakers: readonly number[];
}

/**
 * The second witness of matching: one flat list of orders, sorted anew whenever it is asked. Nothing but tests uses it; it
 * shares no code with the fast engine, only the meaning of an order.
 */
export class NaiveEngine {
  orders: NaiveOrder[] = [];
  /** Orders that wait for their time. */
  readonly parked = new Set<number>();
  #ordinal = 0;
  #turn = 0;

  park(): void {
    this.#ordinal += 1;
    this.parked.add(this.#ordinal);
  }

  /** Places an order that rested or waited anew, under its own ordinal. @returns `undefined` when it did neither. */
  replace(ordinal: number, order: EngineOrder): NaiveStep | undefined {
    return this.cancel(ordinal) ? this.place({ ...order, whenTaking: 'EXPIRE' }, ordinal) : undefined;
  }

  place(order: EngineOrder, own?: number): NaiveStep {
    const makers = this.orders
      .filter((maker) => maker.side !== order.side && this.#accepts(order, maker.price))
      .sort((a, b) => this.#goodness(a) - this.#goodness(b) || a.turn - b.turn);
    if (order.kind === 'LIMIT_MAKER' && makers.length > 0) {
      const end = order.whenTaking === undefined ? 'WOULD_TAKE' : 'EXPIRED';
      return { end, fills: [], expiredMakers: [] };
    }
    if (own === undefined) this.#ordinal += 1;
    const plan = planOf(order, makers);
    if (order.kind === 'LIMIT' && order.timeInForce === 'FOK' && plan.left > 0) {
      return { end: plan.prevented ? 'EXPIRED_IN_MATCH' : 'EXPIRED', fills: [], expiredMakers: [] };
    }
    for (const [ordinal, { remaining, hidden, refills }] of plan.after) {
      const turn = refills === 0 ? {} : { turn: this.#turn + refills };
      Object.assign(this.#byOrdinal(ordinal), { remaining, hidden, ...turn });
    }
    this.#turn += plan.fills.length;
    this.orders = this.orders.filter(
      (maker) => maker.remaining > 0 && !plan.expiredMakers.includes(maker.ordinal),
    );
    return {
      end: this.#end(order, plan, own ?? this.#ordinal),
      fills: plan.fills,
      expiredMakers: plan.expiredMakers,
    };
  }

  cancel(ordinal: number): boolean {
    const before = this.orders.length;
    this.orders = this.orders.filter((order) => order.ordinal !== ordinal);
    return this.parked.delete(ordinal) || this.orders.length < before;
  }

  reduce(ordinal: number, remaining: number): boolean {
    const order = this.orders.find((one) => one.ordinal === ordinal);
    if (order === undefined || remaining < 1 || remaining >= order.remaining + order.hidden) return false;
    order.remaining = Math.min(order.remaining, remaining);
    order.hidden = remaining - order.remaining;
    return true;
  }

  /** All levels of one side, best first. */
  levels(side: 'BUY' | 'SELL'): (readonly [Ticks, Lots])[] {
    const sums = new Map<Ticks, number>();
    for (const order of this.orders) {
      if (order.side === side) sums.set(order.price, (sums.get(order.price) ?? 0) + order.remaining);
    }
    return [...sums]
      .sort(([a], [b]) => (side === 'BUY' ? b - a : a - b))
      .map(([price, size]) => [price, size as Lots] as const);
  }

  #end(order: EngineOrder, plan: Plan, ordinal: number): OrderEnd {
    if (plan.left === 0) return 'FILLED';
    if (plan.prevented) return 'EXPIRED_IN_MATCH';
    if (order.kind === 'MARKET') {
      const more = this.orders.some((maker) => maker.side !== order.side);
      const spent = order.budget > 0 && (more || plan.budget === 0);
      return spent && plan.fills.length > 0 ? 'FILLED' : 'EXPIRED';
    }
    if (order.kind === 'LIMIT' && order.timeInForce !== 'GTC') return 'EXPIRED';
    const { account, side, price, visible = 0 } = order;
    const remaining = visible > 0 ? Math.min(visible, plan.left) : plan.left;
    const queued = { remaining, hidden: plan.left - remaining, visible, turn: ++this.#turn };
    this.orders.push({ ordinal, account, side, price, ...queued });
    return 'RESTING';
  }

  #accepts(order: EngineOrder, price: number): boolean {
    if (order.kind === 'MARKET') return true;
    return order.side === 'BUY' ? price <= order.price : price >= order.price;
  }

  #goodness(maker: NaiveOrder): number {
    return maker.side === 'SELL' ? maker.price : -maker.price;
  }

  #byOrdinal(ordinal: number): NaiveOrder {
    const found = this.orders.find((order) => order.ordinal === ordinal);
    if (found === undefined) throw new Error('a fill names a maker that does not rest');
    return found;
  }
}

interface Plan {
  /** What is left of the makers that were touched; of an iceberg also when it last went to the end of its queue. */
  readonly after: ReadonlyMap<number, { remaining: number; hidden: number; refills: number }>;
  readonly fills: readonly NaiveFill[];
  readonly expiredMakers: readonly number[];
  readonly left: number;
  readonly budget: number;
  readonly prevented: boolean;
}

/** Walks the makers one by one as the rules of matching read. */
function planOf(order: EngineOrder, makers: readonly NaiveOrder[]): Plan {
  const fills: NaiveFill[] = [];
  const expiredMakers: number[] = [];
  const after = new Map<number, { remaining: number; hidden: number; refills: number }>();
  const queue = [...makers];
  let left = order.budget > 0 ? Number.MAX_SAFE_INTEGER : (order.quantity as number);
  let budget = order.budget;
  for (let maker = queue.shift(); maker !== undefined; maker = queue.shift()) {
    const { price } = maker;
    const affordable = order.budget > 0 ? Math.floor(budget / maker.price) : left;
    if (left === 0 || affordable === 0) break;
    if (maker.account === order.account && order.selfTradePrevention !== 'NONE') {
      if (order.selfTradePrevention !== 'EXPIRE_TAKER') expiredMakers.push(maker.ordinal);
      if (order.selfTradePrevention === 'EXPIRE_MAKER') continue;
      return { after, fills, expiredMakers, left, budget, prevented: true };
    }
    const quantity = Math.min(left, affordable, maker.remaining);
    fills.push({ maker: maker.ordinal, price: maker.price, quantity });
    left -= quantity;
    budget -= quantity * maker.price;
    const remaining = maker.remaining - quantity;
    after.set(maker.ordinal, {
      remaining,
      hidden: maker.hidden,
      refills: after.get(maker.ordinal)?.refills ?? 0,
    });
    if (remaining > 0) break;
    if (maker.hidden === 0) continue;
    const shown = Math.min(maker.visible, maker.hidden);
    const again = { ...maker, remaining: shown, hidden: maker.hidden - shown };
    after.set(maker.ordinal, { remaining: shown, hidden: again.hidden, refills: fills.length });
    const behind = queue.findIndex((other) => other.price !== price);
    queue.splice(behind < 0 ? queue.length : behind, 0, again);
  }
  return { after, fills, expiredMakers, left, budget, prevented: false };
}
