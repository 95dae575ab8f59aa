import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { channelId, PUBLIC_CHANNELS, parseChannelId, streamMarket, streamSymbolType } from './channel.ts';
import type { ChannelArg } from './stream.ts';

const text = fc.string({ unit: fc.constantFrom('A', ':', '%', '3', '2', '5', '.'), maxLength: 5 });
const channels: fc.Arbitrary<ChannelArg> = fc.record(
  { ch: fc.constantFrom(...PUBLIC_CHANNELS), s: text, m: fc.constant(2 as const), i: text },
  { requiredKeys: ['ch', 's'] },
);

/** The same characters with the border between symbol and interval elsewhere: `A:B` with nothing behind it is not `A` with `B`. */
function recut({ ch, s, m, i }: ChannelArg, at: number): ChannelArg {
  const whole = i === undefined ? s : `${s}:${i}`;
  const market = m === undefined ? {} : { m };
  return at >= whole.length
    ? { ch, s: whole, ...market }
    : { ch, s: whole.slice(0, at), ...market, i: whole.slice(at + 1) };
}

describe('the identity of a channel', () => {
  test.each([
    [{ ch: 'book', s: 'BTCUSDT' }, 'book:BTCUSDT'],
    [{ ch: 'book', s: 'BTC-USDT-SWAP', m: 2 }, 'book.perp:BTC-USDT-SWAP'],
    [{ ch: 'candle', s: 'BTCUSDT', i: '1M' }, 'candle:BTCUSDT:1M'],
    [{ ch: 'candle', s: 'BTCUSDT', m: 2, i: '1m' }, 'candle.perp:BTCUSDT:1m'],
    [{ ch: 'bbo', s: 'A:B%' }, 'bbo:A%3AB%25'],
  ] as const)('of %j is %s', (arg, id) => {
    expect(channelId(arg)).toBe(id);
    expect(parseChannelId(id)).toEqual(arg);
  });

  test('two channels have the same one exactly if they are equal', () => {
    const agree = (one: ChannelArg, other: ChannelArg) => {
      const equal = one.ch === other.ch && one.s === other.s && one.m === other.m && one.i === other.i;
      expect(channelId(one) === channelId(other)).toBe(equal);
    };
    fc.assert(
      fc.property(channels, channels, fc.nat(12), (one, other, at) => {
        agree(one, other);
        agree(one, recut(one, at));
        agree(one, { ...one });
      }),
      { numRuns: 1_000 },
    );
  });

  test('tells the channel again', () => {
    fc.assert(
      fc.property(channels, (arg) => {
        expect(parseChannelId(channelId(arg))).toEqual(arg);
      }),
    );
  });

  test('is read only where it is one', () => {
    const almost = fc.oneof(
      text,
      fc.tuple(channels, text).map(([arg, more]) => `${channelId(arg)}${more}`),
    );
    fc.assert(
      fc.property(almost, (id) => {
        const arg = parseChannelId(id);
        if (arg !== undefined) expect(channelId(arg)).toBe(id);
      }),
    );
    const none = ['', 'book', 'venue:A', 'book.perp', 'book.perps:A', 'book:A:1m:1m', 'book:%41', ':A'];
    expect(none.map(parseChannelId)).toEqual(none.map(() => undefined));
  });

  test.each(['SPOT', 'SWAP'] as const)('a market of %s is told by its channels', (symbolType) => {
    expect(streamSymbolType(streamMarket(symbolType))).toBe(symbolType);
  });
});
