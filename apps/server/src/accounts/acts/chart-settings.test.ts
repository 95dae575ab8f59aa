import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

const world = openedOnce(() => SecurityWorld.start());

const STALE = 2039;

describe('chart settings', () => {
  test('are an empty object at first, and afterwards what was kept, in every browser of the member and no other', async () => {
    const email = 'charts@example.org';
    const browser = await world.hub.member(email);
    const read = async (from: typeof browser) => (await from.call('connexbasicdata/GetChatSetting', {})).data;
    expect(await read(browser)).toEqual({ settings: '{}', version: 0 });
    const settings = JSON.stringify({ layouts: ['1D'], note: 'なし', deep: { a: [[['"']]] } });
    const kept = await browser.call('connexbasicdata/ChangeChatSetting', { settings, version: 0 });
    expect(kept).toMatchObject({ code: SUCCESS, data: { version: 1 } });
    const other = world.hub.visitor();
    await other.logIn(email);
    expect(await read(other)).toEqual({ settings, version: 1 });
    expect(await read(await world.hub.member())).toEqual({ settings: '{}', version: 0 });
    const visitor = world.hub.visitor();
    expect((await visitor.call('connexbasicdata/GetChatSetting', {})).code).toBe(-2);
  });

  test('made from an old version are refused: of many at once one is kept', async () => {
    const browser = await world.hub.member();
    const keep = (version: number, settings = '{}') =>
      browser.call('connexbasicdata/ChangeChatSetting', { settings, version });
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, which) => keep(version, JSON.stringify({ which }))),
      );
      const codes = answers.map(({ code }) => code);
      expect(codes.filter((code) => code === SUCCESS)).toHaveLength(1);
      expect(codes.filter((code) => code === STALE)).toHaveLength(5);
    }
    expect((await keep(7)).code).toBe(STALE);
  });

  test.each([
    ['text', 'x'],
    ['a list', '[]'],
    ['nothing', ''],
    ['a number', '7'],
    ['null', 'null'],
    ['an object that is cut off', '{"a":'],
    ['too much', JSON.stringify({ a: 'x'.repeat(16_000) })],
    ['brackets without end', '['.repeat(15_000)],
  ])('that are %s are refused by name', async (_what, settings) => {
    const browser = await world.hub.member();
    const answer = await browser.call('connexbasicdata/ChangeChatSetting', { settings, version: 0 });
    expect(answer.code).toBe(1001);
    expect(answer.msg).toContain('"settings"');
  });

  test('nested as deeply as fits are kept as they came', async () => {
    const browser = await world.hub.member();
    const settings = `{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`;
    const kept = await browser.call('connexbasicdata/ChangeChatSetting', { settings, version: 0 });
    expect(kept.code).toBe(SUCCESS);
    expect((await browser.call('connexbasicdata/GetChatSetting', {})).data?.settings).toBe(settings);
  });
});
