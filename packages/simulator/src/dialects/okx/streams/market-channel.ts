import type { StreamChannel } from '../../wire/channel-hub.ts';

/** What a client subscribes to, in the order in which its pushes repeat it. */
export interface ChannelArgument {
  readonly channel: string;
  readonly instType?: string;
  readonly instFamily?: string;
  readonly instId?: string;
  readonly ccy?: string;
}

/** The text of an argument: the name under which a channel is shared, and what its pushes repeat. */
export function argumentText(argument: ChannelArgument): string {
  const { channel, instType, instFamily, instId, ccy } = argument;
  return JSON.stringify({ channel, ccy, instType, instFamily, instId });
}

/** A public channel. Its payloads lack `arg`: `"data":[…]`. */
export interface MarketChannel extends StreamChannel {
  /** Whether listening makes the crowd act fully in that market. */
  readonly watches?: true;
}

/** The part of a push that follows `arg`. */
export function pushOf(rows: readonly unknown[]): string {
  return `"data":${JSON.stringify(rows)}`;
}

/** A push as its listeners hear it; `argument` is the text of its argument. */
export function frameOf(argument: string, push: string): string {
  return `{"arg":${argument},${push}}`;
}
