import { afterEach, expect, test, vi } from 'vitest';
import { chartLayoutText, parseChartLayout } from '../../calculators/market/chart-layout.ts';
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

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The stores as a page that is opened now finds them; what an earlier page kept is there. */
async function opened() {
  vi.resetModules();
  return await import('./settings.ts');
}

/** A browser that keeps texts. */
function browser(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  return kept;
}

const LAYOUT = {
  active: 1,
  slots: [
    { market: { platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT' }, interval: '1m' },
    { market: { platform: 2, symbolType: 'SPOT', symbol: 'ETH-USDT' }, interval: '1d' },
  ],
} as const;

test('every trade setting is as it was set on a page that is opened later, and none changes another', async () => {
  browser();
  const changed = {
    ...{ positionMode: 'hedge', timeInForce: 4, depthDecimal: 3, chartLayouts: chartLayoutText(LAYOUT) },
    ...{ chartInterval: '4h', chartType: 8, positionsAll: true, openOrdersAll: true },
    ...{ confirmOrders: 'limit,scaled', orderKind: 3, spotUnit: 'base', triggerBy: 'mark' },
    ...{ sizeUnit: 'value', sizeUnits: '1=margin;2=contracts', sizePresets: '20,40,60,80,100' },
    ...{ breakEvenLine: true, oneClick: true, spotTab: 'history', futuresTab: 'funding' },
    ...{ tableOrders: 'positions=pnl:asc', tableColumns: 'positions=symbol,-entry,value' },
    ...{ panelSizes: 'wide-book=312', recordFilters: 'futures-fills=2,BTC-USDT-SWAP' },
    ...{ tradingKeys: true, keyBindings: 'ticket.buy=KeyN' },
  } as const;
  expect(Object.keys(changed).sort()).toEqual(Object.keys(DEFAULT_TRADE_SETTINGS).sort());
  for (const [key, value] of Object.entries(changed)) {
    (await opened()).changeTradeSettings({ [key]: value });
  }
  const { tradeSettingsStore } = await opened();
  expect(tradeSettingsStore.getState()).toEqual(changed);
  expect(parseChartLayout(tradeSettingsStore.getState().chartLayouts)).toEqual(LAYOUT);
});

test.each(['filledAlert', 'orderAlert', 'volumeAlert'] as const)(
  'the alert %s is as it was set on a page that is opened later',
  async (alert) => {
    browser();
    const { settingsStore, changeSettings } = await opened();
    const turned = !settingsStore.getState()[alert];
    changeSettings({ [alert]: turned });
    expect((await opened()).settingsStore.getState()).toEqual({ ...DEFAULT_SETTINGS, [alert]: turned });
  },
);
