import type { ServerFrame } from '@crossbook/contract';
import { amount, type Platform, type SymbolType } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import type { Follower } from './fan-out.ts';
import type { PlatformMarkets } from './platform-markets.ts';
import {
  change,
  instrument,
  ScriptedPublicVenue,
  scriptedPlatform,
  settled,
} from './scripted-venue.fixture.ts';

const FEES = { maker: amount('0'), taker: amount('0') };
const SYMBOLS: Readonly<Record<Platform, readonly [spot: string, swap: string]>> = {
  1: ['BTCUSDT', 'BTCUSDT'],
  2: ['BTC-USDT', 'BTC-USDT-SWAP'],
  3: ['BTCUSDT', 'BTCUSDT'],
};

interface Venue {
  readonly spot: ScriptedPublicVenue;
  readonly swap: ScriptedPublicVenue;
  readonly markets: PlatformMarkets;
}

let time: ScriptedTime;
let venues: Map<Platform, Venue>;

function venueOf(platform: Platform, symbolType: SymbolType): ScriptedPublicVenue {
  const venue = new ScriptedPublicVenue(time, platform);
  const symbol = SYMBOLS[platform][symbolType === 'SPOT' ? 0 : 1];
  const listed = [
    instrument(symbol, { platform, symbolType, base: 'BTC' }),
    instrument(`OLD${symbol}`, { platform, symbolType, base: 'OLD', status: 'halted' }),
  ];
  venue.instruments = async () => ({ ok: true, value: listed });
  return venue;
}

beforeEach(async () => {
  time = new ScriptedTime();
  venues = new Map();
  for (const platform of [1, 2, 3] as const) {
    const spot = venueOf(platform, 'SPOT');
    const swap = venueOf(platform, 'SWAP');
    const markets = scriptedPlatform(
      { SPOT: spot, SWAP: swap },
      {
        fees: FEES,
        encode: (frame: ServerFrame) => Buffer.from(JSON.stringify(frame)),
        everywhere: (type) => [...venues.values()].flatMap((venue) => venue.markets.of(type) ?? []),
      },
    );
    venues.set(platform, { spot, swap, markets });
    await markets.start();
  }
});

function at(platform: Platform): Venue {
  const venue = venues.get(platform);
  if (venue === undefined) throw new Error('no such platform');
  return venue;
}

/** Keeps each write apart. */
function follower(): Follower & { readonly writes: ServerFrame[][] } {
  const writes: ServerFrame[][] = [];
  return {
    writes,
    ready: () => true,
    write: (frames) => writes.push(frames.map((frame) => JSON.parse(Buffer.from(frame).toString()))),
  };
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) {
    time.advance(100);
    await settled();
  }
}

/** A venue's book of BTC comes alive with these best prices. */
async function quotes(platform: Platform, type: 'spot' | 'swap', bid: number, ask: number): Promise<void> {
  const venue = at(platform)[type];
  const symbol = SYMBOLS[platform][type === 'spot' ? 0 : 1];
  const snapshot = change(symbol, [10, 10], { bids: [[bid, 1]], asks: [[ask, 1]] }, 'snapshot');
  venue.depth = async () => ({ ok: true, value: { ...snapshot, receivedAt: time.clock() } });
  venue.newest.open();
  venue.newest.say({ kind: 'acknowledged', requestId: 1, accepted: true });
  await ticks(2);
}

/** The next change of a venue's book. */
function moves(platform: Platform, id: number, levels: Parameters<typeof change>[2]): void {
  at(platform).spot.newest.say({ kind: 'book', change: change(SYMBOLS[platform][0], [id, id], levels) });
}

const offersOf = (frames: readonly ServerFrame[][]) =>
  frames.flat().flatMap((frame) => ('ch' in frame && frame.ch === 'bbo' ? [frame.d] : []));

