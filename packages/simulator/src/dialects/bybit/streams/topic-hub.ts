import { ChannelHub, deliverAll, type FrameSubscriber, type OpenedChannel } from '../../wire/channel-hub.ts';
import { type Desk, marketsOf } from '../endpoint.ts';
import type { BybitCategory } from '../format.ts';
import { liquidationChannel } from './liquidation-channel.ts';
import { makeChannel, type Topic } from './topics.ts';

const TICK_MILLIS = 20;

/** The topics of one category that somebody listens to. */
export class TopicHub extends ChannelHub<FrameSubscriber> {
  readonly #desk: Desk;
  readonly #category: BybitCategory;
  /** Where the update ids of each book's topic stand; as many as there are such topics. */
  readonly #updateIds = new Map<string, number>();

  constructor(desk: Desk, category: BybitCategory) {
    super({
      now: () => marketsOf(desk, category).now(),
      tickMillis: TICK_MILLIS,
      send: (_, text, subscribers) => deliverAll(text, subscribers),
      loses: (name) => name.startsWith('orderbook.') && desk.faults.skipsDepth(name),
      onFault: (fault) => desk.onFault(fault),
    });
    this.#desk = desk;
    this.#category = category;
  }

  /** Joins a topic, or greets one who has joined before once more. */
  follow(topic: Topic, subscriber: FrameSubscriber): void {
    const channel = this.join(topic.name, subscriber, () => this.#open(topic));
    const greeting = channel?.greeting?.(marketsOf(this.#desk, this.#category).now());
    if (greeting !== undefined) subscriber.deliver(Buffer.from(greeting));
  }

  #open(topic: Topic): OpenedChannel | undefined {
    if (topic.kind === 'silent') return undefined;
    if (topic.kind === 'liquidation') return liquidationChannel(this.#desk, topic.name, topic.symbol);
    const market = this.#category === 'spot' ? 'spot' : 'perps';
    // Books, trades and bars want full agents in their market (decision 0030.26), before the first look; tickers do
    // not.
    const watches = topic.kind !== 'tickers';
    const unwatch = watches ? this.#desk.venue.watch(market, topic.symbol) : () => undefined;
    const channel = makeChannel(this.#desk, this.#category, topic, this.#updateIds);
    if (channel === undefined) unwatch();
    return channel && { channel, unwatch };
  }
}
