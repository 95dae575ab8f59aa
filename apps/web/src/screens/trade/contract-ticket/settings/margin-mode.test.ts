import '../../../../i18n/trade-words.ts';
import type { PositionRow } from '@crossbook/contract';
import { amount, formatAmount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import {
  CONTRACT,
  contractFacts,
  contractOrder,
  MARGIN,
  SETTING,
  TIERS,
} from '../../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../../calculators/contracts/position.fixture.ts';
import { instrumentsStore } from '../../../../stores/market/instruments.ts';
import { contractSettingsStore, settingKey } from '../../../../stores/trading/contracts/contract-settings.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';
import { drawnBy } from '../../../../ui/drawn.fixture.ts';
import { MarginModeDialog } from './MarginModeDialog.tsx';
import { ChoiceCard } from './SettingDialog.tsx';

// A dialog finds the place of toasts in the page; nothing is ever put there here.
vi.hoisted(() => {
  const document = { createElement: () => ({}), body: { append: () => undefined } };
  Object.assign(globalThis, { document });
});

const FEES = { makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTC-USDT' };
const SYMBOLS = { 1: 'BTCUSDT', 2: 'BTC-USDT-SWAP', 3: 'BTCUSDT' } as const;

const TIER_ROWS = TIERS.map((tier) => ({
  ...tier,
  ...{ floor: formatAmount(tier.floor), cap: formatAmount(tier.cap) },
  maintenanceRate: formatAmount(tier.maintenanceRate),
  deduction: formatAmount(tier.deduction),
}));

type Platform = keyof typeof SYMBOLS;

const HINT = '<p class="text-xs text-faint">Hold the button for 0.8 seconds.</p>';

/** The dialog as it is once the other mode was chosen, or untouched. */
function dialog(platform: Platform, open: Partial<Parameters<typeof contractFacts>[0]>, choose = true) {
  const listed = { ...CONTRACT, ...FEES, platform, symbol: SYMBOLS[platform] };
  const other = { ...listed, symbol: 'ETHUSDT', base: 'ETH', tickSize: amount('0.01') };
  // What is written without a page sees a store as it began.
  Object.assign(instrumentsStore.getInitialState(), {
    byPlatform: { [platform]: { status: 'ready', rows: [listed, other] } },
  });
  Object.assign(ordersStore.getInitialState(), {
    open: new Map(open?.orders?.map((row) => [row.orderId, row])),
  });
  const facts = contractFacts({ instrument: listed, ...open });
  const setting = { ...SETTING, ...open?.setting, exchange: platform, symbol: listed.symbol };
  const { html, drawn } = drawnBy(
    MarginModeDialog,
    { facts, setting, onClose: () => undefined },
    {
      within: (child) => createElement(I18nProvider, { i18n } as never, child),
      press: (all) => {
        const [cross, isolated] = all
          .filter(({ type }) => type === ChoiceCard)
          .map(({ props }) => props.onChoose as () => void);
        if (choose) (setting.marginMode === 'isolated' ? cross : isolated)?.();
      },
    },
  );
  const { held, ready } = drawn[0]?.props ?? {};
  const moved = [...html.matchAll(/<li class="flex items-center justify-between gap-3">(.*?)<\/li>/g)];
  const words = moved.map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return { held, ready, moved: words, hint: html.includes(HINT) };
}

const mine = (platform: Platform, change: Partial<PositionRow> = {}): PositionRow =>
  positionFixture({ exchange: platform, symbol: SYMBOLS[platform], ...change });
const other = (platform: Platform): PositionRow =>
  mine(platform, {
    ...{ positionId: 'p2', symbol: 'ETHUSDT', quantity: '-2', entryPrice: '3000', markPrice: '3000' },
    liquidationPrice: '4100.5',
  });

/** What a position has that stands alone. */
const ALONE: Partial<PositionRow> = { marginMode: 'isolated', isolatedMargin: '3000' };
/** Two legs of the other contract, as large as each other. */
const legs = (platform: Platform): readonly PositionRow[] =>
  [1, 2].map((effect) => ({
    ...other(platform),
    ...{ positionId: `p3-${effect}`, effect, quantity: '20', isolatedMargin: '6000' },
    ...({ marginMode: 'isolated', maintenanceMargin: '300', unrealisedPnl: '0' } as const),
  })) as readonly PositionRow[];

test.each<[string, Partial<Parameters<typeof contractFacts>[0]>, boolean, readonly string[]]>([
  [
    'each with its liquidation before and after',
    { positions: [mine(3), other(3)], margin: { ...MARGIN, wallet: '50000' } },
    true,
    // (60,000 − 3,000) / 0.996 rounded up, (3,000 + 150) / 1.004 rounded down: each with the margin of its entry.
    ['BTCUSDT Buy 0.5 Liquidation 57,229.0 → ≈ 57,229.0', 'ETHUSDT Sell 2 Liquidation 4,100.50 → ≈ 3,137.45'],
  ],
  [
    'legs of another contract set each other off in cross mode, as they do at the exchange',
    {
      setting: { ...SETTING, marginMode: 'isolated' },
      terms: { ...contractFacts().terms, legsCoverEachOther: true },
      positions: [mine(3, ALONE), ...legs(3)],
      margin: { ...MARGIN, wallet: '1000' },
    },
    true,
    // (30,000 − 1,000) / (0.5 × 0.996), rounded up: of the legs nothing is left to maintain.
    [
      'BTCUSDT Buy 0.5 Liquidation 57,229.0 → ≈ 58,233.0',
      'ETHUSDT Open long 20 Liquidation 4,100.50 → none in range',
      'ETHUSDT Open short 20 Liquidation 4,100.50 → none in range',
    ],
  ],
  [
    'and nothing is said of what is not known yet',
    { positions: [mine(3), other(3)] },
    false,
    ['BTCUSDT Buy 0.5 Liquidation 57,229.0 → –', 'ETHUSDT Sell 2 Liquidation 4,100.50 → –'],
  ],
])('at Bybit the mode moves every position, and is held: %s', (_, open, tiers, moved) => {
  const rows = tiers ? { [settingKey(3, 'BTCUSDT')]: TIER_ROWS, [settingKey(3, 'ETHUSDT')]: TIER_ROWS } : {};
  Object.assign(contractSettingsStore.getInitialState(), { tiers: rows });
  expect(dialog(3, open)).toEqual({ held: true, ready: true, hint: true, moved });
});

test.each<[string, Platform, Partial<Parameters<typeof contractFacts>[0]>, boolean, object]>([
  ['Bybit, nothing open: a press', 3, {}, true, { held: false, ready: true }],
  ['Bybit, untouched: nothing to send', 3, { positions: [mine(3)] }, false, { held: true, ready: false }],
  ['Binance, open elsewhere only: a press', 1, { positions: [other(1)] }, true, { held: false, ready: true }],
  ['Binance, open here: not at all', 1, { positions: [mine(1)] }, true, { held: false, ready: false }],
  [
    'Binance, an order here: not at all',
    1,
    { orders: [contractOrder()] },
    true,
    { held: false, ready: false },
  ],
  [
    'Bybit, an order of another contract: not at all',
    3,
    { orders: [contractOrder({ exchange: 3, symbol: 'ETHUSDT' })] },
    true,
    { held: false, ready: false },
  ],
  [
    'Binance, an order of another contract: a press',
    1,
    { orders: [contractOrder({ symbol: 'ETHUSDT' })] },
    true,
    { held: false, ready: true },
  ],
  [
    'OKX, an order here: a press, it carries its mode itself',
    2,
    { orders: [contractOrder({ exchange: 2, symbol: SYMBOLS[2] })] },
    true,
    { held: false, ready: true },
  ],
  [
    'OKX, open here: a press, it keeps its own',
    2,
    { positions: [mine(2)] },
    true,
    { held: false, ready: true },
  ],
])('the margin mode at %s', (_, ...[platform, open, choose, expected]) => {
  expect(dialog(platform, open, choose)).toMatchObject({ ...expected, moved: [], hint: false });
});
