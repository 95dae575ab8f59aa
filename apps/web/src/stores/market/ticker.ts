import type { TickerFrame } from '@crossbook/contract';
import { formatAmountFixed, parseAmount } from '@crossbook/domain';
import { type PriceDirection, priceDirection } from '../../calculators/market/price-direction.ts';
import { isOfMarket, type StreamName } from './market.ts';

/** 24-hour figures of one symbol, with the direction of its last price. */
export interface TickerStats {
  readonly symbol: string;
  readonly last: string;
  /** Percent, signed. */
  readonly change: string;
  readonly high: string;
  readonly low: string;
  /** Base and quote volume of 24 h. */
  readonly volume: string;
  readonly quoteVolume: string;
  readonly direction: PriceDirection;
  /** Perpetuals only, and only what the venue has said: prices with the digits of the tick. */
  readonly mark: string | undefined;
  readonly index: string | undefined;
  /** Fraction that longs pay to shorts at `nextFunding` (ms). */
  readonly funding: string | undefined;
  readonly nextFunding: number | undefined;
  /** Open interest in base coins. */
  readonly interest: string | undefined;
}

/** The ticker of the instrument on screen. */
export interface TickerStore {
  /** `undefined` until the first frame. The same object until something changes. */
  stats(): TickerStats | undefined;
  /** Venue time of the newest frame, ms. */
  time(): number | undefined;
  receivedAt(): number | undefined;
  fold(frame: TickerFrame, now: number): void;
  /** A trade price newer than the ticker: keeps the last price as quick as the tape. */
  foldLast(last: string): void;
  /**
   * Forgets everything and follows another market.
   * @param priceDecimals digits that prices are shown with; venues pad theirs with zeros.
   */
  follow(market: StreamName, priceDecimals: number): void;
  subscribe(listener: () => void): () => void;
}

/** Makes the store; one for the life of the trade page. */
export function createTickerStore(): TickerStore {
  const listeners = new Set<() => void>();
  let market: StreamName | undefined;
  let stats: TickerStats | undefined;
  let time: number | undefined;
  let received: number | undefined;
  let decimals = 0;

  /** A price with as many decimals as its tick; a text that is no price stays as it is. */
  function price(text: string): string {
    const value = parseAmount(text);
    return value === undefined ? text : formatAmountFixed(value, decimals);
  }

  function set(next: TickerStats): void {
    stats = next;
    for (const listener of listeners) listener();
  }

  function directionTo(last: string): PriceDirection {
    const before = stats === undefined ? undefined : Number(stats.last);
    return priceDirection(stats?.direction ?? 'none', before, Number(last));
  }

  return {
    stats: () => stats,
    time: () => time,
    receivedAt: () => received,
    fold(frame, now) {
      if (!isOfMarket(frame, market)) return;
      const { change, volume, quoteVolume, mark, index, funding, nextFunding, interest } = frame.d;
      const [last, high, low] = [price(frame.d.last), price(frame.d.high), price(frame.d.low)];
      time = frame.d.t;
      received = now;
      set({
        ...{ symbol: frame.s, last, change, high, low, volume, quoteVolume, direction: directionTo(last) },
        ...{ mark: mark && price(mark), index: index && price(index), funding, nextFunding, interest },
      });
    },
    foldLast(last) {
      if (stats === undefined || Number(stats.last) === Number(last)) return;
      set({ ...stats, last, direction: directionTo(last) });
    },
    follow(next, priceDecimals) {
      market = next;
      decimals = priceDecimals;
      stats = undefined;
      time = undefined;
      received = undefined;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
