import '../../../../i18n/trade-words.ts';
import type { AlgoRow, PriceAlertRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { CONTRACT, contractOrder } from '../../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../../calculators/contracts/position.fixture.ts';
import { text } from '../../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../../stores/market/instruments.ts';
import type { Mark } from '../../../../stores/trading/contracts/marks.ts';
import type { ChartLine } from '../chart-port.ts';
import { memberLines } from './member-lines.ts';

const BTC: ListedInstrument = {
  ...CONTRACT,
  ...{ makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTCUSDT' },
};
const SCENE = {
  ...{ text, instrument: BTC, breakEven: false },
  mark: { price: amount('59752'), at: 1 } as unknown as Mark,
};
const STOP: AlgoRow = {
  ...{ algoId: 'a1', exchange: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 2, effect: 0 },
  ...{
    reduceOnly: true,
    marginMode: 'cross',
    leverage: 20,
    algoType: 'stop',
    takeProfit: null,
    trailing: null,
    iceberg: null,
    executed: null,
  },
  ...{
    timeInForce: 1,
    quantity: null,
    state: 'waiting',
    unknown: false,
    cancelPending: false,
    reason: null,
    refusal: null,
  },
  ...{
    stopLoss: { triggerPrice: '58000', triggerBy: 'mark', price: null },
    children: [],
    placed: true,
    parentOrderId: null,
  },
  ...{ createdAt: 1, updatedAt: 1 },
};
const BELL: PriceAlertRow = {
  ...{
    alertId: 'b1',
    exchange: 1,
    symbolType: 'SWAP',
    symbol: 'BTCUSDT',
    price: '61000',
    direction: 'rises',
  },
  ...{ createdAt: 1, fired: null },
};
const NOTHING = { positions: [], orders: [], algos: [], alerts: [] };
const ORDER = contractOrder({ quantity: '0.02' });
const LONG = positionFixture();
const LIMITED: AlgoRow = { ...STOP, stopLoss: { triggerPrice: '58000', triggerBy: 'last', price: '57990' } };

const said = ({ stroke, tone, label, priceText, draggable, pulled, bell }: ChartLine): string =>
  [
    `${stroke} ${tone} "${label}" ${priceText}`,
    draggable === true ? 'dragged' : pulled === true ? 'pulled out of' : 'stays',
    ...(bell === true ? ['bell'] : []),
  ].join(', ');

describe('the lines of a market', () => {
  test.each<[string, Partial<typeof SCENE>, Partial<Parameters<typeof memberLines>[1]>, readonly string[]]>([
    [
      'a long position and its liquidation',
      {},
      { positions: [LONG] },
      [
        'solid up "Long 0.500 · −124.00 (−8.27%)" 60,000.0, pulled out of',
        'dashed warning "Liq. 57,229.0" 57,229.0, stays',
      ],
    ],
    [
      'a short one that nothing liquidates, with its break-even',
      { breakEven: true },
      { positions: [positionFixture({ quantity: '-0.5', effect: 2, liquidationPrice: null })] },
      [
        'solid down "Short 0.500 · +124.00 (+8.27%)" 60,000.0, pulled out of',
        'dotted faint "BE" 60,030.0, stays',
      ],
    ],
    [
      'an order to buy, one to sell',
      {},
      { orders: [ORDER, { ...ORDER, side: 2, price: '61000.5' }] },
      ['solid up "Buy 0.020 Limit" 59,000.0, dragged', 'solid down "Sell 0.020 Limit" 61,000.5, dragged'],
    ],
    [
      'an order that is being cancelled',
      {},
      { orders: [{ ...ORDER, cancelPending: true }] },
      ['solid up "Buy 0.020 Limit" 59,000.0, stays'],
    ],
    [
      'a stop of nothing that is held',
      {},
      { algos: [{ ...STOP, quantity: '0.02', side: 1, reduceOnly: false }] },
      ['dashed up "Stop Buy 0.020 · mark" 58,000.0, dragged'],
    ],
    [
      'a stop-loss of the position says what it brings',
      {},
      { positions: [{ ...LONG, liquidationPrice: null }], algos: [STOP] },
      [
        'solid up "Long 0.500 · −124.00 (−8.27%)" 60,000.0, pulled out of',
        'dashed down "SL Whole · ≈ −1,014.50 (−3.33%) · mark" 58,000.0, dragged',
      ],
    ],
    ['a price alert', {}, { alerts: [BELL] }, ['dashed accent "Alert" 61,000.0, dragged, bell']],
  ])('are of %s', (_, scene, rows, lines) => {
    expect(memberLines({ ...SCENE, ...scene }, { ...NOTHING, ...rows }).map(said)).toEqual(lines);
  });

  test('never are those of another symbol, exchange or kind of market, and are written with their own tick', () => {
    const rows = { positions: [LONG], orders: [ORDER], algos: [STOP], alerts: [BELL] };
    expect(memberLines(SCENE, rows)).toHaveLength(5);
    const others: readonly Partial<ListedInstrument>[] = [
      { symbol: 'ETHUSDT' },
      { platform: 2 },
      { symbolType: 'SPOT' },
    ];
    for (const other of others)
      expect(memberLines({ ...SCENE, instrument: { ...BTC, ...other } }, rows)).toEqual([]);
    const coarse = { ...BTC, tickSize: amount('10') };
    expect(memberLines({ ...SCENE, instrument: coarse }, rows).map(({ priceText }) => priceText)).toEqual([
      ...['60,000', '57,229', '59,000', '58,000', '61,000'],
    ]);
  });
});

test.each([
  [1, true],
  [2, false],
  [3, false],
] as const)(
  'at platform %i a trigger that is moved leaves nothing that waits meanwhile: %s',
  (exchange, bare) => {
    const instrument = { ...BTC, platform: exchange };
    const [line] = memberLines({ ...SCENE, instrument }, { ...NOTHING, algos: [{ ...STOP, exchange }] });
    expect(line?.bare).toBe(bare);
  },
);

describe('a stop-loss that is dragged says, at each price,', () => {
  const stopped = (algo: AlgoRow, position = LONG) =>
    memberLines(SCENE, { ...NOTHING, positions: [position], algos: [algo] }).at(-1);
  test.each([
    [
      'what it brings there',
      STOP,
      { price: '59000', limitToo: false },
      'SL Whole · ≈ −514.75 (−1.67%) · mark',
    ],
    [
      'that a stop in profit is one',
      STOP,
      { price: '61000', limitToo: false },
      'SL Whole · ≈ +484.75 (+1.67%) · mark',
    ],
    [
      'that liquidation comes first',
      STOP,
      { price: '57000', limitToo: false },
      'SL Whole · ≈ −1,514.25 (−5.00%) · Liquidation comes first · mark',
    ],
    [
      'the limit that stays behind',
      LIMITED,
      { price: '58500', limitToo: false },
      'SL Whole · ≈ −764.62 (−2.50%) → 57,990.0',
    ],
    [
      'the limit that moves as far, with Shift',
      LIMITED,
      { price: '58500', limitToo: true },
      'SL Whole · ≈ −764.62 (−2.50%) → 58,490.0',
    ],
  ])('%s', (_, algo, { price, limitToo }, label) => {
    expect(stopped(algo)?.at?.(amount(price), limitToo)).toEqual({ label });
  });

  test('of a take-profit pulled out of the position that it is one', () => {
    const [entry] = memberLines(SCENE, { ...NOTHING, positions: [LONG] });
    const says = (price: string) => entry?.at?.(amount(price), false);
    expect(says('61000')).toEqual({ tone: 'down', label: 'TP Whole · ≈ +484.75 (+1.67%)' });
    expect(says('59000')).toEqual({ tone: 'down', label: 'SL Whole · ≈ −514.75 (−1.67%)' });
  });
});
