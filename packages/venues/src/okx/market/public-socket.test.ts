import type { BookChange, Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { okxPublicKit } from '../../conformance/okx-public-kit.ts';
import type { MarketMessage } from '../../venue-public.ts';
import { checkedText, crc32 } from './checksum.ts';
import { createOkxPublic } from './okx-public.ts';
import { BTC_USDT, BTC_USDT_SWAP } from './sample-instruments.fixture.ts';

const NOW = 1_770_000_000_000 as Millis;

function setup() {
  const okx = createOkxPublic({
    restBase: '',
    publicSocketUrl: 'wss://venue/public',
    businessSocketUrl: 'wss://venue/business',
    fetchText: () => Promise.reject(new Error('no network in this test')),
    clock: () => NOW,
    instruments: [BTC_USDT, BTC_USDT_SWAP],
  });
  const business = okx.furtherSockets?.[0];
  if (business === undefined) throw new Error('no business socket');
  const read = (frame: object | string, socket = okx.socket): MarketMessage =>
    socket.decode(Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), NOW);
  return { okx, business, read };
}

describe('asking', () => {
  test('candles belong to the business socket, the rest to the public one', () => {
    const { okx, business } = setup();
    const candle = { kind: 'candle', symbol: 'BTC-USDT', interval: '1d' } as const;
    const trades = { kind: 'trades', symbol: 'BTC-USDT' } as const;
    expect(
      [okx.socket, business].map((socket) => [socket.carries?.(candle), socket.carries?.(trades)]),
    ).toEqual([
      [false, true],
      [true, false],
    ]);
    expect([okx.socket.url(), business.url()]).toEqual(['wss://venue/public', 'wss://venue/business']);
    expect(JSON.parse(business.subscribe([candle], 7))).toEqual({
      id: '7',
      op: 'subscribe',
      args: [{ channel: 'candle1Dutc', instId: 'BTC-USDT' }],
    });
  });

  test("a perpetual's ticker is four channels, a pair's one", () => {
    const { okx } = setup();
    const args = (symbol: string) => JSON.parse(okx.socket.subscribe([{ kind: 'ticker', symbol }], 1)).args;
    expect(args('BTC-USDT')).toEqual([{ channel: 'tickers', instId: 'BTC-USDT' }]);
    expect(args('BTC-USDT-SWAP')).toEqual([
      { channel: 'tickers', instId: 'BTC-USDT-SWAP' },
      { channel: 'mark-price', instId: 'BTC-USDT-SWAP' },
      { channel: 'index-tickers', instId: 'BTC-USDT' },
      { channel: 'funding-rate', instId: 'BTC-USDT-SWAP' },
    ]);
  });

  test('bars of 4 and 8 hours share a channel, which ends with the last of them', () => {
    const { business } = setup();
    const four = { kind: 'candle', symbol: 'BTC-USDT', interval: '4h' } as const;
    const eight = { kind: 'candle', symbol: 'BTC-USDT', interval: '8h' } as const;
    expect(JSON.parse(business.subscribe([four, eight], 1)).args.length).toBe(1);
    expect(business.unsubscribe([eight], 2)).toBe('ping');
    expect(JSON.parse(business.unsubscribe([four], 3))).toMatchObject({ op: 'unsubscribe', id: '3' });
  });
});

describe('control frames', () => {
  const arg = { channel: 'books', instId: 'BTC-USDT' };
  const frames: [string, object | string, object][] = [
    ['a pong', 'pong', { kind: 'ignored' }],
    ['an answer', { id: '9', event: 'subscribe', arg, connId: 'c' }, { requestId: 9, accepted: true }],
    ['the end of a channel', { id: '9', event: 'unsubscribe', arg }, { requestId: 9, accepted: true }],
    [
      'a refusal',
      { id: '9', event: 'error', code: '60018', msg: 'Wrong URL', connId: 'c' },
      { requestId: 9, accepted: false },
    ],
    [
      'a refusal of nothing we know',
      { event: 'error', code: '60012', msg: 'Invalid request' },
      { kind: 'malformed' },
    ],
    [
      'an announced restart',
      { event: 'notice', code: '64008', msg: 'soon', connId: 'c' },
      { kind: 'ignored' },
    ],
    ['an event of 2030', { event: 'surprise' }, { kind: 'malformed' }],
    ['a channel nobody wants', { arg: { channel: 'liquidation' }, data: [] }, { kind: 'ignored' }],
    ['a push without data', { arg: { channel: 'trades', instId: 'BTC-USDT' } }, { kind: 'malformed' }],
    ['five levels', { arg: { channel: 'books5', instId: 'BTC-USDT' }, data: [{}] }, { kind: 'ignored' }],
    [
      'the best levels alone',
      { arg: { channel: 'bbo-tbt', instId: 'BTC-USDT' }, data: [{}] },
      { kind: 'ignored' },
    ],
    [
      'a list of instruments',
      { arg: { channel: 'instruments', instType: 'SWAP' }, data: [{}] },
      { kind: 'ignored' },
    ],
    [
      'trades of an instrument that nobody told of',
      { arg: { channel: 'trades', instId: 'NO-USDT' }, data: [{}] },
      { kind: 'malformed' },
    ],
    [
      'a frame of version 3',
      { table: 'spot/trade', data: [{ instrument_id: 'BTC-USDT' }] },
      { kind: 'malformed' },
    ],
  ];
  test.each(frames)('%s', (_name, frame, expected) => expect(setup().read(frame)).toMatchObject(expected));
});

