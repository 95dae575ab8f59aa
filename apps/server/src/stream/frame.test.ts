import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { parseClientFrame } from './client-frames.ts';
import { encodeFrame, textFrame } from './frame.ts';

/** Sends bytes to a client of the `ws` library past its own framing, and gives back what that client read. */
async function readBy(frames: readonly Uint8Array[]): Promise<readonly string[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (_client, request) => {
    for (const frame of frames) request.socket.write(frame);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const read: string[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('message', (data, binary) => {
      if (binary) reject(new Error('a text frame was read as binary'));
      read.push(data.toString());
      if (read.length === frames.length) resolve();
    });
  });
  client.terminate();
  await new Promise((resolve) => server.close(resolve));
  return read;
}

describe('our own text frames', () => {
  test('are read by the library at every length around the boundaries', async () => {
    const lengths = [0, 1, 2, 124, 125, 126, 127, 128, 255, 256, 65_534, 65_535, 65_536, 65_537, 70_000];
    const texts = lengths.map((length) => 'x'.repeat(length));
    expect((await readBy(texts.map(textFrame))).map((text) => text.length)).toEqual(lengths);
  });

  test('count bytes, not letters, and carry every letter', async () => {
    const texts = [
      'é'.repeat(63),
      '€'.repeat(42),
      '買い注文'.repeat(40),
      '😀'.repeat(16_384),
      '\u0000\u007f',
      'é'.repeat(62),
    ];
    expect(await readBy(texts.map(textFrame))).toEqual(texts);
  });

  test('several in one write are several messages', async () => {
    const frames = [
      { ch: 'venue', state: 'live', c: 0, t: 1 },
      { ch: 'venue', state: 'down', c: 0, t: 2 },
    ] as const;
    const together = Buffer.concat(frames.map(encodeFrame));
    const half = Math.floor(together.length / 2) + 1;
    const read = await readBy([together.subarray(0, half), together.subarray(half)]);
    expect(read.map((text) => JSON.parse(text))).toEqual(frames);
  });

  test('any text comes back as it went, lone surrogates as the replacement that UTF-8 has for them', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 400 }), { numRuns: 300, seed: 1 });
    expect(await readBy(texts.map(textFrame))).toEqual(texts.map((text) => text.toWellFormed()));
  });
});

describe("a client's frame", () => {
  const LOGIN = { action: 'login', args: { apiKey: 'a', timestamp: '1', sign: 's' } };
  test.each([
    [LOGIN, LOGIN],
    [{ ...LOGIN, more: 1 }, LOGIN],
    [
      { action: 'subscribe', args: [{ ch: 'book', s: 'BTCUSDT', i: '1m', extra: 1 }] },
      { action: 'subscribe', args: [{ ch: 'book', s: 'BTCUSDT' }] },
    ],
    [
      { action: 'unsubscribe', args: [{ ch: 'candle', s: 'BTCUSDT', i: '15m' }] },
      { action: 'unsubscribe', args: [{ ch: 'candle', s: 'BTCUSDT', i: '15m' }] },
    ],
  ])('%j is read', (given, read) => {
    expect(parseClientFrame(JSON.stringify(given))).toEqual(read);
  });

  const arg = { ch: 'book', s: 'BTCUSDT' };
  test.each([
    ['{'],
    ['null'],
    ['[]'],
    ['"subscribe"'],
    [{ action: 'logout' }],
    [{ action: 'login' }],
    [{ action: 'login', args: [] }],
    [{ ...LOGIN, args: { ...LOGIN.args, timestamp: 1 } }],
    [{ ...LOGIN, args: { ...LOGIN.args, sign: 's'.repeat(257) } }],
    [{ action: 'subscribe' }],
    [{ action: 'subscribe', args: [] }],
    [{ action: 'subscribe', args: arg }],
    [{ action: 'subscribe', args: [arg, null] }],
    [{ action: 'subscribe', args: [arg, [arg]] }],
    [{ action: 'subscribe', args: Array.from({ length: 101 }, () => arg) }],
    [{ action: 'subscribe', args: [{ ch: 'user', s: 'BTCUSDT' }] }],
    [{ action: 'subscribe', args: [{ ch: 'book', s: 7 }] }],
    [{ action: 'subscribe', args: [{ ch: 'book', s: 'x'.repeat(41) }] }],
    [{ action: 'subscribe', args: [{ ch: 'candle', s: 'BTCUSDT' }] }],
    [{ action: 'subscribe', args: [{ ch: 'candle', s: 'BTCUSDT', i: '1 minute' }] }],
  ])('%j is none', (given) => {
    expect(parseClientFrame(typeof given === 'string' ? given : JSON.stringify(given))).toBeUndefined();
  });

  test('whatever it is, reading it never throws and gives nothing but the known shapes', () => {
    const near = fc.record(
      {
        action: fc.constantFrom('login', 'subscribe', 'unsubscribe', 'x', 1),
        args: fc.oneof(
          fc.array(
            fc.record({
              ch: fc.constantFrom('book', 'candle', 1),
              s: fc.oneof(fc.string(), fc.nat()),
              i: fc.jsonValue(),
            }),
          ),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      near.map((frame) => JSON.stringify(frame)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const frame = parseClientFrame(text);
        if (frame === undefined) return;
        expect(Object.keys(frame)).toEqual(['action', 'args']);
        expect(JSON.stringify(frame).length).toBeLessThan(16_384);
      }),
      { numRuns: 5_000 },
    );
    expect(parseClientFrame('['.repeat(16_000))).toBeUndefined();
    expect(parseClientFrame(`${'{"action":'.repeat(1_600)}1${'}'.repeat(1_600)}`)).toBeUndefined();
  });
});
