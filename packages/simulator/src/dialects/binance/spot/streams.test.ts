import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { RECORDINGS_DIR } from '../../../../../../tests/recordings.ts';
import { TestSocket } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';
import { kindsOf, shapeOf } from '../shape.fixture.ts';

const recording = join(RECORDINGS_DIR, 'hftbacktest/spot/btcusdt_20240808.gz');

const rig = openedOnce(startRig);

const tick = () => rig.advance(100);
const ofType = (type: string) => (message: { e?: string }) => message.e === type;

describe('payloads', () => {
  test.each([
    ['btcusdt@trade', 'trade', 'e E# s t# p q T# m? M?'],
    ['btcusdt@aggTrade', 'aggTrade', 'e E# s a# p q f# l# T# m? M?'],
    ['btcusdt@miniTicker', '24hrMiniTicker', 'e E# s c o h l v q'],
    ['btcusdt@ticker', '24hrTicker', 'e E# s p P w x c Q b B a A o h l v q O# C# F# L# n#'],
    ['btcusdt@avgPrice', 'avgPrice', 'e E# s i w T#'],
    ['btcusdt@depth', 'depthUpdate', 'e E# s U# u# b[] a[]'],
    ['btcusdt@depth@100ms', 'depthUpdate', 'e E# s U# u# b[] a[]'],
    ['btcusdt@kline_1m', 'kline', 'e E# s k{}'],
    ['btcusdt@kline_1s', 'kline', 'e E# s k{}'],
  ])('%s has the documented fields, each of its kind', async (name, type, keys) => {
    const socket = await rig.socket(`/ws/${name}`);
    const message = await socket.hear(ofType(type), tick);
    expect(kindsOf(message)).toBe(keys);
    expect(message.s).toBe('BTCUSDT');
    socket.close();
  });

  test('a kline has all its fields', async () => {
    const socket = await rig.socket('/ws/btcusdt@kline_5m');
    const { k } = await socket.hear(ofType('kline'), tick);
    expect(kindsOf(k)).toBe('t# T# s i f# L# o c h l v n# x? q V Q B');
    expect([k.i, k.T - k.t, k.x]).toEqual(['5m', 299_999, false]);
    socket.close();
  });

  test.each([
    ['btcusdt@bookTicker', 'u# s b B a A'],
    ['btcusdt@depth5', 'lastUpdateId# bids[] asks[]'],
    ['btcusdt@depth20@100ms', 'lastUpdateId# bids[] asks[]'],
  ])('%s has no event type', async (name, keys) => {
    const socket = await rig.socket(`/ws/${name}`);
    const message = await socket.hear(() => true, tick);
    expect(kindsOf(message)).toBe(keys);
    socket.close();
  });

  test('all mini tickers come in one list', async () => {
    const socket = await rig.socket('/ws/!miniTicker@arr');
    const list = await socket.hear(Array.isArray, tick);
    expect(list.length).toBeGreaterThan(10);
    expect(list[0].e).toBe('24hrMiniTicker');
    socket.close();
  });

  test.skipIf(!existsSync(recording))('a recorded session has the same keys and kinds', async () => {
    const lines = gunzipSync(readFileSync(recording)).toString('utf8').split('\n').slice(0, 400);
    const recorded = lines
      .map((line) => line.slice(line.indexOf('{')))
      .filter((line) => line.startsWith('{"stream"'))
      .map((line) => JSON.parse(line));
    const names = ['btcusdt@depth@100ms', 'btcusdt@bookTicker', 'btcusdt@trade'];
    const socket = await rig.socket(`/stream?streams=${names.join('/')}`);
    for (const name of names) {
      const sample = recorded.find((message) => message.stream === name && message.data.b?.length !== 0);
      const ours = await socket.hear(
        (message) => message.stream === name && message.data.b?.length !== 0 && message.data.a?.length !== 0,
        tick,
      );
      expect(shapeOf(ours)).toEqual(shapeOf(sample));
    }
    socket.close();
  });
});

