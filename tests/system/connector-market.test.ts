import { amount, type Instrument, intervalMillis, type Millis } from '@crossbook/domain';
import { BookSync, type MarketChannel, type MarketMessage, type VenuePublic } from '@crossbook/venues';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FULL } from '../property-runs.ts';
import { MARKET_VENUES } from './market-venues.ts';
import { fetchText, must, now, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The public connectors against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Public sockets that decode everything they hear, each asked for the channels it carries. */
function follow(half: VenuePublic, channels: readonly MarketChannel[]) {
  const messages: MarketMessage[] = [];
  const links = [half.socket, ...(half.furtherSockets ?? [])].flatMap((codec) => {
    const wanted = channels.filter((channel) => codec.carries?.(channel) !== false);
    if (wanted.length === 0) return [];
    const socket = new WebSocket(codec.url());
    socket.binaryType = 'arraybuffer';
    const subscribe = () => socket.send(codec.subscribe(wanted, 1));
    socket.addEventListener('open', subscribe);
    socket.addEventListener('message', ({ data }) => {
      const frame = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data);
      messages.push(codec.decode(frame, now()));
    });
    const again = () => {
      socket.send(codec.unsubscribe(wanted, 2));
      subscribe();
    };
    return [{ again, close: () => socket.close() }];
  });
  return {
    messages,
    subscribeAgain: () => links.forEach(({ again }) => void again()),
    close: () => links.forEach(({ close }) => void close()),
  };
}

/** Runs a live book as its owner would: every message applied, a snapshot asked for whenever one is needed. */
function followBook(half: VenuePublic, instrument: Instrument, asked: number) {
  const { symbol } = instrument;
  const sync = new BookSync({ venue: half, symbol });
  const feed = follow(half, [{ kind: 'book', symbol }]);
  let taken = 0;
  let gaps = 0;
  const seen = async (): Promise<void> => {
    for (; taken < feed.messages.length; taken += 1) {
      const message = feed.messages[taken];
      if (message?.kind === 'malformed') sync.malformed();
      if (message?.kind === 'book') sync.apply(message.change);
      expect(sync.book.isCrossed()).toBe(false);
    }
    if (half.socketSendsSnapshots && sync.counters.gaps > gaps) feed.subscribeAgain();
    gaps = sync.counters.gaps;
    if (half.socketSendsSnapshots || !sync.needsSnapshot || taken < 2) return;
    const snapshot = await half.rest.depth(instrument, asked);
    if (snapshot.ok) sync.apply(snapshot.value);
  };
  /** Waits until the book is live and something holds of it. */
  const live = (what: string, holds: () => boolean) =>
    until(what, async () => {
      await seen();
      return sync.state === 'LIVE' && holds();
    });
  return { sync, seen, live, close: feed.close };
}

