import { type BookLevel, type Instrument, intervalMillis, type Millis } from '@crossbook/domain';
import {
  BookSync,
  type BybitCategory,
  type BybitPublic,
  createBybitPublic,
  type MarketChannel,
  type MarketMessage,
} from '@crossbook/venues';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fetchText, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The public halves of Bybit against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const now = (): Millis => Date.now() as Millis;
let venue: SimulatorVenue;
const halves = {} as Record<BybitCategory, BybitPublic>;
const listed = {} as Record<BybitCategory, readonly Instrument[]>;

/** Takes the value of an answer that must be good. */
function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string },
): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

function instrumentOf(category: BybitCategory, symbol: string): Instrument {
  const found = listed[category].find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not listed`);
  return found;
}

beforeAll(async () => {
  venue = await startSimulator(5, 'on');
  for (const category of ['spot', 'linear'] as const) {
    const restBase = venue.url;
    const socketBase = venue.socketUrl;
    halves[category] = createBybitPublic({ category, restBase, socketBase, fetchText, clock: now });
    const type = category === 'spot' ? 'SPOT' : 'SWAP';
    listed[category] = must(await halves[category].rest.instruments(type));
  }
});
afterAll(() => venue?.stop());

/** A public socket that decodes everything it hears. */
function follow(
  category: BybitCategory,
  channels: readonly MarketChannel[],
): { readonly messages: MarketMessage[]; close(): void } {
  const codec = halves[category].socket;
  const messages: MarketMessage[] = [];
  const socket = new WebSocket(codec.url());
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(codec.subscribe(channels, 1)));
  socket.addEventListener('message', ({ data }) => {
    const frame = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data);
    messages.push(codec.decode(frame, now()));
  });
  return { messages, close: () => socket.close() };
}

/** Runs a live book as its owner would. */
function liveBook(category: BybitCategory, symbol: string) {
  const sync = new BookSync({ venue: halves[category], symbol });
  const feed = follow(category, [{ kind: 'book', symbol }]);
  let taken = 0;
  const seen = (): void => {
    for (; taken < feed.messages.length; taken += 1) {
      const message = feed.messages[taken];
      if (message?.kind === 'malformed') sync.malformed();
      if (message?.kind === 'book') sync.apply(message.change);
      expect(sync.book.isCrossed()).toBe(false);
    }
  };
  return { sync, seen, close: feed.close };
}

describe.each(['spot', 'linear'] as const)('public data, %s', (category) => {
  const half = () => halves[category];
  const btc = () => instrumentOf(category, 'BTCUSDT');

  test('lists what trades against USDT, and leaves out the rest', () => {
    expect(listed[category].length).toBeGreaterThanOrEqual(15);
    expect(listed[category].every((one) => one.quote === 'USDT' && one.status === 'trading')).toBe(true);
    const names = listed[category].map((one) => one.symbol);
    for (const odd of ['WAVESUSDT', 'BTCPERP', 'BTCUSDT-26MAR27', 'ETHBTC']) expect(names).not.toContain(odd);
  });

  test('tickers, trades and time are read; an unknown symbol is told by name', async () => {
    const type = category === 'spot' ? 'SPOT' : 'SWAP';
    const tickers = must(await half().rest.tickers(type));
    const one = must(await half().rest.ticker(btc()));
    expect(tickers.find((ticker) => ticker.symbol === 'BTCUSDT')?.openPrice).toBe(one.openPrice);
    expect(Math.abs(must(await half().rest.serverTime()) - now())).toBeLessThan(60_000);
    expect(must(await half().rest.trades(btc(), 50)).every((trade) => trade.symbol === 'BTCUSDT')).toBe(true);
    const nobody = { ...btc(), symbol: 'NOSUCHUSDT' };
    expect(await half().rest.depth(nobody, 5)).toEqual({ ok: false, code: 'unknown-symbol' });
  });

  test('candle pages join without a hole or a repeated bar, built ones too', async () => {
    for (const interval of ['1h', '8h'] as const) {
      const newest = must(await half().rest.candles(btc(), interval, { limit: 100 }));
      const first = newest[0]?.time as Millis;
      const older = must(await half().rest.candles(btc(), interval, { limit: 50, endTime: first }));
      const times = [...older, ...newest].map((bar) => bar.time);
      const length = intervalMillis(interval) as number;
      expect(times.length).toBe(150);
      expect(times.every((time, at) => at === 0 || time === (times[at - 1] as number) + length)).toBe(true);
    }
  });

  test('trades, ticker and candles arrive by socket; nothing is malformed', async () => {
    const feed = follow(category, [
      { kind: 'trades', symbol: 'BTCUSDT' },
      { kind: 'ticker', symbol: 'BTCUSDT' },
      { kind: 'candle', symbol: 'BTCUSDT', interval: '1m' },
      { kind: 'candle', symbol: 'BTCUSDT', interval: '8h' },
    ]);
    const kinds = () => new Set<string>(feed.messages.map((message) => message.kind));
    await until('all kinds have arrived', () =>
      ['acknowledged', 'trades', 'ticker', 'candle'].every((kind) => kinds().has(kind)),
    );
    await until(
      'a ticker follows the first',
      () => feed.messages.filter((message) => message.kind === 'ticker').length > 1,
    );
    feed.close();
    expect(kinds().has('malformed')).toBe(false);
    const told = feed.messages.find((message) => message.kind === 'acknowledged');
    expect(told).toMatchObject({ requestId: 1, accepted: true });
  });

  test("a book built from deltas equals the venue's, without a gap, and is right again after losses", async () => {
    const book = liveBook(category, 'BTCUSDT');
    const { sync, seen } = book;
    await until('a hundred changes were applied', () => {
      seen();
      return sync.state === 'LIVE' && sync.counters.applied >= 100;
    });
    await venue.admin('agents', { venue: 'bybit', paused: true });
    const best = (levels: readonly BookLevel[]) => levels.slice(0, 200);
    await until('the book is the venue’s own', async () => {
      const truth = must(await half().rest.depth(btc(), 200));
      seen();
      return (
        JSON.stringify([sync.book.levels('bids', 200), sync.book.levels('asks', 200)]) ===
        JSON.stringify([best(truth.bids), best(truth.asks)])
      );
    });
    await venue.admin('agents', { venue: 'bybit', paused: false });
    const clean = { gaps: 0, malformed: 0, crossed: 0, contradictions: 0, resyncs: 0 };
    expect(sync.counters).toMatchObject(clean);
    await venue.admin('faults', { kind: 'skip-depth', match: 'orderbook.200.BTCUSDT', count: 1 });
    await until('the loss was noticed', () => {
      seen();
      return sync.counters.gaps === 1;
    });
    book.close();
  });
});

test('perpetuals tell mark, index, funding and open interest, by REST and by socket', async () => {
  const btc = instrumentOf('linear', 'BTCUSDT');
  const ticker = must(await halves.linear.rest.ticker(btc));
  for (const price of [ticker.markPrice, ticker.indexPrice]) {
    expect(Math.abs(Number(price) / Number(ticker.lastPrice) - 1)).toBeLessThan(0.05);
  }
  expect(Math.abs(Number(ticker.fundingRate))).toBeLessThan(0.01);
  expect(ticker.nextFundingTime).toBeGreaterThan(now());
  const held = must(await halves.linear.rest.openInterest([btc]));
  expect(Number(held.get('BTCUSDT'))).toBeGreaterThan(0);
  const feed = follow('linear', [{ kind: 'ticker', symbol: 'BTCUSDT' }]);
  const tickers = () =>
    feed.messages.flatMap((message) => (message.kind === 'ticker' ? [message.ticker] : []));
  await until('the mark moves', () => new Set(tickers().map((one) => one.markPrice)).size > 1);
  feed.close();
  expect(tickers().every((one) => one.indexPrice !== undefined && one.nextFundingTime !== undefined)).toBe(
    true,
  );
});
