import type { TradesFrame } from '@crossbook/contract';
import { isOfMarket, type StreamName } from './market.ts';

/** Trades kept for the tape; older ones are dropped. */
export const TAPE_TRADES_MAX = 200;

/** One public trade, in ticks and lots. */
export interface TapeTrade {
  readonly id: string;
  readonly price: number;
  readonly size: number;
  /** The taker's side. */
  readonly side: 'buy' | 'sell';
  /** Venue time, ms. */
  readonly time: number;
}

/** The last trades of the instrument on screen, newest first. */
export interface TapeStore {
  trades(): readonly TapeTrade[];
  /** True once the recent tape has arrived. */
  ready(): boolean;
  receivedAt(): number | undefined;
  fold(frame: TradesFrame, now: number): void;
  /** Forgets everything and follows another market. */
  follow(market: StreamName): void;
  subscribe(listener: () => void): () => void;
}

/** Makes the store; one for the life of the trade page. */
export function createTapeStore(): TapeStore {
  const listeners = new Set<() => void>();
  let market: StreamName | undefined;
  let trades: TapeTrade[] = [];
  let known = new Set<string>();
  let ready = false;
  let received: number | undefined;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  return {
    trades: () => trades,
    ready: () => ready,
    receivedAt: () => received,
    fold(frame, now) {
      if (!isOfMarket(frame, market)) return;
      if (frame.k === 's') {
        trades = [];
        known = new Set();
        ready = true;
      }
      const fresh: TapeTrade[] = [];
      for (const [id, price, size, side, time] of frame.d) {
        if (known.has(id)) continue;
        known.add(id);
        fresh.push({ id, price, size, side: side === 1 ? 'buy' : 'sell', time });
      }
      if (fresh.length > 0 || frame.k === 's') {
        trades = [...fresh.reverse(), ...trades];
        for (const dropped of trades.splice(TAPE_TRADES_MAX)) known.delete(dropped.id);
      }
      received = now;
      changed();
    },
    follow(next) {
      market = next;
      trades = [];
      known = new Set();
      ready = false;
      received = undefined;
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
