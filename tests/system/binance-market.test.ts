import { type BookLevel, type Instrument, intervalMillis, type Millis, type Ticker } from '@crossbook/domain';
import {
  type BinancePublic,
  BookSync,
  createBinancePublic,
  type MarketChannel,
  type MarketMessage,
} from '@crossbook/venues';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fetchText, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The public half against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const now = (): Millis => Date.now() as Millis;
let venue: SimulatorVenue;
let binance: BinancePublic;
let instruments: readonly Instrument[];
let btc: Instrument;

/** Takes the value of an answer that must be good. */
function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string },
): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

beforeAll(async () => {
  venue = await startSimulator(2, 'off');
  binance = createBinancePublic({ restBase: venue.url, socketBase: venue.socketUrl, fetchText, clock: now });
  instruments = must(await binance.rest.instruments('SPOT'));
  btc = instruments.find((instrument) => instrument.symbol === 'BTCUSDT') as Instrument;
});
afterAll(() => venue?.stop());

/** A public socket that decodes everything it hears. */
function follow(channels: readonly MarketChannel[]): { readonly messages: MarketMessage[]; close(): void } {
  const messages: MarketMessage[] = [];
  const socket = new WebSocket(binance.socket.url());
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(binance.socket.subscribe(channels, 1)));
  socket.addEventListener('message', ({ data }) => {
    messages.push(
      binance.socket.decode(typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data), now()),
    );
  });
  return { messages, close: () => socket.close() };
}

describe('REST', () => {
  test('lists at least 20 USDT pairs with steps, and one that is halted', () => {
    expect(instruments.length).toBeGreaterThanOrEqual(20);
    expect(instruments.every((instrument) => instrument.quote === 'USDT' && instrument.tickSize > 0n)).toBe(
      true,
    );
    expect(instruments.some((instrument) => instrument.status === 'halted')).toBe(true);
    expect(instruments.filter((instrument) => instrument.status === 'trading').length).toBeGreaterThanOrEqual(
      20,
    );
  });

  test('tickers, trades and time are read', async () => {
    const tickers = must(await binance.rest.tickers('SPOT'));
    const one = must(await binance.rest.ticker(btc));
    expect(tickers.find((ticker: Ticker) => ticker.symbol === 'BTCUSDT')?.openPrice).toBe(one.openPrice);
    const trades = must(await binance.rest.trades(btc, 50));
    expect(trades.map((trade) => Number(trade.id))).toEqual(
      [...trades].map((trade) => Number(trade.id)).sort((l, r) => l - r),
    );
    expect(Math.abs(must(await binance.rest.serverTime()) - Date.now())).toBeLessThan(60_000);
    expect(await binance.rest.ticker({ ...btc, symbol: 'NOSUCHUSDT' })).toEqual({
      ok: false,
      code: 'unknown-symbol',
    });
  });

  test('candle pages join without a hole or a repeated bar', async () => {
    const newest = must(await binance.rest.candles(btc, '1h', { limit: 1_000 }));
    const first = newest[0]?.time as Millis;
    const older = must(await binance.rest.candles(btc, '1h', { limit: 500, endTime: first }));
    const times = [...older, ...newest].map((bar) => bar.time);
    const hour = intervalMillis('1h') as number;
    expect(times.length).toBe(1_500);
    expect(times.every((time, at) => at === 0 || time === (times[at - 1] as number) + hour)).toBe(true);
  });
});

