import type { ServerFrame } from '@crossbook/contract';
import { amount, type Millis, type Platform } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Follower } from './fan-out.ts';
import { querySymbolInfo } from './listing.ts';
import type { PlatformMarkets } from './platform-markets.ts';
import {
  change,
  instrument,
  ScriptedPublicVenue,
  scriptedPlatform,
  settled,
} from './scripted-venue.fixture.ts';
import type { VenueMarket } from './venue-market.ts';

let venue: ScriptedPublicVenue;
let market: VenueMarket;
let platform: PlatformMarkets;
const FEES = { maker: amount('0.001'), taker: amount('0.002') };

function open(): void {
  const encode = (frame: ServerFrame) => Buffer.from(JSON.stringify(frame));
  platform = scriptedPlatform({ SPOT: venue }, { fees: FEES, encode });
  const spot = platform.of('SPOT');
  if (spot === undefined) throw new Error('there is a spot market');
  market = spot;
}
beforeEach(async () => {
  venue = new ScriptedPublicVenue();
  open();
  await platform.start();
});

function follower(): Follower & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    ready: () => true,
    write: (frames) => heard.push(...frames.map((frame) => Buffer.from(frame).toString())),
  };
}

const TICKER = {
  ...{ symbol: 'BTCUSDT', lastPrice: '100', change: '0', openPrice: '100', highPrice: '100' },
  ...{ lowPrice: '100', volume: '1', quoteVolume: '100', time: 1 as Millis },
};
const SNAPSHOT = change('BTCUSDT', [10, 10], { bids: [[99, 1]], asks: [[101, 1]] }, 'snapshot');

/** The venue talks of BTCUSDT's book and a snapshot joins. */
async function bookIsLive(): Promise<void> {
  venue.depth = async () => ({ ok: true, value: { ...SNAPSHOT, receivedAt: venue.time.clock() } });
  venue.newest.open();
  for (let tick = 0; tick < 3; tick += 1) {
    venue.time.advance(100);
    await settled();
  }
}

test('a mark is asked for by REST until the stream tells it, which is followed from then on', async () => {
  let asked = 0;
  venue.ticker = async ({ symbol }) => {
    asked += 1;
    return { ok: true, value: { ...TICKER, symbol, markPrice: '101.5' } };
  };
  expect(await market.mark('BTCUSDT')).toBe(amount('101.5'));
  await bookIsLive();
  venue.newest.say({ kind: 'perp-stats', symbol: 'BTCUSDT', stats: { markPrice: '102' } });
  expect(await market.mark('BTCUSDT')).toBe(amount('102'));
  expect(asked).toBe(1);
  venue.ticker = async () => ({ ok: false, code: 'network' });
  expect(await market.mark('ETHUSDT')).toBeUndefined();
  expect(await market.mark('NOUSDT')).toBeUndefined();
});

test('all who ask for a mark before the stream tells it have one read of it, for a second', async () => {
  let asked = 0;
  let markPrice: string | undefined = '101.5';
  venue.ticker = async ({ symbol }) => {
    asked += 1;
    return { ok: true, value: { ...TICKER, symbol, ...(markPrice === undefined ? {} : { markPrice }) } };
  };
  const twenty = () => Promise.all(Array.from({ length: 20 }, () => market.mark('BTCUSDT')));
  expect(new Set(await twenty())).toEqual(new Set([amount('101.5')]));
  markPrice = '102';
  expect(await market.mark('BTCUSDT')).toBe(amount('101.5'));
  expect(asked).toBe(1);
  venue.time.advance(1_000);
  expect(await market.mark('BTCUSDT')).toBe(amount('102'));
  expect(asked).toBe(2);
  venue.time.advance(1_000);
  markPrice = undefined;
  expect(new Set(await twenty())).toEqual(new Set([undefined]));
  markPrice = '103';
  expect(await market.mark('BTCUSDT')).toBe(amount('103'));
  expect(asked).toBe(4);
});

