import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../main/testing.ts';

const PUBLIC = 'trade.example.org';

let folder: string;
let hub: TestHub;
let proxied: TestHub;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook answers '));
  for (const below of ['assets', 'admin', '.git', 'admin/.git']) mkdirSync(join(folder, below));
  const page = '<!doctype html><title>x</title>';
  const kept = { '.git/HEAD': 'kept back', '.env': 'kept back', 'admin/.git/HEAD': 'kept back' };
  const files = { ...kept, 'index.html': page, 'admin/admin.html': page, 'assets/a.js': 'export {};' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  hub = await startTestHub({ webRoot: folder });
  proxied = await startTestHub({
    webRoot: folder,
    environment: { TRUST_PROXY: '1', PUBLIC_URL: `https://${PUBLIC}`, OUTBOX: '1' },
  });
});
afterAll(async () => {
  await Promise.all([hub.close(), proxied.close()]);
  rmSync(folder, { recursive: true });
});

/** What comes back for bytes that a client chose; the connection is asked to end with it. */
function raw(at: TestHub, request: string): Promise<string> {
  const { port } = new URL(`http://127.0.0.1:${portOf(at)}`);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });
}

function portOf({ hub: running }: TestHub): number {
  const address = running.server.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const hostOf = (at: TestHub): string => (at === proxied ? PUBLIC : `127.0.0.1:${portOf(at)}`);

/** A well-formed request line with what every request of a browser has. */
const asked = (at: TestHub, line: string, more = '', host = hostOf(at)): string =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

const HTML = 'Accept: text/html\r\n';
const UPGRADE =
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
const upgradeTo = (at: TestHub, path: string, origin: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${hostOf(at)}\r\nConnection: Upgrade\r\n${UPGRADE}Origin: ${origin}\r\n\r\n`;

/** Every kind of answer that this server gives, by the request that brings it. */
const KINDS: readonly (readonly [string, (at: TestHub) => string])[] = [
  ['a page', (at) => asked(at, 'GET /', HTML)],
  ['the page of the back office', (at) => asked(at, 'GET /admin', HTML)],
  ['a file of the page', (at) => asked(at, 'GET /assets/a.js')],
  ['a picture of the page', (at) => asked(at, 'GET /icon.svg')],
  ['a call', (at) => asked(at, 'GET /api/common/country')],
  ['a refused call', (at) => asked(at, 'POST /api/security/userinfo', 'Content-Length: 0\r\n')],
  ['a call of the back office', (at) => asked(at, 'POST /api/x/admin/Me', 'Content-Length: 0\r\n')],
  ['no call', (at) => asked(at, 'GET /api/nothing')],
  ['a call whose path cannot be read', (at) => asked(at, 'GET /api/%zz')],
  ['a path that cannot be read', (at) => asked(at, 'GET /%zz')],
  ['a file that is not there', (at) => asked(at, 'GET /missing.png')],
  ['market data', (at) => asked(at, 'GET /md/binance/api/v3/time')],
  ['market data of nobody', (at) => asked(at, 'GET /md/nobody/x')],
  ['a document', (at) => asked(at, 'GET /docs/api', HTML)],
  ['the document of programs', (at) => asked(at, 'GET /openapi.json')],
  ['what browsers are told', (at) => asked(at, 'GET /boot.json')],
  ['the outbox', (at) => asked(at, 'GET /dev/outbox.json')],
  ['a probe', (at) => asked(at, 'GET /healthz')],
  ['another probe', (at) => asked(at, 'GET /readyz')],
  ['the figures', (at) => asked(at, 'GET /metrics')],
  ['another name', (at) => asked(at, 'GET /', HTML, 'evil.example')],
  ['a live connection from another site', (at) => upgradeTo(at, '/live/1', 'http://evil.example')],
  ['a live connection that leads nowhere', (at) => upgradeTo(at, '/live/9', `http://${hostOf(at)}`)],
  ['no HTTP at all', () => 'this is not HTTP\r\n\r\n'],
  ['headers without end', (at) => asked(at, 'GET /', `X: ${'x'.repeat(40_000)}\r\n`)],
];

describe('whatever is asked', () => {
  test.each(KINDS)(
    '%s is answered with the protective headers and a type that says its characters',
    async (_kind, request) => {
      for (const at of [hub, proxied]) {
        const answer = await raw(at, request(at));
        const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
        expect(head).toMatch(/^HTTP\/1\.1 [1-5]\d\d /);
        const lines = head.toLowerCase();
        expect(lines).toContain('x-content-type-options: nosniff');
        expect(lines).toContain('referrer-policy: no-referrer');
        expect(lines).toMatch(/content-security-policy: .*frame-ancestors 'none'/);
        expect(lines).toMatch(/content-security-policy: .*base-uri 'none'/);
        expect(lines).toMatch(/content-security-policy: .*object-src 'none'/);
        expect(lines).not.toContain('access-control-allow');
        expect(lines.includes('strict-transport-security: max-age=63072000; includesubdomains')).toBe(
          at === proxied,
        );
        expect(lines).not.toMatch(/^(?:location|server|x-powered-by):/m);
        const [, type = ''] = /^content-type: (.*)$/m.exec(lines) ?? [];
        if (body !== '') expect(type).toMatch(/^application\/json(?:;|$)|; ?charset=utf-8/);
      }
    },
  );
});

describe('requests that two servers could read in two ways', () => {
  const post = (headers: string, body: string): string =>
    `POST /api/common/country HTTP/1.1\r\nHost: ${hostOf(hub)}\r\n${headers}\r\n${body}`;
  const NEXT = `GET /healthz HTTP/1.1\r\nHost: ${'HOST'}\r\nConnection: close\r\n\r\n`;
  const next = (): string => NEXT.replace('HOST', hostOf(hub));

  test.each([
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n', ''],
    ['a length with a sign', 'Content-Length: +0\r\n', ''],
    ['an encoding nobody knows', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['chunks that are not the last encoding', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n'],
    ['a header that is folded', 'X-A: b\r\n c\r\n', ''],
    ['a blank before the colon', 'Content-Length : 0\r\n', ''],
    ['a bare carriage return', 'X-A: b\rX-B: c\r\n', ''],
  ])('with %s are cut off, and what stands behind is no request', async (_what, headers, body) => {
    const answer = await raw(hub, post(headers, body) + next());
    expect(answer).not.toContain('ok\n');
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|413|411|501|200) /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  const ENCODINGS = [
    ...[
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: Chunked',
      'Transfer-Encoding:\tchunked',
      'Transfer-Encoding: chunked ',
    ],
    ...[
      'Transfer-Encoding : chunked',
      ' Transfer-Encoding: chunked',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: "chunked"',
    ],
    ...[
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity, chunked',
      'Transfer-Encoding: chunked, chunked',
    ],
    ...[
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
      'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
    ],
    ...[
      'Transfer-Encoding:\r\n chunked',
      'Transfer-Encoding: \x0bchunked',
      'Transfer-Encoding\x00: chunked',
      'X: a\rTransfer-Encoding: chunked',
    ],
    ...[
      'X: a\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked;q=1',
      'Transfer-Encoding: gzip, chunked',
    ],
  ];
  const LENGTHS = [
    ...[
      'Content-Length: 4',
      'Content-Length: +4',
      'Content-Length: -4',
      'Content-Length: 0x4',
      'Content-Length: 4, 4',
      'Content-Length: 4 4',
    ],
    ...[
      'Content-Length: 4\r\nContent-Length: 5',
      'Content-Length : 4',
      'Content-Length: 4\r\n 5',
      'Content-Length: 99999999999999999999',
    ],
  ];

  test('whatever of two hundred ways to say two lengths: one answer at most, and never one to what stands behind', async () => {
    const cases = ENCODINGS.flatMap((encoding) => LENGTHS.map((length) => `${encoding}\r\n${length}\r\n`));
    expect(new Set(cases).size).toBe(200);
    for (const headers of cases) {
      const answer = await raw(hub, post(headers, '0\r\n\r\n') + next());
      expect(answer, headers).not.toContain('ok\n');
      expect(answer.match(/HTTP\/1\.1 /g) ?? [], headers).toHaveLength(answer === '' ? 0 : 1);
      expect(answer, headers).toMatch(/^(?:HTTP\/1\.1 (?:400|413|411|501) |$)/);
    }
  });

  test('that are plain are answered one after the other', async () => {
    const answer = await raw(
      hub,
      post('Content-Length: 9\r\nContent-Type: application/x-www-form-urlencoded\r\n', 'sosflag=3') + next(),
    );
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answer).toContain('ok\n');
  });
});

test.each(['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND'])('%s tells nothing back', async (method) => {
  for (const path of ['/', '/api/common/country', '/assets/a.js']) {
    const answer = await raw(
      hub,
      asked(hub, `${method} ${path}`, 'X-Mine: tell-me\r\nCookie: sid=tell-me\r\n'),
    );
    expect(answer).not.toContain('tell-me');
    expect(answer).not.toMatch(/^HTTP\/1\.1 2\d\d (?!OK)/);
    if (path !== '/api/common/country') expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
  }
});

test.each([
  '/.git/HEAD',
  '/.git/',
  '/.env',
  '/%2egit/HEAD',
  '/assets/../.git/HEAD',
  '/admin/.git/HEAD',
  '/assets/',
  '/assets',
])('%s is neither a file nor a list of files', async (path) => {
  const answer = await raw(hub, asked(hub, `GET ${path}`));
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|403|404) /);
  // An address that leads to no file may be one of the page's own.
  expect(answer).not.toContain('kept back');
  expect(answer).not.toContain('a.js');
});