describe('spot and perpetuals of one platform', () => {
  test('have an upstream each, and a client gets both in one write a tick', async () => {
    const { markets, spot, swap } = at(1);
    const one = follower();
    expect(markets.follow(one, { ch: 'trades', s: 'BTCUSDT' })).toBe('followed');
    expect(markets.follow(one, { ch: 'trades', s: 'BTCUSDT', m: 2 })).toBe('followed');
    expect([spot.sockets.length, swap.sockets.length]).toEqual([1, 1]);
    time.advance(100);
    expect(one.writes).toHaveLength(1);
    expect(one.writes[0]).toMatchObject([
      { ch: 'trades', s: 'BTCUSDT', d: [] },
      { ch: 'trades', s: 'BTCUSDT', m: 2, d: [] },
    ]);
    expect(one.writes[0]?.[0]).not.toHaveProperty('m');
  });

  test('are told apart: what one says does not reach those who follow the other', async () => {
    const { markets, spot, swap } = at(1);
    const [one, two] = [follower(), follower()];
    markets.follow(one, { ch: 'trades', s: 'BTCUSDT' });
    markets.follow(two, { ch: 'trades', s: 'BTCUSDT', m: 2 });
    spot.newest.open();
    swap.newest.open();
    time.advance(100);
    const trade = { id: '7', symbol: 'BTCUSDT', price: 5, size: 1, side: 'buy', time: 1 };
    swap.newest.say({ kind: 'trades', trades: [trade] } as never);
    time.advance(100);
    expect([one.writes.length, two.writes.at(-1)]).toMatchObject([1, [{ m: 2, d: [['7', 5, 1, 1, 1]] }]]);
    markets.unfollow(two, { ch: 'trades', s: 'BTCUSDT' });
    swap.newest.say({ kind: 'trades', trades: [{ ...trade, id: '8' }] } as never);
    time.advance(100);
    expect(two.writes).toHaveLength(3);
    markets.unfollow(two, { ch: 'trades', s: 'BTCUSDT', m: 2 });
    swap.newest.say({ kind: 'trades', trades: [{ ...trade, id: '9' }] } as never);
    time.advance(100);
    expect(two.writes).toHaveLength(3);
  });

  test('two tabs on spot and perpetuals share the upstreams with everybody else', () => {
    const { markets, spot, swap } = at(1);
    for (let tab = 0; tab < 200; tab += 1) {
      const one = follower();
      for (const m of [{}, { m: 2 as const }]) {
        for (const ch of ['book', 'trades', 'ticker'] as const)
          markets.follow(one, { ch, s: 'BTCUSDT', ...m });
      }
    }
    expect([spot.sockets.length, swap.sockets.length]).toEqual([1, 1]);
  });

  test('one that is dead leaves the other untouched', async () => {
    const { markets, swap } = at(1);
    swap.refusesSockets = true;
    const one = follower();
    markets.follow(one, { ch: 'book', s: 'BTCUSDT', m: 2 });
    markets.follow(one, { ch: 'book', s: 'BTCUSDT' });
    await quotes(1, 'spot', 99, 101);
    expect(one.writes.flat()).toMatchObject([{ ch: 'book', k: 's', b: [99, 1], a: [101, 1] }]);
    expect([markets.of('SPOT')?.state, markets.of('SWAP')?.state]).toEqual(['live', 'down']);
  });
});

describe('the state of a market over several addresses', () => {
  test('is stale while one of its connections is missing, down without any', async () => {
    const venue = venueOf(2, 'SPOT');
    const { socket } = venue;
    venue.socket = { ...socket, carries: ({ kind }) => kind !== 'candle' };
    venue.furtherSockets = [{ ...socket, url: () => 'ws://bars', carries: ({ kind }) => kind === 'candle' }];
    const markets = scriptedPlatform({ SPOT: venue }, { fees: FEES, encode: () => new Uint8Array() });
    await markets.start();
    const one = follower();
    markets.follow(one, { ch: 'book', s: 'BTC-USDT' });
    markets.follow(one, { ch: 'candle', s: 'BTC-USDT', i: '1m' });
    const [books, bars] = venue.sockets;
    const state = () => markets.of('SPOT')?.state;
    expect(state()).toBe('down');
    books?.open();
    expect(state()).toBe('stale');
    bars?.open();
    expect(state()).toBe('live');
    books?.drop();
    expect(state()).toBe('stale');
    bars?.drop();
    expect(state()).toBe('down');
  });
});

describe('open interest', () => {
  const say = (part: object = {}) => {
    at(1).swap.newest.say({
      kind: 'ticker',
      ticker: {
        ...{ symbol: 'BTCUSDT', lastPrice: '5', change: '1', openPrice: '4', highPrice: '6', lowPrice: '3' },
        ...{ volume: '1', quoteVolume: '5', time: 1, ...part },
      },
    } as never);
  };

  test('is asked for while a ticker is followed and no stream tells it, every 15 s, one question at a time', async () => {
    const { markets, swap } = at(1);
    let asked = 0;
    swap.openInterest = async (of) => {
      asked += 1;
      return { ok: true, value: new Map(of.map(({ symbol }) => [symbol, `${70 + asked}`])) };
    };
    await ticks(20);
    expect(asked).toBe(0);
    const one = follower();
    markets.follow(one, { ch: 'ticker', s: 'BTCUSDT', m: 2 });
    swap.newest.open();
    say();
    await ticks(20);
    expect([asked, one.writes.flat().at(-1)]).toMatchObject([
      1,
      { ch: 'ticker', m: 2, d: { interest: '71' } },
    ]);
    await ticks(160);
    expect(asked).toBe(2);
    say({ openInterest: '99' });
    await ticks(200);
    expect([asked, one.writes.flat().at(-1)]).toMatchObject([2, { d: { interest: '99' } }]);
  });

  test('that cannot be had costs one question in 15 s and no ticker', async () => {
    const { markets, swap } = at(1);
    let asked = 0;
    swap.openInterest = async () => {
      asked += 1;
      throw new Error('gone');
    };
    const one = follower();
    markets.follow(one, { ch: 'ticker', s: 'BTCUSDT', m: 2 });
    swap.newest.open();
    say();
    await ticks(100);
    expect([asked, one.writes.flat().at(-1), swap.notes]).toMatchObject([
      ...[1, { ch: 'ticker', d: { last: '5' } }, ['open interest not read']],
    ]);
  });
});

