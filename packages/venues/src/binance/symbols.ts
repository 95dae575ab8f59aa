import type { CandleInterval } from '@crossbook/domain';

/** Stream names carry the symbol in lower case: `btcusdt@depth@100ms`. */
export function streamName(channel: {
  readonly kind: 'book' | 'trades' | 'ticker' | 'candle';
  readonly symbol: string;
  readonly interval?: CandleInterval;
}): string {
  const symbol = channel.symbol.toLowerCase();
  if (channel.kind === 'book') return `${symbol}@depth@100ms`;
  if (channel.kind === 'trades') return `${symbol}@trade`;
  if (channel.kind === 'ticker') return `${symbol}@ticker`;
  return `${symbol}@kline_${channel.interval ?? ''}`;
}
