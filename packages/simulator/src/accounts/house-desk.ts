import type { Lots, Ticks } from '@crossbook/domain';
import type { SimDepth, SimOrderId } from '../exchange.ts';
import type { HouseOpenOrder, HouseOrder, HousePlacement, HouseTrading } from '../market-port.ts';
import type { BookDesk } from './book-desk.ts';
import { HOUSE } from './state/balances.ts';

const NOTHING: HousePlacement = { resting: undefined, executed: 0 as Lots };

/** What the agents may do: trade for the house on every market, without checks of funds and without waiting for a disk. */
export class HouseDesk implements HouseTrading {
  readonly #desk: (symbol: string) => BookDesk;
  readonly #open: () => boolean;

  /** @param open false while nothing may be traded: the journal is behind or the exchange closes. */
  constructor(desk: (symbol: string) => BookDesk, open: () => boolean) {
    this.#desk = desk;
    this.#open = open;
  }

  place(symbol: string, order: HouseOrder): HousePlacement {
    const desk = this.#desk(symbol);
    if (desk.status !== 'TRADING' || !this.#open() || !desk.ids.allows() || !desk.engine.hasRoom)
      return NOTHING;
    const market = order.kind === 'MARKET';
    const price = order.price ?? (0 as Ticks);
    if (!market && (price < 1 || price > desk.terms.ticksMax)) return NOTHING;
    const placement = desk.placeHouse({
      account: HOUSE,
      side: order.side,
      kind: market ? 'MARKET' : order.kind === 'POST' ? 'LIMIT_MAKER' : 'LIMIT',
      timeInForce: order.kind === 'IOC' ? 'IOC' : 'GTC',
      price: market ? (0 as Ticks) : price,
      quantity: order.quantity,
      budget: 0,
      selfTradePrevention: 'NONE',
    });
    const resting = placement.end === 'RESTING' ? placement.orderId : undefined;
    return { resting, executed: placement.executed };
  }

  cancel(symbol: string, orderId: SimOrderId): boolean {
    return this.#desk(symbol).cancelHouse(orderId);
  }

  remaining(symbol: string, orderId: SimOrderId): Lots {
    return this.#desk(symbol).engine.remaining(orderId);
  }

  bestBid(symbol: string): Ticks | undefined {
    const { bestBid } = this.#desk(symbol).engine;
    return bestBid < 0 ? undefined : (bestBid as Ticks);
  }

  bestAsk(symbol: string): Ticks | undefined {
    const { bestAsk } = this.#desk(symbol).engine;
    return bestAsk < 0 ? undefined : (bestAsk as Ticks);
  }

  depth(symbol: string, limit: number): SimDepth {
    return this.#desk(symbol).engine.depth(limit);
  }

  openOrders(symbol: string): HouseOpenOrder[] {
    return this.#desk(symbol)
      .engine.restingOrders()
      .filter((order) => order.account === HOUSE)
      .map(({ orderId, side, price, remaining }) => ({ orderId, side, price, remaining }));
  }

  isTrading(symbol: string): boolean {
    return this.#desk(symbol).status === 'TRADING';
  }

  lastTradeId(symbol: string): number {
    return this.#desk(symbol).engine.lastTradeId;
  }

  takeTradeIds(symbol: string, count: number): number | undefined {
    const { ids, engine } = this.#desk(symbol);
    return this.#open() && ids.allows(count) ? engine.takeTradeIds(count) : undefined;
  }

  membersRest(symbol: string): boolean {
    return this.#desk(symbol).membersRest;
  }
}
