import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { startTestHub, type TestHub } from '../../main/testing.ts';
import { WEBSOCKET_ARGS_LIFE_MILLIS } from './websocket-args.ts';

const hub = openedOnce(startTestHub);

describe('credentials of the live connection', () => {
  const args = async (browser: Awaited<ReturnType<TestHub['member']>>) => {
    const answer = await browser.call('connexbasicdata/GetWebsocketArgs', {});
    if (answer.data === null) throw new Error(answer.msg);
    return answer.data;
  };
  const verify = (given: Awaited<ReturnType<typeof args>>, origin: string) =>
    hub.hub.accounts.verifyStreamLogin(given, origin, hub.now());

  test('they name the member for 15 seconds at the origin they were given to', async () => {
    const browser = await hub.member();
    browser.headers.origin = hub.url;
    const given = await args(browser);
    expect(await verify(given, hub.url)).toMatchObject({ user: browser.tid });
    expect(await verify(given, '')).toBeUndefined();
    expect(await verify(given, 'http://127.0.0.1:1')).toBeUndefined();
    hub.advance(WEBSOCKET_ARGS_LIFE_MILLIS - 1);
    expect(await verify(given, hub.url)).toMatchObject({ user: browser.tid });
    hub.advance(1);
    expect(await verify(given, hub.url)).toBeUndefined();
  });

  test('changed, mixed, future and nonsensical ones are refused', async () => {
    const one = await args(await hub.member());
    const two = await args(await hub.member());
    const bad = [
      { ...one, apiKey: two.apiKey },
      { ...one, sign: two.sign },
      { ...one, timestamp: String(hub.now() + 1) },
      { ...one, timestamp: '0' },
      { ...one, sign: '' },
      { ...one, apiKey: 'x'.repeat(10_000) },
    ];
    for (const given of bad) expect(await verify(given, '')).toBeUndefined();
    expect(await verify(one, '')).toBeDefined();
  });

  test('they die with the session', async () => {
    const browser = await hub.member();
    const given = await args(browser);
    await browser.call('user/layout', {});
    expect(await verify(given, '')).toBeUndefined();
  });
});
