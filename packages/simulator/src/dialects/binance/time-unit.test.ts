import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import type { KeyPair } from '../wire/rig.fixture.ts';
import { startRig } from './rig.fixture.ts';
import { inTimeUnit } from './time-unit.ts';

/** Who asks for microseconds gets every time in them, and nothing else changes. */

const rig = openedOnce(startRig);
let key: KeyPair;
beforeAll(async () => {
  key = await rig.key('alice', { USDT: '1000' });
});

const RESTING = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' };
const MICROS = { 'x-mbx-time-unit': 'MICROSECOND' };

/** A time in microseconds; the last moment of a bar or a day is the last one of them. */
const micros = (time: number) => (time % 1_000 === 999 ? time * 1_000 + 999 : time * 1_000);

/** Every number of a JSON value that could be a time, in milliseconds. */
function timesOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return value >= 1e12 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(timesOf) : [];
}

describe('by REST', () => {
  test.each([
    ['/api/v3/time', 1],
    ['/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=2', 4],
    ['/api/v3/aggTrades?symbol=BTCUSDT&limit=2', 2],
    ['/api/v3/trades?symbol=BTCUSDT&limit=2', 2],
    ['/api/v3/ticker?symbol=BTCUSDT', 2],
    ['/api/v3/ticker/tradingDay?symbol=BTCUSDT', 2],
    ['/api/v3/avgPrice?symbol=BTCUSDT', 1],
    ['/api/v3/exchangeInfo?symbol=BTCUSDT', 1],
  ])('%s has %i times', async (path, count) => {
    const plain = (await rig.get(path)).body;
    expect(timesOf(plain).length).toBe(count);
    for (const unit of ['MICROSECOND', 'microsecond']) {
      const { body } = await rig.send('GET', path, { headers: { 'x-mbx-time-unit': unit } });
      expect(timesOf(body)).toEqual(timesOf(plain).map(micros));
    }
    const same = await rig.send('GET', path, { headers: { 'x-mbx-time-unit': 'millisecond' } });
    expect(same.body).toEqual(plain);
  });

  test('a bar ends one microsecond before the next begins, by REST and on its stream', async () => {
    const path = '/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=2';
    const [bar, next] = (await rig.send('GET', path, { headers: MICROS })).body;
    expect(bar[6]).toBe(next[0] - 1);
    const socket = await rig.socket('/ws/btcusdt@kline_1m?timeUnit=MICROSECOND');
    const { k } = await socket.hear(
      ({ e }) => e === 'kline',
      () => rig.advance(2_000),
    );
    expect(k.T).toBe(k.t + 60_000_000 - 1);
    socket.close();
  });

  test('another unit is refused; the wallet and the futures know none', async () => {
    const headers = { 'x-mbx-time-unit': 'NANOSECOND' };
    expect(await rig.send('GET', '/api/v3/time', { headers })).toMatchObject({
      status: 400,
      body: { code: -1194, msg: 'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.' },
    });
    expect((await rig.send('GET', '/sapi/v1/system/status', { headers })).status).toBe(200);
    const { body } = await rig.send('GET', '/fapi/v1/time', { headers: MICROS });
    expect(body).toEqual({ serverTime: rig.now });
  });

  test('times of a request may be microseconds too', async () => {
    const startTime = rig.now - 3_600_000;
    const page = { symbol: 'BTCUSDT', interval: '1m', limit: 3 };
    const millis = await rig.get('/api/v3/klines', { ...page, startTime, endTime: rig.now });
    const micros = await rig.get('/api/v3/klines', {
      ...{ ...page, startTime: startTime * 1_000, endTime: rig.now * 1_000 },
    });
    expect(micros.body).toEqual(millis.body);
    expect(micros.body.length).toBe(3);
  });
});

describe('on sockets', () => {
  test('the address says the unit of a stream, raw and combined', async () => {
    const plain = await rig.socket('/ws/btcusdt@trade');
    const raw = await rig.socket('/ws/btcusdt@trade?timeUnit=MICROSECOND');
    const combined = await rig.socket('/stream?streams=btcusdt@trade&timeUnit=microsecond');
    const act = () => rig.advance(100);
    const trade = await plain.hear(({ e }) => e === 'trade', act);
    const inMicros = { ...trade, E: trade.E * 1_000, T: trade.T * 1_000 };
    expect(await raw.hear(({ t }) => t === trade.t)).toEqual(inMicros);
    const wrapped = await combined.hear(({ data }) => data?.t === trade.t);
    expect(wrapped).toEqual({ stream: 'btcusdt@trade', data: inMicros });
    for (const socket of [plain, raw, combined]) socket.close();
  });

  test('and of the WebSocket API: answers and events', async () => {
    const socket = await rig.socket('/ws-api/v3?timeUnit=MICROSECOND');
    expect((await socket.ask(1, 'time')).result).toEqual({ serverTime: rig.now * 1_000 });
    const signer = { key, now: rig.now };
    await socket.askSigned(signer, 2, 'userDataStream.subscribe.signature');
    const price = (rig.exchange.averagePrice('BTCUSDT') * 0.9).toFixed(2);
    const placed = await socket.askSigned(signer, 3, 'order.place', { ...RESTING, price });
    expect(placed.result.transactTime).toBe(rig.now * 1_000);
    const { event } = await socket.hear((heard) => heard.event?.e === 'executionReport');
    expect([event.E, event.T, event.O, event.W]).toEqual(Array(4).fill(rig.now * 1_000));
    const balance = await socket.hear((heard) => heard.event?.e === 'outboundAccountPosition');
    expect([balance.event.E, balance.event.u]).toEqual([rig.now * 1_000, rig.now * 1_000]);
    socket.close();
  });

  test('a socket with another unit is turned away', async () => {
    await expect(rig.socket('/ws/btcusdt@trade?timeUnit=NANOSECOND')).rejects.toThrow('400');
  });
});

test('ids and quantities under the names of times stay as they are', () => {
  const event = {
    e: 'executionReport',
    T: 1_767_355_200_500,
    t: 4_711,
    i: 4_712,
    C: 'mine',
    O: 1_767_355_200_500,
    u: 9,
  };
  expect(inTimeUnit(event, 'MICROSECOND')).toEqual({
    ...event,
    ...{ T: 1_767_355_200_500_000, O: 1_767_355_200_500_000 },
  });
  expect(inTimeUnit(event, 'MILLISECOND')).toBe(event);
});
