import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLS } from '@crossbook/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiClient, formFields, READ_BY_GET } from './api-client.ts';

interface Seen {
  readonly path: string | undefined;
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly form: Record<string, string>;
}

let server: Server;
let base: string;
let seen: Seen[];
let answer: { status: number; body: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      seen.push({ path: request.url, method: request.method, headers: request.headers, form });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  seen = [];
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A client whose surroundings are variables. */
function client(token: string | undefined = 'T1') {
  const reported: string[] = [];
  const session: { token: string | undefined } = { token };
  const call = createApiClient({
    fetch,
    base: () => base,
    tenant: () => 'main',
    language: () => 'ja',
    token: () => session.token,
    onTokenInvalid: () => {
      reported.push('token invalid');
      session.token = undefined;
    },
    onRefusal: (message, code) => reported.push(`${code} ${message}`),
  });
  return { call, reported, session };
}

function envelope(code: number, msg: string, data: unknown = null): string {
  return JSON.stringify({ code, msg, data });
}

test('a call is a form POST with tenant, language, stoken and sosflag 3', async () => {
  answer = { status: 200, body: envelope(1, '', []) };
  const { call } = client();
  await call('connexbasicdata/QuerySymInfo', { platformType: 43, tstate: 1 });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    path: '/api/connexbasicdata/QuerySymInfo',
    method: 'POST',
    form: { platformType: '43', tstate: '1', stoken: 'T1', sosflag: '3' },
  });
  expect(seen[0]?.headers).toMatchObject({
    'tenant-id': 'main',
    language: 'ja',
    'content-type': 'application/x-www-form-urlencoded',
  });
});

test('a visitor’s public reads are GETs with query parameters, without token, sosflag or body', async () => {
  answer = { status: 200, body: envelope(1, '', []) };
  const { call, session } = client();
  session.token = undefined;
  await call('connexbasicdata/QuerySymInfo', { platformType: 43, tstate: 1 });
  await call('common/country', {});
  await call('pub/getcaptcha', { account: 'ada@example.org' });
  expect(seen.map(({ method, path, form }) => [method, path, form])).toEqual([
    ['GET', '/api/connexbasicdata/QuerySymInfo?platformType=43&tstate=1', {}],
    ['GET', '/api/common/country', {}],
    // An address that names somebody is in no log.
    ['POST', '/api/pub/getcaptcha', { account: 'ada@example.org', sosflag: '3' }],
  ]);
  expect(seen[0]?.headers).toMatchObject({ 'tenant-id': 'main', language: 'ja' });
});

test('whatever is read by GET answers GET and is public; all that does and can name nobody is read so', () => {
  const open = Object.entries(CALLS).filter(([name, facts]) => facts.get && !/captcha/.test(name));
  expect(open.map(([name]) => name).sort()).toEqual([...READ_BY_GET].sort());
  for (const name of READ_BY_GET) expect(CALLS[name].access, name).toBe('public');
});

test('a visitor sends no stoken, absent fields are left out, nested ones travel as JSON', () => {
  const fields = { a: 1, b: undefined, c: null, d: { e: ['x'] }, f: false, g: '' };
  expect(Object.fromEntries(formFields(fields, undefined))).toEqual({
    a: '1',
    d: '{"e":["x"]}',
    f: 'false',
    g: '',
    sosflag: '3',
  });
});

test('a password travels as it was typed: no accent, syllable, space or width of it is made another', () => {
  const typed = ' Cafe\u0301 \u304b\u3099\u1112\u1161\u11ab\uff21aB ';
  const sent = formFields({ password: typed, oldPassword: typed }, undefined);
  expect([sent.get('password'), sent.get('oldPassword')]).toEqual([typed, typed]);
});

describe('answers', () => {
  test.each([
    [200, envelope(1, '', { exists: true }), { ok: true, data: { exists: true } }, []],
    [201, envelope(1, '', { exists: false }), { ok: true, data: { exists: false } }, []],
    [
      200,
      envelope(1003, 'slow'),
      { ok: false, kind: 'refused', code: 1003, message: 'slow', venue: null },
      ['1003 slow'],
    ],
    [
      200,
      envelope(-2, 'again'),
      { ok: false, kind: 'refused', code: -2, message: 'again', venue: null },
      ['token invalid'],
    ],
    [204, '', { ok: false, kind: 'silent' }, []],
    [400, envelope(1, '', {}), { ok: false, kind: 'silent' }, []],
    [500, envelope(-2, 'x'), { ok: false, kind: 'silent' }, []],
    [200, '<html>', { ok: false, kind: 'silent' }, []],
    [200, '{"code":"1","msg":"","data":{}}', { ok: false, kind: 'silent' }, []],
    [200, '{"code":1,"msg":""}', { ok: false, kind: 'silent' }, []],
    [200, 'null', { ok: false, kind: 'silent' }, []],
  ] as const)('HTTP %i %s', async (status, body, result, reported) => {
    answer = { status, body };
    const { call, ...rest } = client();
    expect(await call('user/accountexist', { account: 'a@b.co', captcha: 'x' })).toEqual(result);
    expect(rest.reported).toEqual(reported);
  });

  test('a quiet call tells a refusal to its caller only; code -2 still clears the token', async () => {
    answer = { status: 200, body: envelope(2007, 'no') };
    const { call, reported, session } = client();
    await call('security/userinfo', {}, { quiet: true });
    expect(reported).toEqual([]);
    answer = { status: 200, body: envelope(-2, 'no') };
    await call('security/userinfo', {}, { quiet: true });
    expect(reported).toEqual(['token invalid']);
    expect(session.token).toBeUndefined();
  });

  test('a late -2 for an older session does not end the new one', async () => {
    answer = { status: 200, body: envelope(-2, 'old') };
    const { call, reported, session } = client('OLD');
    const late = call('security/userinfo', {});
    session.token = 'NEW';
    await late;
    expect([session.token, reported]).toEqual(['NEW', []]);
  });

  test('nobody listening is silence, not an exception', async () => {
    const { call } = client();
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const here = base;
    base = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
    await new Promise((resolve) => gone.close(resolve));
    expect(await call('security/userinfo', {})).toEqual({ ok: false, kind: 'silent' });
    base = here;
  });

  test('an aborted call is silence', async () => {
    answer = { status: 200, body: envelope(1, '', {}) };
    const { call, reported } = client();
    expect(await call('security/userinfo', {}, { signal: AbortSignal.abort() })).toEqual({
      ok: false,
      kind: 'silent',
    });
    expect(reported).toEqual([]);
  });
});

test('a call that nobody answers ends after 30 s, in silence', async () => {
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
  const reported: string[] = [];
  const call = createApiClient({
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
    base: () => base,
    tenant: () => 'main',
    language: () => 'en',
    token: () => 'T1',
    onTokenInvalid: () => reported.push('token invalid'),
    onRefusal: (message) => reported.push(message),
  });
  const answered = call('connexbasicdata/GetCurrencies', {});
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(30_000), { timeout: 20_000 });
  clock.abort();
  expect(await answered).toEqual({ ok: false, kind: 'silent' });
  expect(reported).toEqual([]);
});
