import type { SimTrade } from '../../exchange.ts';

/** Trades kept between two messages; a burst beyond it loses its newest, as a slow feed would. */
const QUEUED_TRADES_MAX = 50_000;

/** The trades of a market since the last message about them. */
export class TradeQueue {
  #queued: SimTrade[] = [];

  push(trade: SimTrade): void {
    if (this.#queued.length < QUEUED_TRADES_MAX) this.#queued.push(trade);
  }

  /** All of them in their order; they are gone from here. */
  take(): readonly SimTrade[] {
    const taken = this.#queued;
    this.#queued = [];
    return taken;
  }
}
