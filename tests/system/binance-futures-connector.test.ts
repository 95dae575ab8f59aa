import { type BookLevel, type Instrument, intervalMillis, type Millis } from '@crossbook/domain';
import {
  type BinancePublic,
  BookSync,
  createBinanceFuturesPublic,
  type MarketChannel,
  type MarketMessage,
  type PublicSocketCodec,
} from '@crossbook/venues';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fetchText, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The futures' public half against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const now = (): Millis => Date.now() as Millis;
let venue: SimulatorVenue;
let futures: BinancePublic;
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
  venue = await startSimulator(5, 'off');
  const bases = { restBase: venue.url, socketBase: venue.socketUrl };
  futures = createBinanceFuturesPublic({ ...bases, fetchText, clock: now });
  instruments = must(await futures.rest.instruments('SWAP'));
  btc = instruments.find((instrument) => instrument.symbol === 'BTCUSDT') as Instrument;
});
afterAll(() => venue?.stop());

/** The socket that has a channel: books and trades on one address, tickers and candles on the other. */
function codecOf(channel: MarketChannel): PublicSocketCodec {
  const codec = [futures.socket, ...(futures.furtherSockets ?? [])].find(
    (candidate) => candidate.carries?.(channel) ?? true,
  );
  if (codec === undefined) throw new Error(`no socket carries ${channel.kind}`);
  return codec;
}

/** A public socket that decodes everything it hears. */
function follow(channel: MarketChannel): { readonly messages: MarketMessage[]; close(): void } {
  const codec = codecOf(channel);
  const messages: MarketMessage[] = [];
  const socket = new WebSocket(codec.url());
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(codec.subscribe([channel], 1)));
  socket.addEventListener('message', ({ data }) => {
    messages.push(codec.decode(typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data), now()));
  });
  return { messages, close: () => socket.close() };
}

describe('REST', () => {
  test('lists USDT perpetuals only: not the dated one, not the one in USDC; the suspended one is halted', async () => {
    const told = JSON.parse((await fetchText(`${venue.url}/fapi/v1/exchangeInfo`)).text) as {
      symbols: { symbol: string; contractType: string; quoteAsset: string; status: string }[];
    };
    const left = told.symbols.filter((one) => one.contractType !== 'PERPETUAL' || one.quoteAsset !== 'USDT');
    expect(left.map((one) => one.contractType)).toContain('PERPETUAL');
    expect(left.some((one) => one.symbol.includes('_'))).toBe(true);
    const listed = new Set(instruments.map(({ symbol }) => symbol));
    expect(left.filter((one) => listed.has(one.symbol))).toEqual([]);
    expect(listed.size).toBe(told.symbols.length - left.length);
    const halted = instruments.filter(({ status }) => status === 'halted').map(({ symbol }) => symbol);
    const closed = told.symbols.filter((one) => one.status !== 'TRADING').map((one) => one.symbol);
    expect(halted).toEqual(closed);
    expect(halted.length).toBeGreaterThan(0);
    expect(instruments.every((one) => one.symbolType === 'SWAP' && one.quote === 'USDT')).toBe(true);
    expect(must(await futures.rest.instruments('SPOT'))).toEqual([]);
  });

  test('tickers carry mark, index, funding and its next time, close to the last price', async () => {
    const tickers = must(await futures.rest.tickers('SWAP'));
    for (const { symbol, status } of instruments) {
      if (status !== 'trading') continue;
      const ticker = tickers.find((one) => one.symbol === symbol);
      const { lastPrice = '0', markPrice = '0', indexPrice = '0' } = ticker ?? {};
      expect(Math.abs(Number(markPrice) / Number(lastPrice) - 1)).toBeLessThan(0.05);
      expect(Math.abs(Number(indexPrice) / Number(markPrice) - 1)).toBeLessThan(0.05);
      expect(Math.abs(Number(ticker?.fundingRate))).toBeLessThan(0.02);
      expect(ticker?.nextFundingTime).toBeGreaterThan(Date.now() - 60_000);
    }
    const one = must(await futures.rest.ticker(btc));
    expect(one.openPrice).toBe(tickers.find(({ symbol }) => symbol === 'BTCUSDT')?.openPrice);
    expect([typeof one.markPrice, typeof one.fundingRate]).toEqual(['string', 'string']);
    const strange = await futures.rest.ticker({ ...btc, symbol: 'NOSUCHUSDT' });
    expect(strange).toEqual({ ok: false, code: 'unknown-symbol' });
  });

  test('open interest of every perpetual, in base coins', async () => {
    const told = must(await futures.rest.openInterest(instruments));
    expect([...told.keys()].sort()).toEqual(instruments.map(({ symbol }) => symbol).sort());
    expect(Number(told.get('BTCUSDT'))).toBeGreaterThan(100);
  });

  test('trades and time are read', async () => {
    const trades = must(await futures.rest.trades(btc, 50));
    const ids = trades.map((trade) => Number(trade.id));
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    expect(Math.abs(must(await futures.rest.serverTime()) - Date.now())).toBeLessThan(60_000);
  });

  test('candle pages of 1,500 join without a hole or a repeated bar', async () => {
    const newest = must(await futures.rest.candles(btc, '1h', { limit: 1_500 }));
    const first = newest[0]?.time as Millis;
    const older = must(await futures.rest.candles(btc, '1h', { limit: 1_500, endTime: first }));
    const times = [...older, ...newest].map((bar) => bar.time);
    const hour = intervalMillis('1h') as number;
    expect(times.length).toBe(3_000);
    expect(times.every((time, at) => at === 0 || time === (times[at - 1] as number) + hour)).toBe(true);
  });
});

