import assert from 'node:assert/strict';
import { plainLevels } from './local-ccxt.mjs';
import { until } from './simulator-process.mjs';

/** Books of markets, watched through so many updates, are those of REST once nobody trades. */
export async function assertBooks(
  simulator,
  venue,
  exchange,
  { symbols, updates, depth, restDepth = depth },
) {
  const watched = await Promise.all(
    symbols.map(async (symbol) => {
      let book;
      for (let at = 0; at < updates; at += 1) book = await exchange.watchOrderBook(symbol, depth);
      return [symbol, book];
    }),
  );
  await simulator.admin('POST', 'agents', { venue, paused: true });
  try {
    for (const [symbol, book] of watched) {
      const same = async () => {
        const rest = await exchange.fetchOrderBook(symbol, restDepth);
        return ['bids', 'asks'].every(
          (side) => JSON.stringify(plainLevels(book[side])) === JSON.stringify(plainLevels(rest[side])),
        );
      };
      await until(`the watched book of ${symbol} is the REST book`, same);
      assert.ok(book.bids.length > 20 && book.asks.length > 20);
      if (depth !== undefined) assert.equal(book.bids.length, depth);
    }
  } finally {
    await simulator.admin('POST', 'agents', { venue, paused: false });
  }
}

/** Trades, ticker and candles of a market arrive by socket. */
export async function assertLive(exchange, symbol) {
  const [trades, ticker, candles] = await Promise.all([
    exchange.watchTrades(symbol),
    exchange.watchTicker(symbol),
    exchange.watchOHLCV(symbol, '1m'),
  ]);
  assert.ok(trades.length > 0 && trades[0].price > 0);
  assert.ok(ticker.last > 0);
  assert.equal(candles.at(-1)[0] % 60_000, 0);
}
