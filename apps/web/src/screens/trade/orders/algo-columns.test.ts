import type { AlgoRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import '../../../i18n/later-words.ts';
import { activateLanguage, text } from '../../../i18n/i18n.ts';
import '../../../i18n/trade-words.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { type AlgoTools, algoColumns, legsOf } from './algo-columns.tsx';

const LEG = { triggerPrice: '58000', triggerBy: 'last', price: null } as const;
const STOP: AlgoRow = {
  ...{ algoId: 'a1', exchange: 3, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 2, effect: 0 },
  ...{ reduceOnly: true, marginMode: 'cross', leverage: 20, algoType: 'stop', takeProfit: null },
  ...{ stopLoss: LEG, trailing: null, iceberg: null, executed: null, timeInForce: 1, quantity: '0.5' },
  ...{ state: 'waiting', unknown: false, cancelPending: false, reason: null, refusal: null, children: [] },
  ...{ placed: true, parentOrderId: null, createdAt: 1, updatedAt: 1 },
};
/** A stop that somebody set on a position at the exchange itself. */
const OF_EXCHANGE: AlgoRow = { ...STOP, quantity: null, ofExchange: true };
const OCO: AlgoRow = { ...STOP, algoType: 'oco', takeProfit: { ...LEG, triggerPrice: '63000' } };
const LIMITED: AlgoRow = { ...STOP, stopLoss: { ...LEG, price: '57990' } };
const ENTRY: AlgoRow = { ...STOP, side: 1, reduceOnly: false };
const TAKE_PROFIT: AlgoRow = { ...STOP, algoType: 'take-profit', takeProfit: LEG, stopLoss: null };

const PRICES = { last: '60000', mark: '59000', index: '58500' } as const;

const BTC: ListedInstrument = {
  ...CONTRACT,
  ...{ makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTCUSDT' },
};
const TOOLS: AlgoTools = {
  ...{ text, instrument: () => BTC, onCancel: () => undefined, away: () => false },
  prices: ({ exchange }) => (exchange === 3 ? PRICES : undefined),
};

function html(node: ReactNode): string {
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, node));
}

/** What stands in a column of a row. */
function cell(row: AlgoRow, id: string): string {
  return html(
    algoColumns(TOOLS)
      .find((column) => column.id === id)
      ?.cell(row),
  );
}

function names(markup: string): readonly string[] {
  return [...markup.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name ?? '');
}

test.each([
  ['a stop of a position', STOP, 'trigger', ['Edit stop-loss 58,000.0 BTCUSDT']],
  ['a stop that opens', ENTRY, 'trigger', ['Edit stop 58,000.0 BTCUSDT']],
  ['a take-profit', TAKE_PROFIT, 'trigger', ['Edit take-profit 58,000.0 BTCUSDT']],
  ['a pair', OCO, 'trigger', ['Edit take-profit 63,000.0 BTCUSDT', 'Edit stop-loss 58,000.0 BTCUSDT']],
  ['the limit behind a stop', LIMITED, 'price', ['Edit limit 57,990.0 of stop-loss BTCUSDT']],
  ['one under way', { ...STOP, cancelPending: true }, 'trigger', []],
] as const)(
  'what a row offers to change is spoken with what it is and where it stands: %s',
  (_, row, id, spoken) => {
    expect(names(cell(row, id))).toEqual(spoken);
  },
);

test.each([
  ['a stop', STOP, ['58000 triggerPrice price']],
  ['a take-profit', TAKE_PROFIT, ['58000 triggerPrice price']],
  ['a pair', OCO, ['63000 takeProfit takeProfitPrice', '58000 stopLoss stopLossPrice']],
] as const)('each number that is changed in its row is sent by its own name: %s', (_, row, sent) => {
  expect(legsOf(row).map(({ leg, trigger, limit }) => `${leg.triggerPrice} ${trigger} ${limit}`)).toEqual(
    sent,
  );
});

test('a row of the exchange’s own says so, has nothing to change here, and can be cancelled', () => {
  expect(cell(OF_EXCHANGE, 'kind')).toBe('Stop · RO · exchange’s own');
  const brings = {
    takeProfit: { ...LEG, triggerPrice: '63000' },
    stopLoss: { ...LEG, triggerPrice: '57000' },
  };
  expect(cell({ ...OF_EXCHANGE, brings }, 'kind')).toBe(
    'Stop · RO · exchange’s own · brings TP 63,000.0 · SL 57,000.0',
  );
  expect(cell({ ...OF_EXCHANGE, brings: { ...brings, takeProfit: null } }, 'kind')).toMatch(
    /brings SL 57,000\.0$/,
  );
  expect(cell(OF_EXCHANGE, 'size')).toBe('Whole');
  expect(cell(OF_EXCHANGE, 'trigger')).toContain('last ≤ 58,000.0');
  expect(cell(OF_EXCHANGE, 'trigger')).not.toMatch(/<button|<input/);
  expect(cell(OF_EXCHANGE, 'state')).toContain('waiting');
  expect(cell(OF_EXCHANGE, 'action')).toMatch(
    /<button[^>]*aria-label="Cancel BTCUSDT Stop"(?![^>]* disabled[ =>])/,
  );
  expect(cell(STOP, 'kind')).toBe('Stop · RO');
});

test.each([
  ['ja', '取引所で設定', '損切り 58,000.0 BTCUSDT を変更'],
  ['ko', '거래소에서 설정', '손절 58,000.0 BTCUSDT 수정'],
] as const)('both are said in %s', async (language, own, edits) => {
  vi.stubGlobal('document', { documentElement: {} });
  await activateLanguage(language);
  expect(cell(OF_EXCHANGE, 'kind')).toContain(own);
  expect(names(cell(STOP, 'trigger'))).toEqual([edits]);
  await activateLanguage('en');
});

test.each([
  ['last', '−3.33%'],
  ['mark', '−1.69%'],
  ['index', '−0.85%'],
] as const)('how far a trigger by %s is, is from that price', (triggerBy, distance) => {
  expect(cell({ ...STOP, stopLoss: { ...LEG, triggerBy } }, 'distance')).toBe(distance);
});

test('how far one is of which no price is known, or that waits no more, is not said', () => {
  expect(cell({ ...STOP, exchange: 1 }, 'distance')).toBe('–');
  expect(cell({ ...STOP, state: 'cancelled' }, 'distance')).toBe('–');
});

test.each([
  ['waiting', {}, undefined, 'waiting'],
  ['firing', {}, 'text-warning', 'firing'],
  ['fired', {}, 'text-up', 'fired'],
  ['refused', { reason: 'Margin is insufficient.' }, 'text-down', 'fired, refused: Margin is insufficient.'],
  ['expired', { reason: 'its position was closed' }, undefined, 'expired: Its position was closed'],
  ['waiting', { unknown: true }, 'text-warning', 'no answer, being checked'],
] as const)('where it stands is said in its colour, and why: %s %j', (state, more, tone, said) => {
  const shown = cell({ ...STOP, state, ...more }, 'state');
  expect([shown.replace(/<[^>]*>/g, ''), /text-(?:warning|up|down)\b/.exec(shown)?.[0]]).toEqual([
    said,
    tone,
  ]);
});
