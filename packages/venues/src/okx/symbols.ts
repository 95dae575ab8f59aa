import type { SymbolType } from '@crossbook/domain';
import type { MarketChannel } from '../venue-public.ts';
import { barOf, OKX_BUILT_INTERVALS } from './intervals.ts';

/** One subscription in OKX's words. */
export interface ChannelArgument {
  readonly channel: string;
  readonly instId: string;
}

const SWAP_SUFFIX = '-SWAP';

/** Whether a symbol is a perpetual's: `BTC-USDT-SWAP`. */
export function symbolTypeOf(symbol: string): SymbolType {
  return symbol.endsWith(SWAP_SUFFIX) ? 'SWAP' : 'SPOT';
}

/** The index behind a perpetual: `BTC-USDT` of `BTC-USDT-SWAP`. */
export function indexOf(symbol: string): string {
  return symbol.slice(0, -SWAP_SUFFIX.length);
}

/** The perpetual of an index. */
export function swapOf(index: string): string {
  return `${index}${SWAP_SUFFIX}`;
}

/** A symbol quoted in USDT: `BTC-USDT` or `BTC-USDT-SWAP`, not `BTC-USDT-220930`. */
export function isUsdtSymbol(symbol: string): boolean {
  return /^[^-]+-USDT(?:-SWAP)?$/.test(symbol);
}

/**
 * OKX's channels of one of ours. A perpetual's ticker is four: its own names neither mark price, index nor funding.
 * A candle that OKX lacks is followed by what it is built from.
 */
export function argumentsOf(channel: MarketChannel): readonly ChannelArgument[] {
  const instId = channel.symbol;
  if (channel.kind === 'book') return [{ channel: 'books', instId }];
  if (channel.kind === 'trades') return [{ channel: 'trades', instId }];
  if (channel.kind === 'candle') {
    const bar = barOf(OKX_BUILT_INTERVALS.get(channel.interval) ?? channel.interval);
    return bar === undefined ? [] : [{ channel: `candle${bar}`, instId }];
  }
  if (symbolTypeOf(instId) === 'SPOT') return [{ channel: 'tickers', instId }];
  return [
    { channel: 'tickers', instId },
    { channel: 'mark-price', instId },
    { channel: 'index-tickers', instId: indexOf(instId) },
    { channel: 'funding-rate', instId },
  ];
}
