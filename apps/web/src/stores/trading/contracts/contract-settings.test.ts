import type { SettingRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../../app/notices.ts';
import { tradeSettingsStore } from '../../app/settings.ts';
import {
  applySetting,
  contractSettingsStore,
  forgetSettings,
  hearSetting,
  loadSetting,
  setLeverage,
} from './contract-settings.ts';

beforeEach(() => {
  forgetSettings();
  noticesStore.setState({ notices: [] });
});
afterEach(() => vi.unstubAllGlobals());

const row = (change: Partial<SettingRow> = {}): SettingRow => ({
  ...{ exchange: 1, symbol: 'BTCUSDT', marginMode: 'cross', positionMode: 'one-way' },
  ...{ leverageLong: 20, leverageShort: 20, maxLeverage: 125 },
  ...change,
});
const known = () => Object.keys(contractSettingsStore.getState().settings).toSorted();

test.each([
  ['leverage alone concerns one symbol', { leverageLong: 5 }, ['1:BTCUSDT', '1:ETHUSDT', '3:BTCUSDT']],
  ['another position mode makes the others unread', { positionMode: 'hedge' }, ['1:BTCUSDT', '3:BTCUSDT']],
  ['another margin mode makes the others unread', { marginMode: 'isolated' }, ['1:BTCUSDT', '3:BTCUSDT']],
] as const)('%s', (_name, change, left) => {
  for (const each of [row(), row({ symbol: 'ETHUSDT' }), row({ exchange: 3 })]) applySetting(each);
  applySetting(row(change));
  expect(known()).toEqual(left);
  expect(contractSettingsStore.getState().settings['1:BTCUSDT']).toEqual({
    status: 'ready',
    row: row(change),
  });
});

test.each([
  ['where orders say their mode, with the mode that was chosen', 2, 'isolated'],
  ['where the setting says it, without one', 1, null],
] as const)('a setting is read again %s', async (_name, exchange, asked) => {
  let heard: URLSearchParams | undefined;
  const chosen = row({ exchange, marginMode: 'isolated', leverageLong: 5 });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    heard = new URLSearchParams(String(init.body));
    return Response.json({ code: 1, msg: 'OK', data: chosen });
  });
  applySetting(chosen);
  await loadSetting({ platform: exchange, symbol: 'BTCUSDT' });
  expect([heard?.get('symbol'), heard?.get('marginMode')]).toEqual(['BTCUSDT', asked]);
});

const TIMES_20 = row();
const READ_BACK = { ...TIMES_20, leverageLong: 15, leverageShort: 15 };
test.each([
  ['applied: what the exchange read back, not what was asked', { code: 1, msg: 'OK', data: READ_BACK }, 15],
  ['refused: the old one, which is read again', { code: 3017, msg: 'refused', data: null }, 20],
  ['without an answer: the old one, which is read again', undefined, 20],
] as const)('a change shows the old value until it is %s', async (_name, answer, after) => {
  const shown = () => contractSettingsStore.getState().settings['1:BTCUSDT']?.row?.leverageLong;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://hub').pathname);
    if (!url.includes('SetLeverage')) return Response.json({ code: 1, msg: 'OK', data: TIMES_20 });
    expect(shown()).toBe(20);
    if (answer === undefined) throw new TypeError('no answer');
    return Response.json(answer);
  });
  applySetting(TIMES_20);
  const change = { leverage: 5, effect: 0, marginMode: 'cross' } as const;
  const changed = setLeverage({ platform: 1, symbol: 'BTCUSDT' }, change);
  expect(shown()).toBe(20);
  await changed;
  expect(shown()).toBe(after);
  expect(asked.some((path) => path.includes('GetLeverage'))).toBe(after === 20);
});

test('settings that were changed elsewhere are said; what is read first, told again or changed here is not', async () => {
  const said = () => noticesStore.getState().notices.map(({ message }) => 'id' in message && message.id);
  hearSetting(row());
  hearSetting(row());
  const change = { leverage: 5, effect: 0, marginMode: 'cross' } as const;
  vi.stubGlobal('fetch', async () => {
    await Promise.resolve();
    // The stream is often quicker than the answer.
    hearSetting(row({ leverageLong: 5 }));
    return Response.json({ code: 1, msg: 'OK', data: row({ leverageLong: 5 }) });
  });
  await setLeverage({ platform: 1, symbol: 'BTCUSDT' }, change);
  expect(said()).toEqual([]);
  hearSetting(row({ leverageLong: 50 }));
  expect(said()).toEqual(['contract.settingElsewhere']);
  expect(noticesStore.getState().notices.at(-1)).toMatchObject({ event: 'settings', tone: 'warning' });
});

test('the browser keeps the position mode that the exchange said last, whoever changed it', () => {
  const kept = () => tradeSettingsStore.getState().positionMode;
  hearSetting(row({ positionMode: 'hedge' }));
  expect(kept()).toBe('hedge');
  applySetting(row({ positionMode: 'one-way' }));
  expect(kept()).toBe('one-way');
});
