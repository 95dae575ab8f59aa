import type { Millis } from '@crossbook/domain';
import {
  ChannelHub,
  type FrameSubscriber,
  type OpenedChannel,
  type StreamChannel,
} from '../../wire/channel-hub.ts';

/** Takes a stream's frames; both forms are made once and shared by all who listen. */
export interface StreamSubscriber extends FrameSubscriber {
  /** Whether it wants `{stream,data}` around the payload. */
  readonly combined: boolean;
}

/** All market streams of spot, or of the futures, that somebody listens to. */
export type StreamHub = ChannelHub<StreamSubscriber>;

const TICK_MILLIS = 25;

/** Makes a hub. `skipsDepth`: whether this depth update of this stream is to be lost (faults.ts). */
export function makeStreamHub(parts: {
  now(): Millis;
  skipsDepth(stream: string): boolean;
  onFault(fault: unknown): void;
}): StreamHub {
  return new ChannelHub<StreamSubscriber>({
    now: parts.now,
    tickMillis: TICK_MILLIS,
    send,
    loses: (name) => /@depth(@|$)/.test(name) && parts.skipsDepth(name),
    onFault: parts.onFault,
  });
}

function send(name: string, payload: string, subscribers: Iterable<StreamSubscriber>): void {
  let raw: Buffer | undefined;
  let combined: Buffer | undefined;
  for (const subscriber of subscribers) {
    if (subscriber.combined) combined ??= Buffer.from(`{"stream":"${name}","data":${payload}}`);
    else raw ??= Buffer.from(payload);
    const frame = subscriber.combined ? combined : raw;
    if (frame !== undefined) subscriber.deliver(frame);
  }
}

/** A channel whose market is looked at while somebody listens; one about all markets looks at none. */
export function watched(
  channel: StreamChannel | undefined,
  watch: (symbol: string) => () => void,
): OpenedChannel | undefined {
  if (channel?.symbol === undefined) return channel && { channel };
  return { channel, unwatch: watch(channel.symbol) };
}
