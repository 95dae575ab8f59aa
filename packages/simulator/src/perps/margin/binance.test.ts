import { amount, formatAmount, formatAmountFixed } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BINANCE_RULES as rules } from './binance.ts';
import { accountOf, atMark, contractOf, orderOf, positionOf, tiersOf } from './views.fixture.ts';

// fapi/v1/leverageBracket of BTCUSDT as of 2026-07.
const TIERS = tiersOf(
  '300000 0.004 150',
  '800000 0.005 100 300',
  '3000000 0.0065 75 1500',
  '12000000 0.01 50 12000',
);
const at = (mark: string) => contractOf({ tiers: TIERS, mark });

describe('liquidation prices by the formula of the help page', () => {
  const isolated = positionOf(at('60000'), {
    size: '0.5',
    entry: '60000',
    leverage: 20,
    isolated: '1500',
  });
  const long = positionOf(at('60000'), { size: '10', entry: '60000', leverage: 20 });
  const leg = positionOf(at('60000'), { size: '4', entry: '60000', leverage: 20, side: 'LONG' });
  const other = positionOf(at('60000'), { size: '-1.5', entry: '61000', leverage: 20, side: 'SHORT' });
  test.each([
    ['isolated long', isolated, accountOf('9000', [isolated]), ['57228.91566265', '114.45783133']],
    ['cross long in the second tier', long, accountOf('50000', [long]), ['55246.23115578', '2462.31155779']],
    ['long leg of a cross hedge', leg, accountOf('12000', [leg, other]), ['55084.74576271', '1211.86440678']],
    [
      'short leg of a cross hedge',
      other,
      accountOf('12000', [leg, other]),
      ['55084.74576271', '1211.86440678'],
    ],
  ])('%s', (_, position, account, [price, maintenance]) => {
    const exact = rules.liquidationPrice(position, account);
    expect(formatAmount(rules.shownLiquidationPrice(position, account) ?? amount('0'))).toBe(price);
    const there = atMark(account, 'BTC', exact ?? amount('0'));
    expect(formatAmount(rules.pool(there).maintenance)).toBe(maintenance);
    const held = there.positions.find(({ side }) => side === position.side) ?? position;
    expect(rules.ratio(held, there)).toBeCloseTo(1, 9);
  });

  test('bankruptcy of the isolated one is at the entry less a twentieth', () => {
    expect(formatAmount(rules.bankruptcyPrice(isolated, accountOf('9000', [isolated])))).toBe('57000');
  });

  test('a wallet larger than the position has none', () => {
    expect(rules.liquidationPrice(long, accountOf('700000', [long]))).toBeUndefined();
  });
});

test('only the worse side of resting orders takes margin', () => {
  const contract = at('62000');
  const position = positionOf(contract, { size: '0.2', entry: '62000', leverage: 10 });
  const account = accountOf(
    '5000',
    [position],
    [
      orderOf(contract, 'BUY 0.1 61000', 10),
      orderOf(contract, 'SELL 0.5 63000', 10),
      { ...orderOf(contract, 'SELL 0.2 63000', 10), reduceOnly: true },
    ],
  );
  const pool = rules.pool(account);
  expect(formatAmount(pool.positionInitial)).toBe('1240');
  expect(formatAmount(pool.orderInitial)).toBe('670');
  expect(formatAmount(pool.available)).toBe('3090');
});

describe('the cost of an order', () => {
  const contract = at('61200');
  const long = positionOf(contract, { size: '0.2', entry: '60000', leverage: 25 });
  test.each([
    ['a short below the mark, open loss included', [], 'SELL 0.2 61000', '528'],
    ['a short above the mark', [], 'SELL 0.2 62000', '496'],
    ['a long above the mark', [], 'BUY 0.2 61300', '510.4'],
    ['a close', [long], 'SELL 0.2 61000', '0'],
    ['an order that turns the position to less', [long], 'SELL 0.3 61200', '0'],
    ['a turn to twice the size', [long], 'SELL 0.6 61200', '489.6'],
    ['a market buy', [], 'BUY 0.2', '495.9648'],
  ])('%s', (_, positions, order, cost) => {
    expect(formatAmount(rules.cost(orderOf(contract, order, 25), accountOf('1000', positions)))).toBe(cost);
  });
});

