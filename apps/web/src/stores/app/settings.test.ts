import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, DEFAULT_TRADE_SETTINGS, parseSettings, parseTradeSettings } from './settings.ts';

test('nothing kept gives the defaults of the specification', () => {
  expect(parseSettings(() => undefined)).toEqual(DEFAULT_SETTINGS);
  expect(DEFAULT_SETTINGS.soundVolume).toBe(0.5);
  expect(DEFAULT_SETTINGS.theme).toBe('dark');
  expect(parseTradeSettings({})).toEqual(DEFAULT_TRADE_SETTINGS);
  expect(DEFAULT_TRADE_SETTINGS).toMatchObject({ depthDecimal: 1, timeInForce: 1, chartInterval: '1m' });
});

test('settings are read under the keys of the specification', () => {
  const kept: Record<string, string> = {
    'wallet menu': 'false',
    'dashboard menu': 'true',
    'history menu': 'true',
    'language mode': 'ja',
    'filled alert': 'false',
    'trading volume alert': 'true',
    'order alert': 'false',
    'sound volume': '0.25',
    theme: 'light',
    palette: 'blue-orange',
  };
  expect(parseSettings((key) => kept[key])).toEqual({
    walletMenu: false,
    dashboardMenu: true,
    historyMenu: true,
    language: 'ja',
    filledAlert: false,
    volumeAlert: true,
    orderAlert: false,
    soundVolume: 0.25,
    theme: 'light',
    palette: 'blue-orange',
  });
});

test.each(['', 'loud', '-0.1', '1.01', 'NaN', 'Infinity'])('a kept volume of %j is the default', (text) => {
  const read = (key: string) => (key === 'sound volume' ? text : undefined);
  // An empty text reads as 0, which is a volume: silence.
  expect(parseSettings(read).soundVolume).toBe(text === '' ? 0 : 0.5);
});

test('damaged trade settings become defaults field by field', () => {
  const kept = {
    timeInForce: 9,
    depthDecimal: 2.5,
    chartInterval: 5,
    positionMode: 'x',
    triggerBy: 'first',
    spotUnit: 1,
    orderKind: 5,
    confirmOrders: 'limit',
  };
  expect(parseTradeSettings(kept)).toEqual({ ...DEFAULT_TRADE_SETTINGS, confirmOrders: 'limit' });
});
