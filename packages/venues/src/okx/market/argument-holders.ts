import type { MarketChannel } from '../../venue-public.ts';
import { argumentsOf, type ChannelArgument } from '../symbols.ts';

/**
 * Which of our channels want which of OKX's: bars of 4 and of 8 hours share one. Subscribing again is harmless and is
 * written again (a new connection knows nothing); the last channel to go ends the subscription.
 */
export class ArgumentHolders {
  readonly #holders = new Map<string, Set<string>>();

  /** Arguments to subscribe to. */
  hold(channels: readonly MarketChannel[]): readonly ChannelArgument[] {
    const wanted = new Map<string, ChannelArgument>();
    for (const channel of channels) {
      for (const argument of argumentsOf(channel)) {
        const key = keyOf(argument);
        wanted.set(key, argument);
        const holders = this.#holders.get(key) ?? new Set();
        this.#holders.set(key, holders.add(holderOf(channel)));
      }
    }
    return [...wanted.values()];
  }

  /** Arguments to unsubscribe from. */
  release(channels: readonly MarketChannel[]): readonly ChannelArgument[] {
    const ended = new Map<string, ChannelArgument>();
    for (const channel of channels) {
      for (const argument of argumentsOf(channel)) {
        const key = keyOf(argument);
        const holders = this.#holders.get(key);
        holders?.delete(holderOf(channel));
        if (holders !== undefined && holders.size > 0) continue;
        this.#holders.delete(key);
        ended.set(key, argument);
      }
    }
    return [...ended.values()];
  }
}

function keyOf({ channel, instId }: ChannelArgument): string {
  return `${channel}:${instId}`;
}

function holderOf(channel: MarketChannel): string {
  return channel.kind === 'candle' ? channel.interval : channel.kind;
}
