import { ChannelHub, deliverAll, type FrameSubscriber, type OpenedChannel } from '../../wire/channel-hub.ts';
import type { Desk } from '../desk.ts';
import { frameOf, type MarketChannel } from './market-channel.ts';

/** All public channels that somebody listens to, by the text of their argument. */
export type PublicHub = ChannelHub<FrameSubscriber>;

const TICK_MILLIS = 25;

/** Makes the hub of pairs and contracts alike. */
export function makePublicHub(desk: Desk): PublicHub {
  return new ChannelHub({
    now: () => desk.now(),
    tickMillis: TICK_MILLIS,
    send: (name, push, subscribers) => deliverAll(frameOf(name, push), subscribers),
    onFault: (fault) => desk.onFault(fault),
  });
}

/** A channel whose market is looked at while somebody listens, where it asks for that. */
export function watched(desk: Desk, channel: MarketChannel | undefined): OpenedChannel | undefined {
  const listed = channel?.watches === true ? desk.listing.find(channel.symbol ?? '') : undefined;
  if (channel === undefined || listed === undefined) return channel && { channel };
  return { channel, unwatch: desk.venue.watch(listed.part, listed.instId) };
}
