import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogSink, logSink, SHIP_EVERY_MILLIS, WAITING_BYTES_MAX } from './log-sink.ts';

let server: Server;
let status: number;
let taken: { readonly lines: readonly string[]; readonly authorization: string | undefined }[];
let now: Millis;
let turn: () => void;
let sink: LogSink;

beforeEach(async () => {
  [status, taken, now, turn] = [200, [], 0 as Millis, () => undefined];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += String(part);
    });
    request.on('end', () => {
      const { authorization } = request.headers;
      if (status === 200) taken.push({ lines: text.split('\n').slice(0, -1), authorization });
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('x');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink = logSink({
    address: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lines`,
      token: 'secret',
    },
    steady: () => now,
    every: (_millis, run) => {
      turn = run;
      return () => undefined;
    },
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const line = (text: string): string => `${JSON.stringify({ msg: text })}\n`;
const said = (): readonly string[] => taken.flatMap(({ lines }) => lines);

/** A turn that fails, seen by what the sink then says of itself. */
async function failedTurn(): Promise<void> {
  turn();
  while (sink.faults().length === 0) await new Promise((resolve) => setImmediate(resolve));
}

test('each line arrives once, in its order, with the token; the last ones at the end', async () => {
  for (const text of ['a', 'b']) sink.write(line(text));
  turn();
  sink.write(line('c'));
  await sink.stop();
  expect(said()).toEqual(['a', 'b', 'c'].map((text) => JSON.stringify({ msg: text })));
  expect(taken.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret']);
  expect(sink.faults()).toEqual([]);
});

test.each([
  ['refuses', 500, 'it answered 500'],
  ['leads elsewhere', 302, 'fetch failed'],
])('a sink that %s is said, and gets the same lines later', async (_what, answered, why) => {
  status = answered;
  sink.write(line('a'));
  await failedTurn();
  expect(sink.faults()).toEqual([`the log is not taken by its sink: ${why}`]);
  sink.write(line('b'));
  status = 200;
  // Not before the pause is over.
  turn();
  expect(taken).toEqual([]);
  now = (SHIP_EVERY_MILLIS * 2) as Millis;
  turn();
  await sink.stop();
  expect(said()).toEqual([line('a').trim(), line('b').trim()]);
  expect(sink.faults()).toEqual([]);
});

test('what waits is bounded: the oldest lines go, and their number is told here and there', async () => {
  status = 500;
  const long = line('x'.repeat(WAITING_BYTES_MAX / 4));
  sink.write(line('first'));
  for (let count = 0; count < 4; count += 1) sink.write(long);
  await failedTurn();
  expect(sink.faults()).toContain('2 lines were lost on the way to it');
  status = 200;
  await sink.stop();
  expect(said()[0]).toBe(JSON.stringify({ level: 40, lost: 2, msg: 'lines were lost' }));
  expect(said().join('')).not.toContain('first');
  expect(sink.faults()).toEqual([]);
});
