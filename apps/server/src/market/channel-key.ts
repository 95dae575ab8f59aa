import type { MarketChannel } from '@crossbook/venues';

/** Names a channel for look-up. */
export function channelKey(channel: MarketChannel): string {
  return channel.kind === 'candle'
    ? `candle:${channel.symbol}:${channel.interval}`
    : `${channel.kind}:${channel.symbol}`;
}
