import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditSink, SINK_SPACING_MILLIS } from './audit-sink.ts';

let server: Server;
let url: string;
let status: number;
let taken: { readonly body: unknown; readonly authorization: string | undefined }[];
let logged: string[];
let now: Millis;
beforeEach(async () => {
  [status, taken, logged, now] = [200, [], [], 0 as Millis];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += String(part);
    });
    request.on('end', () => {
      const { authorization } = request.headers;
      taken.push({ body: JSON.parse(text), authorization });
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('x');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const sink = (to = url) =>
  auditSink({
    address: { url: to, token: 'secret' },
    steady: () => now,
    log: { error: (_facts, event) => logged.push(event) },
  });
const head = (seq: number) => ({ seq, hash: String(seq).padStart(64, '0') });
const later = (): void => {
  now = (now + SINK_SPACING_MILLIS) as Millis;
};

test('the newest head goes out at once, then at most once a minute, and none twice', async () => {
  const heads = sink();
  heads.tell(head(1));
  heads.send();
  heads.send();
  await heads.stop();
  for (const seq of [2, 3]) {
    heads.tell(head(seq));
    heads.send();
  }
  await heads.stop();
  expect(taken).toEqual([{ body: head(1), authorization: 'Bearer secret' }]);
  later();
  heads.send();
  await heads.stop();
  later();
  heads.send();
  await heads.stop();
  expect(taken.map(({ body }) => body)).toEqual([head(1), head(3)]);
});

test.each([
  ['refuses', 500],
  ['leads elsewhere', 302],
])('a sink that %s is told again a minute later, and logged once for the outage', async (_what, answered) => {
  status = answered;
  const heads = sink();
  heads.tell(head(1));
  for (let minute = 0; minute < 3; minute += 1) {
    heads.send();
    await heads.stop();
    later();
  }
  expect(logged).toEqual(['a head of the audit log was not taken by its sink']);
  status = 204;
  heads.send();
  await heads.stop();
  later();
  heads.send();
  await heads.stop();
  expect(taken).toHaveLength(4);
  expect(logged).toHaveLength(1);
});

test('one that is not there holds up nothing', async () => {
  const heads = sink('http://127.0.0.1:1/');
  heads.tell(head(1));
  expect(() => heads.send()).not.toThrow();
  await heads.stop();
  expect(logged).toHaveLength(1);
});
