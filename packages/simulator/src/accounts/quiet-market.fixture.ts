import { type Amount, amount, type Candle, type CandleInterval, type Millis } from '@crossbook/domain';
import type { MarketFacts, SimCandle, SimTicker, SimTrade } from '../exchange.ts';
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

  constructor(markets: readonly MarketFacts[]) {
    this.markets = markets;
  }

  fairPrice(): number {
    return this.fair;
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

/** What resting orders must keep locked per asset, worked out from the port's own figures alone. */
export function neededBy(
  orders: readonly {
    readonly symbol: string;
    readonly side: 'BUY' | 'SELL';
    readonly price?: number;
    readonly quantity?: number;
    readonly executed: number;
  }[],
  markets: readonly MarketFacts[],
): Map<string, bigint> {
  const needs = new Map<string, bigint>();
  for (const order of orders) {
    const facts = markets.find((one) => one.symbol === order.symbol);
    if (facts === undefined || order.price === undefined || order.quantity === undefined) continue;
    const lots = BigInt(order.quantity - order.executed) * facts.lotSize;
    const need = order.side === 'SELL' ? lots : (lots * BigInt(order.price) * facts.tickSize) / 10n ** 18n;
    const asset = order.side === 'SELL' ? facts.base : facts.quote;
    needs.set(asset, ((needs.get(asset) ?? 0n) + need) as Amount);
  }
  return needs;
}
