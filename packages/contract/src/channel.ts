import type { SymbolType } from '@crossbook/domain';
import type { ChannelArg, PublicChannel, StreamMarket } from './stream.ts';

/** Every public channel. */
export const PUBLIC_CHANNELS: readonly PublicChannel[] = ['book', 'trades', 'ticker', 'candle', 'bbo'];

/** What names a channel, in a request, in a frame that answers it, or taken apart. */
export interface ChannelName {
  readonly ch: PublicChannel;
  readonly s: string;
  readonly m?: StreamMarket | undefined;
  readonly i?: string | undefined;
}

/**
 * The identity of a channel as text, equal exactly for equal channels: `book:BTCUSDT`, `candle:BTCUSDT:1m`, and for
 * perpetuals `book.perp:BTCUSDT`. A colon within a symbol or an interval is escaped.
 */
export function channelId({ ch, s, m, i }: ChannelName): string {
  const head = `${ch}${m === 2 ? '.perp' : ''}:${escaped(s)}`;
  return i === undefined ? head : `${head}:${escaped(i)}`;
}

/** The channel of an identity; `undefined` where `channelId` makes no such text. */
export function parseChannelId(id: string): ChannelArg | undefined {
  const [head = '', s, i, ...more] = id.split(':');
  const ch = PUBLIC_CHANNELS.find((known) => head === known || head === `${known}.perp`);
  if (ch === undefined || s === undefined || more.length > 0) return undefined;
  const market = head === ch ? {} : { m: 2 as const };
  const arg = { ch, s: unescaped(s), ...market, ...(i === undefined ? {} : { i: unescaped(i) }) };
  return channelId(arg) === id ? arg : undefined;
}

/** The type of the market that a channel or frame belongs to. */
export function streamSymbolType({ m }: { readonly m?: StreamMarket | undefined }): SymbolType {
  return m === 2 ? 'SWAP' : 'SPOT';
}

/** The market part of a channel or frame, to be spread into it: absent for spot. */
export function streamMarket(symbolType: SymbolType): { readonly m?: StreamMarket } {
  return symbolType === 'SWAP' ? { m: 2 } : {};
}

function escaped(part: string): string {
  return part.replace(/[%:]/g, (found) => (found === ':' ? '%3A' : '%25'));
}

function unescaped(part: string): string {
  return part.replace(/%3A|%25/g, (found) => (found === '%3A' ? ':' : '%'));
}