// Venues have simulators of their own and stand side by side; the tests of one follow each other.
describe.concurrent.each(MARKET_VENUES)('$name', ({ slug, limits, markets }) => {
  let simulator: SimulatorVenue;
  beforeAll(async () => {
    simulator = await startSimulator(slug, limits);
  });
  afterAll(() => simulator?.stop());

  describe.each(markets)('market data, $type', { concurrent: false }, (venue) => {
    const { btc: symbol, type } = venue;
    let half: VenuePublic;
    let instruments: readonly Instrument[];
    let btc: Instrument;
    const instrumentOf = (wanted: string): Instrument => {
      const found = instruments.find((one) => one.symbol === wanted);
      if (found === undefined) throw new Error(`${wanted} is not listed`);
      return found;
    };
    beforeAll(async () => {
      half = venue.create(simulator);
      instruments = must(await half.rest.instruments(type));
      btc = instrumentOf(symbol);
    });

    test('lists what is quoted in USDT and nothing else, and what is halted as such', async () => {
      const { list } = venue;
      const rows = list.rows(JSON.parse((await fetchText(`${simulator.url}${list.path}`)).text) as never);
      const ours = rows.filter(list.ours);
      expect(instruments.map((one) => one.symbol)).toEqual(ours.map(list.symbol));
      const halted = instruments.filter(({ status }) => status === 'halted').map((one) => one.symbol);
      expect(halted).toEqual(rows.filter((row) => list.halted?.(row)).map(list.symbol));
      expect(halted.map((one) => one.slice(0, 5))).toEqual(list.halted === undefined ? [] : ['WAVES']);
      expect(instruments.length - halted.length).toBeGreaterThanOrEqual(venue.tradingMin);
      for (const { quote, symbolType, tickSize } of instruments)
        expect([quote, symbolType, tickSize > 0n]).toEqual(['USDT', type, true]);
      const left = rows.filter((row) => !list.ours(row)).map((row) => String(list.symbol(row)));
      for (const odd of list.leftOut) expect(left.some((one) => odd.test(one))).toBe(true);
      expect(btc.contractValue).toBe(amount(venue.contract));
    });

    test('tickers, trades and time are read; an unknown symbol is told by name', async () => {
      const tickers = must(await half.rest.tickers(type));
      const one = must(await half.rest.ticker(btc));
      const same = tickers.find((ticker) => ticker.symbol === symbol);
      // The day before now may have moved on between the two calls.
      expect(Number(same?.openPrice) / Number(one.openPrice)).toBeCloseTo(1, 2);
      // Base coins, whatever a contract is: a day of BTC is thousands of them, not hundreds of thousands.
      expect(Number(one.quoteVolume) / Number(one.volume) / Number(one.lastPrice)).toBeCloseTo(1, 0);
      expect(Math.abs(must(await half.rest.serverTime()) - now())).toBeLessThan(60_000);
      const trades = must(await half.rest.trades(btc, 50));
      expect(trades.length).toBe(50);
      expect(new Set(trades.map((trade) => trade.symbol))).toEqual(new Set([symbol]));
      const ids = trades.map((trade) => Number(trade.id));
      expect(ids).toEqual([...ids].sort((left, right) => left - right));
      const times = trades.map((trade) => trade.time);
      expect(times).toEqual([...times].sort((left, right) => left - right));
      const unknown = { ok: false, code: 'unknown-symbol' };
      const nobody = { ...btc, symbol: venue.nobody };
      expect(await half.rest.depth(nobody, 5)).toEqual(unknown);
      expect(await half.rest.ticker(nobody)).toEqual(unknown);
    });

    test('candle pages join without a hole or a repeated bar, built ones too', async () => {
      for (const [interval, before, limit] of venue.pages) {
        const newest = must(await half.rest.candles(btc, interval, { limit }));
        const first = newest[0]?.time as Millis;
        const older = must(await half.rest.candles(btc, interval, { limit: before, endTime: first }));
        const times = [...older, ...newest].map((bar) => bar.time);
        const length = intervalMillis(interval) as number;
        expect(times).toEqual(times.map((_, at) => Number(times[0]) + at * length));
        expect(times.length).toBe(before + limit);
      }
      const { seconds: limit = 0 } = venue;
      const seconds = limit === 0 ? [] : must(await half.rest.candles(btc, '1s', { limit }));
      expect(new Set(seconds.map((bar) => bar.time)).size).toBe(limit);
    });

    test('trades, ticker and candles arrive by socket; nothing is malformed', async () => {
      const { asked, arrive } = venue.bars;
      const feed = follow(half, [
        { kind: 'trades', symbol },
        { kind: 'ticker', symbol },
        ...asked.map((interval) => ({ kind: 'candle', symbol, interval }) as const),
      ]);
      const heard = (kind: string) => feed.messages.filter((message) => message.kind === kind);
      const kinds = ['acknowledged', 'trades', 'ticker', 'candle', ...venue.furtherKinds];
      await until('all kinds have arrived', () => kinds.every((kind) => heard(kind).length > 0));
      await until('a ticker follows the first', () => heard('ticker').length > 1);
      const intervals = () =>
        feed.messages.flatMap((message) =>
          message.kind === 'candle'
            ? [message.interval, ...(message.further ?? []).map((one) => one.interval)]
            : [],
        );
      await until('bars of every interval have arrived', () =>
        arrive.every((interval) => intervals().includes(interval)),
      );
      feed.close();
      expect(heard('malformed')).toEqual([]);
      expect(heard('acknowledged')[0]).toMatchObject({ requestId: 1, accepted: true });
    });

    test('trades of the socket are those of the calls, under the same ids', async () => {
      const feed = follow(half, [{ kind: 'trades', symbol }]);
      const streamed = () =>
        feed.messages.flatMap((message) => (message.kind === 'trades' ? message.trades : []));
      await until('a few trades have arrived', () => streamed().length >= 5);
      feed.close();
      const reported = new Map(must(await half.rest.trades(btc, 1_000)).map((trade) => [trade.id, trade]));
      for (const trade of streamed()) expect(reported.get(trade.id)).toEqual(trade);
    });

    /** At rest the book must be the venue's, level for level as far as a snapshot reaches. */
    async function expectEqualAtRest({ sync, live }: ReturnType<typeof followBook>, instrument: Instrument) {
      const { asked, compared } = venue.depth;
      await simulator.pause(true);
      const best = (book: { bids: readonly unknown[]; asks: readonly unknown[] }) => ({
        bids: book.bids.slice(0, compared),
        asks: book.asks.slice(0, compared),
      });
      const own = () => ({
        bids: sync.book.levels('bids', compared),
        asks: sync.book.levels('asks', compared),
      });
      let truth = must(await half.rest.depth(instrument, asked));
      // Where REST counts other update ids than the socket, levels alone tell that the book has caught up.
      const caughtUp = () =>
        sync.book.lastSeq === truth.lastSeq || JSON.stringify(own()) === JSON.stringify(best(truth));
      await until('the book has caught up', async () => {
        truth = must(await half.rest.depth(instrument, asked));
        await live('the book is live', () => true);
        return caughtUp();
      });
      expect(truth.bids.length).toBeGreaterThan(20);
      expect(own()).toEqual(best(truth));
      await simulator.pause(false);
    }

    // How far a book is followed takes the time of the venue's own beat: all of it in the full tier.
    const books = venue.books.map(
      ([name, changes]) => [name, FULL ? changes : Math.ceil(changes / 4)] as const,
    );
    test.each(books)(
      "a book of %s over %i changes equals the venue's, without a gap, and every checksum agrees",
      async (wanted, changes) => {
        const instrument = instrumentOf(wanted);
        const book = followBook(half, instrument, venue.depth.asked);
        const { counters } = book.sync;
        await book.live('the changes were applied', () => counters.applied >= changes);
        await expectEqualAtRest(book, instrument);
        expect(counters).toMatchObject({
          ...{ gaps: 0, malformed: 0, crossed: 0, contradictions: 0, resyncs: 0, checksumsWrong: 0 },
        });
        expect(counters.checksumsCompared).toBeGreaterThanOrEqual(venue.checksums ? changes : 0);
        book.close();
      },
    );

    test('lost updates are gaps that are counted, and the book is right again after a new snapshot', async () => {
      const book = followBook(half, btc, venue.depth.asked);
      const { counters } = book.sync;
      for (let loss = 1; loss <= 3; loss += 1) {
        // A snapshot may be ahead of the stream, and then the next update is no loss: begin where deltas follow deltas.
        const joined = counters.applied + 2;
        await book.live('deltas are applied one after the other', () => counters.applied >= joined);
        await simulator.plantFault('skip-depth', venue.stream);
        await book.live('the gap was noticed and mended', () => counters.gaps >= loss);
      }
      expect(counters.resyncs).toBeGreaterThanOrEqual(3);
      await expectEqualAtRest(book, btc);
      book.close();
    });

    if (type === 'SPOT') return;
    test('perpetuals tell mark, index, funding and open interest, by REST and by socket', async () => {
      const tickers = must(await half.rest.tickers('SWAP'));
      const trading = instruments.filter(({ status }) => status === 'trading');
      const one = must(await half.rest.ticker(btc));
      const found = trading.map((instrument) =>
        tickers.find((ticker) => ticker.symbol === instrument.symbol),
      );
      for (const ticker of [one, ...found]) {
        const { lastPrice = '0', markPrice = '0', indexPrice = '0' } = ticker ?? {};
        expect(Math.abs(Number(markPrice) / Number(lastPrice) - 1)).toBeLessThan(0.05);
        expect(Math.abs(Number(indexPrice) / Number(markPrice) - 1)).toBeLessThan(0.05);
        expect(Math.abs(Number(ticker?.fundingRate))).toBeLessThan(0.01);
        expect(ticker?.nextFundingTime).toBeGreaterThan(now() - 60_000);
      }
      const held = must(await half.rest.openInterest(instruments));
      expect([...held.keys()].sort()).toEqual(instruments.map((instrument) => instrument.symbol).sort());
      expect(Number(held.get(symbol))).toBeGreaterThan(100);
      const feed = follow(half, [{ kind: 'ticker', symbol }]);
      const stats = () =>
        feed.messages.flatMap((message) => {
          if (message.kind === 'perp-stats') return [message.stats];
          return message.kind === 'ticker' ? [message.ticker] : [];
        });
      await until(
        'the mark moves and the rest is told',
        () =>
          new Set(stats().flatMap(({ markPrice }) => markPrice ?? [])).size > 1 &&
          stats().some(({ indexPrice }) => indexPrice !== undefined) &&
          stats().some(
            (reported) => reported.fundingRate !== undefined && reported.nextFundingTime !== undefined,
          ),
      );
      feed.close();
    });
  });
});