test('funding is size times mark times rate, from long to short', () => {
  const contract = at('61234.5');
  const rate = amount('0.0001');
  const long = positionOf(contract, { size: '0.25', entry: '60000', leverage: 20 });
  expect(formatAmountFixed(rules.fundingAmount(long, rate), 8)).toBe('-1.53086250');
  expect(formatAmountFixed(rules.fundingAmount({ ...long, lots: -long.lots }, rate), 8)).toBe('1.53086250');
});

describe('break-even', () => {
  const eth = contractOf({ tiers: TIERS, mark: '2000', symbol: 'ETH' });
  test.each([
    ['a long that paid its fee', '1', { fees: '1' }, '2001'],
    ['a short that paid its fee', '-1', { fees: '1' }, '1999'],
    ['half closed with profit', '0.5', { realised: '10', fees: '2' }, '1984'],
  ])('%s', (_, size, booked, price) => {
    const position = positionOf(eth, { size, entry: '2000', leverage: 10, ...booked });
    expect(formatAmount(rules.breakEvenPrice(position))).toBe(price);
  });
});

test('a forced close pays 1.25 % of what it sold for', () => {
  expect(formatAmount(rules.liquidationFee(at('57200'), amount('28600')))).toBe('357.5');
});

describe('isolated margin moves with the position', () => {
  const contract = at('60000');
  const held = positionOf(contract, { size: '0.3', entry: '60000', leverage: 20, isolated: '1000' });
  test.each([
    ['in at an opening', undefined, '0.5', '1500'],
    ['in when it grows', held, '0.1', '300'],
    ['back in proportion', held, '-0.1', '-333.33333333'],
    ['back as a whole', held, '-0.3', '-1000'],
    ['back and in again at a turn', held, '-0.5', '-400'],
  ])('%s', (_, position, size, moved) => {
    const lots = Number(amount(size) / contract.lotSize);
    const fill = { contract, lots, price: amount('60000'), leverage: 20 };
    expect(formatAmount(rules.isolatedMove(position, fill))).toBe(moved);
  });
});

describe('forced closes', () => {
  test.each([
    ['all of a first-tier position', '4', '100', '4'],
    ['all where no lower tier holds either', '40', '100', '40'],
    // 2,400,000 at 0.65 % less 1,500 need 14,100; 800,000 at 0.5 % less 300 need 3,700 after a fee of 20,000.
    ['down to the tier that holds', '40', '24000', '26.667'],
  ])('%s', (_, size, wallet, closed) => {
    const position = positionOf(at('60000'), { size, entry: '60000', leverage: 20 });
    const lots = rules.liquidationStep(position, accountOf(wallet, [position]));
    expect(lots).toBe(Number(amount(closed) / position.contract.lotSize));
  });

  test('profit and danger come first in the queue of deleveraging, losers last', () => {
    const contract = at('66000');
    const scores = [
      ['60000', '2000'],
      ['60000', '9000'],
      ['65000', '9000'],
      ['67000', '9000'],
      ['67000', '4000'],
    ].map(([entry = '', wallet = '']) => {
      const position = positionOf(contract, { size: '1', entry, leverage: 20 });
      return rules.adlScore(position, accountOf(wallet, [position]));
    });
    expect(scores.toSorted((a, b) => b - a)).toEqual([
      ...scores.slice(0, 3),
      ...scores.slice(3).toSorted((a, b) => b - a),
    ]);
    expect(scores[2]).toBeGreaterThan(0);
    expect(scores[3]).toBeLessThan(0);
  });
});

test('what other cross positions need and have gained counts, isolated ones stand alone', () => {
  const eth = contractOf({ tiers: TIERS, mark: '2100', symbol: 'ETH' });
  const long = positionOf(at('60000'), { size: '1', entry: '60000', leverage: 20 });
  const gained = positionOf(eth, { size: '10', entry: '2000', leverage: 20 });
  const apart = positionOf(eth, { size: '10', entry: '2000', leverage: 20, isolated: '1000', side: 'LONG' });
  const shown = (positions: readonly ReturnType<typeof positionOf>[]) =>
    formatAmount(rules.shownLiquidationPrice(long, accountOf('5000', positions)) ?? amount('0'));
  // (5,000 - 60,000 - 84 + 1,000) / (0.004 - 1), then (4,000 - 60,000) / the same.
  expect(shown([long])).toBe('55220.88353414');
  expect(shown([long, gained])).toBe('54301.20481928');
  expect(shown([long, apart])).toBe('56224.89959839');
});