describe('the stream', () => {
  test('trades, ticker and candles arrive and decode; nothing is malformed', async () => {
    const feed = follow([
      { kind: 'trades', symbol: 'BTCUSDT' },
      { kind: 'ticker', symbol: 'BTCUSDT' },
      { kind: 'candle', symbol: 'BTCUSDT', interval: '1m' },
    ]);
    const kinds = () => new Set(feed.messages.map((message) => message.kind));
    await until('all kinds have arrived', () =>
      ['acknowledged', 'trades', 'ticker', 'candle'].every((kind) => kinds().has(kind as never)),
    );
    feed.close();
    expect([...kinds()].filter((kind) => kind === 'malformed')).toEqual([]);
    expect(feed.messages.find((message) => message.kind === 'acknowledged')).toMatchObject({
      requestId: 1,
      accepted: true,
    });
  });

  /** Runs a live book as its owner would: every message applied, a snapshot fetched whenever one is needed. */
  async function liveBook(symbol: string): Promise<{ sync: BookSync; seen(): Promise<void>; close(): void }> {
    const instrument = instruments.find((one) => one.symbol === symbol) as Instrument;
    const sync = new BookSync({ venue: binance, symbol });
    const feed = follow([{ kind: 'book', symbol }]);
    let taken = 0;
    const seen = async (): Promise<void> => {
      for (; taken < feed.messages.length; taken += 1) {
        const message = feed.messages[taken];
        if (message?.kind === 'malformed') sync.malformed();
        if (message?.kind === 'book') sync.apply(message.change);
        expect(sync.book.isCrossed()).toBe(false);
      }
      if (sync.needsSnapshot && taken > 1) {
        const snapshot = await binance.rest.depth(instrument, 5_000);
        if (snapshot.ok) sync.apply(snapshot.value);
      }
    };
    await until('the book is live', async () => {
      await seen();
      return sync.state === 'LIVE' && sync.counters.applied > 3;
    });
    return { sync, seen, close: feed.close };
  }

  /** At rest the book must be the venue's, level for level. */
  async function expectEqualAtRest(
    book: { sync: BookSync; seen(): Promise<void> },
    instrument: Instrument,
  ): Promise<void> {
    await venue.admin('agents', { paused: true });
    let truth = must(await binance.rest.depth(instrument, 5_000));
    await until('the book has caught up', async () => {
      truth = must(await binance.rest.depth(instrument, 5_000));
      await book.seen();
      return book.sync.state === 'LIVE' && book.sync.book.lastSeq === truth.lastSeq;
    });
    const best = (levels: readonly BookLevel[]) => levels.slice(0, 1_000);
    expect(book.sync.book.levels('bids', 1_000)).toEqual(best(truth.bids));
    expect(book.sync.book.levels('asks', 1_000)).toEqual(best(truth.asks));
    await venue.admin('agents', { paused: false });
  }

  test.each(['BTCUSDT', 'ETHUSDT'])(
    "a book of %s built from deltas equals the venue's, without a gap",
    async (symbol) => {
      const instrument = instruments.find((one) => one.symbol === symbol) as Instrument;
      const book = await liveBook(symbol);
      await until('fifty changes were applied', async () => {
        await book.seen();
        return book.sync.counters.applied >= 50;
      });
      await expectEqualAtRest(book, instrument);
      expect(book.sync.counters).toMatchObject({
        gaps: 0,
        malformed: 0,
        crossed: 0,
        contradictions: 0,
        resyncs: 0,
      });
      book.close();
    },
  );

  test('lost updates are gaps that are counted, and the book is right again after a new snapshot', async () => {
    const book = await liveBook('BTCUSDT');
    for (let loss = 1; loss <= 3; loss += 1) {
      // A snapshot may be ahead of the stream, and then the next update is no loss: begin where deltas follow deltas.
      const joined = book.sync.counters.applied + 2;
      await until('deltas are applied one after the other', async () => {
        await book.seen();
        return book.sync.counters.applied >= joined;
      });
      await venue.admin('faults', { kind: 'skip-depth', match: 'btcusdt', count: 1 });
      await until('the gap was noticed and mended', async () => {
        await book.seen();
        return book.sync.counters.gaps >= loss && book.sync.state === 'LIVE';
      });
    }
    expect(book.sync.counters.resyncs).toBeGreaterThanOrEqual(3);
    await expectEqualAtRest(book, btc);
    book.close();
  });
});
