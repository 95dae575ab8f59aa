import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BootConfig } from '@crossbook/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../main/testing.ts';

const INLINE = 'document.documentElement.dataset.theme="dark"';
const PAGE = `<!doctype html><html><head><script>${INLINE}</script><script type="module" src="/assets/a.js"></script></head></html>`;
const ADMIN_PAGE = '<!doctype html><html><head><title>Back office</title></head></html>';
let folder: string;
let hub: TestHub;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook web '));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'a.js'), 'export {};');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  mkdirSync(join(folder, 'admin'));
  writeFileSync(join(folder, 'admin', 'admin.html'), ADMIN_PAGE);
  writeFileSync(join(folder, '.secret'), 'secret');
  hub = await startTestHub({ webRoot: folder });
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});

const html = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${hub.url}${path}`, { headers });

describe('pages', () => {
  test.each(['/', '/index.html', '/spot/binance/BTCUSDT', '/wallet/WalletOverviewSub', '/dev/outbox'])(
    '%s opens the page with a policy that runs exactly its own scripts',
    async (path) => {
      const answer = await get(path, html);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(PAGE);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      const hash = createHash('sha256').update(INLINE).digest('base64');
      expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe-eval');
    },
  );

  test.each(['/admin', '/admin/', '/admin/start', '/admin/members', '/admin?x=1'])(
    '%s opens the page of the back office, which is kept nowhere and talks to nobody else',
    async (path) => {
      const answer = await get(path, html);
      expect(await answer.text()).toBe(ADMIN_PAGE);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self';");
    },
  );

  test("an address that only begins alike is the members' page", async () => {
    expect(await (await get('/administration', html)).text()).toBe(PAGE);
  });

  test('hashed files may be kept for ever, others are asked for again', async () => {
    const hashed = await get('/assets/a.js');
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(hashed.headers.get('content-type')).toContain('javascript');
    expect((await get('/icon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  test.each([
    '/assets/missing.js',
    '/missing.png',
    '/.secret',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2f..%2fetc/passwd',
  ])('%s is not there', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).not.toContain('root:');
  });

  test('a hub serves the build it began with, whatever the next one is served', async () => {
    const builds = mkdtempSync(join(tmpdir(), 'crossbook builds '));
    for (const name of ['one', 'two']) {
      mkdirSync(join(builds, name, 'assets'), { recursive: true });
      writeFileSync(join(builds, name, 'index.html'), `<!doctype html>${name}`);
      writeFileSync(join(builds, name, 'assets', `${name}.js`), 'export {};');
    }
    const current = join(builds, 'current');
    symlinkSync('one', current);
    const begun = await startTestHub({ webRoot: current });
    symlinkSync('two', join(builds, 'next'));
    renameSync(join(builds, 'next'), current);
    const next = await startTestHub({ webRoot: current });
    const served = async ({ url }: TestHub, name: string) => [
      await (await fetch(`${url}/`, { headers: html })).text(),
      (await fetch(`${url}/assets/${name}.js`)).status,
    ];
    expect(await served(begun, 'one')).toEqual(['<!doctype html>one', 200]);
    expect(await served(next, 'two')).toEqual(['<!doctype html>two', 200]);
    await Promise.all([begun.close(), next.close()]);
    rmSync(builds, { recursive: true });
  });

  test('a program that takes anything and is no script of a page is given the page', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${hub.url}/wallet`, { headers: { accept: '*/*' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test('data asked for by a script is never answered with the page', async () => {
    expect((await get('/wallet')).status).toBe(404);
    expect((await get('/boot.jsn', html)).status).toBe(404);
  });
});