describe('the streams', () => {
  test.each([
    [{ kind: 'trades', symbol: 'BTCUSDT' }, 'trades'],
    [{ kind: 'ticker', symbol: 'BTCUSDT' }, 'ticker'],
    [{ kind: 'ticker', symbol: 'ETHUSDT' }, 'perp-figures'],
    [{ kind: 'candle', symbol: 'BTCUSDT', interval: '1m' }, 'candle'],
  ] as const)('%o tells %s, and nothing is malformed', async (channel, kind) => {
    const feed = follow(channel);
    const kinds = () => new Set(feed.messages.map((message) => message.kind));
    await until(`${kind} has arrived`, () => kinds().has('acknowledged') && kinds().has(kind));
    feed.close();
    expect(feed.messages.filter((message) => message.kind === 'malformed')).toEqual([]);
  });

  test('trades of the socket are those of the calls, under the same ids', async () => {
    const feed = follow({ kind: 'trades', symbol: 'BTCUSDT' });
    const streamed = () =>
      feed.messages.flatMap((message) => (message.kind === 'trades' ? message.trades : []));
    await until('a few trades have arrived', () => streamed().length >= 5);
    feed.close();
    const told = new Map(must(await futures.rest.trades(btc, 1_000)).map((trade) => [trade.id, trade]));
    for (const trade of streamed()) expect(told.get(trade.id)).toEqual(trade);
  });

  /** Runs a live book as its owner would: every message applied, a snapshot fetched whenever one is needed. */
  async function liveBook(symbol: string): Promise<{ sync: BookSync; seen(): Promise<void>; close(): void }> {
    const instrument = instruments.find((one) => one.symbol === symbol) as Instrument;
    const sync = new BookSync({ venue: futures, symbol });
    const feed = follow({ kind: 'book', symbol });
    let taken = 0;
    const seen = async (): Promise<void> => {
      for (; taken < feed.messages.length; taken += 1) {
        const message = feed.messages[taken];
        if (message?.kind === 'malformed') sync.malformed();
        if (message?.kind === 'book') sync.apply(message.change);
        expect(sync.book.isCrossed()).toBe(false);
      }
      if (sync.needsSnapshot && taken > 1) {
        const snapshot = await futures.rest.depth(instrument, 1_000);
        if (snapshot.ok) sync.apply(snapshot.value);
      }
    };
    await until('the book is live', async () => {
      await seen();
      return sync.state === 'LIVE' && sync.counters.applied > 3;
    });
    return { sync, seen, close: feed.close };
  }

  /** At rest the book must be the venue's, level for level as far as a snapshot reaches. */
  async function expectEqualAtRest(
    book: { sync: BookSync; seen(): Promise<void> },
    instrument: Instrument,
  ): Promise<void> {
    await venue.admin('agents', { paused: true });
    let truth = must(await futures.rest.depth(instrument, 1_000));
    await until('the book has caught up', async () => {
      truth = must(await futures.rest.depth(instrument, 1_000));
      await book.seen();
      return book.sync.state === 'LIVE' && book.sync.book.lastSeq === truth.lastSeq;
    });
    const levels = (side: 'bids' | 'asks'): readonly BookLevel[] => book.sync.book.levels(side, 500);
    expect(levels('bids')).toEqual(truth.bids.slice(0, 500));
    expect(levels('asks')).toEqual(truth.asks.slice(0, 500));
    await venue.admin('agents', { paused: false });
  }

  test.each([
    ['BTCUSDT', 60],
    ['ETHUSDT', 25],
  ])(
    "a book of %s over %i changes equals the venue's, without a gap in the chain of pu",
    async (symbol, changes) => {
      const instrument = instruments.find((one) => one.symbol === symbol) as Instrument;
      const book = await liveBook(symbol);
      await until('the changes were applied', async () => {
        await book.seen();
        return book.sync.counters.applied >= changes;
      });
      await expectEqualAtRest(book, instrument);
      expect(book.sync.counters).toMatchObject({ gaps: 0, malformed: 0, crossed: 0, resyncs: 0 });
      book.close();
    },
  );

  test('lost updates are gaps that are counted, and the book is right again after a new snapshot', async () => {
    const book = await liveBook('BTCUSDT');
    for (let loss = 1; loss <= 2; loss += 1) {
      // A snapshot may be ahead of the stream, and then the next update is no loss: begin where deltas follow deltas.
      const joined = book.sync.counters.applied + 2;
      await until('deltas are applied one after the other', async () => {
        await book.seen();
        return book.sync.counters.applied >= joined;
      });
      await venue.admin('faults', { kind: 'skip-depth', match: 'fapi.btcusdt', count: 1 });
      await until('the gap was noticed and mended', async () => {
        await book.seen();
        return book.sync.counters.gaps >= loss && book.sync.state === 'LIVE';
      });
    }
    await expectEqualAtRest(book, btc);
    book.close();
  });
});
