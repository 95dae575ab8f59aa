import { type Amount, amount, formatAmount, type LeverageTier, SIDE, ZERO } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import {
  type ContractOrder,
  type ContractWorld,
  largestSize,
  liquidationPrice,
  orderCost,
  orderEffect,
  type SizedPosition,
  tierRoom,
} from './contract-margin.ts';

function tier(row: {
  tier: number;
  cap: string;
  rate: string;
  deduction?: string;
  max?: number;
}): LeverageTier {
  return {
    ...{ tier: row.tier, unit: 'notional', floor: ZERO, cap: amount(row.cap) },
    maintenanceRate: amount(row.rate),
    maxLeverage: row.max ?? 100,
    deduction: amount(row.deduction ?? '0'),
  };
}

/** Tiers of the worked examples: BTCUSDT at Binance, BTC-USDT-SWAP at OKX (contracts), BTCUSDT at Bybit. */
const BINANCE = [
  tier({ tier: 1, cap: '300000', rate: '0.004', max: 150 }),
  tier({ tier: 2, cap: '800000', rate: '0.005', deduction: '300', max: 100 }),
];
const OKX = [{ ...tier({ tier: 1, cap: '1000', rate: '0.004' }), unit: 'contracts' as const }];
const BYBIT = [tier({ tier: 1, cap: '2000000', rate: '0.005' })];

function world(platform: 1 | 2 | 3, change: Partial<ContractWorld> = {}): ContractWorld {
  const contractValue = amount(platform === 2 ? '0.01' : '1');
  return {
    instrument: {
      platform,
      lotSize: amount(platform === 2 ? '1' : '0.001'),
      tickSize: amount('0.1'),
      contractValue,
    },
    takerFee: amount(platform === 3 ? '0.00055' : '0.0005'),
    mark: amount('60000'),
    tiers: { 1: BINANCE, 2: OKX, 3: BYBIT }[platform],
    position: undefined,
    ...change,
  };
}

const order = (change: Partial<ContractOrder> = {}): ContractOrder => ({
  ...{ side: SIDE.BUY, size: amount('0.5'), price: amount('60000'), onlyCloses: false, market: false },
  ...{ leverage: 20, marginMode: 'cross' },
  ...change,
});
const long = (size: string, entry = '60000'): SizedPosition => ({
  ...{ side: SIDE.BUY, size: amount(size), entry: amount(entry) },
});
const short = (size: string, entry = '60000'): SizedPosition => ({ ...long(size, entry), side: SIDE.SELL });
const shown = (position: SizedPosition | undefined) =>
  position === undefined
    ? 'flat'
    : `${position.side === SIDE.BUY ? 'long' : 'short'} ${formatAmount(position.size)} @ ${formatAmount(position.entry)}`;

describe('an order and the position that it meets', () => {
  test.each([
    ['opens', undefined, order(), 'long 0.5 @ 60000', '0/0.5'],
    ['adds and averages', long('0.5', '62000'), order(), 'long 1 @ 61000', '0/0.5'],
    ['closes a part', short('0.8'), order(), 'short 0.3 @ 60000', '0.5/0'],
    ['closes all', short('0.5'), order(), 'flat', '0.5/0'],
    ['flips', short('0.2', '61000'), order(), 'long 0.3 @ 60000', '0.2/0.3'],
    ['never flips where it only closes', short('0.2'), order({ onlyCloses: true }), 'flat', '0.2/0'],
    ['closes nothing of its own side', long('0.2'), order({ onlyCloses: true }), 'long 0.2 @ 60000', '0/0'],
  ] as const)('%s', (...[, position, sent, ...outcome]) => {
    const { closing, opening, after, flips } = orderEffect(sent, position);
    expect([shown(after), `${formatAmount(closing)}/${formatAmount(opening)}`]).toEqual(outcome);
    expect(flips).toBe(position?.side === SIDE.SELL && opening > ZERO);
  });
});

