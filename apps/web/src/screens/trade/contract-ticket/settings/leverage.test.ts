import '../../../../i18n/trade-words.ts';
import { amount, type Platform } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import {
  CONTRACT,
  contractFacts,
  SETTING,
  TIERS,
} from '../../../../calculators/contracts/contract.fixture.ts';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import { positionFixture } from '../../../../calculators/contracts/position.fixture.ts';
import { drawnBy } from '../../../../ui/drawn.fixture.ts';
import { NumberInput } from '../../../../ui/entry/NumberInput.tsx';
import { LeverageDialog } from './LeverageDialog.tsx';

// A dialog finds the place of toasts in the page; nothing is ever put there here.
vi.hoisted(() => {
  const document = { createElement: () => ({}), body: { append: () => undefined } };
  Object.assign(globalThis, { document });
});

const FEES = { makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTC-USDT' };

function moved(before: string, after: string, change: string): string {
  return `Position margin: ${before} → ≈ ${after} USDT (${change})`;
}

/** The dialog at 20x once another leverage was typed: whether it can be sent, its lines, and its tiers. */
function dialog(platform: Platform, leverage: string, world: Partial<ContractFacts>) {
  i18n.activate('en');
  const facts = contractFacts({
    ...{ instrument: { ...CONTRACT, ...FEES, platform }, mark: amount('60000') },
    ...world,
  });
  const { html, drawn } = drawnBy(
    LeverageDialog,
    {
      ...{ facts, setting: { ...SETTING, exchange: platform }, effect: 0 },
      ...{ onAddMargin: () => undefined, onClose: () => undefined },
    },
    {
      within: (child) => createElement(I18nProvider, { i18n } as never, child),
      press: (all) => {
        const [type] = all.filter((one) => one.type === NumberInput).map(({ props }) => props.onChange);
        (type as (text: string) => void)(leverage);
      },
    },
  );
  const plain = (markup: string) =>
    markup
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return {
    said: plain(html),
    ready: drawn[0]?.props.ready,
    lines: [...html.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, row = '']) => plain(row)),
    tiers: [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].slice(1).map(([, row = '']) => plain(row)),
  };
}

const MOST = expect.stringMatching(/^Largest market order now: buy ≈ [\d.]+ BTC, sell ≈ [\d.]+ BTC$/);
const SAME = 'The liquidation price does not move, only margin does.';
const CAUTION = 'Above 20× a small move liquidates the position.';
const NO_TIERS = 'Binance gave no leverage table: at most 5×.';
const SMALL = { positions: [positionFixture()] };
const LARGE = { positions: [positionFixture({ exchange: 2, quantity: '6', initialMargin: '18000' })] };

// Of 30,000 USDT at 20x 1,500 are margin: 3,000 at 10x, 600 at 50x; of 360,000 18,000, at 150x 2,400.
test.each<[string, Parameters<typeof dialog>, boolean, readonly unknown[]]>([
  [
    'a lower one needs margin',
    [1, '10', SMALL],
    true,
    [
      'Largest position: 800,000 USDT ≈ 13.333 BTC',
      MOST,
      moved('1,500.00', '3,000.00', '1,500.00 more is needed'),
      SAME,
    ],
  ],
  [
    'a higher one frees it, and above 20x caution is said',
    [1, '50', SMALL],
    true,
    [expect.anything(), MOST, moved('1,500.00', '600.00', '900.00 is freed'), SAME, CAUTION],
  ],
  [
    'what the position is too large for cannot be sent, and at OKX it is of the family and mode',
    [2, '150', LARGE],
    false,
    [
      ...[
        'Largest position: 300,000 USDT ≈ 5.0000 BTC',
        MOST,
        moved('18,000.00', '2,400.00', '15,600.00 is freed'),
        SAME,
      ],
      'At OKX it holds for all contracts of the family, Cross alone.',
      ...['The position is larger than 150× allows.', CAUTION],
    ],
  ],
  ['without a table five is the most', [1, '6', { tiers: [] }], false, [NO_TIERS, MOST]],
  ['without a table less may be had', [1, '4', { tiers: [] }], true, [NO_TIERS, MOST]],
])('another leverage is said with what it does, before it is sent: %s', (_, typed, ready, lines) => {
  expect(dialog(...typed)).toMatchObject({ ready, lines });
});

test('the table of tiers marks the one that is held', () => {
  const first = '300,000 150× 0.40%';
  const second = '800,000 100× 0.50%';
  expect(dialog(1, '10', SMALL).tiers).toEqual([`1 held ${first}`, `2 ${second}`]);
  expect(dialog(2, '10', LARGE).tiers).toEqual([`1 ${first}`, `2 held ${second}`]);
});

test('where tiers are counted in contracts so is the largest position, and that one more raises all of it is said', () => {
  const tiers = TIERS.map((tier) => ({ ...tier, unit: 'contracts' as const }));
  const instrument = { ...CONTRACT, ...FEES, platform: 2 as const, contractValue: amount('0.01') };
  const { lines, said } = dialog(2, '10', { tiers, instrument });
  expect(lines[0]).toBe('Largest position: 800,000 contracts (8,000 BTC)');
  expect(said).toContain('One contract over a step raises the maintenance margin of the whole position.');
  expect(dialog(1, '10', {}).said).not.toContain('One contract over');
});
