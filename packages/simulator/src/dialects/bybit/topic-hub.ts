import type { Millis } from '@crossbook/domain';
import type { ExchangeListener } from '../../exchange.ts';
import { type Desk, marketsOf } from './endpoint.ts';
import type { BybitCategory } from './figures.ts';
import type { TopicChannel } from './topic-channel.ts';
import { makeChannel, type Topic } from './topics.ts';

/** Takes a topic's frames, which are made once and shared by all who listen. */
export interface TopicSubscriber {
  deliver(frame: Buffer): void;
}

interface OpenTopic {
  readonly name: string;
  readonly isBook: boolean;
  readonly channel: TopicChannel;
  readonly subscribers: Set<TopicSubscriber>;
  readonly unwatch: () => void;
  dueAt: number;
}

const TICK_MILLIS = 20;

/** The topics of one category that somebody listens to. One tick gathers, writes each frame once, and sends it to all. */
export class TopicHub {
  readonly #desk: Desk;
  readonly #category: BybitCategory;
  readonly #topics = new Map<string, OpenTopic>();
  readonly #bySymbol = new Map<string, Set<OpenTopic>>();
  /** Where the update ids of each book's topic stand; as many as there are such topics. */
  readonly #updateIds = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(desk: Desk, category: BybitCategory) {
    this.#desk = desk;
    this.#category = category;
  }

  /** Joins a topic, or greets one who has joined before once more. */
  join(topic: Topic, subscriber: TopicSubscriber): void {
    const open = this.#topics.get(topic.name) ?? this.#open(topic);
    if (open === undefined) return;
    const greeting = open.channel.greeting(this.#now());
    if (greeting !== undefined) subscriber.deliver(Buffer.from(greeting));
    open.subscribers.add(subscriber);
  }

  leave(name: string, subscriber: TopicSubscriber): void {
    const open = this.#topics.get(name);
    if (open === undefined || !open.subscribers.delete(subscriber) || open.subscribers.size > 0) return;
    this.#topics.delete(name);
    open.unwatch();
    const others = this.#bySymbol.get(open.channel.symbol);
    others?.delete(open);
    if (others?.size === 0) this.#bySymbol.delete(open.channel.symbol);
    if (this.#topics.size === 0) this.#stop();
  }

  /** What the market's core is to call. */
  listener(): ExchangeListener {
    return {
      onTrade: (trade) => {
        for (const open of this.#bySymbol.get(trade.symbol) ?? []) open.channel.onTrade?.(trade);
      },
      onBookChange: (change) => {
        for (const open of this.#bySymbol.get(change.symbol) ?? []) open.channel.onBookChange?.(change);
      },
    };
  }

  close(): void {
    this.#stop();
    for (const open of this.#topics.values()) open.unwatch();
    this.#topics.clear();
    this.#bySymbol.clear();
  }

  #now(): Millis {
    return marketsOf(this.#desk, this.#category).now();
  }

  #open(topic: Topic): OpenTopic | undefined {
    if (topic.kind === 'liquidation') return undefined;
    const market = this.#category === 'spot' ? 'spot' : 'perps';
    // Books, trades and bars want full agents in their market (decisions.md 26), before the first look; tickers do not.
    const watches = topic.kind !== 'tickers';
    const unwatch = watches ? this.#desk.venue.watch(market, topic.symbol) : () => undefined;
    const channel = makeChannel(this.#desk, this.#category, topic, this.#updateIds);
    if (channel === undefined) {
      unwatch();
      return undefined;
    }
    const isBook = topic.kind === 'orderbook';
    const open: OpenTopic = { name: topic.name, isBook, channel, subscribers: new Set(), unwatch, dueAt: 0 };
    this.#topics.set(topic.name, open);
    const others = this.#bySymbol.get(channel.symbol) ?? new Set();
    this.#bySymbol.set(channel.symbol, others.add(open));
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), TICK_MILLIS);
      this.#timer.unref();
    }
    return open;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = this.#now();
    for (const open of this.#topics.values()) {
      const { everyMillis } = open.channel;
      if (everyMillis > 0 && now < open.dueAt) continue;
      open.dueAt = everyMillis === 0 ? 0 : now - (now % everyMillis) + everyMillis;
      try {
        this.#flush(open, now);
      } catch (fault) {
        // One topic that fails must not silence the others.
        this.#desk.onFault(fault);
      }
    }
  }

  #flush(open: OpenTopic, now: Millis): void {
    for (const text of open.channel.flush(now)) {
      if (open.isBook && this.#desk.faults.skipsDepth(open.name)) continue;
      const frame = Buffer.from(text);
      for (const subscriber of open.subscribers) subscriber.deliver(frame);
    }
  }
}