describe('figures of perpetuals', () => {
  const push = (channel: string, instId: string, row: object) => ({ arg: { channel, instId }, data: [row] });
  const swap = 'BTC-USDT-SWAP';
  const good: [string, object, object][] = [
    [
      'mark',
      push('mark-price', swap, { instType: 'SWAP', instId: swap, markPx: '84660.1', ts: '1' }),
      { markPrice: '84660.1' },
    ],
    [
      'index, told under its own name',
      push('index-tickers', 'BTC-USDT', { instId: 'BTC-USDT', idxPx: '84650' }),
      { indexPrice: '84650' },
    ],
    [
      'funding: fundingTime is the next payment',
      push('funding-rate', swap, {
        instId: swap,
        fundingRate: '-0.0001',
        fundingTime: '1703088000000',
        nextFundingTime: '1703116800000',
      }),
      { fundingRate: '-0.0001', nextFundingTime: 1_703_088_000_000 },
    ],
  ];
  test.each(good)('%s', (_name, frame, stats) =>
    expect(setup().read(frame)).toEqual({ kind: 'perp-stats', symbol: swap, stats }),
  );

  const bad: [string, object][] = [
    ['a mark of 0', push('mark-price', swap, { instId: swap, markPx: '0' })],
    ['the mark of another', push('mark-price', swap, { instId: 'ETH-USDT-SWAP', markPx: '1' })],
    [
      'a rate that is a number',
      push('funding-rate', swap, { instId: swap, fundingRate: 0.1, fundingTime: '1' }),
    ],
    ['the ticker of another', push('tickers', swap, { instId: 'ETH-USDT-SWAP' })],
  ];
  test.each(bad)('%s is malformed', (_name, frame) => expect(setup().read(frame).kind).toBe('malformed'));
});