describe('another name that leads here (DNS rebinding)', () => {
  const statusUnder = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${hub.url}${path}`, { headers: { host, accept: '*/*' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test.each(['/', '/wallet', '/assets/a.js', '/boot.json', '/openapi.json', '/docs/api', '/metrics'])(
    'is not served %s',
    async (path) => {
      expect(await statusUnder(path, 'evil.example')).toBe(421);
      expect(await statusUnder(path, `evil.example:${new URL(hub.url).port}`)).toBe(421);
      expect(await statusUnder(path, new URL(hub.url).host)).toBe(200);
    },
  );

  test('is told whether the process lives, which is all that a probe needs', async () => {
    expect(await statusUnder('/healthz', '10.0.0.7:3000')).toBe(200);
    expect(await statusUnder('/readyz', '10.0.0.7:3000')).toBe(200);
  });
});

describe('documents', () => {
  test('/boot.json tells the browser what runs here and nothing secret', async () => {
    const boot = await (await get('/boot.json')).json();
    expect(boot).toMatchObject({
      productName: 'Crossbook',
      money: 'paper',
      outbox: true,
      platforms: [
        {
          ...{ platform: 1, slug: 'binance', mode: 'simulator', state: 'live', livePath: '/live/1' },
          ...{ restBases: { SPOT: '/md/binance', SWAP: '/md/binance' }, symbolTypes: ['SPOT', 'SWAP'] },
        },
        {
          ...{ platform: 2, slug: 'okx', state: 'live', livePath: '/live/2', restBases: { SWAP: '/md/okx' } },
          symbolTypes: ['SPOT', 'SWAP'],
        },
        {
          platform: 3,
          slug: 'bybit',
          state: 'coming-soon',
          livePath: '/live/3',
          symbolTypes: ['SPOT', 'SWAP'],
        },
      ],
    });
    expect(JSON.stringify(boot)).not.toContain('127.0.0.1:9');
  });

  test('with MARKET_DATA=direct browsers are told the exchanges and may talk to them; the relay answers on', async () => {
    const direct = await startTestHub({
      environment: { MARKET_DATA: 'direct', VENUE_2_REST_BASE: 'https://okx.example/base' },
      webRoot: folder,
    });
    const boot = (await (await fetch(`${direct.url}/boot.json`)).json()) as BootConfig;
    expect(boot.platforms.map(({ restBases }) => restBases)).toEqual([
      { SPOT: 'http://127.0.0.1:9', SWAP: 'http://127.0.0.1:9' },
      { SPOT: 'https://okx.example/base', SWAP: 'https://okx.example/base' },
      { SPOT: 'http://127.0.0.1:9', SWAP: 'http://127.0.0.1:9' },
    ]);
    const page = await fetch(`${direct.url}/`, { headers: html });
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:9 https://okx.example;");
    expect((await fetch(`${direct.url}/md/bybit/v5/market/time`)).status).toBe(502);
    await direct.close();
    const relayed = await get('/', html);
    expect(relayed.headers.get('content-security-policy')).toContain("connect-src 'self';");
  });

  test('/openapi.json lists every call with its fields', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    const { schema } = document.paths['/api/connextrade/PlaceOrder']?.post.requestBody.content[
      'application/x-www-form-urlencoded'
    ] ?? { schema: {} };
    expect(schema).toMatchObject({ additionalProperties: false });
    expect(JSON.stringify(schema)).toContain('quoteQuantity');
    expect(JSON.stringify(schema)).toContain('stoken');
    const upload = document.paths['/api/usercommon/upload']?.post.requestBody.content ?? {};
    expect(Object.keys(upload)).toEqual(['multipart/form-data']);
    expect(upload).toMatchObject({
      'multipart/form-data': { schema: { properties: { file: { type: 'string', format: 'binary' } } } },
    });
  });

  test('/docs/api names every call and every error, and runs no script', async () => {
    const answer = await get('/docs/api', html);
    const page = await answer.text();
    expect(page).toContain('/api/connextrade/PlaceOrder');
    expect(page).toContain('balance-insufficient');
    expect(page).not.toContain('<script');
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
  });

  test('/metrics counts calls by name and code, /healthz and /readyz answer', async () => {
    await get('/api/common/country');
    expect(await (await get('/metrics')).text()).toContain(
      'crossbook_calls_total{call="common/country",code="1"}',
    );
    expect(await (await get('/healthz')).text()).toBe('ok\n');
    expect(await (await get('/readyz')).text()).toBe('ready\n');
  });

  test('the outbox answers no other site, and does not exist when it is switched off', async () => {
    expect((await get('/dev/outbox.json', { origin: 'http://evil.example' })).status).toBe(404);
    expect((await get('/dev/outbox.json?to=%00')).status).toBe(200);
    const closed = await startTestHub({ environment: { OUTBOX: '0' } });
    expect((await fetch(`${closed.url}/dev/outbox.json`)).status).toBe(404);
    await closed.close();
  });
});
