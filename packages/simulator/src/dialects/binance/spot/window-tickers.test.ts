import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { startRig } from '../rig.fixture.ts';

/** Statistics of a window are those of its bars, whatever its length and the zone of its day. */

const rig = openedOnce(startRig);
beforeAll(async () => {
  const watched = await rig.socket('/ws/btcusdt@trade');
  rig.advance(5_000);
  watched.close();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FULL =
  'symbol priceChange priceChangePercent weightedAvgPrice openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count';
const MINI =
  'symbol openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count';

async function row(path: string, params: object) {
  const { status, body } = await rig.get(`/api/v3/${path}`, { symbol: 'BTCUSDT', ...params });
  expect(status).toBe(200);
  return body;
}

describe('a rolling window', () => {
  test.each([
    ['1m', MINUTE],
    ['59m', 59 * MINUTE],
    ['4h', 4 * HOUR],
    ['23h', 23 * HOUR],
    ['7d', 7 * DAY],
    [undefined, DAY],
  ])('of %s begins on a minute and tells of every bar in it', async (windowSize, millis) => {
    const stats = await row('ticker', windowSize === undefined ? {} : { windowSize });
    expect(Object.keys(stats)).toEqual(FULL.split(' '));
    expect(stats.closeTime).toBe(rig.now);
    expect(stats.openTime).toBe(Math.floor((rig.now - millis) / MINUTE) * MINUTE);
    const bars = [];
    for (let startTime = stats.openTime; startTime <= rig.now; startTime += 1_000 * MINUTE) {
      bars.push(...(await row('klines', { interval: '1m', startTime, limit: 1_000 })));
    }
    const inside = [...new Map(bars.map((bar) => [bar[0], bar])).values()];
    const numbers = (column: number) => inside.map((bar) => Number(bar[column]));
    const sum = (column: number) => numbers(column).reduce((total, one) => total + one, 0);
    expect([stats.openPrice, stats.lastPrice]).toEqual([inside[0][1], inside.at(-1)[4]]);
    expect(Number(stats.highPrice)).toBe(Math.max(...numbers(2)));
    expect(Number(stats.lowPrice)).toBe(Math.min(...numbers(3)));
    expect(Number(stats.volume)).toBeCloseTo(sum(5), 4);
    expect(Number(stats.quoteVolume) / sum(7)).toBeCloseTo(1, 9);
    expect(stats.count).toBe(sum(8));
    expect(stats.lastId - stats.firstId + 1).toBe(stats.count);
    expect(Number(stats.weightedAvgPrice)).toBeCloseTo(Number(stats.quoteVolume) / Number(stats.volume), 4);
    expect(Number(stats.priceChange)).toBeCloseTo(Number(stats.lastPrice) - Number(stats.openPrice), 6);
  });

  test('has a short form, and lists for several symbols, at four a symbol', async () => {
    expect(Object.keys(await row('ticker', { type: 'MINI' }))).toEqual(MINI.split(' '));
    rig.letPass(MINUTE);
    const symbols = '["BTCUSDT","ETHUSDT","DOGEUSDT"]';
    const { body, headers } = await rig.get('/api/v3/ticker', { symbols, windowSize: '1h' });
    expect(body.map(({ symbol }: { symbol: string }) => symbol)).toEqual(JSON.parse(symbols));
    expect(headers.get('x-mbx-used-weight-1m')).toBe('12');
  });

  test('goes through the WebSocket API too', async () => {
    const socket = await rig.socket('/ws-api/v3');
    const stats = await socket.ask(1, 'ticker', { symbol: 'BTCUSDT', windowSize: '2h' });
    expect(Object.keys(stats.result)).toEqual(FULL.split(' '));
    const day = await socket.ask(2, 'ticker.tradingDay', { symbol: 'BTCUSDT', type: 'MINI' });
    expect(Object.keys(day.result)).toEqual(MINI.split(' '));
    socket.close();
  });
});

describe('a trading day', () => {
  test.each([
    [undefined, '2026-01-02T00:00:00Z'],
    ['0', '2026-01-02T00:00:00Z'],
    ['8', '2026-01-01T16:00:00Z'],
    ['-1:00', '2026-01-02T01:00:00Z'],
    ['05:45', '2026-01-01T18:15:00Z'],
    ['14', '2026-01-02T10:00:00Z'],
    ['-12:00', '2026-01-02T12:00:00Z'],
  ])('in the zone %s began at %s', async (timeZone, began) => {
    const stats = await row('ticker/tradingDay', timeZone === undefined ? {} : { timeZone });
    expect(Object.keys(stats)).toEqual(FULL.split(' '));
    expect([stats.openTime, stats.closeTime]).toEqual([Date.parse(began), Date.parse(began) + DAY - 1]);
    const [first] = await row('klines', { interval: '1m', startTime: stats.openTime, limit: 1 });
    expect(stats.openPrice).toBe(first[1]);
  });
});