describe('the local book', () => {
  interface Diff {
    readonly U: number;
    readonly u: number;
    readonly b: readonly [string, string][];
    readonly a: readonly [string, string][];
  }

  function applySide(side: Map<string, string>, changes: readonly [string, string][]): void {
    for (const [price, size] of changes) {
      if (Number(size) === 0) side.delete(price);
      else side.set(price, size);
    }
  }

  const sorted = (side: Map<string, string>, sign: number) =>
    [...side].sort(([left], [right]) => sign * (Number(left) - Number(right)));

  test.each([
    ['btcusdt@depth@100ms', 100],
    ['ethusdt@depth', 1000],
  ])('a book kept from REST and %s equals the REST book, without a gap', async (name, millis) => {
    const tick = () => rig.advance(millis);
    const symbol = name.slice(0, name.indexOf('@')).toUpperCase();
    const socket = await rig.socket(`/ws/${name}`);
    const diffs = () => socket.heard as Diff[];
    await socket.hear(ofType('depthUpdate'), tick);
    rig.advance(250);
    const snapshot = (await rig.get('/api/v3/depth', { symbol, limit: 5000 })).body;
    const bids = new Map<string, string>(snapshot.bids);
    const asks = new Map<string, string>(snapshot.asks);
    await socket.hear((message) => message.u > snapshot.lastUpdateId && diffs().length >= 40, tick);
    rig.advance(1000);
    const final = (await rig.get('/api/v3/depth', { symbol, limit: 5000 })).body;
    // Nothing moves after this book; time alone makes the last update due.
    await socket.hear(
      (message) => message.u === final.lastUpdateId,
      () => rig.letPass(1000),
    );

    const wanted = diffs().filter((diff) => diff.u > snapshot.lastUpdateId);
    expect(wanted[0]?.U).toBeLessThanOrEqual(snapshot.lastUpdateId + 1);
    for (let at = 1; at < diffs().length; at += 1) {
      expect(diffs()[at]?.U).toBe((diffs()[at - 1]?.u ?? 0) + 1);
    }
    for (const diff of wanted) {
      applySide(bids, diff.b);
      applySide(asks, diff.a);
    }
    expect(sorted(bids, -1)).toEqual(final.bids);
    expect(sorted(asks, 1)).toEqual(final.asks);
    socket.close();
  });

  test('the book ticker equals the best levels of the book with the same update id', async () => {
    const socket = await rig.socket('/ws/btcusdt@bookTicker');
    await socket.hear(() => socket.heard.length > 10, tick);
    const before = socket.heard.length;
    await socket.hear(() => socket.heard.length > before, tick);
    const depth = (await rig.get('/api/v3/depth', { symbol: 'BTCUSDT', limit: 5 })).body;
    // Nothing moves after this book: the ticker's last message, heard already or on its way, is about it.
    const [[bid, bidSize], [ask, askSize]] = [depth.bids[0], depth.asks[0]];
    await socket.hear(() => {
      const last = socket.heard.at(-1);
      return last.b === bid && last.B === bidSize && last.a === ask && last.A === askSize;
    });
    expect(socket.heard.at(-1).u).toBeLessThanOrEqual(depth.lastUpdateId);
    socket.close();
  });

  test('a lost update on order shows as a gap', async () => {
    const socket = await rig.socket('/ws/btcusdt@depth@100ms');
    await socket.hear(() => socket.heard.length >= 3, tick);
    await rig.admin('POST', 'faults', { kind: 'skip-depth', match: 'btcusdt@depth' });
    const gaps = () =>
      socket.heard.filter((diff, at) => at > 0 && diff.U !== socket.heard[at - 1].u + 1).length;
    await socket.hear(() => gaps() > 0, tick);
    expect(gaps()).toBe(1);
    socket.close();
  });
});

describe('candles', () => {
  test('a bar that ends is sent once with x true, and equals the REST bar', async () => {
    const socket = await rig.socket('/ws/btcusdt@kline_1s');
    const closed = await socket.hear((message) => message.k?.x === true && message.k.n > 0, tick);
    const rows = (
      await rig.get('/api/v3/klines', {
        symbol: 'BTCUSDT',
        interval: '1s',
        startTime: closed.k.t,
        endTime: closed.k.T,
      })
    ).body;
    const { k } = closed;
    expect(rows).toEqual([[k.t, k.o, k.h, k.l, k.c, k.v, k.T, k.q, k.n, k.V, k.Q, '0']]);
    const opens = socket.heard.filter((message) => message.k.x).map((message) => message.k.t);
    expect(new Set(opens).size).toBe(opens.length);
    socket.close();
  });
});

