import type { Lots, Millis } from '@crossbook/domain';
import { isWaiting } from '../../accounts/state/terms.ts';
import type { AccountNumber, Exchange, ExchangeListener, SimOrder } from '../../exchange.ts';
import { BoundedMap } from '../wire/bounded-map.ts';
import type { OrderUpdate } from '../wire/order-update.ts';

/** Matches that self-trade prevention did not let happen (faqs/stp_faq.md, 2026). They go with the process. */

const ACCOUNTS_MAX = 10_000;
/** Of one account; the oldest go first. */
const MATCHES_MAX = 1_000;

/** A match of two orders of one account, and what each of them lost by it. */
export interface PreventedMatch {
  /** Counts those of the symbol. */
  readonly id: number;
  readonly taker: SimOrder;
  readonly makerOrderId: number;
  readonly price: SimOrder['price'];
  readonly takerLots?: Lots;
  readonly makerLots?: Lots;
  readonly time: Millis;
}

/** Lots that an order had left; of a market order by value nobody says. */
function leftOf(order: SimOrder): Lots {
  return ((order.quantity ?? order.executed) - order.executed) as Lots;
}

/** Who rests in an order's way: the best price, and of one price the oldest. */
function inTheWay(exchange: Pick<Exchange, 'openOrders'>, taker: SimOrder): SimOrder | undefined {
  const sign = taker.side === 'BUY' ? 1 : -1;
  return exchange
    .openOrders(taker.account, taker.symbol)
    .filter(({ side, price }) => side !== taker.side && price !== undefined)
    .filter((order) => !isWaiting(order))
    .sort((left, right) => sign * ((left.price ?? 0) - (right.price ?? 0)) || left.orderId - right.orderId)
    .at(0);
}

/** What self-trade prevention did, by account. */
export class PreventedMatches {
  readonly #exchange: Pick<Exchange, 'openOrders'>;
  readonly #matches = new BoundedMap<AccountNumber, PreventedMatch[]>(ACCOUNTS_MAX);
  /** The order of each account that came last: what prevention is about. */
  readonly #takers = new BoundedMap<AccountNumber, SimOrder>(ACCOUNTS_MAX);
  readonly #counts = new Map<string, number>();

  constructor(exchange: Pick<Exchange, 'openOrders'>) {
    this.#exchange = exchange;
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return { onOrder: (update) => this.#note(update) };
  }

  /** Those of an account, the oldest first. */
  of(account: AccountNumber): readonly PreventedMatch[] {
    return this.#matches.get(account) ?? [];
  }

  #note({ cause, order }: OrderUpdate): void {
    const { account } = order;
    if (cause === 'NEW' || cause === 'TRIGGERED' || cause === 'REPLACED') this.#takers.set(account, order);
    const taker = this.#takers.get(account);
    if (cause !== 'TRADE_PREVENTION' || taker === undefined) return;
    const known = this.#matches.get(account) ?? [];
    const last = known.at(-1);
    const lots = leftOf(order);
    const match = { taker, time: order.updatedAt };
    if (order.orderId !== taker.orderId) {
      this.#add(known, { ...match, makerOrderId: order.orderId, price: order.price, makerLots: lots });
    } else if (order.selfTradePrevention === 'EXPIRE_BOTH' && last?.taker.orderId === order.orderId) {
      // The maker was told of first.
      known[known.length - 1] = { ...last, takerLots: lots };
    } else {
      const maker = inTheWay(this.#exchange, order);
      if (maker === undefined) return;
      this.#add(known, { ...match, makerOrderId: maker.orderId, price: maker.price, takerLots: lots });
    }
    this.#matches.set(account, known);
  }

  #add(known: PreventedMatch[], match: Omit<PreventedMatch, 'id'>): void {
    const { symbol } = match.taker;
    const id = (this.#counts.get(symbol) ?? -1) + 1;
    this.#counts.set(symbol, id);
    known.push({ ...match, id });
    if (known.length > MATCHES_MAX) known.shift();
  }
}
