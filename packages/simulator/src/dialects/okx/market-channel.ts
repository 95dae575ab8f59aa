import type { Millis } from '@crossbook/domain';
import type { SimBookChange, SimTrade } from '../../exchange.ts';

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

/** One channel that somebody listens to: gathers what happens, writes it when it is due. */
export interface MarketChannel {
  /** The instrument whose news it takes; `undefined` for channels about several. */
  readonly instId: string | undefined;
  /** Whether listening makes the crowd act fully in that market. */
  readonly watches: boolean;
  /** How often it speaks; 0 is at every tick of the hub. */
  readonly everyMillis: number;
  onTrade?(trade: SimTrade): void;
  onBookChange?(change: SimBookChange): void;
  /** What a new listener hears first, without `arg`: `"data":[…]`. */
  greeting(now: Millis): string | undefined;
  /** What all listeners hear since the last flush, each without `arg`. */
  flush(now: Millis): readonly string[];
}

/** The part of a push that follows `arg`. */
export function pushOf(rows: readonly unknown[]): string {
  return `"data":${JSON.stringify(rows)}`;
}