describe('a venue that is well', () => {
  test('one upstream connection, however many followers and channels', async () => {
    const followers = Array.from({ length: 300 }, follower);
    for (const one of followers) {
      for (const ch of ['book', 'trades', 'ticker'] as const) {
        for (const s of ['BTCUSDT', 'ETHUSDT']) expect(market.follow(one, { ch, s })).toBe('followed');
      }
      expect(market.follow(one, { ch: 'candle', s: 'BTCUSDT', i: '1m' })).toBe('followed');
    }
    expect(venue.sockets).toHaveLength(1);
    await bookIsLive();
    const [sent = ''] = venue.newest.sent;
    expect(sent.split(' ').slice(1).sort()).toEqual(
      ['book', 'trades', 'ticker']
        .flatMap((ch) => [`${ch}:BTCUSDT`, `${ch}:ETHUSDT`])
        .concat('candle:BTCUSDT:1m')
        .sort(),
    );
    for (const one of followers) expect(one.heard.some((frame) => frame.includes('"ch":"book"'))).toBe(true);
    expect(market.stats).toMatchObject({ channels: 7, state: 'live' });
  });

  test('messages reach the followers of their own channel', async () => {
    const one = follower();
    for (const ch of ['trades', 'ticker'] as const) market.follow(one, { ch, s: 'BTCUSDT' });
    market.follow(one, { ch: 'candle', s: 'BTCUSDT', i: '1m' });
    market.follow(one, { ch: 'candle', s: 'BTCUSDT', i: '5m' });
    venue.newest.open();
    const say = (symbol: string) => {
      const time = 1 as Millis;
      const stats = { lastPrice: '5', change: '1', openPrice: '4', highPrice: '6', lowPrice: '3' };
      const trade = { id: '1', symbol, price: 5, size: 1, side: 'sell', time };
      const candle = { time: 60_000, open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 5 };
      venue.newest.say({
        kind: 'ticker',
        ticker: { symbol, ...stats, volume: '1', quoteVolume: '1', time },
      });
      venue.newest.say({ kind: 'trades', trades: [trade] } as never);
      venue.newest.say({ kind: 'trades', trades: [] });
      venue.newest.say({ kind: 'candle', symbol, interval: '1m', candle, closed: true } as never);
    };
    venue.time.advance(100);
    one.heard.length = 0;
    say('BTCUSDT');
    say('ETHUSDT');
    venue.time.advance(100);
    expect(one.heard.map((frame) => JSON.parse(frame)).map((frame) => [frame.ch, frame.s, frame.i])).toEqual([
      ['trades', 'BTCUSDT', undefined],
      ['ticker', 'BTCUSDT', undefined],
      ['candle', 'BTCUSDT', '1m'],
    ]);
  });

  test('a channel lingers for 20 seconds after its last follower, then it is released', async () => {
    const one = follower();
    market.follow(one, { ch: 'book', s: 'BTCUSDT' });
    await bookIsLive();
    market.unfollow(one, { ch: 'book', s: 'BTCUSDT' });
    venue.time.advance(15_000);
    market.follow(one, { ch: 'book', s: 'BTCUSDT' });
    platform.unfollowAll(one);
    venue.time.advance(19_000);
    expect(market.stats.channels).toBe(1);
    venue.time.advance(2_000);
    expect(market.stats).toMatchObject({ channels: 0, books: { LIVE: 0, STALE: 0 } });
    expect(venue.sockets.some((socket) => socket.sent.includes('- book:BTCUSDT'))).toBe(true);
  });

  test.each([
    [{ ch: 'book', s: 'NOPEUSDT' }],
    [{ ch: 'candle', s: 'BTCUSDT', i: '7m' }],
    [{ ch: 'candle', s: 'BTCUSDT' }],
    [{ ch: 'trades', s: '__proto__' }],
  ] as const)('%j is no channel', (request) => {
    expect(market.follow(follower(), request)).toBe('unknown');
    expect(venue.sockets).toHaveLength(0);
  });

  test('a connection carries a thousand channels and no more; those that are open stay followable', async () => {
    const many = Array.from({ length: 400 }, (_none, at) => instrument(`A${at}USDT`));
    venue.instruments = async () => ({ ok: true, value: many });
    venue.time.advance(600_000);
    await settled();
    const one = follower();
    const outcomes = many.flatMap(({ symbol: s }) =>
      (['book', 'trades', 'ticker'] as const).map((ch) => market.follow(one, { ch, s })),
    );
    expect(outcomes.filter((outcome) => outcome === 'followed')).toHaveLength(1_000);
    expect(outcomes.at(-1)).toBe('full');
    expect(market.follow(follower(), { ch: 'book', s: 'A0USDT' })).toBe('followed');
  });

  test('best prices are exact and as old as the last word of the venue', async () => {
    const price = market.best('BTCUSDT');
    await bookIsLive();
    expect(await price).toMatchObject({ bid: amount('99'), ask: amount('101') });
    venue.time.advance(3_000);
    const later = await market.best('BTCUSDT');
    expect(venue.time.clock() - (later?.receivedAt ?? 0)).toBeGreaterThanOrEqual(3_000);
    expect(await market.best('NOPEUSDT')).toBeUndefined();
  });

  test('the age of books is that of the followed one heard of longest ago, and none where none is followed', async () => {
    expect(market.bookAgeMillis()).toBeUndefined();
    const price = market.best('BTCUSDT');
    expect(market.bookAgeMillis()).toBeUndefined();
    await bookIsLive();
    const { receivedAt = 0 } = (await price) ?? {};
    venue.time.advance(3_000);
    expect(market.bookAgeMillis()).toBe(venue.time.clock() - receivedAt);
    expect(market.bookAgeMillis()).toBeGreaterThanOrEqual(3_000);
  });

  test('a book of one side only has no best prices', async () => {
    const price = market.best('BTCUSDT');
    venue.newest.open();
    venue.depth = async () => ({
      ok: true,
      value: change('BTCUSDT', [1, 1], { bids: [[99, 1]] }, 'snapshot'),
    });
    for (let tick = 0; tick < 5; tick += 1) {
      venue.time.advance(100);
      await settled();
    }
    expect(await price).toBeUndefined();
  });
});