describe('cost', () => {
  const sell = { side: SIDE.SELL, size: amount('0.2'), price: amount('61000'), leverage: 25 } as const;
  test.each([
    // Margin 488, open loss 40, fee 6.10 (perpetuals: short 0.2 limit @ 61,000 with the mark at 61,200).
    ['Binance, with the loss it opens with', 1, order(sell), { mark: amount('61200') }, '534.1'],
    ['Binance, a limit on the good side of the mark', 1, order(sell), { mark: amount('60000') }, '494.1'],
    ['OKX, margin and fee', 2, order({ leverage: 10 }), {}, '3015'],
    // 290 + 3.19 + 3.0305, up to the cent.
    [
      'Bybit, with the fee of closing',
      3,
      order({ size: amount('0.1'), price: amount('58000') }),
      {},
      '296.23',
    ],
    ['only its fee, where it closes', 1, order(), { position: short('0.5') }, '15'],
    ['only what opens, where it flips', 1, order(), { position: short('0.3') }, '615'],
  ] as const)('%s', (...[, platform, sent, change, cost]) => {
    expect(formatAmount(orderCost(sent, world(platform, change)))).toBe(cost);
  });
});

describe('the largest size', () => {
  const limits = { available: amount('1000'), lotMax: amount('100'), waiting: ZERO, closing: ZERO };
  test.each([
    ['money', order(), {}, limits, '0.33 margin'],
    ['the leverage table', order(), {}, { ...limits, available: amount('1000000') }, '13.333 tier'],
    [
      'the leverage table less what is held and waits',
      order(),
      { position: long('3') },
      { ...limits, available: amount('1000000'), waiting: amount('0.333') },
      '10 tier',
    ],
    ['the lot filter', order(), {}, { ...limits, lotMax: amount('0.02') }, '0.02 lot'],
    ['money and what it closes first', order(), { position: short('0.5') }, limits, '0.83 margin'],
    [
      'the position less what waits to close it',
      order({ onlyCloses: true }),
      { position: short('0.5') },
      { ...limits, closing: amount('0.2') },
      '0.3 position',
    ],
    ['nothing to close', order({ onlyCloses: true }), { position: long('0.5') }, limits, '0 position'],
  ] as const)('is bound by %s', (...[, sent, change, bounds, largest]) => {
    const { size, bound } = largestSize(sent, world(1, change), bounds);
    expect(`${formatAmount(size)} ${bound}`).toBe(largest);
  });

  test('costs no more than there is, and one lot more does', () => {
    const { size } = largestSize(order(), world(1), limits);
    const more = (size + amount('0.001')) as Amount;
    expect(orderCost(order({ size }), world(1))).toBeLessThanOrEqual(limits.available);
    expect(orderCost(order({ size: more }), world(1))).toBeGreaterThan(limits.available);
  });

  test.each([
    [150, '5'],
    [100, '13.333333333333333333'],
    [151, undefined],
  ] as const)('at %ix the table allows %s coins', (leverage, coins) => {
    const room = tierRoom(BINANCE, leverage, amount('60000'), amount('1'));
    expect(room === undefined ? undefined : formatAmount(room)).toBe(coins);
  });
});

describe('liquidation price, on the tick nearer the mark', () => {
  test.each([
    // The worked examples: 57,228.9156..., 55,246.2311..., 54,244.0984..., 65,704.3305..., 50,226.0170..., 54,271.3567...
    ['Binance isolated long', 1, long('0.5'), '1500', '57229'],
    ['Binance cross in its second tier', 1, long('10'), '50000', '55246.3'],
    ['OKX isolated long', 2, long('0.5'), '3000', '54244.1'],
    ['OKX isolated short', 2, short('0.5'), '3000', '65704.3'],
    ['OKX cross', 2, long('0.5'), '5000', '50226.1'],
    ['Bybit isolated long', 3, long('0.5'), '3000', '54271.4'],
    ['a long that nothing liquidates', 1, long('0.5'), '40000', undefined],
  ] as const)('%s', (...[, platform, position, money, price]) => {
    const found = liquidationPrice(position, { money: amount(money) }, world(platform));
    expect(found === undefined ? undefined : formatAmount(found)).toBe(price);
  });

  test('is unknown without tiers', () => {
    expect(liquidationPrice(long('1'), { money: amount('1') }, world(1, { tiers: [] }))).toBeUndefined();
  });
});
