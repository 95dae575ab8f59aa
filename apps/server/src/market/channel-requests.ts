import type { MarketChannel, PublicSocketCodec } from '@crossbook/venues';
import { channelKey } from './channel-key.ts';

/** Messages written in one go: venues take as few as five a second. */
const MESSAGES_AT_ONCE_MAX = 2;

/** What a connection still has to ask of its venue, cut into messages that the venue takes. */
export class ChannelRequests {
  readonly #codec: PublicSocketCodec;
  readonly #channelsMax: number;
  #subscribe = new Map<string, MarketChannel>();
  #unsubscribe = new Map<string, MarketChannel>();
  #number = 0;

  constructor(codec: PublicSocketCodec) {
    this.#codec = codec;
    this.#channelsMax = codec.channelsPerRequestMax ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#subscribe.size === 0 && this.#unsubscribe.size === 0;
  }

  /** A fresh connection has nothing: only what is wanted is asked for. */
  restart(wanted: Iterable<MarketChannel>): void {
    this.#unsubscribe.clear();
    this.#subscribe.clear();
    for (const channel of wanted) this.#subscribe.set(channelKey(channel), channel);
  }

  /** What is about to end still ends first: a subscription made twice brings no second snapshot of a book. */
  follow(channel: MarketChannel): void {
    this.#subscribe.set(channelKey(channel), channel);
  }

  leave(channel: MarketChannel): void {
    const key = channelKey(channel);
    if (!this.#subscribe.delete(key)) this.#unsubscribe.set(key, channel);
  }

  /** Leaves and follows, in this order. */
  renew(channel: MarketChannel): void {
    const key = channelKey(channel);
    this.#unsubscribe.set(key, channel);
    this.#subscribe.set(key, channel);
  }

  /** The next messages. Nothing is subscribed before everything that is to end has ended, so that `renew` works. */
  take(): { readonly texts: readonly string[]; readonly subscribes: boolean } {
    const texts: string[] = [];
    let subscribes = false;
    while (texts.length < MESSAGES_AT_ONCE_MAX && !this.isEmpty) {
      subscribes = this.#unsubscribe.size === 0;
      const from = subscribes ? this.#subscribe : this.#unsubscribe;
      const channels = cut(from, this.#channelsMax);
      this.#number += 1;
      const { subscribe, unsubscribe } = this.#codec;
      texts.push((subscribes ? subscribe : unsubscribe)(channels, this.#number));
    }
    return { texts, subscribes };
  }
}

function cut(from: Map<string, MarketChannel>, countMax: number): readonly MarketChannel[] {
  const channels: MarketChannel[] = [];
  for (const [key, channel] of from) {
    if (channels.length >= countMax) break;
    channels.push(channel);
    from.delete(key);
  }
  return channels;
}