describe('the state of a venue', () => {
  test('is live, stale after five seconds without a word, down without a connection', async () => {
    expect(market.state).toBe('live');
    market.follow(follower(), { ch: 'ticker', s: 'BTCUSDT' });
    expect(market.state).toBe('down');
    venue.newest.open();
    expect(market.state).toBe('live');
    venue.time.advance(5_001);
    expect(market.state).toBe('stale');
    venue.newest.say({ kind: 'ignored' });
    expect(market.state).toBe('live');
    venue.newest.drop();
    expect(market.state).toBe('down');
  });

  test('a book that falls silent on a living connection is subscribed anew within 12 seconds', async () => {
    market.follow(follower(), { ch: 'book', s: 'BTCUSDT' });
    await bookIsLive();
    for (let second = 0; second < 12; second += 1) {
      venue.time.advance(1_000);
      venue.newest.say({ kind: 'ignored' });
    }
    expect(venue.newest.sent).toEqual(['+ book:BTCUSDT', '- book:BTCUSDT', '+ book:BTCUSDT']);
  });
});

describe('a dead venue', () => {
  beforeEach(async () => {
    venue = new ScriptedPublicVenue();
    venue.instruments = async () => ({ ok: false, code: 'network' });
    open();
    await platform.start();
  });
  const query = (part: object = {}) =>
    querySymbolInfo((platform, type) => (platform === 1 && type === 'SPOT' ? market.listing : undefined), {
      ...{ platformType: 43, tstate: 0 },
      ...part,
    });

  test('leaves every call answering: no instruments, no channel, no price', async () => {
    expect(query()).toEqual({ ok: true, value: [] });
    expect(market.follow(follower(), { ch: 'book', s: 'BTCUSDT' })).toBe('unknown');
    expect(await market.best('BTCUSDT')).toBeUndefined();
    expect([market.state, venue.sockets.length]).toEqual(['down', 0]);
  });

  test('is asked again, sooner at first, and all is there when it comes back', async () => {
    let asked = 0;
    venue.instruments = async () => {
      asked += 1;
      return { ok: false, code: 'network' };
    };
    for (let tick = 0; tick < 100; tick += 1) {
      venue.time.advance(100);
      await settled();
    }
    expect(asked).toBeGreaterThanOrEqual(4);
    venue.instruments = new ScriptedPublicVenue().instruments;
    for (let tick = 0; tick < 110; tick += 1) {
      venue.time.advance(100);
      await settled();
    }
    expect(query()).toMatchObject({
      value: [{ tinstId: 'BTCUSDT' }, { tinstId: 'ETHUSDT' }, { tinstId: 'OLDUSDT' }],
    });
  });

  test('lists what it listed before this process began, is down all the while, and has its own list once it answers', async () => {
    venue.remembered = [instrument('BTCUSDT'), instrument('GONEUSDT')];
    open();
    await platform.start();
    expect(query()).toMatchObject({ value: [{ tinstId: 'BTCUSDT' }, { tinstId: 'GONEUSDT' }] });
    expect(market.state).toBe('down');
    venue.instruments = new ScriptedPublicVenue().instruments;
    for (let tick = 0; tick < 110; tick += 1) {
      venue.time.advance(100);
      await settled();
    }
    expect(query()).toMatchObject({
      value: [{ tinstId: 'BTCUSDT' }, { tinstId: 'ETHUSDT' }, { tinstId: 'OLDUSDT' }],
    });
    expect(market.state).toBe('live');
  });

  test('that dies later keeps its last list, and an order waits three seconds for its price, not longer', async () => {
    venue = new ScriptedPublicVenue();
    open();
    await platform.start();
    venue.instruments = async () => ({ ok: false, code: 'network' });
    venue.time.advance(600_000);
    await settled();
    expect(query()).toMatchObject({ value: [{}, {}, {}] });
    const price = market.best('BTCUSDT');
    venue.time.advance(3_000);
    expect(await price).toBeUndefined();
    venue.newest.drop();
    const again = market.best('BTCUSDT');
    venue.time.advance(3_000);
    expect(await again).toBeUndefined();
  });

  test('stopped while its list is being asked for it asks no more', async () => {
    let answer: () => void = () => undefined;
    venue = new ScriptedPublicVenue();
    venue.instruments = () =>
      new Promise((resolve) => (answer = () => resolve({ ok: false, code: 'network' })));
    open();
    const started = platform.start();
    platform.stop();
    answer();
    await started;
    platform.stop();
    expect(venue.time.waiting).toBe(0);
  });
});

