import { assert, type Millis } from '@crossbook/domain';
import type { SimDepth } from '../../../exchange.ts';
import { type BookSide, changedLevels } from '../../wire/book-changes.ts';
import type { StreamChannel } from '../../wire/channel-hub.ts';
import { type Desk, marketsOf } from '../endpoint.ts';
import type { BybitCategory, MarketFormat } from '../format.ts';

/** Levels a side, and how often each depth is pushed (websocket/public/orderbook, 2026-07-24). */
export const BOOK_DEPTHS: ReadonlyMap<number, number> = new Map([
  [1, 10],
  [50, 20],
  [200, 100],
  [1000, 200],
]);
/** The best prices are repeated when nothing has changed for so long. */
const REPEAT_MILLIS = 3_000;

/** Where a book of some depth stands: what everybody who listens has been told. */
interface Sent {
  readonly bids: BookSide;
  readonly asks: BookSide;
  readonly sequence: number;
  readonly time: Millis;
}

/** What a book channel is made for. */
export interface BookTopic {
  readonly topic: string;
  readonly category: BybitCategory;
  readonly symbol: string;
  readonly levels: number;
}

/**
 * A book of some levels: each change of what is in them under the update id of the one before plus one. The ids of a
 * topic go on where it was left, and begin at 1 when the simulator starts, as Bybit's do when its service restarts.
 */
export class BookChannel implements StreamChannel {
  readonly symbol: string;
  readonly everyMillis: number;
  readonly #desk: Desk;
  readonly #topic: BookTopic;
  readonly #format: MarketFormat;
  readonly #updateIds: Map<string, number>;
  #sent: Sent;
  #updateId: number;
  #dirty = false;
  #sentAt: number;

  constructor(desk: Desk, topic: BookTopic, updateIds: Map<string, number>) {
    this.#desk = desk;
    this.#topic = topic;
    this.symbol = topic.symbol;
    const everyMillis = BOOK_DEPTHS.get(topic.levels);
    assert(everyMillis !== undefined, `books of ${topic.levels} levels exist`);
    this.everyMillis = everyMillis;
    this.#format = desk.format[topic.category].of(topic.symbol);
    this.#updateIds = updateIds;
    this.#updateId = this.#nextId();
    this.#sent = this.#look();
    this.#sentAt = this.#sent.time;
  }

  onBookChange(): void {
    this.#dirty = true;
  }

  greeting(now: Millis): string {
    return this.#frame('snapshot', now, this.#sent);
  }

  flush(now: Millis): readonly string[] {
    const best = this.#topic.levels === 1;
    if (!this.#dirty) {
      if (!best || now - this.#sentAt < REPEAT_MILLIS) return [];
      this.#sentAt = now;
      return [this.#frame('snapshot', now, this.#sent)];
    }
    this.#dirty = false;
    const seen = this.#look();
    const bids = changedLevels(this.#sent.bids, seen.bids, 'bids');
    const asks = changedLevels(this.#sent.asks, seen.asks, 'asks');
    if (bids.length === 0 && asks.length === 0) return [];
    this.#sent = seen;
    this.#sentAt = now;
    this.#updateId = this.#nextId();
    return [best ? this.#frame('snapshot', now, seen) : this.#frame('delta', now, { ...seen, bids, asks })];
  }

  #nextId(): number {
    const next = (this.#updateIds.get(this.#topic.topic) ?? 0) + 1;
    this.#updateIds.set(this.#topic.topic, next);
    return next;
  }

  #look(): Sent {
    const { category, symbol, levels } = this.#topic;
    const markets = marketsOf(this.#desk, category);
    const depth: SimDepth = markets.depth(symbol, levels);
    return { bids: depth.bids, asks: depth.asks, sequence: depth.lastUpdateId, time: markets.now() };
  }

  #frame(type: 'snapshot' | 'delta', ts: Millis, sent: Sent): string {
    return JSON.stringify({
      topic: this.#topic.topic,
      type,
      ts,
      data: {
        s: this.symbol,
        b: this.#format.levels(sent.bids),
        a: this.#format.levels(sent.asks),
        u: this.#updateId,
        seq: sent.sequence,
      },
      cts: sent.time,
    });
  }
}
