import { type DecimalLevels, NOON, type PublicKit } from './venue-kit.ts';

/** What Binance spot and USD-M futures say alike. */

/** A frame of a combined stream of BTCUSDT. */
export const binanceStream = (channel: string, data: object): string =>
  JSON.stringify({ stream: `btcusdt@${channel}`, data });

/** Bars of one minute, as both answer them. */
export const binanceCandles = (times: readonly number[]): string =>
  JSON.stringify(
    times.map((time) => [time, '1', '2', '0.5', '1.5', '7', time + 59_999, '9', 3, '1', '1', '0']),
  );

/** Frames of both. `updateFacts` and `tradeFacts`: the fields that only one of them has. */
export function binanceFrames(updateFacts: (first: number) => object, tradeFacts: object) {
  const update = (
    s: string,
    [U, u]: readonly [number, number],
    [b, a]: readonly [DecimalLevels, DecimalLevels],
  ) => ({
    ...{ e: 'depthUpdate', E: NOON, s, U, u, b, a },
    ...updateFacts(U),
  });
  const bar = {
    t: 60_000,
    T: 119_999,
    s: 'BTCUSDT',
    i: '1m',
    o: '1',
    c: '1.5',
    h: '2',
    l: '0.5',
    v: '3',
    x: true,
  };
  const day = { P: '-0.8', c: '10.01', o: '10.09', h: '11', l: '9.5', v: '100', q: '1000' };
  return {
    delta: (first, last, bids, asks) =>
      binanceStream('depth@100ms', update('BTCUSDT', [first, last], [bids, asks])),
    trade: (p, q, aggressor) =>
      binanceStream('trade', {
        ...{ e: 'trade', E: NOON, s: 'BTCUSDT', t: 1, p, q, T: NOON, m: aggressor === 'sell' },
        ...tradeFacts,
      }),
    strangeDelta: () =>
      JSON.stringify({ stream: 'abcusdt@depth@100ms', data: update('ABCUSDT', [1, 2], [[], []]) }),
    acknowledged: (id) => JSON.stringify({ result: null, id }),
    further: () => [
      binanceStream('kline_1m', { e: 'kline', E: NOON, s: 'BTCUSDT', k: bar }),
      binanceStream('ticker', { e: '24hrTicker', E: NOON, s: 'BTCUSDT', ...day }),
    ],
  } satisfies PublicKit['frames'];
}
