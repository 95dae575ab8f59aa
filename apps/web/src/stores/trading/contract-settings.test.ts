import type { SettingRow } from '@crossbook/contract';
import { beforeEach, expect, test } from 'vitest';
import { applySetting, contractSettingsStore, forgetSettings } from './contract-settings.ts';

beforeEach(forgetSettings);

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
