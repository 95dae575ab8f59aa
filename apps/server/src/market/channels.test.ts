import type { Candle, Millis, Ticker } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { CandleChannel, placeOf, TickerChannel } from './channels.ts';

const ticker = (part: Partial<Ticker> = {}): Ticker => ({
  ...{ symbol: 'BTCUSDT', lastPrice: '5', change: '1', openPrice: '4', highPrice: '6', lowPrice: '3' },
  ...{ volume: '1', quoteVolume: '5', time: 1 as Millis },
  ...part,
});
const bar = (time: number, close: number): Candle => ({
  ...{ time: time as Millis, open: 1, high: 9, low: 1, volume: 1 },
  close,
});

describe('the place of a frame', () => {
  test('names perpetuals by m = 2 and spot by nothing', () => {
    expect(placeOf('SPOT', 'BTCUSDT')).toEqual({ s: 'BTCUSDT' });
    expect(placeOf('SWAP', 'BTC-USDT-SWAP')).toEqual({ s: 'BTC-USDT-SWAP', m: 2 });
  });
});

describe('a ticker', () => {
  test('of spot has no figures of perpetuals', () => {
    const channel = new TickerChannel(placeOf('SPOT', 'BTCUSDT'));
    channel.set(ticker());
    expect(channel.change()).toEqual({
      ...{ ch: 'ticker', s: 'BTCUSDT' },
      d: { last: '5', change: '1', open: '4', high: '6', low: '3', volume: '1', quoteVolume: '5', t: 1 },
    });
    expect(channel.change()).toBeUndefined();
  });

  test('merges what is said beside it, whichever comes first, and keeps what is not said again', () => {
    const channel = new TickerChannel(placeOf('SWAP', 'BTCUSDT'));
    channel.learn({ markPrice: '5.1', fundingRate: '0.0001' });
    expect([channel.change(), channel.snapshot()]).toEqual([undefined, undefined]);
    channel.set(ticker());
    expect(channel.change()).toMatchObject({ m: 2, d: { last: '5', mark: '5.1', funding: '0.0001' } });
    channel.learn({ markPrice: '5.2', indexPrice: '5.0', nextFundingTime: 9 as Millis, openInterest: '77' });
    expect(channel.change()?.d).toMatchObject({
      ...{ mark: '5.2', index: '5.0', funding: '0.0001', nextFunding: 9, interest: '77' },
    });
    channel.set(ticker({ lastPrice: '6', lastSize: '0.7', markPrice: '5.3' }));
    expect(channel.change()?.d).toMatchObject({
      ...{ last: '6', lastSize: '0.7', mark: '5.3', index: '5.0', interest: '77' },
    });
  });

  test('knows whether the venue itself streams the open interest', () => {
    const channel = new TickerChannel(placeOf('SWAP', 'BTCUSDT'));
    channel.learn({ openInterest: '1' });
    channel.set(ticker());
    expect(channel.streamsInterest).toBe(false);
    channel.set(ticker({ openInterest: '2' }));
    expect(channel.streamsInterest).toBe(true);
  });
});

describe('bars', () => {
  test('latest wins within a tick', () => {
    const channel = new CandleChannel({ s: 'BTCUSDT' }, '1m');
    channel.set(bar(60_000, 2), false);
    channel.set(bar(60_000, 3), false);
    expect([channel.change()?.d[4], channel.change()]).toEqual([3, undefined]);
  });

  test('a bar that ends and the next, told in one frame, both go out, one a tick, in their order', () => {
    const channel = new CandleChannel({ s: 'BTCUSDT' }, '1m');
    channel.set(bar(60_000, 2), false);
    channel.change();
    channel.set(bar(60_000, 3), true);
    channel.set(bar(120_000, 4), false);
    expect(channel.snapshot()?.d[0]).toBe(120_000);
    expect(channel.change()).toMatchObject({ d: [60_000, 1, 9, 1, 3, 1], x: true });
    expect(channel.change()).toMatchObject({ d: [120_000, 1, 9, 1, 4, 1], x: false });
    expect(channel.change()).toBeUndefined();
  });

  test('what a connection that is being succeeded says of an earlier bar is not told', () => {
    const channel = new CandleChannel({ s: 'BTCUSDT' }, '1m');
    channel.set(bar(120_000, 4), false);
    channel.change();
    channel.set(bar(60_000, 3), true);
    expect([channel.change(), channel.snapshot()?.d[0]]).toEqual([undefined, 120_000]);
  });

  test('bars that ended while nobody looked are bounded', () => {
    const channel = new CandleChannel({ s: 'BTCUSDT' }, '1s');
    for (let second = 0; second < 100; second += 1) channel.set(bar(second * 1_000, 1), true);
    const reported: number[] = [];
    for (let frame = channel.change(); frame !== undefined; frame = channel.change())
      reported.push(frame.d[0]);
    expect(reported).toEqual([96_000, 97_000, 98_000, 99_000]);
  });
});
