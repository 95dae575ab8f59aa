import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import { CALLS, type CallName, ERRORS } from '@crossbook/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestBrowser, type TestHub } from '../main/testing.ts';

let hub: TestHub;
let member: TestBrowser;
beforeAll(async () => {
  hub = await startTestHub();
  member = await hub.member();
});
afterAll(() => hub.close());

const MEMBER_CALL = '/api/security/userinfo';

/** A request whose every header the test chooses, Host included. */
function raw(options: {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(hub.url);
    const { method = 'GET', path, headers = {}, body } = options;
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the convention', () => {
  test('a public read answers GET and POST alike', async () => {
    const get = await fetch(`${hub.url}/api/common/country`);
    const post = await hub.visitor().form('/api/common/country', { sosflag: '3' });
    expect(await get.json()).toEqual(post.envelope);
    expect(post.envelope).toMatchObject({ code: 1, msg: 'OK' });
  });

  test('multipart fields are read like form fields', async () => {
    const form = new FormData();
    form.set('sosflag', '3');
    form.set('stoken', member.stoken ?? '');
    const answer = await member.send(MEMBER_CALL, form);
    expect(answer.envelope).toMatchObject({ code: 1 });
    form.set('photo', new Blob(['x']), 'x.png');
    const refused = await member.send(MEMBER_CALL, form);
    expect(refused.envelope).toMatchObject({ code: 1001 });
    expect(refused.envelope.msg).toContain('photo');
  });

  test('a wrong, missing or doubled sosflag is refused', async () => {
    for (const body of ['', 'sosflag=2', 'sosflag=', 'sosflag=03']) {
      const answer = await hub.visitor().send('/api/common/country', new URLSearchParams(body));
      expect(answer.envelope.code, body).toBe(1009);
    }
    const twice = await hub.visitor().send('/api/common/country', new URLSearchParams('sosflag=3&sosflag=3'));
    expect(twice.envelope.code).toBe(1001);
  });

  test('another tenant is refused by name, ours and none are served', async () => {
    const browser = hub.visitor();
    const ask = () => browser.call('common/country', {});
    expect((await ask()).code).toBe(1);
    browser.headers['tenant-id'] = 'crossbook';
    expect((await ask()).code).toBe(1);
    browser.headers['tenant-id'] = 'other';
    expect(await ask()).toMatchObject({ code: 1007, msg: 'Unknown tenant "other".' });
  });

  test('refusals are told in the language of the page', async () => {
    const browser = hub.visitor();
    browser.headers.language = 'ja-JP';
    expect((await browser.call('security/userinfo', {})).msg).toBe('もう一度ログインしてください。');
    browser.headers.language = 'xx';
    expect((await browser.call('security/userinfo', {})).msg).toBe('Please log in again.');
  });

  test('every answer carries the protective headers and is stored by nobody', async () => {
    const { headers } = await hub.visitor().form('/api/common/country', { sosflag: '3' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the order of the checks', () => {
  test('of many things wrong with one request the first of the catalogue is answered', async () => {
    const names = ['unknown-call', 'origin-refused', 'tenant-unknown', 'body-too-large', 'sosflag-invalid'];
    const expected = ERRORS.filter((row) => names.includes(row.name) || [-2, 1001].includes(row.code));
    const wrong = {
      path: '/api/no/such/call',
      headers: { origin: 'http://evil.example', 'tenant-id': 'other' } as Record<string, string>,
      fields: { sosflag: '9', extra: 'x'.repeat(70_000) } as Record<string, string>,
    };
    const seen: number[] = [];
    const ask = async () => {
      const answer = await hub.visitor().send(wrong.path, new URLSearchParams(wrong.fields), wrong.headers);
      expect(answer.status).toBe(200);
      seen.push(answer.envelope.code);
    };
    await ask();
    wrong.path = MEMBER_CALL;
    await ask();
    wrong.headers = { 'tenant-id': 'other' };
    await ask();
    wrong.headers = {};
    await ask();
    wrong.fields = { sosflag: '9', extra: 'x' };
    await ask();
    wrong.fields = { sosflag: '3', extra: 'x' };
    await ask();
    wrong.headers = { cookie: `sid=${member.cookie}` };
    wrong.fields = { sosflag: '3', extra: 'x', stoken: member.stoken ?? '' };
    await ask();
    expect(seen).toEqual(expected.map((row) => row.code));
  });
});

describe('only what is in the contract answers', () => {
  test.each(Object.keys(CALLS) as CallName[])(
    '%s answers POST, and GET only when it says so',
    async (name) => {
      const get = await fetch(`${hub.url}/api/${name}`);
      expect(get.status).toBe(200);
      const { code } = (await get.json()) as { code: number };
      if (CALLS[name].get) expect(code).not.toBe(1004);
      else expect(code).toBe(1004);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const other = await fetch(`${hub.url}/api/${name}`, { method });
        expect(((await other.json()) as { code: number }).code, method).toBe(1004);
      }
    },
  );

  test.each([
    '/api',
    '/api/',
    '/api/user',
    '/api/user/login/',
    '/api/user/LOGIN',
    '/api//user/login',
    '/api/user/login%2f',
    '/api/%zz',
    '/api/user/login/../../x',
    '/api/constructor',
    '/api/__proto__',
    `/api/${'x'.repeat(5_000)}`,
  ])('%s is no call', async (path) => {
    const answer = await raw({ path, method: 'POST', headers: { host: new URL(hub.url).host } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).code).toBe(1004);
  });

  test('visitors reach no call of members', async () => {
    for (const name of Object.keys(CALLS) as CallName[]) {
      if (CALLS[name].access !== 'member') continue;
      const answer = await hub.visitor().form(`/api/${name}`, { sosflag: '3' });
      expect(answer.envelope.code, name).toBe(-2);
    }
  });
});

describe('other sites', () => {
  test.each([
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example' }],
  ])('a post with %j changes nothing, even with cookie and stoken', async (headers) => {
    const body = `sosflag=3&stoken=${member.stoken}`;
    const answer = await raw({
      method: 'POST',
      path: '/api/user/layout',
      body,
      headers: {
        host: new URL(hub.url).host,
        cookie: `sid=${member.cookie}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(body.length),
        ...headers,
      },
    });
    expect(JSON.parse(answer.body).code).toBe(1008);
    expect((await member.call('security/userinfo', {})).code).toBe(1);
  });
});

describe('failures inside', () => {
  test('a database that is away is told as such, without a word of the inside, and logged', async () => {
    const broken = await startTestHub();
    const browser = await broken.member();
    await broken.database.database.close();
    const answer = await browser.form(MEMBER_CALL, { sosflag: '3', stoken: browser.stoken ?? '' });
    expect(answer.status).toBe(200);
    expect(answer.envelope).toEqual({
      code: 1005,
      msg: 'The service is briefly unavailable. Nothing was changed.',
      data: null,
    });
    expect(broken.logged).toContainEqual(expect.objectContaining({ event: 'call failed' }));
    expect((await fetch(`${broken.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${broken.url}/healthz`)).status).toBe(200);
    await broken.hub.stop();
    await broken.database.owner.close();
  });

  test('a call that arrives while the process ends has its envelope', async () => {
    const ending = await startTestHub();
    const { port, host } = new URL(ending.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answered = '';
    socket.on('data', (chunk) => {
      answered += String(chunk);
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    // A request that has begun keeps the server from closing its connection, and is routed only after it began to close.
    socket.write('GET /api/common/country HTTP/1.1\r\n');
    await expect
      .poll(
        () =>
          new Promise((resolve) =>
            ending.hub.server.server.getConnections((_error, count) => resolve(count)),
          ),
      )
      .toBe(1);
    const stopped = ending.hub.stop();
    await expect.poll(() => ending.hub.server.server.listening).toBe(false);
    socket.write(`Host: ${host}\r\n\r\n`);
    await ended;
    expect(answered).toMatch(/^HTTP\/1\.1 200 /);
    expect(answered).toContain('"code":1,');
    await stopped;
    await ending.database.close();
  });

  test('an address that floods is slowed down and served again a minute later', async () => {
    const limited = await startTestHub({ environment: { ADDRESS_LIMIT_FACTOR: '1' } });
    const ask = async () =>
      ((await (await fetch(`${limited.url}/api/common/country`)).json()) as { code: number }).code;
    const codes: number[] = [];
    for (let round = 0; round < 61; round += 1) {
      codes.push(...(await Promise.all(Array.from({ length: 10 }, ask))));
    }
    expect(codes.filter((code) => code === 1)).toHaveLength(600);
    expect(codes.filter((code) => code === 1003)).toHaveLength(10);
    // A window neither freezes nor opens by the time of day, which an operator or NTP may set either way.
    limited.setClock(limited.now() - 86_400_000);
    expect(await ask()).toBe(1003);
    limited.setClock(limited.now() + 2 * 86_400_000);
    expect(await ask()).toBe(1003);
    limited.setClock(limited.now() - 2 * 86_400_000);
    limited.advance(60_000);
    expect(await ask()).toBe(1);
    await limited.close();
  });

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nX-Slow: '],
    [
      'a body',
      'POST /api/user/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\n',
    ],
  ])('a sender of %s, byte by byte, is ended at its deadline', async (_what, begin) => {
    const strict = await startTestHub({
      deadlines: { requestMillis: 300, headersMillis: 200, answerMillis: 60_000, checkedEveryMillis: 50 },
    });
    const answered = await new Promise<string>((resolve) => {
      let heard = '';
      let drip: NodeJS.Timeout | undefined;
      const socket = connect(Number(portOf(strict)), '127.0.0.1', () => {
        socket.write(begin);
        drip = setInterval(() => socket.write('x'), 20);
      });
      socket.on('data', (chunk) => {
        heard += String(chunk);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(heard);
      });
    });
    // What is sent to a closed socket resets it, which may overtake the answer.
    expect(answered).toMatch(/^(HTTP\/1\.1 408 |$)/);
    await strict.close();
  });

  test('the deadlines in force are those that docs/security.md states', async () => {
    const { requestTimeout, headersTimeout } = hub.hub.server.server;
    expect([headersTimeout, requestTimeout]).toEqual([10_000, 20_000]);
    const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
    expect(page).toContain('10 s for headers, 20 s for a request');
  });

  test('a sender who gives up in the middle leaves the server well', async () => {
    const { port } = new URL(hub.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'POST /api/user/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\nsosf',
        );
        socket.destroy();
        resolve();
      });
    });
    expect((await hub.visitor().call('common/country', {})).code).toBe(1);
  });
});

describe('behind a TLS proxy', () => {
  test('HSTS is sent, only the public name is served, and figures stay inside', async () => {
    const proxied = await startTestHub({
      environment: { TRUST_PROXY: '1', PUBLIC_URL: 'https://trade.example.org', OUTBOX: '1' },
    });
    const { port } = new URL(`http://127.0.0.1:${portOf(proxied)}`);
    const ask = (path: string, host: string) =>
      new Promise<{ headers: Record<string, unknown>; body: string }>((resolve, reject) => {
        const headers = { host, 'x-forwarded-for': '203.0.113.9' };
        httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
          let body = '';
          response.on('data', (chunk) => {
            body += String(chunk);
          });
          response.on('end', () => resolve({ headers: response.headers, body }));
        })
          .on('error', reject)
          .end();
      });
    const good = await ask('/api/pub/getcaptcha', 'trade.example.org');
    expect(JSON.parse(good.body).code).toBe(1);
    expect(good.headers['strict-transport-security']).toContain('max-age=');
    const foreign = await ask('/api/pub/getcaptcha', `127.0.0.1:${port}`);
    expect(JSON.parse(foreign.body).code).toBe(1008);
    expect((await ask('/metrics', 'trade.example.org')).body).toBe('Not found\n');
    await proxied.close();
  });
});

function portOf(from: TestHub): number {
  const address = (from.hub.server.server as Server).address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('the venue relay', () => {
  test('only public paths pass, without the headers of the member, and failures have a status', async () => {
    const seen: { url: string | undefined; headers: object }[] = [];
    const venue = createServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers });
      if (request.url?.startsWith('/api/v3/depth')) {
        response.writeHead(429, { 'retry-after': '7', 'content-type': 'text/html', 'set-cookie': 'a=b' });
        response.end('{"code":-1003}');
      } else response.end('{"serverTime":1}');
    });
    await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve));
    const address = venue.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const market = await startTestHub({ venueBase: `http://127.0.0.1:${port}` });
    const get = (path: string) =>
      fetch(`${market.url}${path}`, { headers: { cookie: 'sid=secret', authorization: 'secret' } });

    // The hub talks to the venue on its own account too: the relay's requests are told apart by their query.
    const relayed = (mark: string) => seen.filter((request) => request.url?.includes(mark) === true);
    const trades = await get('/md/binance/api/v3/trades?symbol=BTCUSDT&limit=7');
    expect(await trades.json()).toEqual({ serverTime: 1 });
    expect(relayed('trades').map((request) => request.url)).toEqual([
      '/api/v3/trades?limit=100&symbol=BTCUSDT',
    ]);
    expect(JSON.stringify(relayed('trades')[0]?.headers)).not.toContain('secret');
    const unknown = await get('/md/binance/api/v3/time?x=1');
    expect([unknown.status, relayed('x=1').length]).toEqual([400, 0]);

    const limited = await get('/md/binance/api/v3/depth?symbol=BTCUSDT');
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('7');
    expect(limited.headers.get('content-type')).toContain('application/json');
    expect(limited.headers.get('set-cookie')).toBeNull();

    for (const path of [
      '/md/binance/api/v3/account',
      '/md/binance/api/v3/order',
      '/md/binance/api/v3/time/../account',
      '/md/binance/api/v3/%2e%2e/time',
      '/md/binance//evil.example/api/v3/time',
      '/md/binance/sim/token/credit',
      '/md/okx/api/v5/account/balance',
      '/md/bybit/v5/order/realtime',
      '/md/nobody/api/v3/time',
    ]) {
      expect((await get(`${path}?forbidden=1`)).status, path).toBe(404);
    }
    expect((await get(`/md/binance/api/v3/time?forbidden=${'y'.repeat(9_000)}`)).status).toBe(400);
    const posted = await fetch(`${market.url}/md/binance/api/v3/time?forbidden=1`, { method: 'POST' });
    expect(posted.status).toBe(404);
    expect(relayed('forbidden')).toEqual([]);
    // The venue wanted to be left alone for seven seconds.
    expect((await get('/md/binance/api/v3/time')).status).toBe(503);
    market.advance(7_000);
    await new Promise((resolve) => {
      venue.close(resolve);
      venue.closeAllConnections();
    });
    expect((await get('/md/binance/api/v3/time')).status).toBe(502);
    await market.close();
  });
});
