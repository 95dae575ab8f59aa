import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import { amount, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { contractFacts } from '../../../calculators/contracts/contract.fixture.ts';
import { type ContractFacts, summariseContract } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  emptyContractTicket,
} from '../../../calculators/contracts/contract-ticket.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { walkBook } from '../../../calculators/ticket/book-walk.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';

// What the window is like is asked for as soon as the parts are read.
vi.stubGlobal('window', { matchMedia: () => ({ matches: true, addEventListener: () => undefined }) });
const { ContractStats } = await import('./ContractStats.tsx');

type Levels = readonly (readonly [price: string, size: string])[];

/** The rows beside a ticket: what each is called, and what it says. */
function rows(
  change: Partial<ContractTicketState>,
  world: Partial<ContractFacts> = {},
  levels: Levels = [],
): Readonly<Record<string, string>> {
  i18n.activate('en');
  const kept = { orderKind: 1, timeInForce: TIME_IN_FORCE.GTC, sizeUnit: 'coin' };
  const ticket = { ...emptyContractTicket(kept), price: '60000', ...change };
  const facts = contractFacts(world);
  const market = ticket.type === ORDER_TYPE.MARKET;
  const asked = levels.map(([price, size]) => ({ price: amount(price), size: amount(size) }));
  const walk = market ? walkBook(ticket.side, amount(ticket.size), asked) : undefined;
  const part = createElement(ContractStats, {
    ...{ instrument: facts.instrument as ListedInstrument, summary: summariseContract(ticket, facts, walk) },
    ...{ walk, market, mark: facts.mark },
  });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, part));
  const pairs = [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)];
  return Object.fromEntries(pairs.map(([, name = '', said = '']) => [name, said]));
}

const held = (quantity: string) => ({ positions: [positionFixture({ quantity })] });

test('before an order is sent each row says what it comes to; the mark of an estimate is on ours alone', () => {
  expect(rows({ size: '0.1' })).toEqual({
    'Order value (USDT)': '6,000.00',
    'Cost (USDT)': '≈ 300.00',
    'Fee 0.02–0.05 %': '1.20 – 3.00',
    After: '0.100 long @ 60,000.0',
    'Break-even after': '≈ 60,030.0',
    'Liq. est.': '≈ 10,070.3 (−83%)',
    'Margin ratio after': '≈ 0.48%',
    'Realised est.': '–',
  });
});

test('unknown figures are a dash, and no row comes or goes', () => {
  const empty = rows({ size: '', price: '' });
  expect(Object.keys(empty)).toEqual(Object.keys(rows({ size: '0.1' })));
  expect(new Set(Object.values(empty))).toEqual(new Set(['–']));
});

test.each<[string, Partial<ContractTicketState>, Partial<ContractFacts>, object]>([
  [
    'that adds: the average moves',
    { size: '0.5', price: '62000' },
    held('0.5'),
    { After: '0.500 → 1.000 long @ 61,000.0', 'Break-even after': '≈ 61,030.5', 'Realised est.': '–' },
  ],
  [
    'that closes a part: it stands',
    { side: SIDE.SELL, size: '0.2', price: '61000' },
    held('0.5'),
    { After: '0.500 → 0.300 long', 'Cost (USDT)': '≈ 0.00', 'Realised est.': '≈ +193.90' },
  ],
  [
    'that closes all',
    { side: SIDE.SELL, size: '0.5', price: '59000' },
    held('0.5'),
    {
      After: '0.500 long → flat',
      'Break-even after': '–',
      'Liq. est.': 'flat',
      'Realised est.': '≈ −514.75',
    },
  ],
  [
    'that flips',
    { side: SIDE.SELL, size: '0.7' },
    held('0.5'),
    { After: '0.500 long → 0.200 short (flips) @ 60,000.0', 'Break-even after': '≈ 59,970.0' },
  ],
  [
    'that nothing in range liquidates',
    { size: '0.01' },
    {},
    { 'Liq. est.': 'none in range', 'Margin ratio after': '≈ 0.05%' },
  ],
  ['that only makes', { size: '0.1', timeInForce: TIME_IN_FORCE.POST_ONLY }, {}, { 'Fee 0.02 %': '1.20' }],
  [
    'whose tiers are not known',
    { size: '0.1' },
    { tiers: [] },
    { 'Liq. est.': '–', 'Margin ratio after': '–' },
  ],
  ['while margin is being read', { size: '0.1' }, { margin: undefined }, { 'Liq. est.': '–' }],
])('of an order %s', (_, ticket, world, said) => {
  expect(rows(ticket, world)).toMatchObject(said);
});

test.each<[string, Levels, object]>([
  [
    'costs what its walk through the book comes to',
    [
      ['60000', '0.1'],
      ['60060', '0.9'],
    ],
    {
      Average: '≈ 60,030.0, 5.0 bp',
      'Order value (USDT)': '≈ 12,006.00',
      'Fee 0.05 %': '6.01',
      After: '0.200 long @ 60,030.0',
    },
  ],
  ['says where the book ends', [['60000', '0.1']], { Average: 'the book ends at 0.100 BTC' }],
])('a market order %s', (_, levels, said) => {
  expect(rows({ type: ORDER_TYPE.MARKET, size: '0.2', price: '' }, {}, levels)).toMatchObject(said);
});
