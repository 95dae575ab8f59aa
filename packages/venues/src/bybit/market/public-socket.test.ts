import type { Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { BTCUSDT, BTCUSDT_PERP, SHIBUSDT } from '../../conformance/sample-instruments.ts';
import type { MarketMessage } from '../../venue-public.ts';
import { createBybitPublic } from './bybit-public.ts';

const NOW = 1_770_000_000_000 as Millis;
const spot = () =>
  createBybitPublic({
    category: 'spot',
    restBase: '',
    socketBase: 'ws://h:1/',
    fetchText: () => Promise.reject(new Error('no network in this test')),
    clock: () => NOW,
    instruments: [BTCUSDT, SHIBUSDT],
  });
const decodeBy = (venue: ReturnType<typeof spot>, frame: unknown): MarketMessage =>
  venue.socket.decode(Buffer.from(JSON.stringify(frame)), NOW);
const decode = (frame: unknown): MarketMessage => decodeBy(spot(), frame);

describe('requests', () => {
  test('channels have the documented names, and spot says how many one request may hold', () => {
    const { socket } = spot();
    expect([socket.url(), socket.channelsPerRequestMax, socket.heartbeat?.frame]).toEqual([
      'ws://h:1/v5/public/spot',
      10,
      '{"op":"ping"}',
    ]);
    const channels = [
      { kind: 'book', symbol: 'BTCUSDT' },
      { kind: 'trades', symbol: 'BTCUSDT' },
      { kind: 'ticker', symbol: 'BTCUSDT' },
      { kind: 'candle', symbol: 'BTCUSDT', interval: '1M' },
    ] as const;
    expect(socket.subscribe(channels, 3)).toBe(
      '{"req_id":"3","op":"subscribe","args":["orderbook.200.BTCUSDT","publicTrade.BTCUSDT","tickers.BTCUSDT","kline.M.BTCUSDT"]}',
    );
    expect(socket.unsubscribe(channels.slice(0, 1), 4)).toBe(
      '{"req_id":"4","op":"unsubscribe","args":["orderbook.200.BTCUSDT"]}',
    );
    const linear = createBybitPublic({
      category: 'linear',
      restBase: '',
      socketBase: 'ws://h',
      fetchText: () => Promise.reject(new Error('no network in this test')),
      clock: () => NOW,
    });
    expect(linear.socket.url()).toBe('ws://h/v5/public/linear');
  });

  test('bars of 4 h and 8 h share a topic, which ends with the last of them; one second has none', () => {
    const { socket } = spot();
    const bar = (interval: '4h' | '8h' | '1s') => [{ kind: 'candle', symbol: 'BTCUSDT', interval }] as const;
    expect(socket.subscribe([...bar('4h'), ...bar('8h')], 1)).toContain('["kline.240.BTCUSDT"]');
    expect(socket.subscribe(bar('1s'), 2)).toBe('{"op":"ping"}');
    expect(socket.unsubscribe(bar('8h'), 3)).toBe('{"op":"ping"}');
    expect(socket.unsubscribe(bar('4h'), 4)).toContain('["kline.240.BTCUSDT"]');
  });
});

const trade = { i: '2280000001739247417', T: 2, p: '10.01', v: '0.5', S: 'Sell', s: 'BTCUSDT', BT: false };
const book = (part: object, type = 'delta') => ({
  topic: 'orderbook.200.BTCUSDT',
  type,
  ts: 7,
  data: { s: 'BTCUSDT', b: [], a: [], u: 5, seq: 9, ...part },
  cts: 6,
});
const kline = (...bars: object[]) => ({
  topic: 'kline.240.BTCUSDT',
  type: 'snapshot',
  ts: 1,
  data: bars.map((bar) => ({
    interval: '240',
    open: '1',
    high: '1',
    low: '1',
    close: '1',
    volume: '1',
    turnover: '1',
    confirm: true,
    timestamp: 1,
    ...bar,
  })),
});

describe('frames', () => {
  const frames: [string, unknown, unknown][] = [
    [
      'a trade is on the side of its taker',
      { topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: 1, data: [trade] },
      { kind: 'trades', trades: [{ id: trade.i, price: 1_001, size: 50_000, side: 'sell', time: 2 }] },
    ],
    [
      'a block trade is left out, whatever its price',
      { topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: 1, data: [{ ...trade, p: '10.0123', BT: true }] },
      { kind: 'trades', trades: [] },
    ],
    [
      'a trade of another symbol',
      { topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: 1, data: [{ ...trade, s: 'SHIBUSDT' }] },
      { kind: 'malformed' },
    ],
    [
      'a trade of no side',
      { topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: 1, data: [{ ...trade, S: 'None' }] },
      { kind: 'malformed' },
    ],
    [
      'a delta carries one update id, and size 0 removes',
      book({ b: [['10.00', '0']], a: [['10.02', '2.5']] }),
      {
        kind: 'book',
        change: {
          kind: 'delta',
          firstSeq: 5,
          lastSeq: 5,
          time: 7,
          bids: [[1_000, 0]],
          asks: [[1_002, 250_000]],
        },
      },
    ],
    ['size 0 in a snapshot', book({ b: [['10.00', '0']] }, 'snapshot'), { kind: 'malformed' }],
    ['a book of another symbol', book({ s: 'SHIBUSDT' }), { kind: 'malformed' }],
    ['a price between two ticks', book({ b: [['10.001', '1']] }), { kind: 'malformed' }],
    ['a number in place of a string', book({ b: [[10, '1']] }), { kind: 'malformed' }],
    ['an update id that is a string', book({ u: '5' }), { kind: 'malformed' }],
    ['a book of another depth', { ...book({}), topic: 'orderbook.1.BTCUSDT' }, { kind: 'ignored' }],
    ['a topic nobody follows', { topic: 'allLiquidation.BTCUSDT', data: [] }, { kind: 'ignored' }],
    ['an unknown symbol', { ...book({}), topic: 'orderbook.200.ABCUSDT' }, { kind: 'malformed' }],
    [
      'an accepted request',
      { success: true, ret_msg: '', conn_id: 'c', req_id: '3', op: 'subscribe' },
      { kind: 'acknowledged', requestId: 3, accepted: true },
    ],
    [
      'a refused request',
      { success: false, ret_msg: 'error:handler not found', conn_id: 'c', req_id: '3', op: 'subscribe' },
      { kind: 'acknowledged', requestId: 3, accepted: false },
    ],
    [
      'an accepted request without id',
      { success: true, ret_msg: 'subscribe', conn_id: 'c', op: 'subscribe' },
      { kind: 'ignored' },
    ],
    ['a pong of spot', { success: true, ret_msg: 'pong', conn_id: 'c', op: 'ping' }, { kind: 'ignored' }],
    ['a pong', { op: 'pong', args: ['1'] }, { kind: 'ignored' }],
    ['anything else', { success: true }, { kind: 'malformed' }],
    ['a bar of another interval than its topic', kline({ start: 0, interval: '60' }), { kind: 'malformed' }],
    ['a message without bars', kline(), { kind: 'malformed' }],
    [
      'a spot ticker, whole every time; its change is percent',
      {
        topic: 'tickers.BTCUSDT',
        ts: 4,
        type: 'snapshot',
        cs: 1,
        data: {
          symbol: 'BTCUSDT',
          lastPrice: '1',
          price24hPcnt: '-0.0086',
          prevPrice24h: '2',
          highPrice24h: '3',
          lowPrice24h: '1',
          volume24h: '4',
          turnover24h: '5',
          usdIndexPrice: '',
        },
      },
      { kind: 'ticker', ticker: { lastPrice: '1', change: '-0.86', quoteVolume: '5', time: 4 } },
    ],
    [
      'a delta of a ticker without snapshot',
      { topic: 'tickers.BTCUSDT', ts: 4, type: 'delta', cs: 1, data: { symbol: 'BTCUSDT', lastPrice: '1' } },
      { kind: 'ignored' },
    ],
  ];
  test.each(frames)('%s', (_name, frame, expected) => {
    expect(decode(frame)).toMatchObject(expected as object);
  });

  test('a frame that closes a bar and opens the next tells both, and the built ones after each', () => {
    const open = 1_769_990_400_000;
    const part = 4 * 3_600_000;
    const venue = spot();
    const reported = decodeBy(
      venue,
      kline({ start: open }, { start: open + part, close: '2', high: '2', confirm: false }),
    );
    expect(reported).toMatchObject({ kind: 'candle', interval: '4h', closed: true, candle: { time: open } });
    expect(reported.kind === 'candle' && reported.further).toMatchObject([
      { interval: '8h', closed: false, candle: { time: open, close: 1 } },
      { interval: '4h', closed: false, candle: { time: open + part } },
      { interval: '8h', closed: false, candle: { time: open, close: 2, volume: 2 } },
    ]);
  });

  test('after a new subscription a delta of the ticker waits for its snapshot', () => {
    const data = {
      symbol: 'BTCUSDT',
      lastPrice: '1',
      price24hPcnt: '0',
      prevPrice24h: '1',
      highPrice24h: '1',
      lowPrice24h: '1',
      volume24h: '1',
      turnover24h: '1',
      markPrice: '1',
    };
    const frame = (type: string, cs: number, part: object) => ({
      topic: 'tickers.BTCUSDT',
      ts: 4,
      type,
      cs,
      data: part,
    });
    const venue = spot();
    const delta = (cs: number) =>
      decodeBy(venue, frame('delta', cs, { symbol: 'BTCUSDT', lastPrice: String(cs) })).kind;
    expect(decodeBy(venue, frame('snapshot', 1, data)).kind).toBe('ticker');
    expect([delta(3), delta(2), delta(4)]).toEqual(['ticker', 'ignored', 'ticker']);
    venue.socket.subscribe([{ kind: 'ticker', symbol: 'BTCUSDT' }], 9);
    expect(delta(5)).toBe('ignored');
    expect(decodeBy(venue, frame('snapshot', 6, data)).kind).toBe('ticker');
  });
});

describe('books', () => {
  const venue = spot();
  const apply = (sync: BookSync, frame: unknown) => {
    const message = decodeBy(venue, frame);
    return message.kind === 'book' ? sync.apply(message.change) : message.kind;
  };
  const snapshot = (u: number) => book({ u, b: [['10.00', '1']], a: [['10.02', '1']] }, 'snapshot');

  test('a restart of the service (a snapshot with u = 1) replaces the book, and its deltas follow', () => {
    const sync = new BookSync({ venue, symbol: 'BTCUSDT' });
    expect([
      apply(sync, snapshot(900)),
      apply(sync, book({ u: 901 })),
      apply(sync, snapshot(1)),
      apply(sync, book({ u: 2, b: [['9.99', '1']] })),
    ]).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect([sync.book.lastSeq, sync.counters.resyncs]).toEqual([2, 0]);
  });

  test('after a gap only the snapshot of a new subscription makes it live, also when ids began anew', () => {
    const sync = new BookSync({ venue, symbol: 'BTCUSDT' });
    apply(sync, snapshot(900));
    expect([apply(sync, book({ u: 902 })), sync.needsSnapshot]).toEqual(['needs-snapshot', true]);
    apply(sync, book({ u: 903 }));
    expect([apply(sync, snapshot(7)), apply(sync, book({ u: 8 })), sync.state]).toEqual([
      'applied',
      'applied',
      'LIVE',
    ]);
  });

  test('ids that fall back far are a restart whose snapshot was missed; a repeated delta is only dropped', () => {
    const sync = new BookSync({ venue, symbol: 'BTCUSDT' });
    apply(sync, snapshot(900));
    apply(sync, book({ u: 901 }));
    apply(sync, book({ u: 902 }));
    expect([apply(sync, book({ u: 901 })), sync.state]).toEqual(['dropped', 'LIVE']);
    expect([apply(sync, book({ u: 2 })), sync.state]).toEqual(['needs-snapshot', 'SYNCING']);
  });

  test('a perpetual of the same name is another book with its own steps', () => {
    const linear = createBybitPublic({
      category: 'linear',
      restBase: '',
      socketBase: '',
      fetchText: () => Promise.reject(new Error('no network in this test')),
      clock: () => NOW,
      instruments: [{ ...BTCUSDT_PERP, tickSize: BTCUSDT_PERP.tickSize }],
    });
    expect(linear.socket.decode(Buffer.from(JSON.stringify(snapshot(1))), NOW)).toMatchObject({
      kind: 'book',
      change: { kind: 'snapshot', lastSeq: 1 },
    });
  });
});