describe('books', () => {
  const kit = okxPublicKit('SPOT', '');
  const change = (message: MarketMessage): BookChange => {
    if (message.kind !== 'book') throw new Error(JSON.stringify(message));
    return message.change;
  };
  const frame = (row: object, action: string) => ({
    arg: { channel: 'books', instId: 'BTC-USDT' },
    action,
    data: [{ asks: [], bids: [], ts: '1', checksum: 0, ...row }],
  });

  test('an update without change, and the one after maintenance whose id is lower, continue the book', () => {
    const { okx, read } = setup();
    const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
    const steps = [
      kit.frames.snapshot?.(500, [['10.00', '1']], []) ?? '',
      frame({ prevSeqId: 500, seqId: 500 }, 'update'),
      frame({ prevSeqId: 500, seqId: 3, bids: [['9.99', '2', '0', '1']] }, 'update'),
      frame({ prevSeqId: 3, seqId: 5, bids: [['9.98', '3', '0', '1']] }, 'update'),
      frame({ prevSeqId: 6, seqId: 7 }, 'update'),
    ].map((text) => sync.apply(change(read(text))));
    expect(steps).toEqual(['applied', 'applied', 'applied', 'applied', 'needs-snapshot']);
    expect([sync.counters.gaps, sync.state]).toEqual([1, 'SYNCING']);
  });

  test('after a gap the next snapshot of the socket makes the book live, also where ids began anew', () => {
    const { okx, read } = setup();
    const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
    sync.apply(change(read(kit.frames.snapshot?.(500, [['10.00', '1']], []) ?? '')));
    sync.apply(change(read(frame({ prevSeqId: 700, seqId: 701 }, 'update'))));
    sync.apply(change(read(frame({ prevSeqId: 701, seqId: 702 }, 'update'))));
    expect(sync.apply(change(read(kit.frames.snapshot?.(9, [['11.00', '1']], []) ?? '')))).toBe('applied');
    expect(sync.apply(change(read(frame({ prevSeqId: 9, seqId: 12 }, 'update'))))).toBe('applied');
    expect([sync.state, sync.book.bestBid()]).toEqual(['LIVE', 1_100]);
  });

  const checksum = crc32(checkedText(['10.00:1', '9:2'], ['10.10:3']));
  const snapshot = {
    seqId: 1,
    prevSeqId: -1,
    bids: [
      ['10.00', '1', '0', '1'],
      ['9', '2', '0', '1'],
    ],
    asks: [['10.10', '3', '0', '1']],
  };
  test('the checksum is made over the strings as they came; a wrong one throws the book away', () => {
    for (const wrong of [0, 1]) {
      const { okx, read } = setup();
      const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
      const step = sync.apply(change(read(frame({ ...snapshot, checksum: checksum + wrong }, 'snapshot'))));
      expect([step, sync.counters.checksumsCompared, sync.counters.checksumsWrong]).toEqual([
        wrong === 0 ? 'applied' : 'needs-snapshot',
        1,
        wrong,
      ]);
    }
  });

  test('a checksum that is missing from one message on throws the book away once; then the ids alone count', () => {
    const { okx, read } = setup();
    const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
    const none = { checksum: undefined };
    const steps = [
      frame({ ...snapshot, checksum }, 'snapshot'),
      frame({ ...none, prevSeqId: 1, seqId: 2, bids: [['8', '1', '0', '1']] }, 'update'),
      frame({ ...snapshot, ...none }, 'snapshot'),
      frame({ ...none, prevSeqId: 1, seqId: 2, bids: [['8', '1', '0', '1']] }, 'update'),
    ].map((text) => sync.apply(change(read(text))));
    expect(steps).toEqual(['applied', 'needs-snapshot', 'applied', 'applied']);
    expect([sync.state, sync.counters.checksumsCompared]).toEqual(['LIVE', 2]);
  });

  test('a checksum of 0 says nothing, and the next one is compared again', () => {
    const { okx, read } = setup();
    const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
    const steps = [
      frame({ ...snapshot, checksum: 0 }, 'snapshot'),
      frame({ prevSeqId: 1, seqId: 2, checksum }, 'update'),
      frame({ prevSeqId: 2, seqId: 3, checksum: 77 }, 'update'),
    ].map((text) => sync.apply(change(read(text))));
    expect(steps).toEqual(['applied', 'applied', 'needs-snapshot']);
    expect([sync.counters.checksumsCompared, sync.counters.checksumsWrong]).toEqual([2, 1]);
  });

  const bad: [string, object, string][] = [
    ['a snapshot that names a predecessor', { ...snapshot, prevSeqId: 4 }, 'snapshot'],
    ['an update that names none', { seqId: 4 }, 'update'],
    ['an id that is a string', { seqId: '4', prevSeqId: 3 }, 'update'],
    ['neither ids nor checksum', {}, 'update'],
    ['an update without ids before any snapshot', { checksum: 5 }, 'update'],
    ['a checksum beyond 32 bits', { ...snapshot, checksum: 2 ** 31 }, 'snapshot'],
    ['a level of three fields', { ...snapshot, bids: [['10.00', '1', '0']] }, 'snapshot'],
    ['an empty level in a snapshot', { ...snapshot, bids: [['10.00', '0', '0', '0']] }, 'snapshot'],
    ['another action', snapshot, 'partial'],
  ];
  test.each(bad)('%s is malformed', (_name, row, action) =>
    expect(setup().read(frame(row, action)).kind).toBe('malformed'),
  );
});

test('CRC-32 of the standard check text', () => {
  expect(crc32('123456789')).toBe(0xcbf43926 | 0);
  expect(crc32('')).toBe(0);
});

describe('candles', () => {
  const open = Date.UTC(2026, 0, 1, 0);
  const row = (at: number, close: string, confirm: string) => [
    ...[String(at), '1', '3', '0.5', close, '700', '7', '9', confirm],
  ];
  const push = (bar: string, data: readonly string[], instId = 'BTC-USDT') => ({
    arg: { channel: `candle${bar}`, instId },
    data: [data],
  });

  test('volume is base: the sixth figure of a pair, the seventh of a perpetual', () => {
    const { business, read } = setup();
    const volumes = ['BTC-USDT', 'BTC-USDT-SWAP'].map((symbol) =>
      read(push('1m', row(open, '2', '0'), symbol), business),
    );
    expect(volumes).toMatchObject([{ candle: { volume: 700 } }, { candle: { volume: 7 } }]);
  });

  test('bars of 8 hours are told with those of 4 they are made of', () => {
    const { business, read } = setup();
    const hours = 3_600_000;
    const first = read(push('4H', row(open, '1.5', '1')), business);
    const second = read(push('4H', row(open + 4 * hours, '2.5', '1')), business);
    expect(first).toMatchObject({
      interval: '4h',
      further: [{ interval: '8h', closed: false, candle: { close: 1.5 } }],
    });
    expect(second).toMatchObject({
      further: [{ interval: '8h', closed: true, candle: { time: open, close: 2.5, volume: 1_400 } }],
    });
  });

  test('bars that open at midnight in Hong Kong are not taken for ours', () => {
    const { business, read } = setup();
    expect(read(push('1D', row(open, '2', '0')), business).kind).toBe('ignored');
    expect(read(push('1Dutc', row(open, '2', '0')), business)).toMatchObject({
      kind: 'candle',
      interval: '1d',
    });
  });
});