describe('QuerySymInfo', () => {
  const listing = (platform: Platform, type: string) =>
    platform === 1 && type === 'SPOT' ? market.listing : undefined;
  test.each<[object, string[]]>([
    [{ tstate: 0 }, ['BTCUSDT', 'ETHUSDT', 'OLDUSDT']],
    [{ tstate: 1 }, ['BTCUSDT', 'ETHUSDT']],
    [{ tstate: 0, tinstType: 1 }, ['BTCUSDT', 'ETHUSDT', 'OLDUSDT']],
    [{ tstate: 0, tinstType: 2 }, []],
    [{ tstate: 0, tinstId: 'OLDUSDT' }, ['OLDUSDT']],
    [{ tstate: 1, tinstId: 'OLDUSDT' }, []],
    [{ tstate: 0, tinstId: 'NOPE' }, []],
    [{ tstate: 0, platformType: 41 }, []],
  ])('%j gives %j', (part, symbols) => {
    const answer = querySymbolInfo(listing, { platformType: 43, tstate: 0, ...part });
    expect(answer.ok && answer.value.map((row) => row.tinstId)).toEqual(symbols);
  });

  test('names every field of the specification', () => {
    const answer = querySymbolInfo(listing, { platformType: 43, tstate: 1, tinstId: 'BTCUSDT' });
    expect(answer).toEqual({
      ok: true,
      value: [
        {
          ...{
            tinstId: 'BTCUSDT',
            tinstType: 1,
            tstate: 1,
            tbaseCcy: 'BTC',
            tquoteCcy: 'USDT',
            ttickSz: '1',
          },
          ...{ tlotSz: '1', tminSz: '1', tmaxSz: '1000', tminPrice: '1', tmaxPrice: '1000000' },
          ...{ tminOrderAmt: '1', tmaxOrderAmt: '0', tmaxLmtSz: '1000', tmaxMktSz: '1000', tctVal: '1' },
          ...{ tlever: 1, tinstFamily: 'BTC-USDT', tmakerFee: '0.001', ttakerFee: '0.002' },
        },
      ],
    });
  });
});
