import { amount, type Candle, type CandleInterval, type Millis } from '@crossbook/domain';
import type { MarketFacts, SimCandle, SimOrder, SimTicker, SimTrade } from '../exchange.ts';
import type { HouseTrading, MarketSide } from '../market-port.ts';

/** Facts of a market as the tests of the core use it: one tick is 0.01, one lot 0.001, fees 10 and 20 basis points. */
export function quietFacts(base: string, quote: string, changes: Partial<MarketFacts> = {}): MarketFacts {
  return {
    symbol: `${base}${quote}`,
    base,
    quote,
    status: 'TRADING',
    tickSize: amount('0.01'),
    lotSize: amount('0.001'),
    minPrice: amount('0.01'),
    maxPrice: amount('10000'),
    minQty: amount('0.001'),
    maxQty: amount('1000'),
    maxMarketQty: amount('100'),
    minNotional: amount('1'),
    maxNotional: amount('100000'),
    bidMultiplierUp: amount('5'),
    bidMultiplierDown: amount('0.2'),
    askMultiplierUp: amount('5'),
    askMultiplierDown: amount('0.2'),
    maxOpenOrders: 200,
    makerFee: amount('0.001'),
    takerFee: amount('0.002'),
    startPrice: 100,
    dailyVolatility: 0.03,
    ...changes,
  };
}

/** A market side without agents: the fair price stands where it is put, and the tape is kept whole. */
export class QuietMarket implements MarketSide {
  readonly markets: readonly MarketFacts[];
  readonly tape: SimTrade[] = [];
  house: HouseTrading | undefined;
  fair = 100;
  /** The fair price by time, where it does not stand. */
  path: ((symbol: string, time: Millis) => number) | undefined;

  constructor(markets: readonly MarketFacts[]) {
    this.markets = markets;
  }

  fairPrice(symbol: string, time: Millis): number {
    return this.path?.(symbol, time) ?? this.fair;
  }

  averagePrice(): number {
    return 100;
  }

  ticker(symbol: string): SimTicker {
    const last = this.trades(symbol, { limit: 1 })[0];
    return {
      symbol,
      open: 100,
      high: 100,
      low: 100,
      last: 100,
      lastQuantity: 0,
      previousClose: 100,
      volume: 0,
      quoteVolume: 0,
      firstTradeId: 1,
      lastTradeId: last?.tradeId ?? 0,
      trades: this.tape.length,
      openTime: 0 as Millis,
      closeTime: 0 as Millis,
    };
  }

  trades(symbol: string, page: { readonly limit: number }): readonly SimTrade[] {
    return this.tape.filter((trade) => trade.symbol === symbol).slice(-page.limit);
  }

  candles(_symbol: string, _interval: CandleInterval): readonly SimCandle[] {
    const nothing: readonly (SimCandle & Candle)[] = [];
    return nothing;
  }

  onTrade(trade: SimTrade): void {
    this.tape.push(trade);
  }

  start(house: HouseTrading): void {
    this.house = house;
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  watch(): () => void {
    return () => undefined;
  }

  setAgentsPaused(): void {}

  shock(_symbol: string, factor: number): void {
    this.fair *= factor;
  }
}

/** Figures of an order that say what it must keep locked. */
type LockingOrder = Pick<SimOrder, 'symbol' | 'side' | 'executed' | 'status'> &
  Partial<Pick<SimOrder, 'price' | 'quantity' | 'trigger' | 'heldAt' | 'list' | 'workingSince'>>;

/** The worst price at which an order can be filled; one that only follows the price says itself which it kept. */
function worstPrice({ price, trigger, side, heldAt }: LockingOrder): bigint | undefined {
  if (price !== undefined) return BigInt(price);
  if (trigger?.price === undefined) return heldAt === undefined ? undefined : BigInt(heldAt);
  const back = side === 'BUY' ? BigInt(trigger.trailingBips ?? 0) : 0n;
  return (BigInt(trigger.price) * (10_000n + back) + 9_999n) / 10_000n;
}

/** What open orders must keep locked per asset, worked out from the port's own figures alone. */
export function neededBy(
  orders: readonly LockingOrder[],
  markets: readonly MarketFacts[],
): Map<string, bigint> {
  const needs = new Map<string, bigint>();
  // A pair locks once, at its dearer order.
  const pairs = new Map<number, { readonly asset: string; readonly need: bigint }>();
  const add = (asset: string, need: bigint) => needs.set(asset, (needs.get(asset) ?? 0n) + need);
  for (const order of orders) {
    const facts = markets.find((one) => one.symbol === order.symbol);
    const price = worstPrice(order);
    if (facts === undefined || price === undefined || order.quantity === undefined) continue;
    const late = order.trigger?.fundedWhenFired === true && order.workingSince === undefined;
    if (order.status === 'PENDING_NEW' || late) continue;
    const lots = BigInt(order.quantity - order.executed) * facts.lotSize;
    const need = order.side === 'SELL' ? lots : (lots * price * facts.tickSize) / 10n ** 18n;
    const asset = order.side === 'SELL' ? facts.base : facts.quote;
    if (order.list === undefined || order.list.role === 'WORKING') add(asset, need);
    else {
      const other = pairs.get(order.list.listId)?.need ?? 0n;
      pairs.set(order.list.listId, { asset, need: need > other ? need : other });
    }
  }
  for (const { asset, need } of pairs.values()) add(asset, need);
  return needs;
}