describe('best offers', () => {
  test('are those of live books only, of every platform, as exact text', async () => {
    const one = follower();
    expect(at(2).markets.follow(one, { ch: 'bbo', s: 'BTC' })).toBe('followed');
    await ticks(1);
    expect(offersOf(one.writes)).toEqual([[]]);
    await quotes(3, 'spot', 98, 102);
    await quotes(1, 'spot', 99, 101);
    expect(offersOf(one.writes)).toEqual([
      [],
      [[3, '98', '102']],
      [
        [1, '99', '101'],
        [3, '98', '102'],
      ],
    ]);
    expect(one.writes.flat().at(-1)).toMatchObject({ ch: 'bbo', s: 'BTC', t: expect.any(Number) });
    expect(one.writes.flat().at(-1)).not.toHaveProperty('m');
  });

  test('come at most once a tick, and only when one of them has changed', async () => {
    const one = follower();
    at(1).markets.follow(one, { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    await quotes(1, 'spot', 99, 101);
    one.writes.length = 0;
    moves(1, 11, { bids: [[98, 4]] });
    await ticks(3);
    expect(one.writes).toEqual([]);
    moves(1, 12, { bids: [[100, 4]] });
    moves(1, 13, {
      asks: [
        [101, 0],
        [103, 1],
      ],
    });
    await ticks(3);
    expect(offersOf(one.writes)).toEqual([[[1, '100', '103']]]);
  });

  test('of perpetuals are those of perpetuals', async () => {
    const [one, two] = [follower(), follower()];
    at(1).markets.follow(one, { ch: 'bbo', s: 'BTC', m: 2 });
    at(1).markets.follow(two, { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    await quotes(2, 'swap', 50, 60);
    expect(one.writes.flat().at(-1)).toMatchObject({ ch: 'bbo', s: 'BTC', m: 2, d: [[2, '50', '60']] });
    expect(offersOf(two.writes)).toEqual([[]]);
  });

  test('of a book that goes stale or has one side only are left out in the same tick', async () => {
    const one = follower();
    at(1).markets.follow(one, { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    await quotes(1, 'spot', 99, 101);
    at(1).spot.newest.drop();
    await ticks(1);
    expect(offersOf(one.writes).at(-1)).toEqual([]);
    time.advance(30_000);
    await quotes(1, 'spot', 99, 101);
    expect(offersOf(one.writes).at(-1)).toEqual([[1, '99', '101']]);
    moves(1, 11, { bids: [[99, 0]] });
    await ticks(1);
    expect(offersOf(one.writes).at(-1)).toEqual([]);
  });

  test('open the books while somebody follows, and let them go some time after the last', async () => {
    const [one, two] = [follower(), follower()];
    at(1).markets.follow(one, { ch: 'bbo', s: 'BTC' });
    at(3).markets.follow(two, { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    const open = () =>
      [1, 2, 3].map((platform) => at(platform as Platform).markets.of('SPOT')?.stats.channels);
    expect(open()).toEqual([1, 1, 1]);
    at(1).markets.unfollowAll(one);
    time.advance(120_000);
    expect(open()).toEqual([1, 1, 1]);
    at(3).markets.unfollow(two, { ch: 'bbo', s: 'BTC' });
    time.advance(60_000);
    expect(open()).toEqual([0, 0, 0]);
  });

  test.each([['NOPE'], ['OLD'], ['BTCUSDT'], ['__proto__'], ['']])('of %j there are none', (s) => {
    expect(at(1).markets.follow(follower(), { ch: 'bbo', s })).toBe('unknown');
  });

  test('a newcomer is told at once what everybody knows', async () => {
    at(1).markets.follow(follower(), { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    await quotes(1, 'spot', 99, 101);
    const late = follower();
    at(1).markets.follow(late, { ch: 'bbo', s: 'BTC' });
    await ticks(1);
    expect(offersOf(late.writes)).toEqual([[[1, '99', '101']]]);
  });
});
