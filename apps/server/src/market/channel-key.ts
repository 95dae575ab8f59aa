import { channelId, type StreamMarket } from '@crossbook/contract';
import type { MarketChannel } from '@crossbook/venues';

/** The identity of a venue's channel, with its market where channels of several stand together. */
export function channelKey(channel: MarketChannel, market: { readonly m?: StreamMarket } = {}): string {
  const i = channel.kind === 'candle' ? channel.interval : undefined;
  return channelId({ ch: channel.kind, s: channel.symbol, ...market, i });
}
