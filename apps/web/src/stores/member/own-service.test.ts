import type { BootConfig } from '@crossbook/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { setClock } from '../app/clock.ts';
import { noticesStore } from '../app/notices.ts';
import { call, roleBeside, sayNotDone } from './own-service.ts';

const asked: string[] = [];
let answer: object;

beforeEach(() => {
  asked.length = 0;
  answer = { code: 1, msg: '', data: [] };
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return new Response(JSON.stringify(answer));
  });
  noticesStore.setState({ notices: [] });
});
afterEach(() => vi.unstubAllGlobals());

function boot(own: string): void {
  const hosts = { own, user: own, notify: own, public: own };
  const config = { hosts, tenant: 'crossbook', environment: 'test', platforms: [] };
  bootStore.setState({ status: 'ready', config: config as unknown as BootConfig }, true);
}

test.each([
  ['', '/api/'],
  ['https://test.hub.example', 'https://test.hub.example/api/'],
  ['https://hub.example/trade/', 'https://hub.example/trade/api/'],
])('with the base %j of an installation its services are asked at %s', async (own, base) => {
  boot(own);
  await call('user/accountexist', { account: 'a@example.org', captcha: 'x' });
  await call('usersms/usersms', { purpose: 'modify-old', channel: 'email' });
  await call('sms/sms', { target: 'a@example.org', purpose: 'recover', captcha: 'x' });
  await call('pub/getcaptcha', {});
  await call('common/country', {});
  const paths = ['user/accountexist', 'usersms/usersms', 'sms/sms', 'pub/getcaptcha', 'common/country'];
  expect(asked).toEqual(paths.map((path) => `${base}${path}`));
});

test.each([
  [2007, 'warning'],
  [1003, 'warning'],
  [1005, 'error'],
  [1006, 'error'],
] as const)(
  'code %i shows the server’s message as a toast of tone %s, once however often it comes',
  async (code, tone) => {
    boot('');
    answer = { code, msg: 'said by the server', data: null };
    await call('connexbasicdata/GetCurrencies', {});
    await call('connexbasicdata/GetCurrencies', {});
    const said = noticesStore.getState().notices;
    expect(said.map(({ message }) => message)).toEqual(said.map(() => ({ text: 'said by the server' })));
    expect(said.map((notice) => notice.tone)).toEqual(said.map(() => tone));
    expect(new Set(said.map(({ key }) => key)).size).toBe(1);
  },
);

describe('words that a toast says and a field has', () => {
  const words = 'said by the server';
  const saidNow = () => noticesStore.getState().notices.map(({ tone, message }) => [tone, message]);

  test('are heard once: beside the field they are live only where no toast said them', async () => {
    answer = { code: 2007, msg: words, data: null };
    expect(roleBeside('alert', words)).toBe('alert');
    await call('user/forgetpwd', {} as never);
    expect(roleBeside('alert', words)).toBeUndefined();
    expect(roleBeside('alert', 'found by the page')).toBe('alert');
    expect(roleBeside('status', undefined)).toBe('status');
  });

  test('are not said twice by who asked, but said where only a part of an answer was refused', async () => {
    let at = 1_000;
    setClock({ now: () => at, randomBytes: () => new Uint8Array(10) });
    answer = { code: 1006, msg: words, data: null };
    await call('user/forgetpwd', {} as never);
    sayNotDone(words);
    expect(saidNow()).toEqual([['error', { text: words }]]);
    at += 60_000;
    sayNotDone(words);
    sayNotDone('another');
    expect(saidNow().slice(1)).toEqual([
      ['warning', { text: words }],
      ['warning', { text: 'another' }],
    ]);
  });

  test.each([
    ['a read of the page itself', true, []],
    ['a try that the page repeats', [2007], []],
    ['the same, refused with another code', [2001], [['warning', { text: words }]]],
  ] as const)('of %s', async (_, quiet, said) => {
    answer = { code: 2007, msg: words, data: null };
    await call('user/forgetpwd', {} as never, { quiet });
    expect(saidNow()).toEqual(said);
  });
});
