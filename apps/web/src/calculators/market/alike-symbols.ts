import type { Instrument } from '@crossbook/domain';

/** Letters and digits of a symbol as somebody types it from memory, without the venue's punctuation and suffix. */
function plain(symbol: string): string {
  return symbol
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/SWAP$/, '');
}

/**
 * The instrument that a mistyped address most likely means: the same letters in another venue's spelling, such as
 * `BTCUSDT` or `btc-usdt` for `BTC-USDT`, or the coin alone. `undefined` when there is none.
 */
export function alikeSymbol<Row extends Pick<Instrument, 'symbol' | 'base'>>(
  instruments: readonly Row[],
  symbol: string,
): Row | undefined {
  const wanted = plain(symbol);
  return (
    instruments.find((row) => plain(row.symbol) === wanted) ?? instruments.find((row) => row.base === wanted)
  );
}