describe('control', () => {
  let socket: TestSocket;

  beforeEach(async () => {
    socket = await rig.socket('/ws');
    return () => socket.close();
  });

  test('streams are joined, listed and left', async () => {
    socket.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade', 'btcusdt@depth'], id: 1 });
    expect(await socket.hear((message) => message.id === 1)).toEqual({ result: null, id: 1 });
    socket.send({ method: 'UNSUBSCRIBE', params: ['btcusdt@depth'], id: 'b' });
    expect(await socket.hear((message) => message.id === 'b')).toEqual({ result: null, id: 'b' });
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 3 });
    expect(await socket.hear((message) => message.id === 3)).toEqual({ result: ['btcusdt@trade'], id: 3 });
    await socket.hear(ofType('trade'), tick);
    expect(socket.heard.some(ofType('depthUpdate'))).toBe(false);
  });

  test('combined is off on /ws, on on /stream, and can be set', async () => {
    const combined = await rig.socket('/stream');
    combined.send({ method: 'GET_PROPERTY', params: ['combined'], id: 1 });
    expect((await combined.hear((message) => message.id === 1)).result).toBe(true);
    combined.close();
    socket.send({ method: 'GET_PROPERTY', params: ['combined'], id: 1 });
    expect((await socket.hear((message) => message.id === 1)).result).toBe(false);
    socket.send({ method: 'SET_PROPERTY', params: ['combined', true], id: 2 });
    await socket.hear((message) => message.id === 2);
    socket.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 3 });
    const wrapped = await socket.hear((message) => message.stream === 'btcusdt@trade', tick);
    expect(wrapped.data.e).toBe('trade');
  });

  test('a numbered socket of one client is raw', async () => {
    const numbered = await rig.socket('/stream/ws/0');
    numbered.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 1 });
    await numbered.hear(ofType('trade'), tick);
    numbered.close();
  });

  test.each([
    ['hello', 3, 'Invalid JSON'],
    ['[]', 2, 'Invalid request'],
    ['{"id":1}', 2, 'Invalid request: missing field `method`'],
    ['{"id":{},"method":"SUBSCRIBE"}', 2, 'request ID must be an unsigned integer'],
    ['{"id":1,"method":"NOPE"}', 2, 'unknown variant `NOPE`'],
    ['{"id":1,"method":"SUBSCRIBE","params":[]}', 2, 'Invalid request'],
    ['{"id":1,"method":"SUBSCRIBE","params":[1]}', 2, 'Invalid request'],
    ['{"id":1,"method":"SUBSCRIBE","params":"btcusdt@trade"}', 2, 'Invalid request'],
    ['{"id":1,"method":"SET_PROPERTY","params":["x",true]}', 0, 'Unknown property'],
    ['{"id":1,"method":"SET_PROPERTY","params":["combined",1]}', 1, 'Invalid value type: expected Boolean'],
    ['{"id":1,"method":"SET_PROPERTY","params":["combined",true,1]}', 2, 'too many parameters'],
    ['{"id":1,"method":"GET_PROPERTY","params":[]}', 2, 'property name must be a string'],
  ])('%s is answered with an error and the socket lives', async (text, code, msg) => {
    socket.send(text);
    const answer = await socket.hear((message) => message.code !== undefined);
    expect([answer.code, answer.msg.includes(msg)]).toEqual([code, true]);
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 9 });
    await socket.hear((message) => message.id === 9);
  });

  test('a stream that does not exist is silent', async () => {
    socket.send({ method: 'SUBSCRIBE', params: ['nope@trade', 'btcusdt@nope', 'x'], id: 1 });
    await socket.hear((message) => message.id === 1);
    tick();
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 2 });
    await socket.hear((message) => message.id === 2);
    expect(socket.heard.length).toBe(2);
  });
});

describe('bounds', () => {
  test('more than 1024 streams end the connection', async () => {
    const socket = await rig.socket('/ws');
    const names = Array.from({ length: 1025 }, (_, at) => `x${at}@trade`);
    socket.send({ method: 'SUBSCRIBE', params: names, id: 1 });
    await socket.closed;
  });

  test('more than five messages a second end the connection', async () => {
    const strict = await startRig({ limits: { streamMessagesPerSecondMax: 5 } });
    const socket = await strict.socket('/ws');
    for (let id = 1; id <= 6; id += 1) socket.send({ method: 'LIST_SUBSCRIPTIONS', id });
    await socket.closed;
    expect(socket.heard.length).toBe(5);
    await strict.close();
  });

  test('a message above the size limit ends the connection', async () => {
    const socket = await rig.socket('/ws');
    socket.send('x'.repeat(100_000));
    await socket.closed;
  });

  test('too many connections are refused', async () => {
    const strict = await startRig({ limits: { connectionsPer5MinutesMax: 2 } });
    const sockets = [await strict.socket('/ws'), await strict.socket('/ws')];
    const third = new TestSocket(`${strict.server.url.replace('http', 'ws')}/ws`);
    await expect(third.opened).rejects.toThrow('429');
    for (const socket of sockets) socket.close();
    await strict.close();
  });

  test('a client that does not read is dropped', async () => {
    const socket = await rig.socket('/ws/btcusdt@depth20@100ms/btcusdt@depth@100ms/!ticker@arr');
    await socket.hear(() => true, tick);
    socket.socket.pause();
    let closed = false;
    void socket.closed.then(() => {
      closed = true;
    });
    // What it asks for and never reads: requests whose answers pile up.
    const many = Array.from({ length: 900 }, (_, at) => `some-long-stream-name-to-fill-buffers-${at}@trade`);
    socket.send({ method: 'SUBSCRIBE', params: many, id: 1 });
    let sent = 0;
    while (!closed && sent < 2000 && socket.socket.readyState === socket.socket.OPEN) {
      for (let at = 0; at < 20; at += 1) {
        rig.letPass(1000);
        socket.send({ method: 'LIST_SUBSCRIPTIONS', id: sent });
        sent += 1;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.socket.resume();
    // 1006: dropped without a close frame.
    expect(await socket.closed).toBe(1006);
    expect(socket.heard.length).toBeLessThan(sent);
  });

  test('a path that is no socket is refused', async () => {
    const socket = new TestSocket(`${rig.server.url.replace('http', 'ws')}/nope`);
    await expect(socket.opened).rejects.toThrow('404');
  });
});
